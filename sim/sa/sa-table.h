/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The records of an answer: those that the request's ComponentMask selects (IBA vol 1, 15.4.4).
 */
#ifndef UMADRIG_SIM_SA_SA_TABLE_H
#define UMADRIG_SIM_SA_SA_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SA_RECORD_MAX = 200,			/* bytes of the largest record */
	SA_TABLE_MAX = 128 << 20,		/* bytes of all records of an answer */
};

struct sa_table {
	GByteArray *records;
	const uint16_t *widths;		/* of components: sa_component_widths() */
	const uint8_t *wanted;		/* the request's record */
	uint64_t mask;			/* components that are compared */
	unsigned int record_size;	/* in the table: a multiple of 8 bytes */
	unsigned int count;
	unsigned int count_max;		/* what goes beyond is counted, but not kept */
	bool is_full;			/* there are more bytes than an answer may have */
};

/*
 * An empty table of records of attribute 'attr_id', of which 'size' bytes are used. 'wanted' and
 * 'mask' are the request's; reserved components are never compared. To be freed with
 * sa_table_clear().
 */
void sa_table_init(struct sa_table *table, uint16_t attr_id, unsigned int size,
		   const uint8_t *wanted, uint64_t mask);
void sa_table_clear(struct sa_table *table);

/* Components (a mask) that the kind of record has compared itself. */
static inline void sa_table_skip(struct sa_table *table, uint64_t components)
{
	table->mask &= ~components;
}

/* Does 'record' have the wanted values in all components of the mask? */
bool sa_table_matches(const struct sa_table *table, const uint8_t *record);

/* Adds the record, which has SA_RECORD_MAX bytes, those beyond its size 0. */
void sa_table_add(struct sa_table *table, const uint8_t *record);
/* The same, if it matches. */
void sa_table_offer(struct sa_table *table, const uint8_t *record);

/* Is there no use in more records? */
bool sa_table_is_done(const struct sa_table *table);

#endif
