/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program as a process of ours: see sim/programs/program-child.h.
 */
#include "sim/programs/program-child.h"

#include <errno.h>
#include <glib.h>

#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"
#include "sim/programs/program-addresses.h"

static int fix_addresses(void *ctx)
{
	const struct program_start *start = ctx;

	/* Where the kernel does not allow it they differ. */
	if (start->same_addresses)
		program_addresses_fix();
	return 0;
}

static int refuse(const struct spawn_failure *failure, const struct program_start *start,
		  char *reterr, size_t reterr_size)
{
	const char *why = g_strerror(failure->err);

	switch (failure->at) {
	case SPAWN_FORK:
		g_snprintf(reterr, reterr_size, "Failed to fork (%s)", why);
		return -EAGAIN;
	case SPAWN_DIRECTORY:
		g_snprintf(reterr, reterr_size, "Failed to change to directory “%s” (%s)",
			   start->directory, why);
		return -ENOTDIR;
	case SPAWN_DESCRIPTORS:
		g_snprintf(reterr, reterr_size, "Failed to duplicate file descriptor for child "
			   "process (%s)", why);
		return -ENOEXEC;
	case SPAWN_PREPARE:
	case SPAWN_EXEC:
		break;
	}
	g_snprintf(reterr, reterr_size, "Failed to execute child process “%s” (%s)",
		   start->argv[0], why);
	return -ENOEXEC;
}

int program_child_start(struct program_child *child, const struct program_start *start,
			char *reterr, size_t reterr_size)
{
	static const int usual[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGPIPE, 0 };
	const struct spawn spawn = {
		.mask = &start->mask, .usual = usual, .dies_with = SIGKILL,
		.leads = SPAWN_LEADS_GROUP, .argv = (char *const *)start->argv,
		.environment = (char *const *)start->environment, .directory = start->directory,
		.input = start->input > 0 ? start->input : SPAWN_NULL,
		.output = MAX(start->output, 0), .errors = MAX(start->errors, 0),
		.prepare = fix_addresses, .ctx = (void *)start,
	};
	struct spawn_failure failure;
	pid_t pid = spawn_program(&spawn, &failure);

	if (pid < 0)
		return refuse(&failure, start, reterr, reterr_size);
	*child = (struct program_child){ .pid = pid };
	return 0;
}

bool program_child_is_over(struct program_child *child)
{
	child->is_over = child->is_over || reap_ended(child->pid, &child->status);
	return child->is_over;
}

void program_child_await(struct program_child *child)
{
	if (!child->is_over)
		child->status = reap(child->pid);
	child->is_over = true;
}
