/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The plan of a script: the checker's result, ready to run.
 *
 * It refers to the script, which must outlive it. It is filled in while the script is checked and
 * not changed afterwards; the runner only reads it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_PLAN_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_PLAN_H

#include "harness/script/check/vary.h"
#include "harness/script/mad/pattern.h"
#include "harness/script/tree/verb.h"

/* What a name may be bound to. */
enum var_kind {
	VAR_NONE,
	VAR_NUMBER,
	VAR_TEXT,		/* a device's name */
	VAR_HANDLE,		/* of umad_open_port */
	VAR_FILE,		/* of file.open */
	VAR_AGENT,
	VAR_BUFFER,		/* of umad_alloc */
	VAR_STARTED,		/* of start; while a script is checked only */
};

/* When a line is due, or from when to when. */
struct plan_time {
	enum step_time_kind kind;
	struct place place;
	bool from_relative, to_relative;
	int64_t from_ns, to_ns;
};

/* When that is since the point began; what waits for something of unknown length is not known. */
struct plan_when {
	bool is_known;
	int64_t from_ns, to_ns;		/* the same for a point in time */
};

/* A line of a point. */
struct plan_step {
	const struct step *line;	/* with rows, defines and 'vary' expanded */
	struct place place;		/* the line's */
	struct plan_time time;
	struct plan_when when;
	const struct mad_pattern *patterns;	/* all of the line's; NULL: none */
	void *resolved;		/* set by the verb's check: its own struct, or NULL */
};

/*
 * One test point: a scenario, or one row of it, with one choice of everything that varies, line by
 * line.
 */
struct point {
	const struct plan_scenario *plan;
	const struct scenario *scenario;
	char *name;		/* "path/file.mad: title [row]", unique among all that is run */
	const char *title;	/* the part of it behind the file's: "title [row]" */
	unsigned int line;	/* of its scenario, or of its row */
	uint64_t schedule;	/* seed for which program runs next; 0: in order */
	const GPtrArray *tags;	/* of const char *: its row's, besides its scenario's; or NULL */
	struct bindings row, varied;	/* what '$NAME' stands for */
	GPtrArray *steps;	/* of struct plan_step * */
	GPtrArray *payloads;	/* of const struct payload * */
};

struct plan_scenario {
	const struct scenario *scenario;
	GPtrArray *points[2];	/* of struct point *: on real ports, on the simulator */
	GPtrArray *ignores;	/* of const struct mad_pattern *: what the runner ignores */
	const struct mad_pattern *replay_where;	/* which MADs are replayed; NULL: all */
	const char *objection;	/* why its topology is of no use, so that it fails; or NULL */
};

struct plan {
	const struct script *script;
	GPtrArray *scenarios;	/* of struct plan_scenario *, as in the script */
	GHashTable *fabrics;	/* of harness/script/check/script-fabric.h: look-up only */
	size_t work;		/* values, lines and points that were expanded */
	struct arena *arena;
};

/* Does the scenario have a line that runs programs? */
bool point_runs_programs(const struct point *point);

/*
 * The seed of a scenario that sets none: derived from the file's base name and the title, so it
 * never changes.
 */
uint64_t scenario_seed(const struct scenario *scenario);

/* NULL is allowed. */
void plan_free(struct plan *plan);

#endif
