/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Attributes that are tables, entry by entry: forwarding tables, P_Keys, VL arbitration. The
 * dictionary has each as one field of bytes.
 */
#ifndef UMADRIG_HARNESS_SHOW_TABLE_TEXT_H
#define UMADRIG_HARNESS_SHOW_TABLE_TEXT_H

#include "harness/show/text.h"
#include "sim/dictionary/mad-dictionary.h"

struct table_info {
	const char *field;		/* the dictionary's name of it */
	const char *words;		/* what an entry is */
	uint8_t entry_size;		/* in bytes: 1, 2 or 4 */
	uint8_t per_line;
	unsigned int entries;		/* of a block */
	unsigned int first;		/* number of the first entry of the first block */
};

/* The table that 'field' is; NULL: it is none. */
const struct table_info *table_find(const struct mad_field *field);

/* Entry 'number' (from 0) of a table's bytes at 'data'. */
uint32_t table_entry(const struct table_info *table, const uint8_t *data, unsigned int number);

/*
 * The entries, 'indent' blanks before each line. 'attribute' and 'data' are those that the field is
 * of, 'modifier' the MAD's: one of them says which block it is.
 */
void table_text(struct text *out, const struct table_info *table, const struct mad_field *field,
		const struct mad_attribute *attribute, uint32_t modifier, const uint8_t *data,
		unsigned int indent);

#endif
