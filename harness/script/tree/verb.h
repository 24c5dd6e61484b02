/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a line of a script may begin with, after its time: '>', 'fault', 'peer listens', a call ...
 *
 * A verb is one file of harness/script/verb and one row of harness/script/verb/verbs.h. The
 * parser, the checker and the runner know verbs by this struct alone; harness/script/verb-table.c
 * has them all.
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

/* How a line goes with its time and with the lines around it: bits. */
enum step_timing {
	STEP_WAITS = 1,		/* for something, in its window, or whenever it comes ('*') */
	STEP_SILENT = 2,	/* nothing happens in its window */
	STEP_OUTBOUND = 4,	/* it is about what leaves A */
	STEP_RETRIED = 8,	/* done again until it fits: how long that takes is not known */
};

/* A member of a verb's struct that may use names. */
enum part_kind {
	PART_END,
	PART_VALUE,		/* const struct expr *, or NULL */
	PART_FIELDS,		/* const struct mad_expr *: fields alone, or NULL */
	PART_CALL,		/* const struct call_expr *, or NULL */
	PART_LIST,		/* const GPtrArray *, of const struct expr *; or NULL */
	PART_NAME,		/* const char *: the name that the line binds, or NULL */
};

struct step_part {
	enum part_kind kind;
	size_t at;
};

#define STEP_PART(kind, type, member) { PART_##kind, offsetof(struct type, member) }
/* Those of a struct result_expr. */
#define STEP_PARTS_RESULT(type, member) \
	STEP_PART(VALUE, type, member.value), STEP_PART(FIELDS, type, member.umad), \
	STEP_PART(VALUE, type, member.mad)
#define STEP_PARTS_END { PART_END, 0 }

struct script_verb {
	const char *word;		/* NULL: a call, which may have any name */
	const char *second;		/* the next word: '> same'; NULL: none of its own */
	unsigned int follows;		/* bits by enum token_kind; 0: any token */
	bool takes_words;		/* words as in a shell follow, up to a lone '=' */
	bool runs_programs;		/* the fabric is shared with programs, on the real clock */
	bool counts_crossed;		/* it accounts for all that has crossed A's cable */
	size_t size;			/* of its struct, which begins with struct step */
	const struct step_part *parts;	/* ended by STEP_PARTS_END; NULL: none */
	unsigned int timing;		/* bits of enum step_timing */
	/* The same where it depends on the line; or NULL. */
	unsigned int (*timing_of)(const struct step *step);
	/*
	 * What follows the words: a step of this verb (or, of 'start', of another), the arena's;
	 * NULL: diagnosed. Its time and place are filled in by the caller.
	 */
	struct step *(*parse)(struct parser *parser);
	/*
	 * Diagnoses what is wrong; what it finds out is put into step->resolved. NULL: all is well.
	 */
	void (*check)(struct checker *checker, struct plan_step *step);
	/* Why it cannot run on this rig, to be freed; NULL: it can. NULL: it needs a peer. */
	char *(*needs)(const struct plan_step *step, const struct rig *rig);
	void (*run)(struct run *run, const struct plan_step *step);
};

static inline unsigned int step_timing(const struct step *step)
{
	return step->verb->timing_of ? step->verb->timing_of(step) : step->verb->timing;
}

#endif
