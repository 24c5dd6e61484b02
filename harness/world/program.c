/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that runs in a served world. Its output goes to unnamed files.
 */
#include "harness/world/world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How much of a program's output is kept. */
#define OUTPUT_MAX (1 << 20)

struct world_program {
	GPid pid;
	FILE *output, *errors;
	bool over;
	int status;
};

/* To be called in the child, which must not outlive us. */
static void child_setup(void *data)
{
	(void)data;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

struct world_program *world_program_new(const char *directory, char *const *argv, char *const *env,
					char **reterr)
{
	struct world_program *program = g_new0(struct world_program, 1);
	g_autoptr(GError) error = NULL;

	program->output = tmpfile();
	program->errors = tmpfile();
	if (!program->output || !program->errors) {
		*reterr = g_strdup_printf("cannot make a file for its output: %s",
					  g_strerror(errno));
		program->over = true;
		world_program_free(program);
		return NULL;
	}
	if (g_spawn_async_with_fds(directory, (char **)argv, (char **)env,
				   G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, child_setup,
				   NULL, &program->pid, -1, fileno(program->output),
				   fileno(program->errors), &error))
		return program;
	*reterr = g_strdup(error->message);
	program->over = true;
	world_program_free(program);
	return NULL;
}

bool world_program_over(struct world_program *program, int *ret_status)
{
	int status;

	if (!program->over && waitpid(program->pid, &status, WNOHANG) == program->pid) {
		program->over = true;
		program->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	if (program->over)
		*ret_status = program->status;
	return program->over;
}

void world_program_stop(struct world_program *program)
{
	if (!program->over)
		kill(program->pid, SIGTERM);
}

char *world_program_output(struct world_program *program, bool errors)
{
	FILE *file = errors ? program->errors : program->output;
	char *text = g_malloc(OUTPUT_MAX + 1);
	ssize_t size = pread(fileno(file), text, OUTPUT_MAX, 0);

	text[MAX(size, 0)] = '\0';
	return text;
}

void world_program_free(struct world_program *program)
{
	int status;

	if (!program)
		return;
	if (!world_program_over(program, &status) && kill(program->pid, SIGKILL) == 0)
		waitpid(program->pid, &status, 0);
	if (program->output)
		fclose(program->output);
	if (program->errors)
		fclose(program->errors);
	g_free(program);
}
