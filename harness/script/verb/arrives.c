/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * < MAD: the MAD arrives at A.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/mad/whole-packet.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"

struct arrives_step {
	struct step step;
	const struct expr *mad;
};

struct arrives_plan {
	const struct mad_pattern *mad;
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, arrives_step, mad), STEP_PARTS_END,
};

static struct step *parse_arrives(struct parser *parser)
{
	struct arrives_step *arrives = parser_step(parser, &verb_arrives);

	arrives->mad = parse_mad(parser);
	return arrives->mad ? &arrives->step : NULL;
}

static void check_arrives(struct checker *checker, struct plan_step *step)
{
	const struct arrives_step *arrives = (const struct arrives_step *)step->line;
	struct arrives_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->mad = check_mad_expr(checker, arrives->mad, MAD_ARRIVES);
	check_class(checker, plan->mad);
}

static const struct mad_pattern *pattern_of(const struct plan_step *step)
{
	return ((const struct arrives_plan *)step->resolved)->mad;
}

/* ---- running ---- */

/* The default addresses of what arrives: from the peer to A. */
static void default_addresses(struct run *run, const struct mad_pattern *pattern,
			      struct packet_addr *ret)
{
	struct world_address self = { 0 }, peer = { 0 };
	bool smp = pattern->class_info && mad_class_is_smp(pattern->class_info->mgmt_class);

	run->world->kind->address(run->world, "self", &self);
	run->world->kind->address(run->world, "peer", &peer);
	*ret = (struct packet_addr) {
		.slid = peer.lid,
		.dlid = self.lid,
		.pkey = PKEY_DEFAULT,
		.hop_limit = 64,
		.src_qp = smp ? 0 : 1,
		.dest_qp = smp ? 0 : 1,
		.qkey = smp ? 0 : QKEY_GSI,
		/* IBA vol 1, 3.5.10: virtual lane 15 is reserved for subnet management. */
		.vl = smp ? 15 : 0,
	};
	memcpy(ret->sgid, peer.gid, 16);
	memcpy(ret->dgid, self.gid, 16);
}

static bool build_arriving(struct run *run, const struct plan_step *step, struct mad_instance *ret)
{
	const struct mad_pattern *pattern = pattern_of(step);
	struct mad_defaults defaults = { -1, -1, DEFAULT_OUI, run->next_tid++ };
	g_autoptr(GString) error = g_string_new(NULL);

	default_addresses(run, pattern, &ret->addr);
	if (!mad_build(pattern, &run->env, &defaults, ret, error)) {
		run_fail(run, step->place, "%s", error->str);
		return false;
	}
	if (ret->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* Permissive addresses on both sides, unless the script names others. */
		if (!mad_pattern_term(pattern, "slid"))
			ret->addr.slid = LID_PERMISSIVE;
		if (!mad_pattern_term(pattern, "dlid"))
			ret->addr.dlid = LID_PERMISSIVE;
	}
	return true;
}

static bool build_packet(struct run *run, const struct plan_step *step,
			 const struct mad_instance *instance, uint8_t *ret, size_t *ret_size)
{
	g_autoptr(GString) error = g_string_new(NULL);

	if (packet_bytes(pattern_of(step), &run->env, instance, ret, ret_size, error))
		return true;
	run_fail(run, step->place, "%s", error->str);
	return false;
}

/* The effect is seen at once. */
static int arrive_packet(struct run *run, const char *summary, const uint8_t *bytes, size_t size)
{
	g_autofree char *why = NULL, *note = NULL;
	int64_t at_ns = run_now(run);
	int status = run->world->kind->arrive_packet(run->world, bytes, size, &why);

	note = why ? g_strdup_printf("dropped: %s", why) : g_strdup("ok");
	run_note(run, at_ns, "<", summary, note);
	return status;
}

/* The peer's agent has to send it. */
static int arrive_from_peer(struct run *run, const uint8_t mad[MAD_SIZE])
{
	uint8_t umad[64 + MAD_SIZE];
	int status = peer_address(run->peer, mad_class_is_smp(mad[MAD_CLASS]), umad);

	memcpy(umad + 64, mad, MAD_SIZE);
	return status < 0 ? status : peer_send(run->peer, umad);
}

static void run_arrives(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = true };
	const struct mad_pattern *pattern = pattern_of(step);
	g_autofree char *summary = NULL;
	uint8_t bytes[PACKET_SIZE_MAX];
	size_t size = 0;
	int64_t began_ns;
	int status;

	/* The kernel of a real B replaces the upper half of the TID of what it sends. */
	if (!run->world->kind->arrive)
		run->capture_known = UINT32_MAX;
	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		run_check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run) || (!pattern->packet && !build_arriving(run, step, &instance)) ||
	    (packet_is_raw(pattern) && !build_packet(run, step, &instance, bytes, &size)))
		return;
	began_ns = run_now(run);
	summary = pattern->packet ? packet_summary(pattern, size) :
		  mad_summary(instance.mad);
	if (size == 0)
		run_note(run, began_ns, "<", summary, "ok");
	step_done(run, step, &due, began_ns);
	/* On the simulator alone all that arrives is seen, with what lines make arrive. */
	run->world->is_arriving = run->world->kind->is_sim;
	if (size > 0)
		status = arrive_packet(run, summary, bytes, size);
	else if (run->world->kind->arrive)
		status = run->world->kind->arrive(run->world, &instance.addr, instance.mad);
	else
		status = arrive_from_peer(run, instance.mad);
	run->world->is_arriving = false;
	if (status < 0)
		run_fail(run, step->place, "this could not be sent: %s", g_strerror(-status));
	step_acted(run, began_ns);
	run_advance(run, run_now(run));
}

const struct script_verb verb_arrives = {
	.word = "<",
	.size = sizeof(struct arrives_step),
	.parts = parts,
	.parse = parse_arrives,
	.check = check_arrives,
	.run = run_arrives,
};
