/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A script's text while it is blessed: the original, and what is written in place of parts of it.
 *
 * All else stays to the byte. No part is replaced twice: what one point makes true must not be
 * what another one contradicts.
 */
#ifndef UMADRIG_HARNESS_CMD_BLESS_TEXT_H
#define UMADRIG_HARNESS_CMD_BLESS_TEXT_H

#include "harness/script/run/amend.h"

struct bless_text {
	char *original;
	gsize size;
	GPtrArray *edits;	/* of struct bless_edit *, by their place in the original */
	GPtrArray *coming;	/* of the same: for the next text */
};

struct bless_edit {
	size_t at, size;	/* in the original */
	unsigned int line;
	char *text;
	char *by;		/* the point that differed */
};

/* Takes 'original', of 'size' bytes, which g_free() frees. */
void bless_text_init(struct bless_text *text, char *original, gsize size);
void bless_text_clear(struct bless_text *text);

/* The text with all edits but the coming ones; '*ret_size' are its bytes. To be freed. */
char *bless_text_now(const struct bless_text *text, gsize *ret_size);

/*
 * Adds an edit for the next text; the amendment's place is in the text as it is now. NULL, or the
 * edit that has another text for the same place already.
 */
const struct bless_edit *bless_text_amend(struct bless_text *text,
					  const struct amendment *amendment, const char *by);

/* The coming edits come. False: there is none. */
bool bless_text_turn(struct bless_text *text);

/*
 * Prints what is other in 'now' than in the original, as diff -u does, with 'path' in its head.
 * Both have as many lines.
 */
void bless_text_diff(const struct bless_text *text, const char *now, const char *path);

#endif
