/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What has happened while a point ran: see harness/script/run/run-ladder.h.
 */
#include "harness/script/run/run-ladder.h"

#include <string.h>

#include "kmod-stub/event.h"

/* Of what no line asks for, so much is told: the last of it. */
#define UNASKED_MAX 60

enum { TEXT_WIDTH_MIN = 52, TEXT_WIDTH_MAX = 72 };

struct rung {
	int64_t at_ns;
	uint64_t sequence;	/* of what was seen at one instant, what came first */
	guint number;		/* in the order in which it was noted */
	const char *arrow;
	char *text;
	unsigned int line;	/* 0: none asked for it */
	char *note;
};

struct run_ladder {
	GPtrArray *rungs;	/* of struct rung * */
	int64_t end_ns;
};

static void rung_free(void *data)
{
	struct rung *rung = data;

	g_free(rung->text);
	g_free(rung->note);
	g_free(rung);
}

struct run_ladder *run_ladder_new(void)
{
	struct run_ladder *ladder = g_new0(struct run_ladder, 1);

	ladder->rungs = g_ptr_array_new_with_free_func(rung_free);
	ladder->end_ns = INT64_MAX;
	return ladder;
}

void run_ladder_free(struct run_ladder *ladder)
{
	if (!ladder)
		return;
	g_ptr_array_unref(ladder->rungs);
	g_free(ladder);
}

void run_ladder_end(struct run *run)
{
	run->ladder->end_ns = MIN(run->ladder->end_ns, run->world->kind->now_ns(run->world));
}

/*
 * Notes what was seen at 'at_ns', as the world's 'sequence'-th. With the number of the
 * current line, unless 'note' is NULL: then no line asked for it.
 */
static void note_seen(struct run *run, int64_t at_ns, uint64_t sequence, const char *arrow,
		      const char *text, const char *note)
{
	struct rung *rung;

	if (at_ns > run->ladder->end_ns)
		return;
	rung = g_new0(struct rung, 1);
	rung->at_ns = at_ns;
	rung->sequence = sequence;
	rung->number = run->ladder->rungs->len;
	rung->arrow = arrow;
	rung->text = g_strdup(text);
	rung->line = note && run->step ? run->step->place.line : 0;
	rung->note = g_strdup(note);
	g_ptr_array_add(run->ladder->rungs, rung);
}

void run_note(struct run *run, int64_t at_ns, const char *arrow, const char *text, const char *note)
{
	note_seen(run, at_ns, run->act_sequence, arrow, text, note);
}

void run_note_packet(struct run *run, struct world_packet *packet, const char *text,
		     const char *note)
{
	if (!packet->is_noted)
		note_seen(run, packet->at_ns, packet->sequence, ">", text, note);
	packet->is_noted = true;
}

char *item_text(const struct run_item *item)
{
	g_autofree char *summary = mad_summary(item->mad);

	return g_strdup_printf("recv %s%s", summary, item_failed(item) ?
			       " (a send that failed)" : "");
}

void run_note_item(struct run *run, struct run_item *item, const char *note)
{
	g_autofree char *text = item_text(item);

	if (!item->is_noted)
		note_seen(run, item->at_ns, item->sequence, "", text, note);
	item->is_noted = true;
}

/* ---- writing ---- */

static gint compare_rungs(gconstpointer a, gconstpointer b)
{
	const struct rung *one = *(const struct rung *const *)a;
	const struct rung *two = *(const struct rung *const *)b;

	if (one->at_ns != two->at_ns)
		return one->at_ns < two->at_ns ? -1 : 1;
	if (one->sequence != two->sequence)
		return one->sequence < two->sequence ? -1 : 1;
	return one->number < two->number ? -1 : one->number > two->number;
}

static void note_arrivals(struct run *run)
{
	for (const GList *link = run->world->arrivals.head; link; link = link->next) {
		const struct world_arrival *arrival = link->data;
		g_autofree char *summary = arrival->is_mad ? mad_summary(arrival->mad) :
					   g_strdup("a packet that carries no MAD");

		note_seen(run, arrival->at_ns, arrival->sequence, "<", summary, NULL);
	}
}

/* What has left A and what has become readable, of which no line has taken account. */
static void note_leftovers(struct run *run)
{
	for (GList *link = run->outbox.head; link; link = link->next) {
		struct world_packet *packet = link->data;
		g_autofree char *summary = mad_summary(packet->mad);

		run_note_packet(run, packet, summary, NULL);
	}
	for (guint i = 0; i < run->handles->len; i++) {
		const struct run_handle *handle = run->handles->pdata[i];

		for (GList *link = handle->inbox.head; link; link = link->next)
			run_note_item(run, link->data, NULL);
	}
}

/* How much is not told of what no line asks for, from the beginning. */
static size_t count_untold(const struct run *run)
{
	const GPtrArray *rungs = run->ladder->rungs;
	size_t unasked = 0;

	for (guint i = 0; i < rungs->len; i++)
		unasked += ((const struct rung *)rungs->pdata[i])->line == 0;
	return unasked > UNASKED_MAX ? unasked - UNASKED_MAX : 0;
}

/* How wide the column of texts is, for most of them. */
static int text_width(const GPtrArray *rungs)
{
	size_t width = TEXT_WIDTH_MIN;

	for (guint i = 0; i < rungs->len; i++)
		width = MAX(width, strlen(((const struct rung *)rungs->pdata[i])->text));
	return (int)MIN(width, TEXT_WIDTH_MAX);
}

static void write_rung(GString *out, const struct rung *rung, int width)
{
	int64_t ns = MAX(rung->at_ns, 0);
	g_autofree char *line = rung->line != 0 ? g_strdup_printf("line %u", rung->line) :
				g_strdup("");

	g_string_append_printf(out, "%8" G_GINT64_FORMAT ".%03" G_GINT64_FORMAT "ms  %-1s %-*s"
			       "  %-8s %s", ns / NS_PER_MS, ns % NS_PER_MS / NS_PER_US, rung->arrow,
			       width, rung->text, line, rung->note ? rung->note : "");
	while (out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static void write_ignored(const struct run *run, GString *out)
{
	const GPtrArray *ignores = run->point->plan->ignores;

	if (run->programs_left > 0)
		g_string_append_printf(out, "not shown: %zu packets of programs\n",
				       run->programs_left);
	for (guint i = 0; i < ignores->len; i++) {
		const struct mad_pattern *pattern = ignores->pdata[i];
		size_t count = g_array_index(run->ignored, size_t, i);

		g_string_append_printf(out, "ignored by line %u: %zu packet%s\n",
				       pattern->place.line, count, count == 1 ? "" : "s");
	}
}

void run_ladder_write(struct run *run, GString *out)
{
	GPtrArray *rungs = run->ladder->rungs;
	size_t untold;
	int width;

	note_arrivals(run);
	if (run_failed(run))
		note_leftovers(run);
	untold = count_untold(run);
	g_ptr_array_sort(rungs, compare_rungs);
	width = text_width(rungs);
	if (untold + run->world->arrivals_lost > 0)
		g_string_append_printf(out, "not shown: the first %" G_GUINT64_FORMAT
				       " packets that no line asks for\n",
				       untold + run->world->arrivals_lost);
	for (guint i = 0; i < rungs->len; i++) {
		const struct rung *rung = rungs->pdata[i];

		if (rung->line != 0 || untold == 0)
			write_rung(out, rung, width);
		else
			untold--;
	}
	write_ignored(run, out);
}
