/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program as a process of ours: see sim/programs/program-child.h.
 */
#include "sim/programs/program-child.h"

#include <errno.h>
#include <glib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/programs/program-addresses.h"

/* In the child, between fork and exec: system calls only. */
static void begin(void *data)
{
	const struct program_start *start = data;

	if (start->same_addresses)
		program_addresses_fix();
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigprocmask(SIG_SETMASK, &start->mask, NULL);
}

int program_child_start(struct program_child *child, const struct program_start *start,
			char *reterr, size_t reterr_size)
{
	g_autoptr(GError) error = NULL;
	GPid pid;

	if (!g_spawn_async_with_fds(start->directory, (char **)start->argv,
				    (char **)start->environment,
				    G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, begin,
				    (void *)start, &pid, start->input > 0 ? start->input : -1,
				    start->output > 0 ? start->output : -1,
				    start->errors > 0 ? start->errors : -1, &error)) {
		g_strlcpy(reterr, error->message, reterr_size);
		return g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_CHDIR) ? -ENOTDIR :
		       g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK) ? -EAGAIN :
		       -ENOEXEC;
	}
	setpgid(pid, pid);
	*child = (struct program_child){ .pid = pid };
	return 0;
}

static bool reap(struct program_child *child, int flags)
{
	pid_t pid;

	if (child->is_over)
		return true;
	do
		pid = waitpid(child->pid, &child->status, flags);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		child->status = -ECHILD;
	child->is_over = pid != 0;
	return child->is_over;
}

bool program_child_is_over(struct program_child *child)
{
	return reap(child, WNOHANG);
}

void program_child_await(struct program_child *child)
{
	reap(child, 0);
}
