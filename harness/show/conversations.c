/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of conversations: see harness/show/conversations.h.
 */
#include "harness/show/conversations.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/conversation-text.h"
#include "harness/show/mad-address.h"
#include "harness/show/mad-text.h"
#include "harness/show/trip-times.h"
#include "sim/capture/conversation.h"
#include "lib/base/wire.h"

enum {
	SLOWEST_MAX = 10,
	TIME_WIDTH = 14,
	KINDS_MAX = 4096,	/* with totals of their own */
};

/* A method with an attribute, a class, or an end: a line of the totals. */
struct kind_total {
	uint8_t mgmt_class, method;
	uint16_t attribute;
	uint8_t head[MAD_SIZE];		/* the first such MAD, for its name */
	char *end;			/* of a requester or responder: its name; or NULL */
	uint64_t count, unanswered, failed, retries, losses;
	struct trip_times trips;	/* of those that were answered */
};

struct slow {
	int64_t round_trip_ns;
	int64_t time_ns;
	unsigned int frame, answer_frame, answer_end;	/* of segments the last one */
	char *text;
};

struct conversation_table {
	struct view view;		/* first */
	FILE *stream;
	struct show_clock *clock;
	const struct mad_ends *ends;	/* NULL: nothing is known of them */
	enum show_by by;
	struct conversations *conversations;
	GString *line;
	GTree *totals;			/* struct kind_total, by class, attribute and method */
	struct slow slowest[SLOWEST_MAX];	/* slowest first */
	unsigned int slow_count;
	struct kind_total others;	/* of further kinds: a capture of noise has millions */
	struct kind_total all;
};

/* ---- a line ---- */

static void append_time(GString *out, struct show_clock *clock, int64_t ns, unsigned int width)
{
	struct text time = { NULL, 0, 0 };

	show_clock_append(clock, &time, ns, width);
	g_string_append_len(out, time.bytes, (gssize)time.length);
	text_clear(&time);
}

static void append_round_trip(GString *out, int64_t ns)
{
	if (ns < 0)
		g_string_append_printf(out, " %12s", "");
	else
		g_string_append_printf(out, " %9" PRId64 ".%02d", ns / 1000,
				       (int)(ns % 1000 / 10));
}

static void print_line(struct conversation_table *table, const struct conversation *conversation,
		       const char *requester, const char *responder)
{
	const struct conversation_message *head = conversation_head(conversation);
	g_autofree char *request = conversation_text_request(conversation);
	GString *out = table->line;

	g_string_truncate(out, 0);
	g_string_append_printf(out, "%6u ", head->frame);
	append_time(out, table->clock, head->time_ns, TIME_WIDTH);
	g_string_append_printf(out, "  %-10s %-10s %-44s", requester, responder, request);
	append_round_trip(out, conversation_round_trip_ns(conversation));
	g_string_append_printf(out, " %7u %6u  ", conversation->retries, conversation->losses);
	conversation_text_answer(out, conversation);
	if (conversation->close.frame) {
		g_string_append(out, ", ");
		conversation_text_name(out, conversation->close.bytes);
	}
	if (conversation->delays)
		g_string_append_printf(out, ", put off %u times", conversation->delays);
	if (conversation->ran_out)
		g_string_append(out, " (too many at once to wait for its answer)");
	g_string_append_c(out, '\n');
	fwrite(out->str, 1, out->len, table->stream);
}

/* ---- totals ---- */

static gint compare_kinds(gconstpointer a, gconstpointer b, gpointer unused)
{
	const struct kind_total *one = a, *two = b;

	(void)unused;
	if (one->mgmt_class != two->mgmt_class)
		return one->mgmt_class - two->mgmt_class;
	if (one->attribute != two->attribute)
		return one->attribute - two->attribute;
	if (one->method != two->method)
		return one->method - two->method;
	return g_strcmp0(one->end, two->end);
}

static void add_to_total(struct kind_total *total, const struct conversation *conversation)
{
	int64_t round_trip_ns = conversation_round_trip_ns(conversation);

	total->count++;
	total->retries += conversation->retries;
	total->losses += conversation->losses;
	total->unanswered += conversation->kind == CONVERSATION_UNANSWERED;
	if (round_trip_ns < 0)
		return;
	total->failed += mad_plain_status(conversation->answer.bytes) != 0;
	trip_times_add(&total->trips, round_trip_ns);
}

static struct kind_total key_of(enum show_by by, const uint8_t *mad, char *requester,
				char *responder)
{
	struct kind_total key = { .mgmt_class = mad[MAD_CLASS] };

	switch (by) {
	case SHOW_BY_ATTRIBUTE:
		key.method = mad[MAD_METHOD];
		key.attribute = get_be16(mad + MAD_ATTR_ID);
		break;
	case SHOW_BY_CLASS:
		break;
	case SHOW_BY_REQUESTER:
		return (struct kind_total){ .end = requester };
	case SHOW_BY_RESPONDER:
		return (struct kind_total){ .end = responder };
	}
	return key;
}

static void total_free(void *data)
{
	struct kind_total *total = data;

	trip_times_clear(&total->trips);
	g_free(total->end);
	g_free(total);
}

static struct kind_total *total_of(struct conversation_table *table, const uint8_t *mad,
				   char *requester, char *responder)
{
	const struct kind_total key = key_of(table->by, mad, requester, responder);
	struct kind_total *total = g_tree_lookup(table->totals, &key);

	if (total)
		return total;
	if (g_tree_nnodes(table->totals) == KINDS_MAX)
		return &table->others;
	total = g_new(struct kind_total, 1);
	*total = key;
	total->end = g_strdup(key.end);
	memcpy(total->head, mad, MAD_SIZE);
	g_tree_insert(table->totals, total, total);
	return total;
}

static void note_slow(struct conversation_table *table, const struct conversation *conversation)
{
	int64_t round_trip_ns = conversation_round_trip_ns(conversation);
	struct slow *slowest = table->slowest;
	unsigned int at = table->slow_count;

	/* Of the same the earlier one is named first. */
	while (at > 0 && slowest[at - 1].round_trip_ns < round_trip_ns)
		at--;
	if (round_trip_ns < 0 || at == SLOWEST_MAX)
		return;
	if (table->slow_count == SLOWEST_MAX)
		g_free(slowest[--table->slow_count].text);
	memmove(slowest + at + 1, slowest + at, (table->slow_count - at) * sizeof(*slowest));
	table->slow_count++;
	slowest[at] = (struct slow){
		.round_trip_ns = round_trip_ns,
		.time_ns = conversation->request.time_ns,
		.frame = conversation->request.frame,
		.answer_frame = conversation->answer.frame,
		.answer_end = conversation->answer.last_frame,
		.text = conversation_text_request(conversation),
	};
}

static void take(void *ctx, const struct conversation *conversation)
{
	struct conversation_table *table = ctx;
	const struct conversation_message *head = conversation_head(conversation);
	bool orphan = conversation->kind == CONVERSATION_ORPHAN;
	g_autofree char *requester = conversation_text_port(table->ends, head, !orphan);
	g_autofree char *responder = conversation_text_port(table->ends, head, orphan);

	print_line(table, conversation, requester, responder);
	add_to_total(total_of(table, head->bytes, requester, responder), conversation);
	add_to_total(&table->all, conversation);
	note_slow(table, conversation);
}

static void print_total(FILE *stream, const char *name, const struct kind_total *total)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%-40s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %7" PRIu64
			       " %7" PRIu64 " %7" PRIu64, name, total->count, total->trips.count,
			       total->unanswered, total->failed, total->retries, total->losses);
	if (total->trips.count) {
		append_round_trip(out, total->trips.least_ns);
		append_round_trip(out, total->trips.sum_ns / (int64_t)total->trips.count);
		append_round_trip(out, trip_times_percentile(&total->trips, 50));
		append_round_trip(out, trip_times_percentile(&total->trips, 90));
		append_round_trip(out, trip_times_percentile(&total->trips, 99));
		append_round_trip(out, total->trips.most_ns);
	}
	g_string_append_c(out, '\n');
	fputs(out->str, stream);
	g_string_free(out, true);
}

static gboolean print_kind(gpointer key, gpointer value, gpointer data)
{
	const struct kind_total *total = value;
	const struct conversation_table *table = data;
	const struct mad_class_info *info = mad_class_find(total->mgmt_class);
	GString *name = g_string_new(NULL);

	(void)key;
	if (total->end)
		g_string_append(name, total->end);
	else if (table->by == SHOW_BY_CLASS && info)
		g_string_append(name, info->name);
	else if (table->by == SHOW_BY_CLASS)
		g_string_append_printf(name, "class 0x%02x", total->mgmt_class);
	else
		conversation_text_name(name, total->head);
	print_total(table->stream, name->str, total);
	g_string_free(name, true);
	return false;
}

static void print_slowest(const struct conversation_table *table)
{
	struct show_clock clock = *table->clock;

	/* They are not in the order of time. */
	if (clock.form == SHOW_DELTA)
		clock.form = SHOW_RELATIVE;
	if (!table->slow_count)
		return;
	fputs("\n# The slowest:\n", table->stream);
	for (unsigned int i = 0; i < table->slow_count; i++) {
		const struct slow *slow = &table->slowest[i];
		GString *out = table->line;

		g_string_truncate(out, 0);
		append_round_trip(out, slow->round_trip_ns);
		g_string_append_printf(out, " us  frame %u, answered in frame%s %u", slow->frame,
				       slow->answer_end > slow->answer_frame ? "s" : "",
				       slow->answer_frame);
		if (slow->answer_end > slow->answer_frame)
			g_string_append_printf(out, " to %u", slow->answer_end);
		g_string_append(out, ", at ");
		append_time(out, &clock, slow->time_ns, 0);
		fprintf(table->stream, "%s: %s\n", out->str, slow->text);
	}
}

/* ---- what it is by ---- */

bool show_by_parse(const char *word, enum show_by *ret)
{
	static const char *const words[] = {
		[SHOW_BY_ATTRIBUTE] = "attribute", [SHOW_BY_CLASS] = "class",
		[SHOW_BY_REQUESTER] = "requester", [SHOW_BY_RESPONDER] = "responder",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(word, words[i]) == 0) {
			*ret = (enum show_by)i;
			return true;
		}
	}
	return false;
}

/* ---- as a view ---- */

static struct view *view_begin(const struct view_setup *setup)
{
	struct conversation_table *table = g_new0(struct conversation_table, 1);

	table->stream = setup->stream;
	table->clock = setup->clock;
	table->ends = setup->ends;
	table->by = setup->by;
	table->conversations = conversations_new(take, table);
	table->line = g_string_new(NULL);
	table->totals = g_tree_new_full(compare_kinds, NULL, NULL, total_free);
	fprintf(table->stream, "%6s %16s  %-10s %-10s %-44s %12s %7s %6s  %s\n", "#frame", "time",
		"requester", "responder", "request", "trip us", "retries", "losses", "answer");
	return &table->view;
}

static void view_mad(struct view *view, const struct capture_mad *mad)
{
	conversations_take(((struct conversation_table *)view)->conversations, mad);
}

/* Prints the rest, the totals by class and attribute, and the slowest ten. */
static void view_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct conversation_table *table = (struct conversation_table *)view;
	size_t damaged = conversations_damaged(table->conversations);

	(void)counts;
	(void)shown;
	conversations_end(table->conversations);
	fprintf(table->stream, "\n# %-38s %9s %9s %9s %7s %7s %7s %12s %12s %12s %12s %12s %12s\n",
		"Totals (round trips in us)", "requests", "answered", "no answer", "status",
		"retries", "losses", "least", "mean", "p50", "p90", "p99", "most");
	g_tree_foreach(table->totals, print_kind, table);
	if (table->others.count)
		print_total(table->stream, "# others", &table->others);
	print_total(table->stream, "# all", &table->all);
	print_slowest(table);
	if (damaged)
		fprintf(table->stream, "\n# %zu MADs with a wrong CRC do not count.\n", damaged);
	for (unsigned int i = 0; i < table->slow_count; i++)
		g_free(table->slowest[i].text);
	conversations_free(table->conversations);
	g_string_free(table->line, true);
	g_tree_unref(table->totals);
	trip_times_clear(&table->others.trips);
	trip_times_clear(&table->all.trips);
	g_free(table);
}

const struct view_kind conversations_view = {
	.named = true, .new = view_begin, .mad = view_mad, .end = view_end,
};
