/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a line of a script may begin with, after its time: '>', 'fault', 'peer listens', a call ...
 *
 * A verb is one file of harness/script/verb and one row of harness/script/verb/verbs.h. The parser,
 * the checker and the runner know verbs only by this struct; harness/script/verb-table.c lists all
 * of them.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_VERB_H
#define UMADRIG_HARNESS_SCRIPT_TREE_VERB_H

#include <stddef.h>

#include "harness/script/tree/script.h"

struct checker;
struct parser;
struct plan_step;
struct rig;
struct run;

/* How a line relates to its time and to the lines around it: bits. */
enum step_timing {
	STEP_WAITS = 1,		/* waits for something, in its window or at any time ('*') */
	STEP_SILENT = 2,	/* expects that nothing happens in its window */
	STEP_OUTBOUND = 4,	/* concerns what leaves A */
	STEP_RETRIED = 8,	/* is repeated until it succeeds: its duration is unknown */
};

/* A member of a verb's struct that may use names. */
enum part_kind {
	PART_END,
	PART_VALUE,		/* const struct expr *, or NULL */
	PART_FIELDS,		/* const struct mad_expr *: only fields, or NULL */
	PART_CALL,		/* const struct call_expr *, or NULL */
	PART_LIST,		/* const GPtrArray *, of const struct expr *; or NULL */
	PART_NAME,		/* const char *: the name that the line binds, or NULL */
};

struct step_part {
	enum part_kind kind;
	size_t at;
};

#define STEP_PART(kind, type, member) { PART_##kind, offsetof(struct type, member) }
/* The members of a struct result_expr. */
#define STEP_PARTS_RESULT(type, member) \
	STEP_PART(VALUE, type, member.value), STEP_PART(FIELDS, type, member.umad), \
	STEP_PART(VALUE, type, member.mad)
#define STEP_PARTS_END { PART_END, 0 }

struct script_verb {
	const char *word;		/* NULL: a call, which may have any name */
	const char *second;		/* the next word: '> same'; NULL: none of its own */
	unsigned int follows;		/* bits by enum token_kind; 0: any token */
	bool takes_words;		/* followed by words as in a shell, up to a separate '=' */
	bool runs_programs;		/* programs share the fabric, and the clock */
	bool counts_crossed;		/* it accounts for all that has crossed A's cable */
	size_t size;			/* of its struct, which begins with struct step */
	const struct step_part *parts;	/* ended by STEP_PARTS_END; NULL: none */
	unsigned int timing;		/* bits of enum step_timing */
	/* The same if it depends on the line; or NULL. */
	unsigned int (*timing_of)(const struct step *step);
	/*
	 * Parses what follows the words. Returns a step of this verb (for 'start', of another),
	 * which belongs to the arena; NULL: diagnosed. The caller fills in its time and place.
	 */
	struct step *(*parse)(struct parser *parser);
	/* Diagnoses errors, and puts its results into step->resolved. NULL: nothing to check. */
	void (*check)(struct checker *checker, struct plan_step *step);
	/*
	 * Returns why the line cannot run on this rig, to be freed, or NULL if it can. If the
	 * pointer is NULL, the line needs a peer.
	 */
	char *(*needs)(const struct plan_step *step, const struct rig *rig);
	/*
	 * Returns what the line changes in a fabric apart from its MADs, to be freed; NULL:
	 * nothing. The pointer is NULL if no line of the verb does.
	 */
	char *(*changes)(const struct plan_step *step);
	/* The OUI of the agent that the line registers, or 0; UINT32_MAX: not known. NULL: none. */
	uint32_t (*oui)(const struct plan_step *step);
	/*
	 * Called for every line before the first one runs: fails the run if this one will not be
	 * able to. The pointer is NULL if there is nothing to be seen beforehand.
	 */
	void (*ready)(struct run *run, const struct plan_step *step);
	void (*run)(struct run *run, const struct plan_step *step);
};

static inline unsigned int step_timing(const struct step *step)
{
	return step->verb->timing_of ? step->verb->timing_of(step) : step->verb->timing;
}

#endif
