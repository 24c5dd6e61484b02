/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The lines of a run: see harness/base/session-lines.h. Properties get their numbers in the
 * order of these lines.
 */
#include "harness/base/session-lines.h"

#include <glib.h>

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
