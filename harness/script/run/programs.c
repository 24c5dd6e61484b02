/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that were started: see harness/script/run/programs.h.
 */
#include "harness/script/run/programs.h"

#include <glib/gstdio.h>
#include <signal.h>

#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "kmod-stub/event.h"

/* How long a program may take to end after SIGTERM; then it is killed. */
#define END_NS (5 * NS_PER_S)
/* How often what is left is killed: a process that forks faster than this is beyond us. */
#define ORPHAN_ROUNDS 1000

void program_stop(struct run *run, struct world_program *program)
{
	const struct world_kind *kind = run->world->kind;
	int status;

	if (world_program_over(program, &status))
		return;
	world_program_stop(program);
	if (kind->program_signalled)
		kind->program_signalled(run->world, program, SIGTERM);
}

/* One that computes keeps virtual time from moving, so that real time is looked at as well. */
static bool is_in_time(struct run *run, int64_t until_ns, int64_t real_until_us)
{
	return run_now(run) < until_ns &&
	       (!run->world->is_busy || g_get_monotonic_time() < real_until_us);
}

/* Waits for its end. Its fabric is served meanwhile, so that it does not wait there in vain. */
void program_end(struct run *run, struct world_program *program)
{
	int64_t until_ns = run_now(run) + END_NS;
	int64_t real_until_us = g_get_monotonic_time() + END_NS / NS_PER_US;
	const struct world_kind *kind = run->world->kind;
	int status;

	if (!program)
		return;
	program_stop(run, program);
	while (!world_program_over(program, &status) && is_in_time(run, until_ns, real_until_us))
		kind->step(run->world, run_now(run) + PROGRAM_LOOK_NS, NULL, 0);
	if (kind->program_kill && !world_program_over(program, &status))
		kind->program_kill(run->world, program);
	world_program_free(program);
}

/*
 * Ends what programs have left behind. Asked once: a process that is asked again while it ends may
 * have no handler any more.
 */
static void end_orphans(struct run *run)
{
	int64_t until_ns = run_now(run) + END_NS;
	int64_t real_until_us = g_get_monotonic_time() + END_NS / NS_PER_US;
	const struct world_kind *kind = run->world->kind;
	bool any = world_programs_end_orphans();

	if (any && kind->program_signalled)
		kind->program_signalled(run->world, NULL, SIGTERM);
	while (any && is_in_time(run, until_ns, real_until_us)) {
		kind->step(run->world, run_now(run) + PROGRAM_LOOK_NS, NULL, 0);
		any = world_programs_reap_orphans();
	}
	if (any && kind->program_kill)
		kind->program_kill(run->world, NULL);
	/* Those that are killed may leave children of their own. */
	for (int i = 0; i < ORPHAN_ROUNDS && world_programs_kill_orphans(); i++)
		continue;
}

struct run_program *program_add(struct run *run, const struct plan_step *step)
{
	struct run_program *program = g_new0(struct run_program, 1);

	program->step = step;
	program->session = g_strdup_printf("program-%u", run->programs->len + 1);
	g_ptr_array_add(run->programs, program);
	return program;
}

void programs_check_use(struct run *run)
{
	for (guint i = 0; i < run->programs->len && !run_failed(run); i++) {
		const struct run_program *program = run->programs->pdata[i];

		if (!program->must_open ||
		    run->world->kind->session_was_used(run->world, program->session))
			continue;
		run_fail(run, program->place, "%s has not opened the fabric, nor has what it "
			 "started", program->name);
		g_string_append(run->outcome->details,
				"If it is to do something else, end its line with fabric=no\n");
	}
}

struct run_program *program_find(struct run *run, const struct plan_step *step)
{
	for (guint i = 0; i < run->programs->len; i++) {
		struct run_program *program = run->programs->pdata[i];

		if (program->step == step)
			return program;
	}
	return NULL;
}

static void remove_tree(const char *path)
{
	GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		remove_tree(child);
	}
	if (dir)
		g_dir_close(dir);
	g_remove(path);
}

void programs_free(struct run *run)
{
	/* All are asked before one is waited for: each may take its time. */
	for (guint i = 0; i < run->programs->len; i++) {
		struct run_program *program = run->programs->pdata[i];

		if (program->running)
			program_stop(run, program->running);
	}
	for (guint i = 0; i < run->programs->len; i++) {
		struct run_program *program = run->programs->pdata[i];

		program_end(run, program->running);
		g_free(program->session);
		g_free(program);
	}
	g_ptr_array_unref(run->programs);
	if (run->runs_programs)
		end_orphans(run);
	/* The world's own goes with the world. */
	if (run->directory && !run->world->directory)
		remove_tree(run->directory);
	g_free(run->directory);
}
