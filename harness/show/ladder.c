/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ladders. See harness/show/ladder.h.
 */
#include "harness/show/ladder.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "harness/show/arrow-window.h"
#include "harness/show/ladder-plan.h"

enum {
	LABEL_EDGES = 4,	/* a dash and an arrowhead, or at least dashes, beside a label */
	DOTS = 2,
	LOOP = 3,		/* a rail, the mark of an arrow to the same rail, a blank */
};

struct ladder {
	struct view view;
	struct text line;
	struct arrow_window *window;
	bool begun;
	uint64_t undrawn;	/* MADs between ports that have no rail */
};

/* ---- a line ---- */

/* At 'column' of the line, over what is there. */
static void put(struct text *line, size_t column, const char *words, size_t length)
{
	text_pad(line, 0, column + length);
	memcpy(line->bytes + column, words, length);
}

/* The same, cut off to 'room'. */
static void put_cut(struct text *line, size_t column, const char *words, size_t room)
{
	size_t length = strlen(words);

	put(line, column, words, MIN(length, room));
	if (length > room && room > DOTS)
		memset(line->bytes + column + room - DOTS, '.', DOTS);
}

static void end_line(struct ladder *ladder)
{
	struct text *line = &ladder->line;

	while (line->length > 0 && line->bytes[line->length - 1] == ' ')
		line->length--;
	text_char(line, '\n');
	text_write(line, ladder->view.setup.stream);
}

/* Words behind what is in the line; those for which the width is too small begin a line below. */
static void put_words(struct ladder *ladder, const char *mark, const char *words)
{
	const size_t width = ladder->view.setup.columns;
	struct text *line = &ladder->line;
	size_t length = strlen(mark) + strlen(words);

	if (width && line->length + length > width && line->length > LADDER_TIME_WIDTH) {
		end_line(ladder);
		text_pad(line, 0, LADDER_TIME_WIDTH);
	}
	text_words(line, mark);
	while (width && *words && line->length + strlen(words) > width) {
		size_t room = width > line->length ? width - line->length : 1, cut = room;

		while (cut > room / 2 && words[cut] != ' ')
			cut--;
		cut = words[cut] == ' ' ? cut : room;
		text_bytes(line, words, cut);
		words += cut + (words[cut] == ' ');
		end_line(ladder);
		text_pad(line, 0, LADDER_TIME_WIDTH + strlen(mark));
	}
	text_words(line, words);
}

static void begin_line(struct ladder *ladder, int64_t time_ns)
{
	show_clock_append_short(ladder->view.setup.clock, &ladder->line, time_ns);
}

/* ---- what is drawn ---- */

/* The names of the rails, each as far as it has room around its rail. */
static void draw_names(struct ladder *ladder)
{
	const struct ladder_plan *plan = ladder->view.setup.plan;
	unsigned int count = ladder_plan_count(plan);

	for (unsigned int i = 0; i < count; i++) {
		const char *name = ladder_plan_name(plan, i);
		size_t left = i > 0 ? plan->columns[i] - plan->columns[i - 1] : SIZE_MAX;
		size_t right = i + 1 < count ? plan->columns[i + 1] - plan->columns[i] : left;
		size_t room = MIN(MIN(left, right), 2 * plan->columns[i]) - 1;
		size_t length = MIN(strlen(name), room);

		put_cut(&ladder->line, plan->columns[i] - length / 2, name, length);
	}
	end_line(ladder);
}

/* Dashes from rail to rail with the label in the middle and a head at the end. Is it all there? */
static bool draw_dashes(struct ladder *ladder, const struct arrow *arrow)
{
	const struct ladder_plan *plan = ladder->view.setup.plan;
	bool rightward = arrow->to > arrow->from;
	size_t left = plan->columns[MIN(arrow->from, arrow->to)];
	size_t right = plan->columns[MAX(arrow->from, arrow->to)];
	size_t length = strlen(arrow->label), room = right - left - 1;
	char *bytes;

	text_pad(&ladder->line, 0, right);
	bytes = ladder->line.bytes;
	memset(bytes + left + 1, '-', room);
	bytes[rightward ? right - 1 : left + 1] = arrow->died ? 'x' : rightward ? '>' : '<';
	if (room <= LABEL_EDGES + DOTS)
		return false;
	if (length > room - LABEL_EDGES) {
		put_cut(&ladder->line, left + 1 + LABEL_EDGES / 2, arrow->label,
			room - LABEL_EDGES);
		return false;
	}
	put(&ladder->line, left + 1 + (room - length) / 2, arrow->label, length);
	return true;
}

/* An arrow to the same rail: its label is on the right of it, as far as there is room. */
static bool draw_loop(struct ladder *ladder, const struct arrow *arrow)
{
	const struct ladder_plan *plan = ladder->view.setup.plan;
	const size_t width = ladder->view.setup.columns;
	size_t at = plan->columns[arrow->from], length = strlen(arrow->label);
	size_t end = arrow->from + 1 < ladder_plan_count(plan) ? plan->columns[arrow->from + 1] :
		     width ? width : SIZE_MAX;
	size_t room = end > at + LOOP ? end - at - LOOP : 0;

	put(&ladder->line, at + 1, arrow->died ? "x " : "o ", LOOP - 1);
	put_cut(&ladder->line, at + LOOP, arrow->label, MIN(length, room));
	return length <= room;
}

static void draw_arrow(struct ladder *ladder, const struct arrow *arrow)
{
	const struct ladder_plan *plan = ladder->view.setup.plan;
	g_autofree char *tid = g_strdup_printf("0x%" PRIx64, arrow->identity.tid);
	bool whole;

	begin_line(ladder, arrow->time_ns);
	for (unsigned int i = 0; i < ladder_plan_count(plan); i++)
		put(&ladder->line, plan->columns[i], "|", 1);
	whole = arrow->from == arrow->to ? draw_loop(ladder, arrow) : draw_dashes(ladder, arrow);
	put_words(ladder, "  tid=", tid);
	if (!whole)
		put_words(ladder, "  ", arrow->label);
	if (arrow->words)
		put_words(ladder, "  # ", arrow->words);
	if (arrow->why)
		put_words(ladder, "  x ", arrow->why);
	end_line(ladder);
}

static void draw(void *ctx, const struct arrow *arrow)
{
	struct ladder *ladder = ctx;

	if (!arrow->is_note && arrow->from == arrow->to &&
	    arrow->from == ladder->view.setup.plan->shown) {
		ladder->undrawn++;
		return;
	}
	if (!ladder->begun)
		draw_names(ladder);
	ladder->begun = true;
	if (!arrow->is_note) {
		draw_arrow(ladder, arrow);
		return;
	}
	begin_line(ladder, arrow->time_ns);
	put_words(ladder, "  -- ", arrow->words);
	text_words(&ladder->line, " --");
	end_line(ladder);
}

static unsigned int rail(void *ctx, const struct capture_mad *mad, bool source)
{
	const struct view_setup *setup = &((struct ladder *)ctx)->view.setup;

	return ladder_plan_rail(setup->plan, setup->ends, mad, source);
}

/* ---- the view ---- */

static struct view *ladder_new(const struct view_setup *setup)
{
	struct ladder *ladder = g_new0(struct ladder, 1);
	const struct arrow_drawer drawer = { ladder, rail, draw };

	(void)setup;
	ladder->window = arrow_window_new(&drawer);
	return &ladder->view;
}

static void ladder_mad(struct view *view, const struct capture_mad *mad)
{
	arrow_window_mad(((struct ladder *)view)->window, mad);
}

static void ladder_note(struct view *view, const struct capture_note *note)
{
	arrow_window_note(((struct ladder *)view)->window, note);
}

static void ladder_idle(struct view *view)
{
	arrow_window_flush(((struct ladder *)view)->window);
}

static void ladder_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct ladder *ladder = (struct ladder *)view;

	arrow_window_flush(ladder->window);
	if (shown == 0)
		text_format(&ladder->line, "# %" PRIu64 " frames, none of them a MAD%s\n",
			    counts->frames, view->setup.filter ? " that fits the filter" : "");
	if (ladder->undrawn)
		text_format(&ladder->line, "# %" PRIu64 " MADs between other ports are not drawn: "
			    "--ports names those that are\n", ladder->undrawn);
	text_write(&ladder->line, view->setup.stream);
	text_clear(&ladder->line);
	arrow_window_free(ladder->window);
	g_free(ladder);
}

const struct view_kind ladder_view = {
	.named = true, .planned = true, .unchecked = true,
	.new = ladder_new, .mad = ladder_mad, .note = ladder_note, .idle = ladder_idle,
	.end = ladder_end,
};
