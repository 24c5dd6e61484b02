/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker's toolkit: for all that checks a part of a script.
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
	struct captured *captured;	/* NULL: not by '?' */
	struct plan_step *begun;	/* STARTED: the line that starts it */
	unsigned int line;
};

struct checker {
	struct arena *arena;		/* the plan's */
	struct diagnostics *diagnostics;
	GPtrArray *captures;	/* of struct captured *, of the scenario */
	GHashTable *captures_at;	/* the same by where they are: look-up only */
	GHashTable *bindings;	/* char * -> struct binding *, of the point */
	GHashTable *lost;	/* names of wrong lines: look-up only */
	const struct point *point;
	bool runs_programs;	/* the point does */
	struct plan_step *step;	/* the line at hand */
	bool left;		/* a '>' came before */
	bool base_known;	/* after '*' it is not */
	int64_t base_ns;
	int64_t busy_ns;	/* a '>' or umad_recv in a window may take until here */
	unsigned int busy_line;
	int64_t quiet_ns;	/* nothing leaves before this ('> nothing') */
	unsigned int quiet_line;
	const struct plan_step *last_begun;	/* the last line that started something */
	guint waiting;		/* calls that were started and have not come back */
};

void check_error(struct checker *checker, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* "expected WHAT, found ..." at a value of the wrong kind. */
void check_expected(struct checker *checker, const struct expr *found, const char *what);

/* Zeroed memory for what the line at hand resolves to: step->resolved. */
void *check_resolved(struct checker *checker, size_t size);

/* ---- harness/script/check/time.c ---- */

/* The time of a line against those before it. */
void check_time(struct checker *checker, const struct plan_step *step);

/* ---- harness/script/check/name.c ---- */

/* From here on 'name' is bound; twice is an error. And what is bound to it, or NULL. */
void check_bind(struct checker *checker, struct place place, const char *name, enum var_kind kind);
const struct binding *check_lookup(struct checker *checker, const char *name);

/* A table for captures_at, empty. */
GHashTable *check_captures_new(void);

/* ?name: bound too. */
void check_capture(struct checker *checker, const struct expr *expr);

/* Says that no line above binds a name: not again, and not where such a line is wrong. */
void check_unknown(struct checker *checker, const struct expr *expr);
bool check_is_lost(const struct checker *checker, const char *name);
/* The line is wrong: no other line is blamed for names that this one would have bound. */
void check_lose(struct checker *checker, const struct step *line);

/* Must be bound to 'kind'; a number, of constants and of what is bound to numbers and agents. */
void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind);
void check_number(struct checker *checker, const struct expr *expr);

/* The line at hand starts 'name'; which line did, or NULL. */
void check_begin(struct checker *checker, struct place place, const char *name);
struct plan_step *check_find_begun(struct checker *checker, const char *name);

/* ---- harness/script/check/value.c ---- */

/* Known before anything runs. */
void check_constant_number(struct checker *checker, const struct expr *expr);
void check_constant_time(struct checker *checker, const struct expr *expr);

/* {Get, Set} */
void check_methods(struct checker *checker, const struct expr *expr);

/* A port that a cable is named by: self, peer or "S1[3]". NULL: none is named. */
void check_cable(struct checker *checker, const struct expr *port);

/* What a call may give: bits. */
enum {
	RESULT_READS = 1,		/* a MAD */
	RESULT_MAY_BE_NOTHING = 2,
	RESULT_IS_POLL_SET = 4,		/* {IN, OUT} */
};

/* What must come back, resolved. */
struct expected {
	const char *call;		/* its name, for messages */
	const struct expr *value;	/* NULL: nothing is said */
	const struct mad_pattern *umad, *mad;	/* or NULL */
};

/* What must come back of 'call', which may give what the bits of 'may' say. */
void check_result(struct checker *checker, const struct result_expr *result, const char *call,
		  unsigned int may, struct expected *ret);

/* ---- harness/script/check/mad.c ---- */

/* paths, paths[3] */
void check_data(struct checker *checker, const struct expr *value);

/* Resolves, and checks what the fields use; then binds what they capture. NULL: diagnosed. */
const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
				    enum mad_use use);

/* A MAD that is built needs one class: named, or the only one of its methods. */
void check_class(struct checker *checker, const struct mad_pattern *pattern);

/* The pattern of a MAD as it is used in 'use', or NULL: diagnosed. */
const struct mad_pattern *check_mad_expr(struct checker *checker, const struct expr *expr,
					 enum mad_use use);

#endif
