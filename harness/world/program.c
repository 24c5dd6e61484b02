/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that runs in a served world. Its output goes to unnamed files.
 *
 * Nothing that it starts may outlive its scenario. It is the leader of a process group, which is
 * signalled as a whole; what has left that is inherited by this process when its parent has ended
 * (PR_SET_CHILD_SUBREAPER), and found among the children. If a signal ends us, a handler kills the
 * groups first.
 */
#include "harness/world/world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/guests/guest-process.h"
#include "sim/process/descendants.h"
#include "sim/process/process-reap.h"
#include "sim/programs/program-child.h"

/* How much of a program's output is kept. */
#define OUTPUT_MAX (1 << 20)

struct world_program {
	struct program_child child;
	FILE *output, *errors;
};

/* How many groups the signal handler kills. */
#define GROUPS_MAX 256

static volatile pid_t groups[GROUPS_MAX];	/* of running programs; 0: none */
static GArray *inherited;	/* pid_t of children that we had before the first program */
static pid_t keeper;		/* the process that takes over what programs leave behind */

/* ---- what belongs to programs ---- */

/* A descendant_fn: of our children, not of theirs. */
static bool add_child(void *ctx, pid_t pid)
{
	g_array_append_val((GArray *)ctx, pid);
	return false;
}

/* The pids of our children: GArray of pid_t. None is missed while others end. */
static GArray *children(void)
{
	GArray *found = g_array_new(false, false, sizeof(pid_t));

	descendants_visit_slowly(add_child, found);
	return found;
}

static bool is_inherited(pid_t pid)
{
	for (guint i = 0; i < inherited->len; i++) {
		if (g_array_index(inherited, pid_t, i) == pid)
			return true;
	}
	return false;
}

/* 'sig' 0: only reaps those that have ended. */
static bool signal_orphans(int sig)
{
	g_autoptr(GArray) found = inherited ? children() : NULL;
	bool any = false;
	int status;

	for (guint i = 0; found && i < found->len; i++) {
		pid_t pid = g_array_index(found, pid_t, i);

		/* The hosts of a fabric may be processes, too, and end with it. */
		if (is_inherited(pid) || guest_process_is(pid) || reap_ended(pid, &status))
			continue;
		any = true;
		if (sig == SIGKILL)
			reap_killed(pid);
		else if (sig != 0)
			kill(pid, sig);
	}
	return any;
}

bool world_programs_end_orphans(void)
{
	return signal_orphans(SIGTERM);
}

bool world_programs_reap_orphans(void)
{
	return signal_orphans(0);
}

bool world_programs_kill_orphans(void)
{
	return signal_orphans(SIGKILL);
}

void world_programs_own(pid_t pid)
{
	g_array_append_val(inherited, pid);
}

void world_programs_disown(pid_t pid)
{
	for (guint i = 0; i < inherited->len; i++) {
		if (g_array_index(inherited, pid_t, i) == pid) {
			g_array_remove_index_fast(inherited, i);
			return;
		}
	}
}

/* ---- signals that end us ---- */

static void kill_groups(int sig)
{
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		if (groups[i] > 0)
			kill(-groups[i], SIGKILL);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

void world_programs_adopt(void)
{
	if (keeper == getpid())
		return;
	/* What the parent of this process has had is its own matter. */
	if (inherited)
		g_array_unref(inherited);
	inherited = children();
	keeper = getpid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Before the first program. */
static void become_keeper(void)
{
	static const int deadly[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction action = { .sa_handler = kill_groups }, old;

	world_programs_adopt();
	/* Some parents ignore it, and that is inherited: the status of no child would be known. */
	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++) {
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
	}
}

static void replace_group(pid_t old, pid_t new)
{
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		if (groups[i] == old) {
			groups[i] = new;
			return;
		}
	}
}

static void signal_group(const struct world_program *program, int sig)
{
	/* The child may not have made its group yet. */
	if (kill(-program->child.pid, sig) < 0)
		kill(program->child.pid, sig);
}

/* ---- one program ---- */

static void close_files(struct world_program *program)
{
	if (program->output)
		fclose(program->output);
	if (program->errors)
		fclose(program->errors);
}

struct world_program *world_program_new(const char *directory, char *const *argv, char *const *env,
					bool same_addresses, char **reterr)
{
	struct world_program *program = g_new0(struct world_program, 1);
	struct program_start start = {
		.argv = (const char *const *)argv, .environment = (const char *const *)env,
		.directory = directory, .same_addresses = same_addresses,
	};
	char message[512];

	become_keeper();
	program->output = tmpfile();
	program->errors = tmpfile();
	if (!program->output || !program->errors) {
		*reterr = g_strdup_printf("cannot make a file for its output: %s",
					  g_strerror(errno));
		close_files(program);
		g_free(program);
		return NULL;
	}
	start.output = fileno(program->output);
	start.errors = fileno(program->errors);
	sigprocmask(SIG_SETMASK, NULL, &start.mask);
	if (program_child_start(&program->child, &start, message, sizeof(message)) == 0) {
		replace_group(0, program->child.pid);
		return program;
	}
	*reterr = g_strdup(message);
	close_files(program);
	g_free(program);
	return NULL;
}

pid_t world_program_pid(const struct world_program *program)
{
	return program->child.pid;
}

bool world_program_over(struct world_program *program, int *ret_status)
{
	struct program_child *child = &program->child;

	if (!child->is_over && program_child_is_over(child))
		replace_group(child->pid, 0);
	if (child->is_over)
		*ret_status = WIFEXITED(child->status) ? WEXITSTATUS(child->status) :
							 128 + WTERMSIG(child->status);
	return child->is_over;
}

void world_program_stop(struct world_program *program)
{
	if (!program->child.is_over)
		signal_group(program, SIGTERM);
}

char *world_program_output(struct world_program *program, bool errors)
{
	FILE *file = errors ? program->errors : program->output;
	char *text = g_malloc(OUTPUT_MAX + 1);
	ssize_t size = pread(fileno(file), text, OUTPUT_MAX, 0);

	text[MAX(size, 0)] = '\0';
	return text;
}

/* The end of one of its outputs. */
static void append_tail(GString *out, const char *what, const char *text)
{
	enum { TAIL = 2000 };
	size_t size = strlen(text);

	if (size == 0)
		return;
	g_string_append_printf(out, "%s:\n%s%s", what, size > TAIL ? text + size - TAIL : text,
			       text[size - 1] == '\n' ? "" : "\n");
}

void world_program_tell(GString *out, struct world_program *program)
{
	g_autofree char *output = world_program_output(program, false);
	g_autofree char *errors = world_program_output(program, true);

	append_tail(out, "it printed", output);
	append_tail(out, "and on standard error", errors);
}

void world_program_free(struct world_program *program)
{
	int status;

	if (!program)
		return;
	if (!world_program_over(program, &status)) {
		signal_group(program, SIGKILL);
		program_child_await(&program->child);
		replace_group(program->child.pid, 0);
	}
	close_files(program);
	g_free(program);
}
