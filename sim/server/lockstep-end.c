/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/lockstep-end.h. */
#include "sim/server/lockstep-end.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Terminated; what is no printable ASCII is '?'. */
static void clean_text(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (; *text; text++) {
		if (!g_ascii_isprint(*text))
			*text = '?';
	}
}

static void clean_crash(struct lockstep_crash *crash)
{
	clean_text(crash->program, sizeof(crash->program));
	crash->frames = MIN(crash->frames, LOCKSTEP_FRAMES);
	for (uint32_t i = 0; i < crash->frames; i++) {
		clean_text(crash->frame[i].module, sizeof(crash->frame[i].module));
		clean_text(crash->frame[i].function, sizeof(crash->frame[i].function));
	}
}

void server_lockstep_end_clean(struct lockstep_end *end)
{
	clean_text(end->waits, sizeof(end->waits));
	clean_text(end->runs, sizeof(end->runs));
	end->crashes = MIN(end->crashes, LOCKSTEP_CRASHES);
	for (uint32_t i = 0; i < end->crashes; i++)
		clean_crash(&end->crash[i]);
}

/* ---- what threads wait for ---- */

static bool is_same_program(const struct lockstep_slot *a, const struct lockstep_slot *b)
{
	return strncmp(a->name, b->name, LOCKSTEP_NAME_SIZE - 1) == 0;
}

static bool is_waiting(const struct lockstep_slot *slot)
{
	return slot->state == LOCKSTEP_WAITING && slot->kind < LOCKSTEP_TIMER;
}

/* Does an earlier slot wait, of the same program, and for the same if 'kind'? */
static bool is_known(const struct lockstep_table *table, uint32_t at, bool kind)
{
	const struct lockstep_slot *slot = &table->slot[at];

	for (uint32_t i = 0; i < at; i++) {
		if (is_waiting(&table->slot[i]) && is_same_program(&table->slot[i], slot) &&
		    (!kind || table->slot[i].kind == slot->kind))
			return true;
	}
	return false;
}

/* Those of one program, from its first slot on. */
static void append_program(GString *text, const struct lockstep_table *table, uint32_t count,
			   uint32_t first)
{
	const struct lockstep_slot *program = &table->slot[first];

	g_string_append_printf(text, "%s%.*s for", text->len ? "; " : "", LOCKSTEP_NAME_SIZE - 1,
			       program->name);
	for (uint32_t i = first; i < count; i++) {
		const struct lockstep_slot *slot = &table->slot[i];

		if (is_waiting(slot) && is_same_program(slot, program) && !is_known(table, i, true))
			g_string_append_printf(text, "%s %s", i > first ? "," : "",
					       lockstep_kind_text(slot->kind));
	}
}

static void read_waits(const struct lockstep_table *table, char waits[LOCKSTEP_WAITS_SIZE])
{
	uint32_t count = lockstep_count(table);
	g_autoptr(GString) text = g_string_new(NULL);

	for (uint32_t i = 0; i < count && text->len < LOCKSTEP_WAITS_SIZE; i++) {
		if (is_waiting(&table->slot[i]) && !is_known(table, i, false))
			append_program(text, table, count, i);
	}
	g_strlcpy(waits, text->str, LOCKSTEP_WAITS_SIZE);
}

static void read_runs(const struct lockstep_table *table, char runs[LOCKSTEP_NAME_SIZE])
{
	uint32_t count = lockstep_count(table);

	memset(runs, 0, LOCKSTEP_NAME_SIZE);
	for (uint32_t i = 0; i < count; i++) {
		if (table->slot[i].state == LOCKSTEP_RUNNING) {
			memcpy(runs, table->slot[i].name, LOCKSTEP_NAME_SIZE);
			return;
		}
	}
}

void server_lockstep_end_copy(const struct lockstep_table *table, struct lockstep_table *ret)
{
	uint32_t count = lockstep_count(table);

	ret->points = table->points;
	ret->crashes = 0;
	memcpy(ret->slot, table->slot, count * sizeof(*table->slot));
	ret->count = count;
}

void server_lockstep_end_read(const struct lockstep_table *table, struct lockstep_end *ret)
{
	ret->points = table->points;
	ret->crashes = table->crashes;
	memcpy(ret->crash, table->crash, sizeof(ret->crash));
	read_waits(table, ret->waits);
	read_runs(table, ret->runs);
	server_lockstep_end_clean(ret);
}

void server_lockstep_end_read_both(const struct lockstep_table *table,
				   const struct lockstep_table *copy, struct lockstep_end *ret)
{
	server_lockstep_end_read(table, ret);
	if (!copy)
		return;
	read_waits(copy, ret->waits);
	read_runs(copy, ret->runs);
	server_lockstep_end_clean(ret);
}
