/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The records of an answer: see sim/sa/sa-table.h.
 */
#include "sim/sa/sa-table.h"

#include <string.h>

#include "sim/dictionary/sa-component.h"

void sa_table_init(struct sa_table *table, uint16_t attr_id, unsigned int size,
		   const uint8_t *wanted, uint64_t mask)
{
	*table = (struct sa_table){
		.records = g_byte_array_new(),
		.widths = sa_component_widths(attr_id),
		.wanted = wanted,
		.mask = mask & ~sa_component_reserved(attr_id),
		.record_size = (size + 7) / 8 * 8,
		.count_max = UINT_MAX,
	};
}

void sa_table_clear(struct sa_table *table)
{
	g_clear_pointer(&table->records, g_byte_array_unref);
}

/* Are 'width' bits from 'bit' on the same? */
static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned int bit, unsigned int width)
{
	for (; width && bit % 8; bit++, width--) {
		if ((a[bit / 8] ^ b[bit / 8]) & 0x80 >> bit % 8)
			return false;
	}
	if (memcmp(a + bit / 8, b + bit / 8, width / 8) != 0)
		return false;
	bit += width / 8 * 8;
	width %= 8;
	return !width || !((a[bit / 8] ^ b[bit / 8]) & (uint8_t)(0xff << (8 - width)));
}

bool sa_table_matches(const struct sa_table *table, const uint8_t *record)
{
	uint64_t left = table->mask;
	unsigned int bit = 0;

	/* Bits beyond the last component mean nothing (IBA vol 1, 15.2.1.1). */
	for (const uint16_t *width = table->widths; *width && left; width++, left >>= 1) {
		if ((left & 1) && !same_bits(table->wanted, record, bit, *width))
			return false;
		bit += *width;
	}
	return true;
}

void sa_table_add(struct sa_table *table, const uint8_t *record)
{
	if (table->count++ >= table->count_max)
		return;
	if (table->records->len + table->record_size > SA_TABLE_MAX)
		table->is_full = true;
	else
		g_byte_array_append(table->records, record, table->record_size);
}

void sa_table_offer(struct sa_table *table, const uint8_t *record)
{
	if (!table->mask || sa_table_matches(table, record))
		sa_table_add(table, record);
}

bool sa_table_is_done(const struct sa_table *table)
{
	return table->is_full || table->count > table->count_max;
}
