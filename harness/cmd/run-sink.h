/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the results of a run go: TAP on standard output, or what did not pass if that is a
 * terminal; JUnit XML and JSON in files.
 *
 * A run tells each of its sinks the same, in the same order: what it is about, each point that
 * begins or has a result, and how it ended.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_SINK_H
#define UMADRIG_HARNESS_CMD_RUN_SINK_H

#include "harness/cmd/run-result.h"

/* What is known before the first point. */
struct run_about {
	const char *command;		/* "umadrig run", for messages */
	const struct run_options *options;
	const char *header;		/* what runs, on what; lines */
	guint points;			/* how many results there will be at most */
	bool points_known;		/* exactly so many, unless the run is cut off */
	const char *empty;		/* why there is none; NULL: there are some */
};

/* What is known at the end. */
struct run_totals {
	guint counts[RUN_STATES];
	guint results;			/* all of them */
	const char *cut_off;		/* why the run did not come to its end; NULL: it did */
	int status;			/* the run's exit status */
};

struct run_sink;

struct run_sink_kind {
	/* Makes a sink. 'path': of its file; NULL where it has none. */
	struct run_sink *(*make)(const char *path, const struct run_about *about);
	/* The next result is this one. */
	void (*result)(struct run_sink *sink, const struct run_result *result);
	/*
	 * There are no more: writes what is left, and frees the sink. Returns COMMAND_OK, or
	 * another exit status after an error.
	 */
	int (*end)(struct run_sink *sink, const struct run_totals *totals);
};

/* What each kind of sink begins with; make() leaves 'kind' to its caller. */
struct run_sink {
	const struct run_sink_kind *kind;
	const struct run_about *about;
};

extern const struct run_sink_kind run_sink_tap, run_sink_terminal, run_sink_junit, run_sink_json;

#endif
