/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "sim/console/console-entry.h"

#include "sim/console/console.h"

void console_entries_add(struct console_entry **list, struct console_entry *entry)
{
	while (*list)
		list = &(*list)->next;
	*list = entry;
}

void console_entries_take(struct console_entry **list, const struct console_entry *entry)
{
	while (*list != entry)
		list = &(*list)->next;
	*list = entry->next;
}

void console_entries_clear(struct console_entry **list, console_entry_free_fn *free_entry)
{
	while (*list) {
		struct console_entry *gone = *list;

		*list = gone->next;
		free_entry(gone);
	}
}

int console_entries_remove(struct console *console, struct console_entry **list, const char *word,
			   const char *show, console_entry_free_fn *free_entry)
{
	bool all, any;
	uint64_t id;
	int ret = console_entry(console, word, "an entry", &all, &id);

	if (ret < 0)
		return ret;
	any = all;
	while (*list) {
		struct console_entry *gone = *list;

		if (!all && gone->id != (int)id) {
			list = &gone->next;
			continue;
		}
		*list = gone->next;
		free_entry(gone);
		any = true;
	}
	return any ? 0 : console_no_entry(console, "entry", word, show);
}
