/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What became of a point that was run: all that reports say about it.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_RESULT_H
#define UMADRIG_HARNESS_CMD_RUN_RESULT_H

#include "harness/cmd/run-selection.h"

enum run_state {
	RUN_PASSED,
	RUN_FAILED,
	RUN_SKIPPED,
	RUN_INCONCLUSIVE,		/* the rig broke: no verdict */
	RUN_EXPECTED_FAILURE,		/* it failed, as --expected-failures says */
	RUN_UNEXPECTED_PASS,		/* it passed, although --expected-failures lists it */
	RUN_STATES,
};

/*
 * The texts of a result, each g_malloc'd; NULL: there is nothing to say.
 *	message		why it is as it is, in one line
 *	at		"FILE:LINE:COLUMN" of the line that failed
 *	backend		what it ran on
 *	expected, actual
 *	repro		the command that runs it again
 *	capture		path of the capture that was kept
 *	diagram		path of the capture as a diagram
 *	text		the line with its caret, and the differences; lines
 *	ladder		what happened; lines
 */
#define RUN_RESULT_TEXTS(TEXT) \
	TEXT(message) \
	TEXT(at) \
	TEXT(backend) \
	TEXT(expected) \
	TEXT(actual) \
	TEXT(repro) \
	TEXT(capture) \
	TEXT(diagram) \
	TEXT(text) \
	TEXT(ladder)

struct run_result {
	const struct selected *selected;
	char *name;			/* g_malloc'd: "path/file.mad: title [row]" */
	enum run_state state;
	bool rig_is_gone;		/* INCONCLUSIVE: no point can be run any more */
	bool has_seed;
	guint64 seed;
	bool has_schedule;
	guint64 schedule;		/* of programs in virtual time */
	gint64 elapsed_us;		/* of real time */
	gint64 end_ns;			/* on the point's own clock, at its end */
#define MEMBER(name) char *name;
	RUN_RESULT_TEXTS(MEMBER)
#undef MEMBER
};

/* "pass", "fail", "skip", "inconclusive", "expected failure", "unexpected pass". */
const char *run_state_name(enum run_state state);

/* A result that says nothing yet but its name. */
void run_result_init(struct run_result *result, const struct selected *selected);
void run_result_clear(struct run_result *result);

/* Does it make the run fail? */
bool run_result_is_failure(const struct run_result *result);

/* The result without its 'selected', as bytes for run_result_unpack(). */
GBytes *run_result_pack(const struct run_result *result);
/*
 * Replaces all that a result says but its name. False: these are not a result's bytes; it is
 * unchanged.
 */
bool run_result_unpack(struct run_result *result, GBytes *bytes);

/* Everything that it says but its message, as lines; to be freed. */
char *run_result_report(const struct run_result *result);

#endif
