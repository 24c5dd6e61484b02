/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lists the selected points: see harness/cmd/run-list.h.
 */
#include "harness/cmd/run-list.h"

#include <stdio.h>
#include <string.h>

#include "harness/cmd/run-tags.h"
#include "lib/words/number.h"

/* ---- tags with numbers ---- */

/* The lowest number above 'after' in the point's tags "TAG:N"; 0: there is none. */
static guint64 next_number(const struct point *point, const char *tag, guint64 after)
{
	size_t size = strlen(tag);
	guint64 next = 0;
	const char *one;

	for (guint i = 0; (one = point_tag(point, i)); i++) {
		uint64_t number;

		if (!tag_is(one, tag) || one[size] != ':' ||
		    number_parse_decimal(one + size + 1, 0, UINT64_MAX, &number) < 0)
			continue;
		if (number > after && (next == 0 || number < next))
			next = number;
	}
	return next;
}

/* The same over all points. */
static guint64 next_number_of_all(const GPtrArray *points, const char *tag, guint64 after)
{
	guint64 next = 0;

	for (guint i = 0; i < points->len; i++) {
		guint64 number = next_number(points->pdata[i], tag, after);

		if (number != 0 && (next == 0 || number < next))
			next = number;
	}
	return next;
}

static void print_point(const struct point *point)
{
	printf("%s:%u: %s\n", point->scenario->place.source->name, point->line, point->title);
}

/*
 * Prints what covers each number of a tag: "statement 7", from 1 to the highest one used. Numbers
 * that no point has are listed as missing.
 */
static void list_numbers(const GPtrArray *points, const char *tag)
{
	guint64 number = 0, next;

	while ((next = next_number_of_all(points, tag, number)) != 0) {
		while (++number < next)
			printf("%s %3" G_GUINT64_FORMAT "  missing\n", tag, number);
		for (guint i = 0; i < points->len; i++) {
			if (next_number(points->pdata[i], tag, number - 1) != number)
				continue;
			printf("%s %3" G_GUINT64_FORMAT "  ", tag, number);
			print_point(points->pdata[i]);
		}
	}
}

void run_list(const GArray *selection, char **tags)
{
	g_autoptr(GPtrArray) points = g_ptr_array_new();
	const char *tag = tags && g_strv_length(tags) == 1 ? tags[0] : NULL;

	for (guint i = 0; i < selection->len; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);

		if (selected->point)
			g_ptr_array_add(points, (void *)selected->point);
	}
	if (tag && next_number_of_all(points, tag, 0) != 0) {
		list_numbers(points, tag);
		return;
	}
	for (guint i = 0; i < points->len; i++)
		print_point(points->pdata[i]);
}
