/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The processes in which points run.
 *
 * The one that the user started runs nothing itself: it hands out jobs, and takes the results in
 * the order of the jobs, whichever was ready first. A worker that dies costs the job it was at; the
 * others of its jobs go to the worker that takes its place. A signal that ends the run does so
 * without losing the results that are there.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_WORKERS_H
#define UMADRIG_HARNESS_CMD_RUN_WORKERS_H

#include <glib.h>
#include <stdbool.h>

/* A point to be run. */
struct run_job {
	guint32 index;		/* of the selection */
	guint32 round;		/* how often it was run before */
};

/* What the jobs are; all functions get 'ctx'. */
struct run_work {
	void *ctx;
	guint workers;		/* how many processes; at least 1 */
	/* The next job; false: there are no more. */
	bool (*next)(void *ctx, struct run_job *ret);
	/* Does it, in a worker: the bytes of its result. */
	GBytes *(*run)(void *ctx, const struct run_job *job);
	/*
	 * A job is done, in the order of the jobs. 'bytes' NULL: it has no result, for the reason
	 * 'why'. False: nothing more is wanted.
	 */
	bool (*done)(void *ctx, const struct run_job *job, GBytes *bytes, const char *why);
	/* A job was done, but its result is not wanted any more. In a worker, or not. */
	void (*drop)(void *ctx, const struct run_job *job, GBytes *bytes);
	/*
	 * What workers have written to standard error, as it comes: it is this function's to
	 * print. NULL: they have this process's standard error.
	 */
	void (*said)(void *ctx, const char *bytes, size_t size);
	/* Nothing is ready: it may take a while until this one is. */
	void (*idle)(void *ctx, const struct run_job *job);
};

struct run_workers_end {
	int signal;		/* that ended the run; 0: none */
	char *broken;		/* why it could not go on, g_malloc'd; NULL: it could */
};

/*
 * Runs all jobs, or up to the one after which nothing more is wanted. SIGHUP, SIGINT and SIGTERM
 * end it, unless they are ignored: everything that runs is ended first, and the caller is to let
 * the signal end the process when it has said what is to be said.
 */
struct run_workers_end run_workers(const struct run_work *work);

#endif
