/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker's toolkit, for all functions that check a part of a script.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_CHECKER_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_CHECKER_H

#include "harness/script/check/plan.h"

/* A '?name' of the scenario. */
struct captured {
	struct place place;
	const char *name;
	bool used;
};

struct binding {
	enum var_kind kind;
	struct captured *captured;	/* NULL: not bound by '?' */
	struct plan_step *begun;	/* STARTED: the line that starts it */
	unsigned int line;
};

struct script_fabric;

struct checker {
	struct arena *arena;		/* the plan's */
	struct diagnostics *diagnostics;
	GPtrArray *captures;	/* of struct captured *, of the scenario */
	GHashTable *captures_at;	/* the same by place: look-up only */
	GHashTable *bindings;	/* char * -> struct binding *, of the point */
	GHashTable *lost;	/* names in invalid lines: look-up only */
	const struct point *point;
	/* What the point runs on; NULL: it is not known before it runs. */
	const struct script_fabric *fabric;
	bool runs_programs;	/* a line of the point does */
	struct plan_step *step;	/* the current line */
	bool left;		/* a '>' precedes this line */
	bool base_known;	/* after '*' the time is not known */
	int64_t base_ns;
	int64_t busy_ns;	/* a '>' or umad_recv in a window may last until here */
	unsigned int busy_line;
	int64_t quiet_ns;	/* nothing leaves before this ('> nothing') */
	unsigned int quiet_line;
	const struct plan_step *last_begun;	/* the last line that started something */
	guint waiting;		/* calls that were started and have not returned */
};

void check_error(struct checker *checker, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* "expected WHAT, found ..." at a value of the wrong kind. */
void check_expected(struct checker *checker, const struct expr *found, const char *what);

/* Zeroed memory for what the current line resolves to: step->resolved. */
void *check_resolved(struct checker *checker, size_t size);

/* ---- harness/script/check/time.c ---- */

/* Checks the time of a line against those before it, and sets step->when. */
void check_time(struct checker *checker, struct plan_step *step);

/* ---- harness/script/check/name.c ---- */

/* Binds 'name' from here on; twice is an error. And what is bound to it, or NULL. */
void check_bind(struct checker *checker, struct place place, const char *name, enum var_kind kind);
const struct binding *check_lookup(struct checker *checker, const char *name);

/* An empty table for captures_at. */
GHashTable *check_captures_new(void);

/* Binds a ?name too. */
void check_capture(struct checker *checker, const struct expr *expr);

/*
 * Reports that no line above binds a name, once, and not if a line that would bind it is invalid.
 */
void check_unknown(struct checker *checker, const struct expr *expr);
bool check_is_lost(const struct checker *checker, const char *name);
/* The line is invalid: names that it would have bound are not reported as unbound later. */
void check_lose(struct checker *checker, const struct step *line);

/*
 * The name must be bound to 'kind'; a number must consist of constants and of names that are bound
 * to numbers and agents.
 */
void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind);
void check_number(struct checker *checker, const struct expr *expr);

/* The current line starts 'name'. And the line that started it, or NULL. */
void check_begin(struct checker *checker, struct place place, const char *name);
struct plan_step *check_find_begun(struct checker *checker, const char *name);

/* ---- harness/script/check/value.c ---- */

/* Must be known before anything runs. */
void check_constant_number(struct checker *checker, const struct expr *expr);
void check_constant_time(struct checker *checker, const struct expr *expr);

/* {Get, Set} */
void check_methods(struct checker *checker, const struct expr *expr);

/* The port that identifies a cable: self, peer or "S1[3]". NULL: none is named. */
void check_cable(struct checker *checker, const struct expr *port);

/* What a call may return: bits. */
enum {
	RESULT_READS = 1,		/* a MAD */
	RESULT_MAY_BE_NOTHING = 2,
	RESULT_IS_POLL_SET = 4,		/* {IN, OUT} */
};

/* An expected result, resolved. */
struct expected {
	const char *call;		/* its name, for messages */
	const struct expr *value;	/* NULL: not given */
	const struct mad_pattern *umad, *mad;	/* or NULL */
};

/* Checks the expected result of 'call', which may return what the bits of 'may' allow. */
void check_result(struct checker *checker, const struct result_expr *result, const char *call,
		  unsigned int may, struct expected *ret);

/* ---- harness/script/check/script-fabric.c ---- */

/* The port "NODE[N]", the node, must be in the point's fabric. */
void check_port_name(struct checker *checker, const struct expr *port);
void check_node_name(struct checker *checker, const struct expr *node);

/* ---- harness/script/check/mad.c ---- */

/* paths, paths[3] */
void check_data(struct checker *checker, const struct expr *value);

/*
 * Resolves a MAD and checks the names that its fields use; then binds what they capture. NULL:
 * diagnosed.
 */
const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
				    enum mad_use use);

/* A MAD that is built needs one class: named, or the only one of its methods. */
void check_class(struct checker *checker, const struct mad_pattern *pattern);

/* The pattern of a MAD as it is used in 'use', or NULL: diagnosed. */
const struct mad_pattern *check_mad_expr(struct checker *checker, const struct expr *expr,
					 enum mad_use use);

#endif
