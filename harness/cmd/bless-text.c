/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A script's text while it is blessed: see harness/cmd/bless-text.h.
 */
#include "harness/cmd/bless-text.h"

#include <stdio.h>
#include <string.h>

enum { CONTEXT = 3 };	/* lines before and behind a difference */

static void edit_free(void *data)
{
	struct bless_edit *edit = data;

	g_free(edit->text);
	g_free(edit->by);
	g_free(edit);
}

void bless_text_init(struct bless_text *text, char *original, gsize size)
{
	text->original = original;
	text->size = size;
	text->edits = g_ptr_array_new_with_free_func(edit_free);
	text->coming = g_ptr_array_new_with_free_func(edit_free);
}

void bless_text_clear(struct bless_text *text)
{
	g_free(text->original);
	g_ptr_array_unref(text->edits);
	g_ptr_array_unref(text->coming);
}

/* ---- edits ---- */

char *bless_text_now(const struct bless_text *text, gsize *ret_size)
{
	GString *now = g_string_new(NULL);
	size_t at = 0;

	for (guint i = 0; i < text->edits->len; i++) {
		const struct bless_edit *edit = text->edits->pdata[i];

		g_string_append_len(now, text->original + at, (gssize)(edit->at - at));
		g_string_append(now, edit->text);
		at = edit->at + edit->size;
	}
	g_string_append_len(now, text->original + at, (gssize)(text->size - at));
	*ret_size = now->len;
	return g_string_free(now, false);
}

/* The place in the original that is at 'now' in the text of today, or the edit that it is in. */
static const struct bless_edit *locate(const struct bless_text *text, size_t now, size_t *ret_at)
{
	size_t longer = 0, shorter = 0;

	for (guint i = 0; i < text->edits->len; i++) {
		const struct bless_edit *edit = text->edits->pdata[i];
		size_t begin = edit->at + longer - shorter;

		if (now < begin)
			break;
		if (now < begin + strlen(edit->text))
			return edit;
		longer += strlen(edit->text);
		shorter += edit->size;
	}
	*ret_at = now - longer + shorter;
	return NULL;
}

const struct bless_edit *bless_text_amend(struct bless_text *text,
					  const struct amendment *amendment, const char *by)
{
	struct bless_edit *edit;
	size_t at = 0;
	const struct bless_edit *other = locate(text, amendment->place.offset, &at);

	if (other)
		return other;
	for (guint i = 0; i < text->coming->len; i++) {
		other = text->coming->pdata[i];
		if (other->at == at)
			return strcmp(other->text, amendment->text) == 0 ? NULL : other;
	}
	edit = g_new0(struct bless_edit, 1);
	edit->at = at;
	edit->size = amendment->size;
	edit->line = amendment->place.line;
	edit->text = g_strdup(amendment->text);
	edit->by = g_strdup(by);
	g_ptr_array_add(text->coming, edit);
	return NULL;
}

static gint by_place(gconstpointer left, gconstpointer right)
{
	const struct bless_edit *const *a = left, *const *b = right;

	return (*a)->at < (*b)->at ? -1 : (*a)->at > (*b)->at;
}

bool bless_text_turn(struct bless_text *text)
{
	bool any = text->coming->len > 0;

	while (text->coming->len > 0)
		g_ptr_array_add(text->edits, g_ptr_array_steal_index(text->coming, 0));
	g_ptr_array_sort(text->edits, by_place);
	return any;
}

/* ---- the difference ---- */

/* Lines that differ: values are replaced within their lines, so both texts have as many. */
static bool line_differs(char **old, char **now, guint line)
{
	return strcmp(old[line], now[line]) != 0;
}

/* The first line at or behind 'from' that differs, or 'lines'. */
static guint next_difference(char **old, char **now, guint lines, guint from)
{
	while (from < lines && !line_differs(old, now, from))
		from++;
	return from;
}

static void print_hunk(char **old, char **now, guint begin, guint end)
{
	printf("@@ -%u,%u +%u,%u @@\n", begin + 1, end - begin, begin + 1, end - begin);
	for (guint i = begin; i < end;) {
		guint behind = i;

		while (behind < end && line_differs(old, now, behind))
			behind++;
		for (guint line = i; line < behind; line++)
			printf("-%s\n", old[line]);
		for (guint line = i; line < behind; line++)
			printf("+%s\n", now[line]);
		if (behind == i)
			printf(" %s\n", old[behind++]);
		i = behind;
	}
}

void bless_text_diff(const struct bless_text *text, const char *blessed, const char *path)
{
	g_auto(GStrv) old = g_strsplit(text->original, "\n", 0);
	g_auto(GStrv) now = g_strsplit(blessed, "\n", 0);
	guint lines = MIN(g_strv_length(old), g_strv_length(now));
	guint at = next_difference(old, now, lines, 0);

	/* What follows the last newline is no line. */
	if (lines > 0 && old[lines - 1][0] == '\0')
		lines--;
	printf("--- %s\n+++ %s\n", path, path);
	while (at < lines) {
		guint begin = at > CONTEXT ? at - CONTEXT : 0, last = at, next;

		while ((next = next_difference(old, now, lines, last + 1)) < lines &&
		       next - last <= 2 * CONTEXT)
			last = next;
		print_hunk(old, now, begin, MIN(last + 1 + CONTEXT, lines));
		at = next;
	}
}
