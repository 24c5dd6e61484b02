/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker's insides, shared by its files: script-check.c (calls, points), harness/script/check/script-check-mad.c
 * (names, MADs) and harness/script/check/script-check-time.c (when lines are due).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_CHECKER_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_CHECKER_H

#include "harness/script/run/script-run.h"

/* A '?name' of the scenario. */
struct captured {
	struct place place;
	const char *name;
	bool used;
};

struct binding {
	enum var_kind kind;
	struct captured *captured;	/* NULL: not by '?' */
	unsigned int line;
};

struct checker {
	struct script *script;
	struct diagnostics *diagnostics;
	GPtrArray *captures;	/* of struct captured *, of the scenario */
	GHashTable *bindings;	/* char * -> struct binding *, of the point */
	GPtrArray *lost;	/* the scenario's */
	const struct point *point;
	bool left;		/* a '>' came before */
	bool base_known;	/* after '*' it is not */
	int64_t base_ns;
	int64_t busy_ns;	/* a '>' or umad_recv in a window may take until here */
	unsigned int busy_line;
	int64_t quiet_ns;	/* nothing leaves before this ('> nothing') */
	unsigned int quiet_line;
	GPtrArray *started;	/* of const struct step *: the point's */
	guint ended;		/* how many of them must have come back by now */
};

void check_error(struct checker *checker, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* The time of a step against those before it. */
void check_time(struct checker *checker, const struct step *step);

/* What a fault looks at, and how often. */
void check_fault(struct checker *checker, struct step *step);

/* A program, its end, its stop; cables and nodes. */
void check_run(struct checker *checker, struct step *step);
void check_program_end(struct checker *checker, struct step *step, const struct step *start);
void check_no_programs(struct checker *checker, const struct step *step);
void check_stop(struct checker *checker, struct step *step);
void check_link(struct checker *checker, struct step *step);

/* A command of the console. */
void check_do(struct checker *checker, struct step *step);

/* The line that starts 'name', or NULL. */
struct step *check_find_start(struct checker *checker, const char *name);

/* Which counter of which port. */
void check_counter(struct checker *checker, struct step *step);

/* What has crossed the cable; what is replayed (NULL: nothing is). */
void check_wire(struct checker *checker, struct step *step);
void check_replay(struct checker *checker, struct replay_expr *replay);

/* A port that a cable is named by: self, peer or "S1[3]". NULL: none is named. */
void check_cable(struct checker *checker, const struct expr *port);

/* What is started, and what must have come back. */
void check_start(struct checker *checker, struct step *step);
void check_end(struct checker *checker, struct step *step);

/* A call: its arguments; NULL: it is none, or they are wrong. */
struct call_args;
const struct call_kind *check_call_args(struct checker *checker, struct step *step,
					struct call_args *ret_args);

/* What must come back of a call that 'reads' a MAD or not. */
void check_result(struct checker *checker, struct step *step, const struct call_kind *kind,
		  bool reads);

/* ---- harness/script/check/script-check-mad.c ---- */

/* From here on 'name' is bound; twice is an error. And what is bound to it, or NULL. */
void check_bind(struct checker *checker, struct place place, const char *name, enum var_kind kind);
const struct binding *check_lookup(struct checker *checker, const char *name);

/* Says that no line above binds a name: not again, and not where such a line is wrong. */
void check_unknown(struct checker *checker, const struct expr *expr);
bool check_is_lost(const struct checker *checker, const char *name);
/* The step is wrong: nobody is told in another line that its names are not bound. */
void check_lose(struct checker *checker, const struct step *step);

/* Must be bound to 'kind'; a number, of constants and of what is bound to numbers and agents. */
void check_bound(struct checker *checker, const struct expr *expr, enum var_kind kind);
void check_number(struct checker *checker, const struct expr *expr);

/* paths, paths[3] */
void check_data(struct checker *checker, const struct expr *value);

/* Resolves, and checks what the fields use; then binds what they capture. NULL: diagnosed. */
const struct mad_pattern *check_mad(struct checker *checker, const struct mad_expr *mad,
				    enum mad_use use);

/* A MAD that is built needs one class: named, or the only one of its methods. */
void check_class(struct checker *checker, const struct mad_pattern *pattern);

/* The pattern of a MAD as it stands in 'use', or NULL: diagnosed. */
const struct mad_pattern *check_mad_expr(struct checker *checker, const struct expr *expr,
					 enum mad_use use);

/* Is it the word 'nothing'? NULL is not. */
bool expr_is_nothing(const struct expr *expr);

#endif
