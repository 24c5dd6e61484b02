/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What leaves A: > MAD, > same, > nothing.
 */
#include "harness/script/verb/verbs.h"

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"

struct leaves_step {
	struct step step;
	const struct expr *mad;
};

struct leaves_plan {
	const struct mad_pattern *mad;
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, leaves_step, mad), STEP_PARTS_END,
};

static struct step *parse_leaves(struct parser *parser)
{
	struct leaves_step *leaves = parser_step(parser, &verb_leaves);

	leaves->mad = parse_mad(parser);
	return leaves->mad ? &leaves->step : NULL;
}

static struct step *parse_same(struct parser *parser)
{
	return parser_step(parser, &verb_same);
}

static struct step *parse_silence(struct parser *parser)
{
	return parser_step(parser, &verb_silence);
}

static void check_leaves(struct checker *checker, struct plan_step *step)
{
	const struct leaves_step *leaves = (const struct leaves_step *)step->line;
	struct leaves_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->mad = check_mad_expr(checker, leaves->mad, MAD_LEAVES);
	checker->left = true;
}

static void check_same(struct checker *checker, struct plan_step *step)
{
	/* An invalid line may be the one that is meant. */
	if (!checker->left && checker->diagnostics->errors == 0)
		check_error(checker, step->place,
			    "there is no '>' above for this to be the same as");
}

/* ---- running ---- */

/* Waits for a packet in the window: the head of the outbox, or NULL when the run has failed. */
static struct world_packet *wait_packet(struct run *run, const struct plan_step *step,
					struct due_window *due)
{
	struct world_packet *packet;

	run_collect(run);
	while (g_queue_is_empty(&run->outbox) && !run_failed(run)) {
		if (!run_advance_once(run, due->high_ns))
			break;
	}
	packet = g_queue_peek_head(&run->outbox);
	if (run_failed(run))
		return NULL;
	if (!packet)
		fail_missing(run, step, due, NULL);
	return run_failed(run) ? NULL : g_queue_peek_head(&run->outbox);
}

/* Names a packet after the first one that would have matched. */
static void hint_candidates(struct run *run, const struct mad_pattern *pattern)
{
	for (const GList *link = run->outbox.head->next; link; link = link->next) {
		const struct world_packet *packet = link->data;
		struct mad_instance instance;
		g_autofree char *summary = mad_summary(packet->mad);

		packet_instance(packet, &instance);
		if (!mad_compare(pattern, &run->env, &instance, NULL))
			continue;
		g_string_append_printf(run->outcome->details,
				       "a later one fits: %s at %s: is the order right?\n", summary,
				       say_time(packet->at_ns));
		return;
	}
}

static void take_packet(struct run *run, const struct plan_step *step, const struct due_window *due)
{
	struct world_packet *packet = g_queue_pop_head(&run->outbox);
	g_autofree char *summary = mad_summary(packet->mad);

	step_done(run, step, due, packet->at_ns);
	run_note_packet(run, packet, step->line->verb == &verb_same ? "same" : summary, "ok");
	g_free(run->last_left);
	run->last_left = packet;
}

static void fail_packet(struct run *run, const struct plan_step *step, const struct due_window *due,
			struct world_packet *packet, const struct mad_pattern *pattern,
			GString *why)
{
	g_autofree char *summary = mad_summary(packet->mad);
	g_autofree char *text = g_strdup_printf("> %s", summary);

	if (packet->at_ns < due->low_ns) {
		fail_unexpected(run, step->place, packet);
		return;
	}
	run_fail(run, step->place, "the MAD differs");
	fail_expected(run, step, due);
	fail_actual(run, packet->at_ns, text);
	g_string_append(run->outcome->details, why->str);
	if (pattern)
		hint_candidates(run, pattern);
	run_note_packet(run, packet, summary, "DIFFERS");
}

static void compare_same(const struct world_packet *left, const struct world_packet *right,
			 GString *why)
{
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		if (left->mad[i] != right->mad[i])
			g_string_append_printf(why, "byte %u  expected 0x%02x  actual 0x%02x\n", i,
					       left->mad[i], right->mad[i]);
	}
	if (!left->has_addr || !right->has_addr)
		return;
	if (left->addr.dlid != right->addr.dlid)
		g_string_append_printf(why, "dlid  expected %u  actual %u\n", left->addr.dlid,
				       right->addr.dlid);
	if (left->addr.dest_qp != right->addr.dest_qp)
		g_string_append_printf(why, "dqp  expected %u  actual %u\n", left->addr.dest_qp,
				       right->addr.dest_qp);
	if (left->addr.has_grh != right->addr.has_grh)
		g_string_append(why, "grh  differs\n");
}

static void run_leaves(struct run *run, const struct plan_step *step)
{
	bool is_same = step->line->verb == &verb_same;
	const struct mad_pattern *pattern = is_same ? NULL :
					    ((const struct leaves_plan *)step->resolved)->mad;
	struct due_window due;
	struct world_packet *packet;
	struct mad_instance instance;
	g_autoptr(GString) why = g_string_new(NULL);

	run->same_count = is_same ? run->same_count + 1 : 0;
	due = step_window(run, step);
	packet = wait_packet(run, step, &due);
	if (!packet)
		return;
	packet_instance(packet, &instance);
	if (is_same && run->last_left)
		compare_same(run->last_left, packet, why);
	else if (pattern)
		mad_compare(pattern, &run->env, &instance, why);
	if (why->len > 0)
		fail_packet(run, step, &due, packet, pattern, why);
	else if (due_includes(&due, packet->at_ns) ||
		 run_amend_time(run, step, &due, packet->at_ns)) {
		take_packet(run, step, &due);
	} else {
		g_autofree char *summary = mad_summary(packet->mad);
		g_autofree char *text = g_strdup_printf("> %s", summary);

		run_note_packet(run, packet, summary,
				fail_time(run, step, &due, packet->at_ns, text));
	}
}

static void run_silence(struct run *run, const struct plan_step *step)
{
	run_add_silence(run, step, NULL);
}

const struct script_verb verb_leaves = {
	.word = ">",
	.size = sizeof(struct leaves_step),
	.parts = parts,
	.timing = STEP_WAITS | STEP_OUTBOUND,
	.parse = parse_leaves,
	.check = check_leaves,
	.run = run_leaves,
};

const struct script_verb verb_same = {
	.word = ">",
	.second = "same",
	.size = sizeof(struct step),
	.timing = STEP_WAITS | STEP_OUTBOUND,
	.parse = parse_same,
	.check = check_same,
	.run = run_leaves,
};

const struct script_verb verb_silence = {
	.word = ">",
	.second = "nothing",
	.size = sizeof(struct step),
	.timing = STEP_SILENT | STEP_OUTBOUND,
	.parse = parse_silence,
	.run = run_silence,
};
