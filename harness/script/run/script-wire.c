/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == ...: see harness/script/run/script-wire.h. How it compares with captures is in harness/script/run/script-wire-capture.c.
 */
#include "harness/script/run/script-wire.h"

#include <string.h>

#include "sim/capture/capture.h"
#include "harness/script/run/script-timeline.h"
#include "harness/script/run/script-verdict.h"
#include "harness/script/mad/script-where.h"

enum { LISTED_MAX = 20 };	/* packets, where a line fails */

/* ---- parsing ---- */

/* > MAD, < MAD, ...; in braces over as many lines as it takes */
static bool parse_items(struct parser *parser, struct wire_expr *wire)
{
	const struct token *open = parser_accept(parser, TOKEN_LBRACE);
	bool ok = true;

	parser->nest += open != NULL;
	for (;;) {
		struct wire_item *item;
		bool leaves = parser_peek(parser)->kind == TOKEN_GREATER;

		if (open != NULL && parser_peek(parser)->kind == TOKEN_RBRACE)
			break;
		if (!leaves && parser_peek(parser)->kind != TOKEN_LESS) {
			parser_expected(parser, "'>' or '<' and a MAD, a capture in quotes, or "
					"'nothing'");
			ok = false;
			break;
		}
		item = script_alloc(parser->script, sizeof(*item));
		item->place = parser_next(parser)->place;
		item->leaves = leaves;
		item->mad = parse_mad(parser);
		ok = item->mad != NULL;
		if (!ok)
			break;
		g_ptr_array_add(wire->items, item);
		if (!parser_accept(parser, TOKEN_COMMA) && open == NULL)
			break;
	}
	ok = ok && (open == NULL || parser_close(parser, open, TOKEN_RBRACE));
	parser->nest -= open != NULL;
	return ok;
}

/* "x.pcap" [where ...] [ignoring FIELD, FIELD] [order=any] */
static bool parse_capture(struct parser *parser, struct wire_expr *wire)
{
	wire->capture = parser_existing(parser, parser_next(parser));
	if (wire->capture == NULL)
		return false;
	if (parser_accept_word(parser, "where")) {
		wire->where = parse_where(parser);
		if (wire->where == NULL)
			return false;
	}
	if (parser_accept_word(parser, "ignoring")) {
		do {
			const struct token *name =
				parser_expect(parser, TOKEN_WORD, "'time' or the name of a field");
			struct field_expr *field;

			if (name == NULL)
				return false;
			field = script_alloc(parser->script, sizeof(*field));
			field->place = name->place;
			field->name = name->text;
			g_ptr_array_add(wire->ignoring, field);
		} while (parser_accept(parser, TOKEN_COMMA));
	}
	if (!parser_at_word(parser, "order"))
		return true;
	wire->order_place = parser_next(parser)->place;
	wire->any_order = true;
	if (parser_expect(parser, TOKEN_ASSIGN, "'=any'") == NULL)
		return false;
	if (parser_accept_word(parser, "any"))
		return true;
	parser_expected(parser, "'any'");
	return false;
}

bool parse_wire(struct parser *parser, struct step *step)
{
	struct wire_expr *wire = script_alloc(parser->script, sizeof(*wire));

	step->verb = STEP_WIRE;
	step->wire = wire;
	wire->items = script_array(parser->script);
	wire->ignoring = script_array(parser->script);
	parser_next(parser);	/* '==' */
	if (parser_peek(parser)->kind == TOKEN_STRING)
		return parse_capture(parser, wire);
	return parser_accept_word(parser, "nothing") || parse_items(parser, wire);
}

/* ---- checking ---- */

static void check_ignoring(struct checker *checker, struct wire_expr *wire)
{
	for (guint i = 0; i < wire->ignoring->len; i++) {
		const struct field_expr *field = wire->ignoring->pdata[i];
		const char *suggestion = NULL;
		const struct term_info *info;

		if (strcmp(field->name, "time") == 0) {
			wire->ignores_time = true;
			continue;
		}
		info = term_find(field->name, MAD_LEAVES, &suggestion);
		if (info == NULL)
			check_error(checker, field->place,
				    "there is no header field '%s' here%s%s%s", field->name,
				    suggestion != NULL ? ": did you mean " : "",
				    suggestion != NULL ? suggestion : "",
				    suggestion != NULL ? "?" : "");
		else if (info->where != TERM_MAD && info->where != TERM_ADDR)
			check_error(checker, field->place,
				    "'%s' is not compared: there is nothing to ignore",
				    field->name);
	}
}

void check_wire(struct checker *checker, struct step *step)
{
	struct wire_expr *wire = step->wire;

	for (guint i = 0; i < wire->items->len; i++) {
		struct wire_item *item = wire->items->pdata[i];

		item->pattern = check_mad_expr(checker, item->mad, MAD_LEAVES);
	}
	check_ignoring(checker, wire);
	wire->where_pattern = check_where(checker, wire->where);
	if (wire->any_order && !wire->ignores_time)
		check_error(checker, wire->order_place,
			    "in any order times cannot be the same: say ignoring time");
	if (wire->capture != NULL && !wire->ignores_time && point_runs_programs(checker->point))
		check_error(checker, step->place,
			    "programs live in real time: say ignoring time");
}

/* ---- running ---- */

unsigned int wire_count(const struct point *point)
{
	unsigned int count = 0;

	for (guint i = 0; i < point->steps->len; i++)
		count += ((const struct step *)point->steps->pdata[i])->verb == STEP_WIRE;
	return count;
}

static char *packet_text(const struct world_packet *packet)
{
	g_autofree char *summary = packet->has_addr ? mad_summary(packet->mad) :
				   g_strdup_printf("%zu bytes that carry no MAD",
						   packet->wire_size);

	return g_strdup_printf("%c %s", packet->leaves ? '>' : '<', summary);
}

/* Against the line's own list. */
static bool is_listed(struct run *run, const struct wire_expr *wire, const GPtrArray *crossed,
		      GString *why)
{
	for (guint i = 0; i < MAX(crossed->len, wire->items->len); i++) {
		const struct world_packet *packet = i < crossed->len ? crossed->pdata[i] : NULL;
		const struct wire_item *item = i < wire->items->len ? wire->items->pdata[i] : NULL;
		g_autofree char *text = packet != NULL ? packet_text(packet) : NULL;
		struct mad_instance instance;

		if (item == NULL) {
			g_string_append_printf(why, "packet %u is too much: at %s %s\n", i + 1,
					       say_time(packet->at_ns), text);
			return false;
		}
		if (packet == NULL) {
			g_string_append_printf(why, "packet %u (line %u) is missing\n", i + 1,
					       item->place.line);
			return false;
		}
		packet_instance(packet, &instance);
		if (packet->leaves == item->leaves &&
		    (packet->has_addr || item->pattern->packet != NULL) &&
		    mad_compare(item->pattern, &run->env, &instance, NULL))
			continue;
		g_string_append_printf(why, "packet %u is another: at %s %s\n", i + 1,
				       say_time(packet->at_ns), text);
		if (packet->leaves == item->leaves && packet->has_addr)
			mad_compare(item->pattern, &run->env, &instance, why);
		return false;
	}
	return true;
}

/* The packets of 'meant' are accounted for: no other line is about them. */
static void account(struct run *run, const GPtrArray *meant)
{
	for (guint i = 0; i < meant->len; i++) {
		struct world_packet *packet = meant->pdata[i];

		for (GList *link = run->outbox.head; link != NULL; link = link->next) {
			if (((struct world_packet *)link->data)->sequence != packet->sequence)
				continue;
			g_free(link->data);
			g_queue_delete_link(&run->outbox, link);
			break;
		}
		g_ptr_array_remove(run->world->crossed, packet);
	}
}

static bool holds(struct run *run, const struct wire_expr *wire, struct capture **capture,
		  GPtrArray *ret_meant, GString *why)
{
	const GPtrArray *crossed = run->world->crossed;

	g_ptr_array_set_size(ret_meant, 0);
	g_string_truncate(why, 0);
	if (wire->capture != NULL)
		return wire_is_captured(run, wire, crossed, capture, ret_meant, why);
	for (guint i = 0; i < crossed->len; i++)
		g_ptr_array_add(ret_meant, crossed->pdata[i]);
	return is_listed(run, wire, crossed, why);
}

static void fail_wire(struct run *run, const struct step *step, const GString *why)
{
	const GPtrArray *crossed = run->world->crossed;
	GString *details = run->outcome->details;

	size_t first = strcspn(why->str, "\n");

	run_fail(run, step->place, "the wire is another: %.*s", (int)first, why->str);
	g_string_append(details, why->str + first + 1);
	g_string_append_printf(details, "%u packets have crossed the cable%s\n", crossed->len,
			       crossed->len > 0 ? ":" : "");
	for (guint i = 0; i < MIN(crossed->len, LISTED_MAX); i++) {
		const struct world_packet *packet = crossed->pdata[i];
		g_autofree char *text = packet_text(packet);

		g_string_append_printf(details, "  %u  %s  %s\n", i + 1, say_time(packet->at_ns),
				       text);
	}
	if (crossed->len > LISTED_MAX)
		g_string_append(details, "  ...\n");
}

void run_wire(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	g_autoptr(GPtrArray) meant = g_ptr_array_new();
	g_autoptr(GString) why = g_string_new(NULL);
	struct capture *capture = NULL;
	bool ok;

	run_advance(run, due.low_ns);
	for (;;) {
		ok = !run_failed(run) && holds(run, step->wire, &capture, meant, why);
		if (ok || run_failed(run) || run_now(run) >= due.high_ns)
			break;
		run_advance_once(run, due.high_ns);
	}
	if (ok) {
		account(run, meant);
		run->wires_left--;
		step_done(run, step, &due, run_now(run));
		run_note(run, run_now(run), "", "wire ==", "ok");
	} else if (!run_failed(run)) {
		fail_wire(run, step, why);
	}
	capture_free(capture);
}
