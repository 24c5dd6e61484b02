/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * peer sends MAD: B's agent sends it, through the kernel there and the cable.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "lib/base/user-header.h"

struct sends_step {
	struct step step;
	const struct expr *mad;
};

struct sends_plan {
	const struct mad_pattern *mad;
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, sends_step, mad), STEP_PARTS_END,
};

static struct step *parse_sends(struct parser *parser)
{
	struct sends_step *line = parser_step(parser, &verb_peer_sends);

	line->mad = parse_mad(parser);
	return line->mad ? &line->step : NULL;
}

static void check_sends(struct checker *checker, struct plan_step *step)
{
	const struct sends_step *line = (const struct sends_step *)step->line;
	struct sends_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->mad = check_mad_expr(checker, line->mad, MAD_SENT);
	check_class(checker, plan->mad);
}

/* ---- running ---- */

static bool names_destination(const struct mad_pattern *pattern)
{
	return mad_pattern_term(pattern, "to") || mad_pattern_term(pattern, "dlid") ||
	       mad_pattern_term(pattern, "lid");
}

/* The umad header and the MAD, to A unless the line says otherwise. */
static bool build(struct run *run, const struct plan_step *step, struct mad_instance *ret)
{
	const struct mad_pattern *pattern = ((const struct sends_plan *)step->resolved)->mad;
	struct mad_defaults defaults = { -1, -1, DEFAULT_OUI, run->next_tid++ };
	bool is_smp = mad_class_is_smp(pattern->class_info->mgmt_class);
	g_autoptr(GString) error = g_string_new(NULL);
	int status = peer_address(run->peer, is_smp, ret->umad);

	if (status < 0) {
		run_fail(run, step->place, "A has no address: %s", g_strerror(-status));
		return false;
	}
	/* The kernel replaces the upper half of a request's TID. */
	run->capture_known = UINT32_MAX;
	if (!mad_build(pattern, &run->env, &defaults, ret, error)) {
		run_fail(run, step->place, "%s", error->str);
		return false;
	}
	if (ret->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && !names_destination(pattern))
		put_be16(ret->umad + USER_LID_BE, LID_PERMISSIVE);
	return true;
}

static void run_sends(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = false };
	uint8_t umad[64 + MAD_SIZE];
	g_autofree char *summary = NULL, *text = NULL;
	int64_t began_ns;
	int status;

	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		run_check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run) || !build(run, step, &instance))
		return;
	memcpy(umad, instance.umad, 64);
	memcpy(umad + 64, instance.mad, MAD_SIZE);
	summary = mad_summary(instance.mad);
	text = g_strdup_printf("peer sends %s", summary);
	began_ns = run_now(run);
	step_done(run, step, &due, began_ns);
	status = peer_send(run->peer, umad);
	if (status < 0)
		run_fail(run, step->place, "the peer %s could not send this: %s",
			 run->world->label[WORLD_PEER], g_strerror(-status));
	run_note(run, began_ns, "", text, run_failed(run) ? "FAILED" : "ok");
	/* On a cable that is seen, so is its arrival. */
	if (!run->world->kind->arrive)
		world_arrives(run->world, began_ns, instance.mad);
	step_acted(run, began_ns);
	run_advance(run, run_now(run));
}

const struct script_verb verb_peer_sends = {
	.word = "peer",
	.second = "sends",
	.follows = TOKEN_BIT(WORD),
	.size = sizeof(struct sends_step),
	.parts = parts,
	.parse = parse_sends,
	.check = check_sends,
	.run = run_sends,
};
