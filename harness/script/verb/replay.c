/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * replay "x.pcap" ask: A asks what was asked in a capture, and gets the captured answers.
 *
 * What leaves A meanwhile is accounted for by this line.
 */
#include "harness/script/verb/verbs.h"

#include <inttypes.h>
#include <string.h>

#include "harness/replay/ask-umad.h"
#include "harness/script/check/checker.h"
#include "harness/script/mad/where.h"
#include "harness/script/parse/parser.h"
#include "harness/script/parse/script-file.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "sim/ask/ask.h"

enum {
	MESSAGE_SIZE = 512,
	TIMEOUT_MS = 1000,
	DETAILS_MAX = 20,
};

struct replay_step {
	struct step step;
	const char *capture;		/* path */
	const struct mad_expr *where;	/* which requests; NULL: all */
	GPtrArray *ignoring;		/* of struct field_expr *, without values */
	bool any_order;			/* of the capture: its times count */
};

struct replay_plan {
	const struct mad_pattern *where;
};

static const struct step_part parts[] = {
	STEP_PART(FIELDS, replay_step, where), STEP_PARTS_END,
};

/* ---- parsing and checking ---- */

static struct step *parse_replay_ask(struct parser *parser)
{
	struct replay_step *replay = parser_step(parser, &verb_replay);
	const struct token *file = parser_next(parser);

	replay->ignoring = arena_array(parser->arena);
	replay->capture = parser_existing(parser, file);
	if (!replay->capture)
		return NULL;
	if (!parser_accept_word(parser, "ask")) {
		parser_expected(parser, "'ask' ('answer' and 'timed' belong above the lines with "
				"times)");
		return NULL;
	}
	if (parser_accept_word(parser, "where")) {
		replay->where = parse_where(parser);
		if (!replay->where)
			return NULL;
	}
	if (parser_accept_word(parser, "ignoring") &&
	    !parse_field_names(parser, "the name of a field", replay->ignoring))
		return NULL;
	if (!parse_replay_order(parser, &replay->any_order))
		return NULL;
	return &replay->step;
}

/* Of all names; diagnosed if 'checker' is not NULL. */
static void take_ignored(const struct replay_step *replay, struct checker *checker,
			 struct ignored_fields *ret)
{
	for (guint i = 0; i < replay->ignoring->len; i++) {
		const struct field_expr *field = replay->ignoring->pdata[i];
		const char *suggestion;
		char hint[100];

		if (!ignored_fields_add(ret, field->name, &suggestion) && checker)
			check_error(checker, field->place, "there is no field '%s'%s", field->name,
				    did_you_mean(suggestion, hint, sizeof(hint)));
	}
}

static void check_replay(struct checker *checker, struct plan_step *step)
{
	const struct replay_step *replay = (const struct replay_step *)step->line;
	struct replay_plan *plan = check_resolved(checker, sizeof(*plan));
	struct ignored_fields ignored = { .fields = NULL };

	take_ignored(replay, checker, &ignored);
	ignored_fields_clear(&ignored);
	if (replay->where)
		plan->where = where_resolve(checker->arena, checker->diagnostics, replay->where);
}

static char *replay_needs(const struct plan_step *step, const struct rig *rig)
{
	(void)step;
	(void)rig;
	return NULL;
}

/* ---- running ---- */

static bool fits(void *ctx, const struct capture_mad *mad)
{
	return where_fits(ctx, &mad->addr, mad->mad);
}

static void say_field(void *ctx, enum diff_part part, const char *name, const char *a,
		      const char *b)
{
	(void)part;
	g_string_append_printf(ctx, "  %s  expected %s  actual %s\n", name, a, b);
}

static void say_difference(void *ctx, const struct diff_event *event)
{
	g_autofree char *summary = mad_summary(event->a->head);
	GString *why = ctx;

	g_string_append_printf(why, "frame %u: %s\n", event->a->frames[DIFF_REQUEST], summary);
	diff_item_differences(event->a, event->b, say_field, why);
}

static struct ask_counts ask(struct run *run, const struct plan_step *step,
			     const struct capture *capture, struct ask_port *port, GString *why)
{
	const struct replay_step *replay = (const struct replay_step *)step->line;
	const struct replay_plan *plan = step->resolved;
	struct ask_options options = {
		.timeout_ms = TIMEOUT_MS, .details_max = DETAILS_MAX,
		.keep = plan->where ? fits : NULL, .keep_ctx = (void *)plan->where,
	};
	struct ask_counts counts;
	guint before;

	take_ignored(replay, NULL, &options.ignored);
	run_collect(run);
	before = run->outbox.length;
	counts = ask_run(&options, capture, port, say_difference, why, "", NULL);
	run_collect(run);
	while (run->outbox.length > before)
		g_free(g_queue_pop_tail(&run->outbox));
	ignored_fields_clear(&options.ignored);
	return counts;
}

static void judge(struct run *run, const struct plan_step *step, const struct ask_counts *counts,
		  const GString *why)
{
	const struct replay_step *replay = (const struct replay_step *)step->line;
	g_autofree char *text = g_strdup_printf("replay ask: %" PRIu64 " asked, %" PRIu64
						" skipped", counts->diff.a, counts->skipped);

	if (counts->failed)
		run_fail(run, step->place, "%" PRIu64 " requests of %s cannot be sent",
			 counts->failed, replay->capture);
	else if (counts->diff.changed)
		run_fail(run, step->place, "%" PRIu64 " of %" PRIu64 " answers are not those of "
			 "%s", counts->diff.changed, counts->diff.a, replay->capture);
	g_string_append(run->outcome->details, why->str);
	run_note(run, run_now(run), "", text, run_failed(run) ? "DIFFERS" : "ok");
}

static void run_replay(struct run *run, const struct plan_step *step)
{
	const struct replay_step *replay = (const struct replay_step *)step->line;
	struct due_window due = step_window(run, step);
	g_autoptr(GString) why = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	char message[MESSAGE_SIZE];
	struct capture *capture;
	struct ask_port *port;
	struct ask_counts counts;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	capture = capture_read(replay->capture, message, sizeof(message));
	if (!capture) {
		run_fail(run, step->place, "%s", message);
		return;
	}
	if (capture_put_in_order(capture, replay->any_order, message, sizeof(message)) < 0) {
		run_fail(run, step->place, "%s", message);
		capture_free(capture);
		return;
	}
	run->world->kind->enter(run->world, WORLD_SELF);
	port = ask_umad_open(run->world->ca[WORLD_SELF], run->world->port[WORLD_SELF], &error);
	if (port) {
		counts = ask(run, step, capture, port, why);
		step_done(run, step, &due, run_now(run));
		judge(run, step, &counts, why);
	} else {
		run_fail(run, step->place, "%s", error->message);
	}
	ask_port_close(port);
	capture_free(capture);
}

const struct script_verb verb_replay = {
	.word = "replay",
	.follows = TOKEN_BIT(STRING),
	.size = sizeof(struct replay_step),
	.parts = parts,
	.parse = parse_replay_ask,
	.check = check_replay,
	.needs = replay_needs,
	.run = run_replay,
};
