/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One run of umadrig explore: a process that does what umadrig exec does, in a directory of its
 * own. There are then the capture, the output of the program, the console's answers, and what else
 * the program has put there.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_RUN_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_RUN_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "harness/base/session-lines.h"
#include "harness/explore/explore-plan.h"
#include "sim/server/lockstep-end.h"

/* Has the run's directory, for the program. */
#define EXPLORE_VARIABLE "UMADRIG_RUN"

#define EXPLORE_CAPTURE "capture.pcapng"
#define EXPLORE_OUTPUT "output"
#define EXPLORE_CONSOLE "console"	/* a number follows: that of the command, from 1 */
#define EXPLORE_TRIGGERS "triggers"	/* lines of "when list": --each is the last one */
#define EXPLORE_PROPERTIES "properties"	/* what became of them: lines of "property end" */
#define EXPLORE_SWITCHES "switches"	/* as lockstep_switches_end() */
#define EXPLORE_ERROR "error: "		/* the console's answer begins so, if it is one */

/* What is asked of each run. */
struct explore_test {
	const char *name;	/* "umadrig explore" */
	char *fabric;		/* as the user has it, with the kernel */
	const char *seed_arg;	/* likewise; or NULL */
	struct explore_plan plan;
	char **argv;		/* the program and its arguments */
	const char *host;	/* as of exec; or NULL */
	int64_t grace_ns;	/* as of exec */
	const char *grace_arg;	/* as the user has it; or NULL */
	int64_t timeout_ns;	/* of real time; 0: any */
	const char *timeout_arg;	/* as the user has it; or NULL */
	int64_t limit_ns;	/* of virtual time; 0: any */
	const char *limit_arg;
	bool twice;
	char **expect;		/* "COMMAND = PATTERN" of the console at the end; or NULL */
	const struct session_lines *asked;	/* what must hold, as the user has it */
	char **lines;		/* the same, and more, for the console at the beginning; or NULL */
	char **has, **lacks;	/* patterns of the output; or NULL */
	char *directory;	/* where all are kept, absolute */
};

struct explore_run {
	const struct explore_test *test;
	struct explore_point point;
	char *directory;
	pid_t pid;		/* 0: it does not run */
	int64_t end_ns;		/* on the monotonic clock: when it is ended; INT64_MAX: never */
	unsigned int nudges;	/* signals that it got because of that */
	bool is_late;		/* it was ended because it took too long */
	int status;		/* as of reap(), once it has ended */
	struct lockstep_end end;	/* then; zeros where that is not known */
	struct lockstep_end *left;	/* what its process leaves; NULL once it has ended */
};

/* How many packets have crossed cables in a run that has ended, with --each; else 0. */
uint64_t explore_run_instants(const struct explore_run *run);

/* Starts it in test->directory/NAME, which is made; the caller reaps it. Returns 0 or -errno. */
int explore_run_start(struct explore_run *run, const struct explore_test *test,
		      const struct explore_point *point, const char *name);
/* It has been reaped, with this status: takes what it has left in 'end'. */
void explore_run_has_ended(struct explore_run *run, int status);
/* To be called at 'end_ns': the run is told to end, the second time for good. */
void explore_run_is_late(struct explore_run *run, int64_t now_ns);
/* Frees what is in '*run', which does not run; the directory stays. */
void explore_run_clear(struct explore_run *run);

/* The command of "COMMAND[ = PATTERN]", to be freed; '*ret_pattern': NULL, or within 'expect'. */
char *explore_expect_command(const char *expect, const char **ret_pattern);

#endif
