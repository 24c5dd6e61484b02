/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What two fabrics differ in, printed: see harness/show/fabric-difference.h. */
#include "harness/show/fabric-difference.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "harness/show/text.h"
#include "lib/json/json-writer.h"

enum { KIND_WIDTH = 12 };

static void print_line(const struct facts_change *change, FILE *stream)
{
	struct text line = { NULL, 0, 0 };

	text_format(&line, "%-*s  ", KIND_WIDTH, facts_kind_name(change->kind));
	text_clean(&line, change->at);
	text_words(&line, ": ");
	text_clean(&line, change->a ? change->a : change->b);
	if (change->a && change->b) {
		text_words(&line, " -> ");
		text_clean(&line, change->b);
	}
	text_char(&line, '\n');
	fwrite(line.bytes, 1, line.length, stream);
	text_clear(&line);
}

static void print_counts(const struct facts_changes *changes, FILE *stream)
{
	for (unsigned int kind = 0; kind < FACTS_KINDS; kind++) {
		if (!changes->counts[kind])
			continue;
		fprintf(stream, "%9" PRIu64 " %s", changes->counts[kind],
			facts_kind_name((enum facts_kind)kind));
		if (kind == FACTS_ROUTE)
			fprintf(stream, ", of %" PRIu64 " pairs of ports", changes->pairs);
		fputc('\n', stream);
	}
}

void fabric_difference_print(const struct facts_changes *changes, const char *a, const char *b,
			     size_t limit, FILE *stream)
{
	uint64_t all = facts_changes_count(changes);
	size_t printed = MIN(limit, changes->list->len);

	if (all)
		print_counts(changes, stream);
	else
		fprintf(stream, "no difference in %" PRIu64 " nodes, %" PRIu64 " cables and %"
			PRIu64 " routes\n", changes->nodes_a, changes->cables_a, changes->pairs);
	if (printed)
		fprintf(stream, "\nfrom %s to %s\n", a, b);
	for (size_t i = 0; i < printed; i++)
		print_line(changes->list->pdata[i], stream);
	if (all > printed)
		fprintf(stream, "\n... and %" PRIu64 " more changes; --limit=N prints more\n",
			all - printed);
	for (guint i = 0; i < changes->gaps->len; i++)
		fprintf(stream, "%s%s", i ? ", " : "\nnot compared: ",
			(const char *)changes->gaps->pdata[i]);
	if (changes->gaps->len)
		fputc('\n', stream);
}

/* ---- JSON ---- */

static void json_pair(struct json_writer *json, const char *name, uint64_t a, uint64_t b)
{
	json_open(json_name(json, name), '{');
	json_unsigned(json_name(json, "a"), a);
	json_unsigned(json_name(json, "b"), b);
	json_close(json, '}');
}

static void json_counts(struct json_writer *json, const struct facts_changes *changes,
			const char *a, const char *b)
{
	json_open(json, '{');
	json_string(json_name(json, "a"), a);
	json_string(json_name(json, "b"), b);
	json_pair(json, "nodes", changes->nodes_a, changes->nodes_b);
	json_pair(json, "cables", changes->cables_a, changes->cables_b);
	json_unsigned(json_name(json, "pairs"), changes->pairs);
	json_unsigned(json_name(json, "changes"), facts_changes_count(changes));
	json_open(json_name(json, "kinds"), '{');
	for (unsigned int kind = 0; kind < FACTS_KINDS; kind++) {
		if (changes->counts[kind])
			json_unsigned(json_name(json, facts_kind_word((enum facts_kind)kind)),
				      changes->counts[kind]);
	}
	json_close(json, '}');
	json_open(json_name(json, "not_compared"), '[');
	for (guint i = 0; i < changes->gaps->len; i++)
		json_string(json, changes->gaps->pdata[i]);
	json_close(json, ']');
	json_close(json, '}');
	json_end_line(json);
}

static void json_change(struct json_writer *json, const struct facts_change *change)
{
	json_open(json, '{');
	json_string(json_name(json, "kind"), facts_kind_word(change->kind));
	json_string(json_name(json, "at"), change->at);
	if (change->guid)
		json_hex(json_name(json, "guid"), change->guid, 16);
	if (change->a)
		json_string(json_name(json, "a"), change->a);
	if (change->b)
		json_string(json_name(json, "b"), change->b);
	json_close(json, '}');
	json_end_line(json);
}

void fabric_difference_print_json(const struct facts_changes *changes, const char *a,
				  const char *b, size_t limit, FILE *stream)
{
	struct json_writer json;

	json_writer_init(&json, JSON_COMPACT, json_to_file, stream);
	json_counts(&json, changes, a, b);
	for (size_t i = 0; i < MIN(limit, changes->list->len); i++)
		json_change(&json, changes->list->pdata[i]);
	json_finish(&json);
}
