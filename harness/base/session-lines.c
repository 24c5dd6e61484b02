/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The lines of a run: see harness/base/session-lines.h. Properties get their numbers in the
 * order of these lines.
 */
#include "harness/base/session-lines.h"

#include <glib.h>

/* An option that takes a text, and may be given again. */
#define TEXTS(name, to, help, value) \
	{ name, 0, 0, G_OPTION_ARG_STRING_ARRAY, to, help, value }

void session_lines_add_options(GArray *all, struct session_lines *lines, const char *sometimes)
{
	const GOptionEntry entries[] = {
		TEXTS("do", &lines->lines,
		      "Run this line of 'umadrig ctl' first; may be given again",
		      "LINE"),
		TEXTS("always", &lines->always,
		      "Fail if this is false, or false for longer than its 'within TIME'",
		      "CONDITION"),
		TEXTS("never", &lines->never,
		      "Fail if this is true, or true for longer than its 'within TIME'",
		      "CONDITION"),
		TEXTS("sometimes", &lines->sometimes, sometimes, "CONDITION"),
		TEXTS("finally", &lines->finally,
		      "Fail unless this is true at the end, or its 'within TIME' after --heal",
		      "CONDITION"),
		{ "heal", 0, 0, G_OPTION_ARG_STRING, &lines->heal,
		  "End faults at this time, and mend what is down", "TIME" },
		TEXTS("when", &lines->when,
		      "When something happens, do something: 'all-active do sm off'", "LINE"),
	};

	g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

void session_lines_clear(struct session_lines *lines)
{
	g_strfreev(lines->always);
	g_strfreev(lines->never);
	g_strfreev(lines->sometimes);
	g_strfreev(lines->finally);
	g_strfreev(lines->when);
	g_free(lines->heal);
	g_strfreev(lines->lines);
	*lines = (struct session_lines){ .always = NULL };
}

static void add(GPtrArray *all, const char *verb, char *const *rest)
{
	for (; rest && *rest; rest++)
		g_ptr_array_add(all, *verb ? g_strconcat(verb, " ", *rest, NULL) :
				     g_strdup(*rest));
}

char **session_lines_all(const struct session_lines *lines)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	/* "sometimes" first: their numbers have to be small. */
	add(all, "sometimes", lines->sometimes);
	add(all, "always", lines->always);
	add(all, "never", lines->never);
	add(all, "finally", lines->finally);
	add(all, "when", lines->when);
	if (lines->heal)
		g_ptr_array_add(all, g_strdup_printf("after %s heal", lines->heal));
	add(all, "", lines->lines);
	if (all->len == 0)
		return NULL;
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_steal(all, NULL);
}

const char *session_lines_unmet(const struct session_lines *lines, uint64_t met, unsigned int *at)
{
	while (lines->sometimes && lines->sometimes[*at]) {
		unsigned int number = (*at)++;

		if (number >= 64 || !(met >> number & 1))
			return lines->sometimes[number];
	}
	return NULL;
}
