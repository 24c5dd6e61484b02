/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Entries: lines of the console that are carried out later (console-schedule.h), or when something
 * happens (console-when.h). A fabric has a list of each, in the order in which they were made.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_ENTRY_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_ENTRY_H

struct console;

/* First in the struct of its kind, which owns it. */
struct console_entry {
	struct console_entry *next;
	int id;			/* several may have the same: what removes one removes all */
};

typedef void console_entry_free_fn(struct console_entry *entry);

/* Adds 'entry' at the end. */
void console_entries_add(struct console_entry **list, struct console_entry *entry);

/* Takes 'entry', which is in the list, out of it. */
void console_entries_take(struct console_entry **list, const struct console_entry *entry);

/* Takes out and frees all. */
void console_entries_clear(struct console_entry **list, console_entry_free_fn *free_entry);

/*
 * "remove WORD": takes out and frees the entries of that number, or all. 'show' is the command that
 * lists them. 0, or a negative errno with an error.
 */
int console_entries_remove(struct console *console, struct console_entry **list, const char *word,
			   const char *show, console_entry_free_fn *free_entry);

#endif
