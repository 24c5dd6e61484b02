/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The arrows of a drawing. See harness/show/arrow-window.h.
 */
#include "harness/show/arrow-window.h"

#include <glib.h>

#include "harness/capture/mad-ends.h"
#include "harness/show/rail-name.h"
#include "lib/base/wire.h"

struct arrow_window {
	struct arrow_drawer drawer;
	GQueue held;		/* of struct arrow *, the oldest first */
	struct text text;
};

struct arrow_window *arrow_window_new(const struct arrow_drawer *drawer)
{
	struct arrow_window *window = g_new0(struct arrow_window, 1);

	window->drawer = *drawer;
	return window;
}

static void arrow_free(struct arrow *arrow)
{
	g_free(arrow->words);
	g_free(arrow->why);
	g_free(arrow);
}

static void draw_held(struct arrow_window *window, guint left)
{
	while (window->held.length > left) {
		struct arrow *arrow = g_queue_pop_head(&window->held);

		window->drawer.draw(window->drawer.ctx, arrow);
		arrow_free(arrow);
	}
}

void arrow_window_flush(struct arrow_window *window)
{
	draw_held(window, 0);
}

void arrow_window_free(struct arrow_window *window)
{
	while (window->held.length)
		arrow_free(g_queue_pop_head(&window->held));
	text_clear(&window->text);
	g_free(window);
}

static struct arrow_identity identity_of(const struct capture_mad *mad)
{
	return (struct arrow_identity){
		.tid = get_be64(mad->mad + MAD_TID),
		.modifier = get_be32(mad->mad + MAD_ATTR_MOD),
		.attr_id = get_be16(mad->mad + MAD_ATTR_ID),
		.mgmt_class = mad->mad[MAD_CLASS],
		.method = mad->mad[MAD_METHOD],
		.returning = mad_is_directed(mad) && mad_is_returning(mad),
	};
}

static bool is_same(const struct arrow_identity *a, const struct arrow_identity *b)
{
	return a->tid == b->tid && a->modifier == b->modifier && a->attr_id == b->attr_id &&
	       a->mgmt_class == b->mgmt_class && a->method == b->method &&
	       a->returning == b->returning;
}

static char *clean(const char *words)
{
	char *copy = g_strdup(words);

	for (char *c = copy; *c; c++)
		*c = g_ascii_iscntrl(*c) ? ' ' : *c;
	return copy;
}

/* Ends the last arrow of the same MAD where it was dropped. False: it was not seen to leave. */
static bool end_arrow(struct arrow_window *window, const struct capture_mad *mad, const char *why)
{
	struct arrow_identity identity = identity_of(mad);

	for (GList *link = window->held.tail; link; link = link->prev) {
		struct arrow *arrow = link->data;

		if (arrow->is_note || arrow->died || !is_same(&arrow->identity, &identity))
			continue;
		arrow->to = window->drawer.rail(window->drawer.ctx, mad, false);
		arrow->died = true;
		arrow->why = clean(why);
		return true;
	}
	return false;
}

void arrow_window_mad(struct arrow_window *window, const struct capture_mad *mad)
{
	const char *why = mad_death(mad);
	struct arrow *arrow;

	if (why && end_arrow(window, mad, why))
		return;
	arrow = g_new0(struct arrow, 1);
	arrow->time_ns = mad->time_ns;
	arrow->identity = identity_of(mad);
	arrow->from = window->drawer.rail(window->drawer.ctx, mad, true);
	arrow->to = window->drawer.rail(window->drawer.ctx, mad, false);
	arrow->died = why != NULL;
	arrow->words = mad->comment ? clean(mad->comment) : NULL;
	window->text.length = 0;
	rail_label(&window->text, mad);
	text_char(&window->text, '\0');
	g_strlcpy(arrow->label, window->text.bytes, sizeof(arrow->label));
	g_queue_push_tail(&window->held, arrow);
	draw_held(window, ARROW_WINDOW_MAX);
}

void arrow_window_note(struct arrow_window *window, const struct capture_note *note)
{
	struct arrow *arrow = g_new0(struct arrow, 1);

	arrow->is_note = true;
	arrow->time_ns = note->time_ns;
	arrow->words = clean(note->text);
	g_queue_push_tail(&window->held, arrow);
	draw_held(window, ARROW_WINDOW_MAX);
}
