/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as a sequence diagram. See harness/show/mermaid.h.
 *
 * Participants are declared where they first take part, so nothing has to be known before.
 */
#include "harness/show/mermaid.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "harness/show/arrow-window.h"
#include "harness/show/rail-name.h"

enum { PARTICIPANTS_MAX = 1000 };	/* no diagram with more can be read: the rest share one */

struct mermaid {
	struct view view;
	struct text out;
	struct text name;
	struct arrow_window *window;
	GHashTable *numbers;	/* char * -> number + 1: look-up only */
	GPtrArray *names;	/* by number; the hash table's */
	unsigned int declared;
};

/* Mermaid would take it for how the words that follow are to be set. */
static bool begins_as_setting(const char *words)
{
	while (g_ascii_isspace(*words) || *words == ':')
		words++;
	if (g_ascii_strncasecmp(words, "no", 2) == 0)
		words += 2;
	return g_ascii_strncasecmp(words, "wrap:", 5) == 0;
}

/*
 * Words in which nothing means anything to Mermaid: '#' and ';' begin entities and end lines, '%'
 * begins comments, '<', '>' and '&' are HTML's, '$' is TeX's.
 */
static void append_words(struct text *out, const char *words)
{
	bool setting = begins_as_setting(words);

	for (; *words; words++) {
		if (strchr("#;%<>&$", *words) || (setting && *words == ':'))
			text_format(out, "#%d;", *words);
		else
			text_char(out, g_ascii_iscntrl(*words) ? ' ' : *words);
	}
}

static unsigned int rail(void *ctx, const struct capture_mad *mad, bool source)
{
	struct mermaid *mermaid = ctx;
	gpointer found;
	char *name;

	mermaid->name.length = 0;
	rail_name(&mermaid->name, mermaid->view.setup.ends, mad, source);
	text_char(&mermaid->name, '\0');
	found = g_hash_table_lookup(mermaid->numbers, mermaid->name.bytes);
	/* A port that is there already may be called so. */
	if (!found && mermaid->names->len >= PARTICIPANTS_MAX - 1) {
		mermaid->name.length = 0;
		text_words(&mermaid->name, "(others)");
		text_char(&mermaid->name, '\0');
		found = g_hash_table_lookup(mermaid->numbers, mermaid->name.bytes);
	}
	if (found)
		return GPOINTER_TO_UINT(found) - 1;
	name = g_strdup(mermaid->name.bytes);
	g_ptr_array_add(mermaid->names, name);
	g_hash_table_insert(mermaid->numbers, name, GUINT_TO_POINTER(mermaid->names->len));
	return mermaid->names->len - 1;
}

/* Rails are numbered when arrows come and declared when they are drawn: in the same order. */
static void declare(struct mermaid *mermaid, unsigned int number)
{
	for (; mermaid->declared <= number; mermaid->declared++) {
		text_format(&mermaid->out, "    participant p%u as ", mermaid->declared);
		append_words(&mermaid->out, mermaid->names->pdata[mermaid->declared]);
		text_char(&mermaid->out, '\n');
	}
}

static void draw(void *ctx, const struct arrow *arrow)
{
	struct mermaid *mermaid = ctx;
	struct text *out = &mermaid->out;

	if (arrow->is_note) {
		/* A note is over someone: over the first, who is there, or as a comment. */
		text_words(out, mermaid->declared ? "    Note over p0: " : "    %% ");
		append_words(out, arrow->words);
	} else {
		declare(mermaid, MAX(arrow->from, arrow->to));
		text_format(out, "    p%u%sp%u: ", arrow->from, arrow->died ? "-x" : "->>",
			    arrow->to);
		append_words(out, arrow->label);
		text_format(out, " tid=0x%" PRIx64 " at %.3fms", arrow->identity.tid,
			    (double)arrow->time_ns / 1e6);
	}
	if (!arrow->is_note && arrow->words) {
		text_words(out, ", ");
		append_words(out, arrow->words);
	}
	if (arrow->why) {
		text_words(out, ", dropped: ");
		append_words(out, arrow->why);
	}
	text_char(out, '\n');
	text_write(out, mermaid->view.setup.stream);
}

static struct view *mermaid_new(const struct view_setup *setup)
{
	struct mermaid *mermaid = g_new0(struct mermaid, 1);
	const struct arrow_drawer drawer = { mermaid, rail, draw };

	(void)setup;
	mermaid->window = arrow_window_new(&drawer);
	mermaid->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	mermaid->names = g_ptr_array_new();
	text_words(&mermaid->out, "sequenceDiagram\n");
	return &mermaid->view;
}

static void mermaid_mad(struct view *view, const struct capture_mad *mad)
{
	arrow_window_mad(((struct mermaid *)view)->window, mad);
}

static void mermaid_note(struct view *view, const struct capture_note *note)
{
	arrow_window_note(((struct mermaid *)view)->window, note);
}

static void mermaid_idle(struct view *view)
{
	arrow_window_flush(((struct mermaid *)view)->window);
}

static void mermaid_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct mermaid *mermaid = (struct mermaid *)view;

	(void)counts;
	(void)shown;
	arrow_window_flush(mermaid->window);
	text_write(&mermaid->out, view->setup.stream);
	arrow_window_free(mermaid->window);
	g_ptr_array_unref(mermaid->names);
	g_hash_table_destroy(mermaid->numbers);
	text_clear(&mermaid->out);
	text_clear(&mermaid->name);
	g_free(mermaid);
}

const struct view_kind mermaid_view = {
	.named = true, .unchecked = true,
	.new = mermaid_new, .mad = mermaid_mad, .note = mermaid_note, .idle = mermaid_idle,
	.end = mermaid_end,
};
