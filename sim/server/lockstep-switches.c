/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/lockstep-switches.h. */
#include "sim/server/lockstep-switches.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>

unsigned int lockstep_switches_count(const char *text)
{
	unsigned int count = 0;

	if (!text || !*text)
		return 0;
	for (; *text; text++)
		count += *text == '+';
	return count + 1;
}

static int compare(const void *a, const void *b)
{
	return schedule_switch_compare(a, b);
}

void lockstep_switches_begin(struct lockstep_table *table, const char *text)
{
	while (text && *text && table->wishes < LOCKSTEP_SWITCHES &&
	       schedule_switch_take(&text, &table->wish[table->wishes]) == 0)
		table->wishes++;
	if (table->wishes > 0)
		qsort(table->wish, table->wishes, sizeof(table->wish[0]), compare);
}

/* Appends a program's name, which has LOCKSTEP_NAME_SIZE bytes. */
static void append_name(GString *text, const char *name)
{
	for (size_t i = 0; i < LOCKSTEP_NAME_SIZE && name[i]; i++)
		g_string_append_c(text, g_ascii_isprint(name[i]) ? name[i] : '?');
}

char *lockstep_switches_end(const struct lockstep_table *table)
{
	uint32_t count = __atomic_load_n(&table->switched, __ATOMIC_RELAXED);
	char one[SCHEDULE_SWITCH_SIZE];
	GString *text;

	if (count > LOCKSTEP_SWITCHES)
		return NULL;
	text = g_string_new(NULL);
	for (uint32_t i = 0; i < count; i++) {
		const struct lockstep_switch *at = &table->switched_at[i];

		g_string_append_printf(text, "%s\t", schedule_switch_text(&at->at, one));
		append_name(text, at->program);
		g_string_append_printf(text, "\t%s\t", lockstep_kind_text(at->kind));
		append_name(text, at->next_program);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, false);
}
