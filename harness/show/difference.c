/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Differences as text: see harness/show/difference.h.
 */
#include "harness/show/difference.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "harness/script/tree/value.h"
#include "harness/show/mad-text.h"
#include "lib/base/wire.h"
#include "sim/topology/json-string.h"

enum {
	INDENT = 9,
	FIELD_WIDTH = 28,
	FIELDS_MAX = 40,	/* of one conversation */
	CLOSEST_FIELDS_MAX = 12,
	WIRE_FIELDS_MAX = 8,
};

struct difference_text {
	const char *a, *b;
	bool is_json;
	bool is_wire;		/* B's frames are packets, and their times are the scenario's */
	GString *out;
	struct json_writer json;	/* into it */
	uint64_t events;
	uint64_t directed;	/* of them: of SMPs along directed routes */
	unsigned int fields;	/* of the event at hand, and how many of them are printed */
	unsigned int fields_max;
};

static const char *const part_names[] = {
	[DIFF_REQUEST] = "request", [DIFF_ANSWER] = "answer", [DIFF_CLOSE] = "close",
	[DIFF_PARTS] = "",
};

static const char *const kind_names[] = {
	[DIFF_CHANGED] = "changed", [DIFF_MISSING] = "missing", [DIFF_EXTRA] = "extra",
};

/* ---- JSON ---- */

static void json_field(void *ctx, enum diff_part part, const char *name, const char *a,
		       const char *b)
{
	struct difference_text *text = ctx;
	struct json_writer *json = &text->json;

	json_open(json, '{');
	if (*part_names[part])
		json_string(json_name(json, "message"), part_names[part]);
	json_string(json_name(json, "field"), name);
	json_string(json_name(json, "a"), a);
	json_string(json_name(json, "b"), b);
	json_close(json, '}');
}

static void json_side(struct json_writer *json, const char *name, const struct diff_item *item)
{
	if (!item)
		return;
	json_open(json_name(json, name), '{');
	json_number(json_name(json, "time_ns"), item->time_ns);
	json_open(json_name(json, "frames"), '[');
	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		if (item->frames[part])
			json_unsigned(json, item->frames[part]);
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void take_json(struct difference_text *text, const struct diff_event *event,
		      const char *request)
{
	const struct diff_item *a = event->a ? event->a : event->closest;
	const struct diff_item *b = event->b ? event->b : event->closest;
	struct json_writer *json = &text->json;

	json_open(json, '{');
	json_string(json_name(json, "kind"), kind_names[event->kind]);
	json_string(json_name(json, "request"), request);
	json_side(json, "a", event->a);
	json_side(json, "b", event->b);
	json_side(json, "closest", event->closest);
	if (a && b) {
		json_open(json_name(json, "differences"), '[');
		diff_item_differences(a, b, json_field, text);
		json_close(json, ']');
	}
	json_close(json, '}');
	json_end_line(json);
}

/* ---- words ---- */

static void word_field(void *ctx, enum diff_part part, const char *name, const char *a,
		       const char *b)
{
	struct difference_text *text = ctx;

	if (text->fields++ >= text->fields_max)
		return;
	g_string_append_printf(text->out, "%*s%-8s %-*s  %s  ->  %s\n", INDENT, "",
			       part_names[part], FIELD_WIDTH, name, *a ? a : "\"\"",
			       *b ? b : "\"\"");
}

/* "packets 3, 4 at 5ms, 6ms" */
static void append_packets(GString *out, const struct diff_item *item)
{
	g_autoptr(GString) times = g_string_new(NULL), numbers = g_string_new(NULL);
	unsigned int count = 0;
	char time[32];

	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		if (!item->frames[part])
			continue;
		g_string_append_printf(numbers, "%s%u", count ? ", " : "", item->frames[part]);
		g_string_append_printf(times, "%s%s", count ? ", " : "",
				       time_format(item->part_ns[part], time, sizeof(time)));
		count++;
	}
	g_string_append_printf(out, "packet%s %s at %s", count > 1 ? "s" : "", numbers->str,
			       times->str);
}

/* "frames 7, 8 of a.pcap"; what was asked now is in no capture. */
static void append_frames(GString *out, const struct diff_item *item, const char *capture)
{
	const char *before = "";
	unsigned int count = 0;

	if (!capture) {
		g_string_append(out, "asked again");
		return;
	}
	for (unsigned int part = 0; part < DIFF_PARTS; part++)
		count += item->frames[part] != 0;
	g_string_append(out, count > 1 ? "frames " : "frame ");
	for (unsigned int part = 0; part < DIFF_PARTS; part++) {
		if (item->frames[part]) {
			g_string_append_printf(out, "%s%u", before, item->frames[part]);
			before = ", ";
		}
	}
	g_string_append_printf(out, " of %s", capture);
}

static void append_b(const struct difference_text *text, const struct diff_item *item)
{
	if (text->is_wire)
		append_packets(text->out, item);
	else
		append_frames(text->out, item, text->b);
}

static void append_places(const struct difference_text *text, const struct diff_event *event)
{
	GString *out = text->out;

	if (event->a)
		append_frames(out, event->a, text->a);
	if (event->a && event->b)
		g_string_append(out, ", ");
	if (event->b)
		append_b(text, event->b);
	if (event->closest)
		g_string_append(out, "; closest: ");
	if (event->closest && event->a)
		append_b(text, event->closest);
	else if (event->closest)
		append_frames(out, event->closest, text->a);
}

static void take_words(struct difference_text *text, const struct diff_event *event,
		       const char *request)
{
	const struct diff_item *a = event->a ? event->a : event->closest;
	const struct diff_item *b = event->b ? event->b : event->closest;
	const struct diff_item *item = event->a ? event->a : event->b;
	GString *out = text->out;

	/* In few words there is no blank line; a packet says which way it goes. */
	g_string_append_printf(out, "%s%-*s%s%s\n%*s", text->is_wire ? "" : "\n", INDENT - 1,
			       kind_names[event->kind], item->direction == CAPTURE_OUTBOUND ? "> " :
			       item->direction == CAPTURE_INBOUND ? "< " : "", request, INDENT, "");
	append_places(text, event);
	g_string_append_c(out, '\n');
	if (a && b && !diff_item_differences(a, b, word_field, text))
		g_string_append_printf(out, "%*s         no field differs: it is at another place, "
				       "or there more often\n", INDENT, "");
	if (text->fields > text->fields_max)
		g_string_append_printf(out, "%*s... and %u more fields\n", INDENT, "",
				       text->fields - text->fields_max);
}

/* ---- all of it ---- */

struct difference_text *difference_text_new_wire(const char *a)
{
	struct difference_text *text = difference_text_new(a, NULL, false);

	text->is_wire = true;
	return text;
}

struct difference_text *difference_text_new(const char *a, const char *b, bool is_json)
{
	struct difference_text *text = g_new0(struct difference_text, 1);

	text->a = a;
	text->b = b;
	text->is_json = is_json;
	text->out = g_string_new(NULL);
	json_writer_to_string(&text->json, JSON_COMPACT, text->out);
	return text;
}

static void append_line(GString *out, const uint8_t *mad)
{
	struct text line = { NULL, 0, 0 };

	mad_text_line(&line, mad);
	g_string_append_len(out, line.bytes, (gssize)line.length);
	text_clear(&line);
}

void difference_text_take(void *ctx, const struct diff_event *event)
{
	const struct diff_item *item = event->a ? event->a : event->b;
	struct difference_text *text = ctx;
	GString *request = g_string_new(NULL);

	append_line(request, item->head);
	if (item->kind == CONVERSATION_ORPHAN)
		g_string_append(request, " (an answer without its request)");
	else if (item->kind == CONVERSATION_UNANSWERED)
		g_string_append(request, " (no answer)");
	text->events++;
	text->directed += item->head[MAD_CLASS] == MAD_CLASS_SUBN_DR;
	text->fields = 0;
	text->fields_max = text->is_wire ? WIRE_FIELDS_MAX :
			   event->closest ? CLOSEST_FIELDS_MAX : FIELDS_MAX;
	if (text->is_json)
		take_json(text, event, request->str);
	else
		take_words(text, event, request->str);
	g_string_free(request, true);
}

bool difference_text_is_of_sweep(const struct difference_text *text)
{
	return text->directed * 2 > text->events;
}

static void json_pair(struct json_writer *json, const char *name, uint64_t a, uint64_t b)
{
	json_open(json_name(json, name), '{');
	json_unsigned(json_name(json, "a"), a);
	json_unsigned(json_name(json, "b"), b);
	json_close(json, '}');
}

static void print_json_counts(const struct difference_text *text, const struct diff_counts *counts,
			      FILE *stream)
{
	struct json_writer json;

	json_writer_init(&json, JSON_COMPACT, json_to_file, stream);
	json_open(&json, '{');
	json_string(json_name(&json, "a"), text->a);
	json_string(json_name(&json, "b"), text->b);
	json_pair(&json, "conversations", counts->a, counts->b);
	json_unsigned(json_name(&json, "same"), counts->same);
	json_unsigned(json_name(&json, "changed"), counts->changed);
	json_unsigned(json_name(&json, "missing"), counts->missing);
	json_unsigned(json_name(&json, "extra"), counts->extra);
	json_pair(&json, "damaged", counts->damaged_a, counts->damaged_b);
	json_close(&json, '}');
	json_end_line(&json);
	json_finish(&json);
}

static void print_counts(const struct difference_text *text, const struct diff_counts *counts,
			 FILE *stream)
{
	if (!diff_found(counts)) {
		fprintf(stream, "no difference in %" PRIu64 " conversations\n", counts->same);
		return;
	}
	if (!text->b) {
		fprintf(stream, "%9" PRIu64 " changed\n%9" PRIu64 " the same\n", counts->changed,
			counts->same);
		return;
	}
	fprintf(stream, "%9" PRIu64 " changed\n%9" PRIu64 " missing: in %s and not in %s\n%9" PRIu64
		" extra: in %s and not in %s\n%9" PRIu64 " the same\n", counts->changed,
		counts->missing, text->a, text->b, counts->extra, text->b, text->a, counts->same);
}

void difference_text_end(struct difference_text *text, const struct diff_counts *counts,
			 FILE *stream)
{
	uint64_t all = counts->changed + counts->missing + counts->extra;

	json_finish(&text->json);
	if (text->is_json)
		print_json_counts(text, counts, stream);
	else
		print_counts(text, counts, stream);
	fwrite(text->out->str, 1, text->out->len, stream);
	if (!text->is_json && all > text->events)
		fprintf(stream, "\n... and %" PRIu64 " more differences; --limit=N prints more\n",
			all - text->events);
	if (!text->is_json && (counts->damaged_a || counts->damaged_b))
		fprintf(stream, "\nMADs with a wrong CRC do not count: %" PRIu64 " in %s, %" PRIu64
			" in %s\n", counts->damaged_a, text->a, counts->damaged_b,
			text->b ? text->b : "the answers");
	g_string_free(text->out, true);
	g_free(text);
}

char *difference_text_close(struct difference_text *text)
{
	char *differences = g_string_free(text->out, false);

	g_free(text);
	return differences;
}
