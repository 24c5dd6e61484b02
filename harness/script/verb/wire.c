/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == ...: see harness/script/verb/wire-line.h. The comparison with captures is in
 * harness/script/verb/wire-capture.c.
 */
#include "harness/script/verb/wire-line.h"

#include <string.h>

#include "harness/script/check/needs.h"
#include "harness/script/mad/where.h"
#include "harness/script/parse/script-file.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "harness/script/verb/verbs.h"

enum { LISTED_MAX = 20 };	/* packets shown if a line fails */

static const struct step_part parts[] = {
	STEP_PART(LIST, wire_step, mads), STEP_PART(FIELDS, wire_step, where), STEP_PARTS_END,
};

/* ---- parsing ---- */

/* > MAD, < MAD, ...; in braces on any number of lines */
static bool parse_items(struct parser *parser, struct wire_step *wire, GPtrArray *mads)
{
	const struct token *open = parser_accept(parser, TOKEN_LBRACE);
	bool ok = true;

	parser->nest += open != NULL;
	for (;;) {
		struct wire_item *item;
		const struct expr *mad;
		bool leaves = parser_peek(parser)->kind == TOKEN_GREATER;

		if (open && parser_peek(parser)->kind == TOKEN_RBRACE)
			break;
		if (!leaves && parser_peek(parser)->kind != TOKEN_LESS) {
			parser_expected(parser, "'>' or '<' and a MAD, a capture in quotes, or "
					"'nothing'");
			ok = false;
			break;
		}
		item = arena_alloc(parser->arena, sizeof(*item));
		item->place = parser_next(parser)->place;
		item->leaves = leaves;
		mad = parse_mad(parser);
		ok = mad != NULL;
		if (!ok)
			break;
		g_ptr_array_add(wire->items, item);
		g_ptr_array_add(mads, (void *)mad);
		if (!parser_accept(parser, TOKEN_COMMA) && !open)
			break;
	}
	ok = ok && (!open || parser_close(parser, open, TOKEN_RBRACE));
	parser->nest -= open != NULL;
	return ok;
}

/* "x.pcap" [where ...] [ignoring FIELD, FIELD] [order=any] */
static bool parse_capture(struct parser *parser, struct wire_step *wire)
{
	wire->capture = parser_existing(parser, parser_next(parser));
	if (!wire->capture)
		return false;
	if (parser_accept_word(parser, "where")) {
		wire->where = parse_where(parser);
		if (!wire->where)
			return false;
	}
	if (parser_accept_word(parser, "ignoring") &&
	    !parse_field_names(parser, "'time' or the name of a field", wire->ignoring))
		return false;
	if (!parser_at_word(parser, "order"))
		return true;
	wire->order_place = parser_next(parser)->place;
	wire->any_order = true;
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=any'"))
		return false;
	if (parser_accept_word(parser, "any"))
		return true;
	parser_expected(parser, "'any'");
	return false;
}

static struct step *parse_wire(struct parser *parser)
{
	struct wire_step *wire = parser_step(parser, &verb_wire);
	GPtrArray *mads = arena_array(parser->arena);
	bool ok;

	wire->items = arena_array(parser->arena);
	wire->ignoring = arena_array(parser->arena);
	wire->mads = mads;
	parser_next(parser);	/* '==' */
	if (parser_peek(parser)->kind == TOKEN_STRING)
		ok = parse_capture(parser, wire);
	else
		ok = parser_accept_word(parser, "nothing") || parse_items(parser, wire, mads);
	return ok ? &wire->step : NULL;
}

/* ---- checking ---- */

static void check_ignoring(struct checker *checker, struct wire_plan *wire)
{
	struct ignored_fields ignored = { .fields = NULL };

	for (guint i = 0; i < wire->line->ignoring->len; i++) {
		const struct field_expr *field = wire->line->ignoring->pdata[i];
		const char *suggestion = NULL;
		char hint[100];

		if (strcmp(field->name, "time") == 0) {
			wire->ignores_time = true;
			continue;
		}
		if (wire_ignore(field->name, &ignored))
			continue;
		if (!term_find(field->name, MAD_LEAVES, &suggestion))
			check_error(checker, field->place,
				    "there is no header field '%s' here%s", field->name,
				    did_you_mean(suggestion, hint, sizeof(hint)));
		else
			check_error(checker, field->place,
				    "'%s' is not compared: there is nothing to ignore",
				    field->name);
	}
	ignored_fields_clear(&ignored);
}

static void check_wire(struct checker *checker, struct plan_step *step)
{
	const struct wire_step *wire = (const struct wire_step *)step->line;
	struct wire_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->line = wire;
	plan->mads = arena_array(checker->arena);
	for (guint i = 0; i < wire->mads->len; i++)
		g_ptr_array_add(plan->mads, (void *)check_mad_expr(checker, wire->mads->pdata[i],
								   MAD_LEAVES));
	check_ignoring(checker, plan);
	if (wire->where)
		plan->where = where_resolve(checker->arena, checker->diagnostics, wire->where);
	if (wire->any_order && !plan->ignores_time)
		check_error(checker, wire->order_place,
			    "order=any needs 'ignoring time'");
	if (wire->capture && !plan->ignores_time && checker->runs_programs &&
	    checker->point->scenario->settings.real_clock)
		check_error(checker, step->place, "where programs run in real time ('clock "
			    "real'), a capture needs 'ignoring time'");
}

static char *wire_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	return sim_only_unmet(rig, "all that crosses a cable is seen on the simulator");
}

/* ---- running ---- */

static char *packet_text(const struct world_packet *packet)
{
	g_autofree char *summary = packet->has_addr ? mad_summary(packet->mad) :
				   g_strdup_printf("%zu bytes that carry no MAD",
						   packet->wire_size);

	return g_strdup_printf("%c %s", packet->leaves ? '>' : '<', summary);
}

/* Compares with the line's own list. */
static bool is_listed(struct run *run, const struct wire_plan *wire, const GPtrArray *crossed,
		      GString *why)
{
	const GPtrArray *items = wire->line->items;

	for (guint i = 0; i < MAX(crossed->len, items->len); i++) {
		const struct world_packet *packet = i < crossed->len ? crossed->pdata[i] : NULL;
		const struct wire_item *item = i < items->len ? items->pdata[i] : NULL;
		const struct mad_pattern *pattern = item ? wire->mads->pdata[i] : NULL;
		g_autofree char *text = packet ? packet_text(packet) : NULL;
		struct mad_instance instance;

		if (!item) {
			g_string_append_printf(why, "packet %u is one too many: at %s %s\n", i + 1,
					       say_time(packet->at_ns), text);
			return false;
		}
		if (!packet) {
			g_string_append_printf(why, "packet %u (line %u) is missing\n", i + 1,
					       item->place.line);
			return false;
		}
		packet_instance(packet, &instance);
		if (packet->leaves == item->leaves &&
		    (packet->has_addr || pattern->packet) &&
		    mad_compare(pattern, &run->env, &instance, NULL))
			continue;
		g_string_append_printf(why, "packet %u differs: at %s %s\n", i + 1,
				       say_time(packet->at_ns), text);
		if (packet->leaves == item->leaves && packet->has_addr)
			mad_compare(pattern, &run->env, &instance, why);
		return false;
	}
	return true;
}

/* The packets of 'meant' are accounted for: no other line refers to them. */
static void account(struct run *run, const GPtrArray *meant)
{
	for (guint i = 0; i < meant->len; i++) {
		struct world_packet *packet = meant->pdata[i];

		for (GList *link = run->outbox.head; link; link = link->next) {
			if (((struct world_packet *)link->data)->sequence != packet->sequence)
				continue;
			g_free(link->data);
			g_queue_delete_link(&run->outbox, link);
			break;
		}
		g_ptr_array_remove(run->world->crossed, packet);
	}
}

/* 'is_last': nothing that may still come counts, so 'why' is wanted. */
static bool holds(struct run *run, const struct wire_plan *wire, struct capture **capture,
		  GPtrArray *ret_meant, bool is_last, GString *why)
{
	const GPtrArray *crossed = run->world->crossed;

	g_ptr_array_set_size(ret_meant, 0);
	g_string_truncate(why, 0);
	if (wire->line->capture)
		return wire_is_captured(run, wire, crossed, capture, ret_meant,
					is_last ? why : NULL);
	for (guint i = 0; i < crossed->len; i++)
		g_ptr_array_add(ret_meant, crossed->pdata[i]);
	return is_listed(run, wire, crossed, why);
}

static void fail_wire(struct run *run, const struct plan_step *step, const GString *why)
{
	const GPtrArray *crossed = run->world->crossed;
	GString *details = run->outcome->details;

	size_t first = strcspn(why->str, "\n");

	run_fail(run, step->place, "the wire differs: %.*s", (int)first, why->str);
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

static void run_wire(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	g_autoptr(GPtrArray) meant = g_ptr_array_new();
	g_autoptr(GString) why = g_string_new(NULL);
	struct capture *capture = NULL;
	bool ok;

	run_advance(run, due.low_ns);
	for (;;) {
		bool is_last = run_now(run) >= due.high_ns;

		ok = !run_failed(run) &&
		     holds(run, step->resolved, &capture, meant, is_last, why);
		if (ok || run_failed(run) || is_last)
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

const struct script_verb verb_wire = {
	.word = "wire",
	.follows = TOKEN_BIT(EQUAL),
	.counts_crossed = true,
	.size = sizeof(struct wire_step),
	.parts = parts,
	.timing = STEP_WAITS,
	.parse = parse_wire,
	.check = check_wire,
	.needs = wire_needs,
	.run = run_wire,
};
