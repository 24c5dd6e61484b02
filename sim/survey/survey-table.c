/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Answers of subnet administration. See sim/survey/survey-table.h. */
#include "config.h"

#include "sim/survey/survey-table.h"

#include <glib.h>
#include <string.h>

#include "sim/capture/transfer.h"
#include "sim/dictionary/mad-dictionary.h"

enum {
	TRANSFERS_MAX = 32,		/* at a time; the oldest makes room */
	BYTES_MAX = TRANSFERS_BYTES_MAX,	/* the same for what they hold together */
};

struct key {
	uint8_t tid[8];
	uint16_t attribute;
	uint16_t slid, dlid;
};

struct table {
	struct key key;
	struct transfer transfer;
	bool done;		/* handed out; kept to know late copies by */
};

struct survey_tables {
	survey_record_fn *fn;
	void *ctx;
	GQueue tables;		/* of struct table *, the oldest first */
	size_t bytes;		/* that they hold */
	unsigned int incomplete;
};

/* ---- life ---- */

struct survey_tables *survey_tables_new(survey_record_fn *fn, void *ctx)
{
	struct survey_tables *tables = g_new0(struct survey_tables, 1);

	tables->fn = fn;
	tables->ctx = ctx;
	g_queue_init(&tables->tables);
	return tables;
}

static void table_empty(struct survey_tables *tables, struct table *table)
{
	tables->bytes -= transfer_held(&table->transfer);
	transfer_clear(&table->transfer);
}

void survey_tables_free(struct survey_tables *tables)
{
	struct table *table;

	if (!tables)
		return;
	while ((table = g_queue_pop_head(&tables->tables))) {
		table_empty(tables, table);
		g_free(table);
	}
	g_free(tables);
}

unsigned int survey_tables_incomplete(const struct survey_tables *tables)
{
	return tables->incomplete;
}

/* ---- records ---- */

/* Bytes of a record of that attribute; 0: not known. */
static unsigned int record_size(uint16_t attribute)
{
	const struct mad_attribute *known = mad_attribute_find(MAD_CLASS_SUBN_ADM, attribute);

	return known ? known->size : 0;
}

/* Up to the first gap. */
static void hand_out(struct survey_tables *tables, const struct table *table)
{
	const struct transfer *transfer = &table->transfer;
	unsigned int size = record_size(table->key.attribute), step;

	if (!transfer->bytes || !size || transfer->size < SA_DATA + size)
		return;
	step = get_be16(transfer->bytes + SA_ATTR_OFFSET) * 8U;
	if (step < size)
		return;
	for (size_t at = SA_DATA; at + size <= transfer->size; at += step)
		tables->fn(tables->ctx, table->key.attribute, transfer->bytes + at);
}

/* It ends here, complete or not. */
static void table_end(struct survey_tables *tables, struct table *table)
{
	if (table->done)
		return;
	hand_out(tables, table);
	tables->incomplete += !transfer_is_whole(&table->transfer);
	table->done = true;
	table_empty(tables, table);
}

static void make_room(struct survey_tables *tables)
{
	while (tables->tables.length > 1 &&
	       (tables->tables.length > TRANSFERS_MAX || tables->bytes > BYTES_MAX)) {
		struct table *oldest = g_queue_pop_head(&tables->tables);

		table_end(tables, oldest);
		g_free(oldest);
	}
}

/* ---- segments ---- */

static struct table *find(struct survey_tables *tables, const struct key *key)
{
	for (GList *at = tables->tables.tail; at; at = at->prev) {
		struct table *table = at->data;

		if (memcmp(&table->key, key, sizeof(*key)) == 0)
			return table;
	}
	return NULL;
}

/* Another one may have the same transaction ID; it begins with its first segment. */
static struct table *find_or_begin(struct survey_tables *tables, const struct key *key,
				   uint32_t number)
{
	struct table *table = find(tables, key);

	if (table && (!table->done || number > 1))
		return table;
	table = g_new0(struct table, 1);
	table->key = *key;
	g_queue_push_tail(&tables->tables, table);
	return table;
}

static void take_segment(struct survey_tables *tables, const struct capture_mad *captured)
{
	const uint8_t *mad = captured->mad;
	struct key key = { .attribute = get_be16(mad + MAD_ATTR_ID),
			   .slid = captured->addr.slid, .dlid = captured->addr.dlid };
	struct table *table;
	size_t held;

	if (mad[RMPP_TYPE] != RMPP_TYPE_DATA)
		return;
	memcpy(key.tid, mad + MAD_TID, sizeof(key.tid));
	table = find_or_begin(tables, &key, get_be32(mad + RMPP_SEGMENT));
	if (table->done)
		return;
	held = transfer_held(&table->transfer);
	transfer_take(&table->transfer, mad);
	tables->bytes += transfer_held(&table->transfer) - held;
	if (transfer_is_whole(&table->transfer))
		table_end(tables, table);
	make_room(tables);
}

void survey_table_take(struct survey_tables *tables, const struct capture_mad *mad)
{
	uint16_t attribute = get_be16(mad->mad + MAD_ATTR_ID);
	unsigned int size = record_size(attribute);

	if (mad->mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE)
		take_segment(tables, mad);
	else if (size && size <= MAD_SIZE - SA_DATA)
		tables->fn(tables->ctx, attribute, mad->mad + SA_DATA);
}

void survey_tables_finish(struct survey_tables *tables)
{
	for (GList *at = tables->tables.head; at; at = at->next)
		table_end(tables, at->data);
}
