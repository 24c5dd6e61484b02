/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Failures of lines whose event did not come.
 */
#include "harness/script/run/verdict.h"

#include "harness/script/run/amend.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/run-ladder.h"
#include "kmod-stub/event.h"

/* How long a failed wait is continued, to find out how late the event is. */
#define PROBE_STEPS_MAX 100000

/*
 * The expected event did not come. On the simulator it costs nothing to look further: is it late,
 * or can nothing happen any more? 'handle' NULL: a packet was expected.
 */
void fail_missing(struct run *run, const struct plan_step *step, struct due_window *due,
			 struct run_handle *handle)
{
	GQueue *queue = handle ? &handle->inbox : &run->outbox;
	const char *who = handle ? handle->name ? handle->name : "the handle" :
			  run->world->label[WORLD_SELF];
	g_autofree char *peer = peer_state(run->peer);
	bool is_exact = run->world->kind->is_sim && !run->runs_programs;
	unsigned int steps = 0;
	int64_t next_ns = 0;

	while (is_exact && g_queue_is_empty(queue) && !run_failed(run) &&
	       steps++ < PROBE_STEPS_MAX) {
		next_ns = MIN(run->world->kind->next_ns(run->world), peer_due_ns(run->peer));
		if (next_ns == TIME_NEVER)
			break;
		run_advance_once(run, next_ns);
	}
	if (run_failed(run))
		return;
	if (handle && !g_queue_is_empty(queue)) {
		struct run_item *item = g_queue_peek_head(queue);
		g_autofree char *text = item_text(item);

		if (!run_amend_time(run, step, due, item->at_ns))
			run_note_item(run, item, fail_time(run, step, due, item->at_ns, text));
		return;
	}
	if (!g_queue_is_empty(queue)) {
		struct world_packet *packet = g_queue_peek_head(queue);
		g_autofree char *summary = mad_summary(packet->mad);
		g_autofree char *text = g_strdup_printf("> %s", summary);

		if (run_amend_time(run, step, due, packet->at_ns))
			return;
		run_note_packet(run, packet, summary,
				fail_time(run, step, due, packet->at_ns, text));
		return;
	}
	fail_expected(run, step, due);
	run->outcome->actual = g_strdup("nothing");
	run_amend_refuse(run, "what it waits for does not come");
	if (!run->world->kind->arrive && !handle && peer_fd(run->peer) < 0)
		run_fail(run, step->place,
			 "what leaves is seen only where a peer listens: real ports need "
			 "'peer listens class=... methods={...}'");
	else if (is_exact && next_ns == TIME_NEVER)
		run_fail(run, step->place,
			 handle ? "nothing can happen any more: line %u waits for a MAD that %s "
			 "can read, no timer is armed, and %s" :
			 "nothing can happen any more: line %u waits for a MAD that leaves %s, no "
			 "timer is armed, and %s", step->place.line, who, peer);
	else
		run_fail(run, step->place, handle ? "%s can read nothing up to %s" :
			 "nothing leaves %s up to %s", who, say_time(due_end_ns(step, due)));
}
