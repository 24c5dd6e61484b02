/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Attributes that are tables. See harness/show/table-text.h.
 */
#include "harness/show/table-text.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	MULTICAST_FIRST = 0xc000,
	POSITION_SHIFT = 28,	/* in the modifier (IBA vol 1, 14.2.5.12) */
	MULTICAST_BLOCK_MASK = 0x1ff,
	PORTS_OF_A_POSITION = 16,
	BLOCK_MASK = 0xffff,
};

static const struct table_info tables[] = {
	{ "LinearForwTbl", "the port for each LID; 255: none", 1, 16, 64, 0 },
	{ "RandomForwTbl", "LID/LMC:port of each valid entry", 4, 4, 16, 0 },
	{ "MulticastForwTbl", "ports for each MLID, a bit each", 2, 8, 32, MULTICAST_FIRST },
	{ "P_Keys", "P_Keys by index", 2, 8, 32, 0 },
	{ "VLArbTbl", "VL:weight", 2, 8, 32, 0 },
};

const struct table_info *table_find(const struct mad_field *field)
{
	if (field->format != MAD_FIELD_BYTES)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		if (strcmp(tables[i].field, field->name) == 0)
			return &tables[i];
	}
	return NULL;
}

uint32_t table_entry(const struct table_info *table, const uint8_t *data, unsigned int number)
{
	const uint8_t *at = data + (size_t)number * table->entry_size;

	return table->entry_size == 1 ? *at : table->entry_size == 2 ? get_be16(at) : get_be32(at);
}

static bool is_table(const struct table_info *table, const char *field)
{
	return strcmp(table->field, field) == 0;
}

/* A field of the record that says which piece of the table it has; else of the modifier. */
static unsigned int place(const struct mad_attribute *attribute, const char *name,
			  const uint8_t *data, unsigned int of_modifier)
{
	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		if (strcmp(field->name, name) == 0)
			return (unsigned int)mad_field_get(field, data);
	}
	return of_modifier;
}

static void append_entry(struct text *out, const struct table_info *table, uint32_t entry)
{
	if (is_table(table, "LinearForwTbl")) {
		text_number_right(out, entry, 4);
	} else if (is_table(table, "RandomForwTbl")) {
		/* LID, valid bit, LMC, reserved, port (IBA vol 1, 14.2.5.11). */
		if (entry >> 15 & 1)
			text_format(out, " %5u/%u:%u", entry >> 16, entry >> 12 & 7, entry & 0xff);
		else
			text_words(out, " -");
	} else if (is_table(table, "VLArbTbl")) {
		text_format(out, " %2u:%-3u", entry >> 8 & 15, entry & 0xff);
	} else {
		text_char(out, ' ');
		text_hex(out, entry, 4);
	}
}

void table_text(struct text *out, const struct table_info *table, const struct mad_field *field,
		const struct mad_attribute *attribute, uint32_t modifier, const uint8_t *data,
		unsigned int indent)
{
	bool multicast = is_table(table, "MulticastForwTbl");
	unsigned int mask = multicast ? MULTICAST_BLOCK_MASK : BLOCK_MASK;
	unsigned int block = place(attribute, "BlockNum", data, modifier & mask);
	unsigned int position = place(attribute, "Position", data, modifier >> POSITION_SHIFT);
	unsigned int first = table->first + block * table->entries;

	/* Its modifier is not the number of a block: the tables of high and low priority. */
	if (is_table(table, "VLArbTbl"))
		first = block && block % 2 == 0 ? table->entries : 0;
	text_words(out, table->words);
	if (multicast)
		text_format(out, ": ports %u to %u", position * PORTS_OF_A_POSITION,
			    (position + 1) * PORTS_OF_A_POSITION - 1);
	text_char(out, '\n');
	for (unsigned int i = 0; i < table->entries; i++) {
		if (i % table->per_line == 0) {
			text_blanks(out, indent);
			if (multicast)
				text_hex(out, first + i, 4);
			else
				text_number_right(out, first + i, 5);
			text_char(out, ':');
		}
		append_entry(out, table, table_entry(table, data + field->bit / 8, i));
		if (i % table->per_line == table->per_line - 1U)
			text_char(out, '\n');
	}
}
