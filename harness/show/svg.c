/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ladders as SVG. See harness/show/svg.h.
 *
 * The head of the file has the size of the drawing, so everything else is kept until the end: up to
 * ROWS_MAX arrows and notes, which is more than can be looked at.
 */
#include "harness/show/svg.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "harness/show/arrow-window.h"
#include "harness/show/ladder-plan.h"

enum {
	ROWS_MAX = 5000,
	/* In pixels; characters are 12 high and 7.2 wide. */
	FONT = 12,
	ROW = 26,
	MARGIN = 16,
	HEAD = 44,		/* where the first row begins: below the names */
	ABOVE = 5,		/* from the arrow to its label */
	BARB = 7,
	TAIL = 20,		/* from the last rail to the words */
	WORDS_MAX = 72,		/* characters; all of them are in the tooltip */
};

struct svg {
	struct view view;
	struct text body, word;
	struct arrow_window *window;
	unsigned int rows;
	size_t tail;		/* characters of the longest words */
	uint64_t undrawn, left_out;
};

static int pixels(size_t columns)
{
	return (int)(columns * 72 / 10);
}

static int rail_x(const struct svg *svg, unsigned int rail)
{
	return MARGIN + pixels(svg->view.setup.plan->columns[rail]);
}

static int row_y(unsigned int row)
{
	return HEAD + (int)row * ROW + ROW / 2;
}

/* ---- text ---- */

/* May XML 1.0 have the character? */
static bool is_char(gunichar c)
{
	return c == '\t' || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) ||
	       (c >= 0x10000 && c <= 0x10ffff);
}

/* The words as the contents of an element, at most 'most' characters of them. */
static void put_text(struct text *out, const char *words, size_t most)
{
	g_autofree char *valid = g_utf8_make_valid(words, -1);
	size_t length = (size_t)g_utf8_strlen(valid, -1), count = 0;

	for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		if (length > most && count == most - 3) {
			text_words(out, "...");
			return;
		}
		count++;
		if (c == '&')
			text_words(out, "&amp;");
		else if (c == '<')
			text_words(out, "&lt;");
		else if (c == '>')
			text_words(out, "&gt;");
		else if (!is_char(c))
			text_char(out, ' ');
		else
			text_bytes(out, at, (size_t)(g_utf8_next_char(at) - at));
	}
}

/* 'attributes' say how it looks, and which part of it is at 'x'. */
static void put_label(struct text *out, int x, int y, const char *attributes, const char *words,
		      size_t most)
{
	text_format(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, attributes);
	put_text(out, words, most);
	text_words(out, "</text>\n");
}

/* ---- what is drawn ---- */

static void put_time(struct svg *svg, int64_t time_ns, int y)
{
	char time[32];

	g_snprintf(time, sizeof(time), "%.3f ms", (double)time_ns / 1e6);
	put_label(&svg->body, MARGIN + pixels(LADDER_TIME_WIDTH - 3), y + FONT / 3,
		  " class=\"faint\" text-anchor=\"end\"", time, SIZE_MAX);
}

/* What is on the right of an arrow: where it comes from, or why it was lost. */
static void put_words(struct svg *svg, const struct arrow *arrow, int y)
{
	unsigned int last = ladder_plan_count(svg->view.setup.plan) - 1;
	int x = rail_x(svg, last) + TAIL;
	struct text *word = &svg->word;

	word->length = 0;
	if (arrow->words)
		text_words(word, arrow->words);
	if (arrow->why) {
		text_words(word, word->length ? "; lost: " : "lost: ");
		text_words(word, arrow->why);
	}
	text_char(word, '\0');
	svg->tail = MAX(svg->tail, MIN(word->length, (size_t)WORDS_MAX));
	/* The label of a loop at the last rail is there. */
	if (arrow->from == arrow->to && arrow->from == last) {
		x += pixels(strlen(arrow->label) + 2);
		svg->tail = MAX(svg->tail, MIN(word->length, (size_t)WORDS_MAX) +
				strlen(arrow->label) + 2);
	}
	if (word->length > 1)
		put_label(&svg->body, x, y + FONT / 3,
			  arrow->died ? " class=\"lost\"" : " class=\"faint\"", word->bytes,
			  WORDS_MAX);
}

static void put_cross(struct text *out, int x, int y)
{
	text_format(out, "<path d=\"M%d %dl8 8m0 -8l-8 8\"/>\n", x - 4, y - 4);
}

static void put_line(struct svg *svg, const struct arrow *arrow, int y)
{
	int from = rail_x(svg, arrow->from), to = rail_x(svg, arrow->to);
	int barb = to > from ? -BARB : BARB;
	struct text *out = &svg->body;

	text_format(out, "<path d=\"M%d %dH%d\"/>\n", from, y, to);
	if (arrow->died)
		put_cross(out, to + 2 * barb, y);
	else
		text_format(out, "<path class=\"head\" d=\"M%d %dl%d -4v8z\"/>\n", to, y, barb);
	put_label(out, (from + to) / 2, y - ABOVE, " text-anchor=\"middle\"", arrow->label,
		  MAX(4, (size_t)ABS(to - from) * 10 / 72));
}

static void put_loop(struct svg *svg, const struct arrow *arrow, int y)
{
	int x = rail_x(svg, arrow->from);

	if (arrow->died)
		put_cross(&svg->body, x + BARB, y);
	else
		text_format(&svg->body, "<circle cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", x, y);
	put_label(&svg->body, x + 2 * BARB, y + FONT / 3, "", arrow->label, SIZE_MAX);
}

static void put_arrow(struct svg *svg, const struct arrow *arrow)
{
	bool answer = (arrow->identity.method & 0x80) || arrow->identity.returning;
	int y = row_y(svg->rows++);

	put_time(svg, arrow->time_ns, y);
	text_format(&svg->body, "<g class=\"%s\"><title>", arrow->died ? "mad lost" :
		    answer ? "mad answer" : "mad");
	put_text(&svg->body, arrow->label, SIZE_MAX);
	text_format(&svg->body, " tid=0x%" PRIx64, arrow->identity.tid);
	for (unsigned int i = 0; i < 2; i++) {
		const char *more = i == 0 ? arrow->words : arrow->why;

		if (!more)
			continue;
		text_words(&svg->body, "; ");
		put_text(&svg->body, more, SIZE_MAX);
	}
	text_words(&svg->body, "</title>\n");
	if (arrow->from == arrow->to)
		put_loop(svg, arrow, y);
	else
		put_line(svg, arrow, y);
	put_words(svg, arrow, y);
	text_words(&svg->body, "</g>\n");
}

static void draw(void *ctx, const struct arrow *arrow)
{
	struct svg *svg = ctx;
	int y = row_y(svg->rows);

	if (!arrow->is_note && arrow->from == arrow->to &&
	    arrow->from == svg->view.setup.plan->shown) {
		svg->undrawn++;
	} else if (svg->rows == ROWS_MAX) {
		svg->left_out++;
	} else if (!arrow->is_note) {
		put_arrow(svg, arrow);
	} else {
		svg->rows++;
		put_time(svg, arrow->time_ns, y);
		put_label(&svg->body, MARGIN + pixels(LADDER_TIME_WIDTH), y + FONT / 3,
			  " class=\"note\"", arrow->words, WORDS_MAX * 2);
	}
}

static unsigned int rail(void *ctx, const struct capture_mad *mad, bool source)
{
	const struct view_setup *setup = &((struct svg *)ctx)->view.setup;

	return ladder_plan_rail(setup->plan, setup->ends, mad, source);
}

/* ---- the frame ---- */

static const char style[] =
	"<style>\n"
	".umadrig-ladder{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
	"background:var(--ladder-paper,#fff)}\n"
	".umadrig-ladder text{fill:var(--ladder-ink,#1f2328);white-space:pre}\n"
	".umadrig-ladder .mad text{stroke:var(--ladder-paper,#fff);stroke-width:4px;"
	"paint-order:stroke}\n"
	".umadrig-ladder path,.umadrig-ladder circle{stroke:var(--ladder-ink,#1f2328);"
	"stroke-width:1.5;fill:none}\n"
	".umadrig-ladder .head{fill:var(--ladder-ink,#1f2328);stroke:none}\n"
	".umadrig-ladder .rail{stroke:var(--ladder-faint,#59636e);stroke-width:1}\n"
	".umadrig-ladder .answer path,.umadrig-ladder .answer circle{"
	"stroke:var(--ladder-answer,#0b5cad)}\n"
	".umadrig-ladder .answer .head{fill:var(--ladder-answer,#0b5cad);stroke:none}\n"
	".umadrig-ladder .lost path{stroke:var(--ladder-lost,#b3261e);stroke-dasharray:5 3}\n"
	".umadrig-ladder text.lost{fill:var(--ladder-lost,#b3261e)}\n"
	".umadrig-ladder text.faint{fill:var(--ladder-faint,#59636e)}\n"
	".umadrig-ladder text.name{font-weight:bold}\n"
	".umadrig-ladder text.note{font-style:italic}\n"
	"</style>\n";

static void put_rails(const struct svg *svg, struct text *out)
{
	const struct ladder_plan *plan = svg->view.setup.plan;
	unsigned int count = ladder_plan_count(plan);

	for (unsigned int i = 0; i < count; i++) {
		size_t left = i > 0 ? plan->columns[i] - plan->columns[i - 1] : SIZE_MAX;
		size_t right = i + 1 < count ? plan->columns[i + 1] - plan->columns[i] : left;

		put_label(out, rail_x(svg, i), MARGIN + FONT,
			  " class=\"name\" text-anchor=\"middle\"", ladder_plan_name(plan, i),
			  MAX(4, MIN(MIN(left, right), 2 * plan->columns[i])));
		text_format(out, "<path class=\"rail\" d=\"M%d %dV%d\"/>\n", rail_x(svg, i),
			    MARGIN + FONT + 6, row_y(svg->rows));
	}
}

/* What is not in the drawing, below it. */
static void put_rest(struct svg *svg, const struct capture_counts *counts, uint64_t shown)
{
	struct text *word = &svg->word;

	word->length = 0;
	if (shown == 0)
		text_format(word, "%" PRIu64 " frames, none of them a MAD%s", counts->frames,
			    svg->view.setup.filter ? " that fits the filter" : "");
	if (svg->left_out)
		text_format(word, "%" PRIu64 " more are not drawn: choose some with a filter. ",
			    svg->left_out);
	if (svg->undrawn)
		text_format(word, "%" PRIu64 " MADs between other ports are not drawn: --ports "
			    "names those that are.", svg->undrawn);
	if (!word->length)
		return;
	text_char(word, '\0');
	put_label(&svg->body, MARGIN, row_y(++svg->rows) + FONT / 3, " class=\"faint\"",
		  word->bytes, SIZE_MAX);
	svg->tail = MAX(svg->tail, word->length);
}

/* What the last rail has to its right: the longest words, or half of its name. */
static int right_of_last(const struct svg *svg, unsigned int count)
{
	int words = TAIL + pixels(MAX(svg->tail, 4)), name = 0;

	if (count > 0)
		name = pixels(strlen(ladder_plan_name(svg->view.setup.plan, count - 1)) + 1) / 2;
	return MAX(words, name);
}

static void svg_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct svg *svg = (struct svg *)view;
	unsigned int count = ladder_plan_count(view->setup.plan);
	struct text head = { NULL, 0, 0 };
	int width, height;

	arrow_window_flush(svg->window);
	put_rest(svg, counts, shown);
	width = rail_x(svg, count ? count - 1 : 0) + right_of_last(svg, count) + MARGIN;
	height = row_y(svg->rows) + MARGIN;
	text_format(&head, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"umadrig-ladder\" "
		    "role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width,
		    height, width, height);
	text_words(&head, style);
	text_format(&head, "<rect width=\"%d\" height=\"%d\" "
		    "style=\"fill:var(--ladder-paper,#fff)\"/>\n", width, height);
	if (shown > 0)
		put_rails(svg, &head);
	text_write(&head, view->setup.stream);
	text_words(&svg->body, "</svg>\n");
	text_write(&svg->body, view->setup.stream);
	text_clear(&head);
	text_clear(&svg->body);
	text_clear(&svg->word);
	arrow_window_free(svg->window);
	g_free(svg);
}

/* ---- the view ---- */

static struct view *svg_new(const struct view_setup *setup)
{
	struct svg *svg = g_new0(struct svg, 1);
	const struct arrow_drawer drawer = { svg, rail, draw };

	(void)setup;
	svg->window = arrow_window_new(&drawer);
	return &svg->view;
}

static void svg_mad(struct view *view, const struct capture_mad *mad)
{
	arrow_window_mad(((struct svg *)view)->window, mad);
}

static void svg_note(struct view *view, const struct capture_note *note)
{
	arrow_window_note(((struct svg *)view)->window, note);
}

const struct view_kind svg_view = {
	.named = true, .planned = true, .unchecked = true,
	.new = svg_new, .mad = svg_mad, .note = svg_note, .end = svg_end,
};
