/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The inside of a book of aliases, for the files that share it: sim/scrub/alias.c (numbers),
 * sim/scrub/alias-name.c (names), sim/scrub/alias-search.c (both, wherever they are).
 */
#ifndef UMADRIG_SIM_SCRUB_ALIAS_BOOK_H
#define UMADRIG_SIM_SCRUB_ALIAS_BOOK_H

#include <glib.h>

#include "sim/scrub/alias-kind.h"
#include "sim/scrub/alias.h"

enum {
	ALIAS_NAME_SEARCHED = 4,	/* the least size of a name that is looked for */
	ALIAS_FILTER_BITS = 1 << 16,
	ALIAS_SIZES = 3,		/* of what is looked for: 8, 6 and 4 bytes */
};

/* A name that is looked for. */
struct alias_needle {
	char *text;
	size_t size;
	char *alias;
};

struct alias_book {
	char *key;
	bool sealed;
	GHashTable *numbers[ALIAS_KINDS];	/* of uint64_t *: original to alias */
	GHashTable *names;			/* of char *: original to alias */
	GHashTable *needles;	/* of GArray of struct alias_needle, longest first, by 4 bytes */
	GHashTable *patterns[ALIAS_SIZES];	/* of uint64_t *: what to find, what to put */
	uint8_t filter[ALIAS_FILTER_BITS / 8];	/* the first 4 bytes of all that is looked for */
};

void alias_names_begin(struct alias_book *book);
void alias_names_seal(struct alias_book *book);
void alias_names_end(struct alias_book *book);

void alias_search_begin(struct alias_book *book);
void alias_search_end(struct alias_book *book);

#endif
