/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Parts of the reader of rules: sim/fabric/fault-text.c has the action and the whole,
 * sim/fabric/fault-sentence.c the words, sim/fabric/fault-parse.c their values.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_PARSE_H
#define UMADRIG_SIM_FABRIC_FAULT_PARSE_H

#include <glib.h>
#include <stdint.h>

#include "sim/api/umadrig.h"

/* What a rule may give only once. */
enum {
	SAID_RATE = 1 << 0,
	SAID_COUNT = 1 << 1,
	SAID_TIME = 1 << 2,
	SAID_WAY = 1 << 3,
	SAID_MENDED = 1 << 4,
	SAID_PACKET = 1 << 5,
	SAID_RMPP = 1 << 6,
	SAID_BITS = 1 << 7,
	SAID_LOSS = 1 << 8,
	SAID_MAD = 1 << 9,
	SAID_LIE = 1 << 10,
	SAID_WHERE = 1 << 11,
	SAID_NUMERIC = 1 << 12,	/* the first of the numbers with a name, and upwards */
	SAID_TID = SAID_NUMERIC | SAID_NUMERIC << 1,
};

struct fault_parse {
	const char *text;
	struct umadrig_fault fault;
	uint32_t said;		/* SAID_..., and a bit for each number with a name */
	char *reterr;
	size_t reterr_size;
};

/* Each returns 0, or -EINVAL with a message. */
int fault_fail(struct fault_parse *parse, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Notes 'said'; 'words' names what 'word' would give a second time. */
int fault_once(struct fault_parse *parse, uint32_t said, const char *words,
		     const char *word);
/* A word that stands alone: "5%", "3", "class=0x81", "mended". */
int fault_parse_word(struct fault_parse *parse, const char *word);
/* "S1[3]", "S1" */
int fault_parse_cable(struct fault_parse *parse, const char *cable);

/* ---- sim/fabric/fault-sentence.c ---- */

/* All words behind the first one, the action. */
int fault_parse_sentence(struct fault_parse *parse, const char *words);

/* ---- sim/fabric/fault-colons.c ---- */

/* Is the text spelled with colons between its words, as rules were? */
bool fault_has_colons(const char *text);
/* The same rule as rules are spelled, to be freed; it may be wrong in another way. */
char *fault_without_colons(const char *text);

#endif
