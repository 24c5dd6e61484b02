/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The line "fault" of a script, between its parser (fault-parse.c), its checks (fault.c) and what
 * runs it (fault-run.c).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_FAULT_LINE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_FAULT_LINE_H

#include "harness/script/check/checker.h"
#include "harness/script/mad/pattern.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/run.h"

struct fault_step {
	struct step step;
	/*
	 * What the line says, as named arguments: act, count, rate, from, to or on, after, by, at,
	 * where, and words that stand alone. Counts and times may vary.
	 */
	const struct call_expr *call;
	const struct expr *mad;		/* which packets, or NULL; a number: how many */
	/* Of a lie about a field, whose value is the argument "lie": "NodeInfo.LocalPort=+". */
	const char *lie;
};

struct fault_plan {
	const struct mad_pattern *mad;
	bool withheld;		/* the peer can withhold the answers that are to be lost */
};

/* The value of an argument, a constant of the tree; NULL: the line has none of that name. */
const struct expr *fault_argument(const struct fault_step *line, const char *name);

/* Which way a packet goes at the port behind the word: from, to, on; NULL behind the last. */
extern const char *const fault_ways[];

bool fault_is_way(const char *name);
bool fault_has_way(const struct fault_step *line);

/*
 * What a lie is about, with its value ('number', if 'has_number') as far as that is known; to be
 * freed with g_free(). NULL: it is not known.
 */
char *fault_lie_text(const struct fault_step *line, uint64_t number, bool has_number);

/* The management class of the packets that are meant; 0: the line names none. */
uint8_t fault_class_of(const struct fault_plan *plan);

/* Reads what is behind the word "fault". False: diagnosed. */
bool fault_parse_line(struct parser *parser, struct fault_step *line);

/* Adds the rule at its time. */
void fault_run_line(struct run *run, const struct plan_step *step);

#endif
