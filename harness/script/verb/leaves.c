/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What leaves A: > MAD, > same, > nothing.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/mad/hex-ruler.h"
#include "harness/script/mad/mad-hex.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/amend.h"
#include "harness/script/run/candidate.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "sim/diff/diff.h"

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

static void take_packet(struct run *run, const struct plan_step *step, const struct due_window *due)
{
	struct world_packet *packet = g_queue_pop_head(&run->outbox);
	g_autofree char *summary = mad_summary(packet->mad);

	step_done(run, step, due, packet->at_ns);
	run_note_packet(run, packet, step->line->verb == &verb_same ? "same" : summary, "ok");
	g_free(run->last_left);
	run->last_left = packet;
}

static unsigned int count_lines(const char *text)
{
	unsigned int count = 0;

	for (; *text != '\0'; text++)
		count += *text == '\n';
	return count;
}

static void fail_packet(struct run *run, const struct plan_step *step, const struct due_window *due,
			struct world_packet *packet, const struct mad_pattern *pattern,
			GString *why)
{
	g_autofree char *summary = mad_summary(packet->mad);
	g_autofree char *text = g_strdup_printf("> %s", summary);
	g_autofree char *brief = NULL;
	struct mad_instance instance;

	if (packet->at_ns < due->low_ns) {
		fail_unexpected(run, step->place, packet);
		return;
	}
	brief = say_differences(why->str);
	run_fail(run, step->place, "the MAD differs: %s", brief);
	fail_expected(run, step, due);
	fail_actual(run, packet->at_ns, text);
	run_note_packet(run, packet, summary, "DIFFERS");
	g_string_append(run->outcome->details, why->str);
	packet_instance(packet, &instance);
	if (pattern) {
		mad_hex(pattern, &run->env, &instance, run->outcome->details);
		hint_packets(run, pattern, packet, count_lines(why->str));
	} else {
		hex_ruler(run->outcome->details, run->last_left->mad, MAD_SIZE, packet->mad,
			  MAD_SIZE, NULL);
	}
}

static void same_field(void *ctx, enum diff_part part, const char *name, const char *left,
		       const char *right)
{
	GString *why = ctx;

	(void)part;
	g_string_append_printf(why, "%s  expected %s  actual %s\n", name, *left ? left : "\"\"",
			       *right ? right : "\"\"");
}

static struct diff_item *diff_item_of(const struct world_packet *packet, bool with_addr)
{
	const struct ignored_fields none = { .fields = NULL };
	struct capture_mad mad = { .frame = 1, .direction = CAPTURE_OUTBOUND };

	if (with_addr)
		mad.addr = packet->addr;
	memcpy(mad.mad, packet->mad, MAD_SIZE);
	return diff_item_of_packet(&none, 0, &mad);
}

/* A retry has the same MAD, for the same port. What differs is named as umadrig diff names it. */
static void compare_same(const struct world_packet *left, const struct world_packet *right,
			 GString *why)
{
	bool with_addr = left->has_addr && right->has_addr;
	struct diff_item *a, *b;

	if (memcmp(left->mad, right->mad, MAD_SIZE) == 0 &&
	    (!with_addr || (left->addr.dlid == right->addr.dlid &&
			    left->addr.dest_qp == right->addr.dest_qp &&
			    left->addr.has_grh == right->addr.has_grh)))
		return;
	a = diff_item_of(left, with_addr);
	b = diff_item_of(right, with_addr);
	if (diff_item_differences(a, b, same_field, why) == 0)
		g_string_append(why, "some bytes differ\n");
	diff_item_free(a);
	diff_item_free(b);
}

/* Nothing came in time: did it come late, or was it ignored? */
static void hint_missing(struct run *run, const struct mad_pattern *pattern)
{
	const struct world_packet *late = g_queue_peek_head(&run->outbox);
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *brief = NULL;
	struct mad_instance instance;

	if (run->amendments)
		return;
	if (!late) {
		hint_packets(run, pattern, NULL, 0);
		return;
	}
	packet_instance(late, &instance);
	if (mad_compare(pattern, &run->env, &instance, why))
		return;
	brief = say_differences(why->str);
	g_string_append_printf(run->outcome->details, "and what comes so late differs: %s\n",
			       brief);
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
	if (!packet) {
		if (pattern)
			hint_missing(run, pattern);
		return;
	}
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
