/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The timeline of a running point.
 */
#include "harness/script/run/timeline.h"

#include <infiniband/umad.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "harness/script/run/cancel.h"
#include "harness/script/run/overlap.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/programs.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/verdict.h"

/* So many of the packets that were ignored are remembered: the last ones. */
#define IGNORED_MAX 32

int64_t run_now(struct run *run)
{
	return run->world->kind->now_ns(run->world);
}

void packet_instance(const struct world_packet *packet, struct mad_instance *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->has_addr = packet->has_addr;
	ret->addr = packet->addr;
	ret->wire = packet->wire_size > 0 ? packet->wire : NULL;
	ret->wire_size = packet->wire_size;
	ret->wire_sealed = packet->sealed;
	memcpy(ret->mad, packet->mad, MAD_SIZE);
}

void item_instance(const struct run_item *item, struct mad_instance *ret)
{
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->umad, item->umad, sizeof(ret->umad));
	memcpy(ret->mad, item->mad, MAD_SIZE);
	ret->message = item->message;
	ret->message_size = (size_t)item->length;
	ret->result[TERM_RESULT_LENGTH] = item->length;
	ret->result[TERM_RESULT_ID] = item->result;
}

/* Counts and keeps the packet if a line ignores it. */
static bool take_ignored(struct run *run, struct world_packet *packet)
{
	const GPtrArray *ignores = run->point->plan->ignores;
	struct mad_instance instance;

	packet_instance(packet, &instance);
	for (guint i = 0; i < ignores->len; i++) {
		if (!mad_compare(ignores->pdata[i], &run->env, &instance, NULL))
			continue;
		g_array_index(run->ignored, size_t, i)++;
		packet->ignore = i;
		g_queue_push_tail(&run->ignored_last, packet);
		if (run->ignored_last.length > IGNORED_MAX)
			g_free(g_queue_pop_head(&run->ignored_last));
		return true;
	}
	return false;
}

/* The window of silence that something breaks at 'at_ns'. 'handle' NULL: a packet leaves A. */
static const struct silence *broken_silence(struct run *run, int64_t at_ns,
					    const struct run_handle *handle)
{
	for (guint i = 0; i < run->silences->len; i++) {
		const struct silence *silence = &g_array_index(run->silences, struct silence, i);

		if (silence->handle == handle && at_ns >= silence->from_ns &&
		    at_ns < silence->to_ns)
			return silence;
	}
	return NULL;
}

static void fail_silence(struct run *run, const struct silence *silence, int64_t at_ns,
			 const char *what)
{
	g_autofree char *actual = g_strdup_printf("%s%s", !silence->handle ? "> " : "recv ", what);

	run_fail(run, silence->step->place,
		 "expected nothing to %s from %s up to %s: at %s came %s",
		 !silence->handle ? "leave" : "arrive", say_time(silence->from_ns),
		 say_time(silence->to_ns), say_time(at_ns), what);
	fail_actual(run, at_ns, actual);
	run->step = silence->step;
}

/* A packet leaves: may it? */
static void check_packet(struct run *run, struct world_packet *packet)
{
	const struct silence *silence = broken_silence(run, packet->at_ns, NULL);
	g_autofree char *summary = NULL;

	if (!silence || run_failed(run))
		return;
	summary = mad_summary(packet->mad);
	fail_silence(run, silence, packet->at_ns, summary);
	run_note_packet(run, packet, summary, "UNEXPECTED");
}

/* The same of what can be read. */
static void check_item(struct run *run, const struct run_handle *handle, struct run_item *item)
{
	const struct silence *silence = broken_silence(run, item->at_ns, handle);
	g_autofree char *summary = NULL;

	if (!silence || run_failed(run))
		return;
	summary = mad_summary(item->mad);
	fail_silence(run, silence, item->at_ns, summary);
	run_note_item(run, item, "UNEXPECTED");
}

/*
 * Where the wire is not seen, what is read is what tells of arrivals, if the peer did not send it:
 * responses of B's kernel.
 */
static void tell_arrival(struct run *run, const struct run_handle *handle,
			 const struct run_item *item)
{
	if (!run->world->kind->arrive && handle->end == WORLD_SELF && !item_failed(item) &&
	    !peer_has_sent(run->peer, item->mad))
		world_arrives(run->world, item->at_ns, item->mad);
}

static void collect_handle(struct run *run, struct run_handle *handle)
{
	while (!handle->closed && handle->waiting == 0) {
		int length = RECV_BUFFER_SIZE - 64;
		struct run_item *item;
		int result;

		memset(run->buffer, 0, 64 + MAD_SIZE);
		result = umad_recv(handle->fd, run->buffer, &length, 0);
		if (result < 0)
			return;
		/* The message is larger than the buffer: the length that it would have. */
		length = MIN(length, RECV_BUFFER_SIZE - 64);
		item = g_malloc0(sizeof(*item) + (size_t)length);
		item->at_ns = run_now(run);
		item->result = result;
		item->length = length;
		memcpy(item->umad, run->buffer, 64);
		memcpy(item->mad, run->buffer + 64, MAD_SIZE);
		memcpy(item->message, run->buffer + 64, (size_t)length);
		tell_arrival(run, handle, item);
		item->sequence = ++run->world->sequence;
		g_queue_push_tail(&handle->inbox, item);
		check_item(run, handle, item);
	}
}

void run_collect(struct run *run)
{
	struct world_packet *packet;

	overlap_collect(run->overlap);
	for (guint i = 0; i < run->handles->len; i++)
		collect_handle(run, run->handles->pdata[i]);
	peer_collect(run->peer);
	while ((packet = g_queue_pop_head(&run->world->leaves))) {
		if (run->runs_programs) {
			run->programs_left++;
			g_free(packet);
			continue;
		}
		if (take_ignored(run, packet))
			continue;
		g_queue_push_tail(&run->outbox, packet);
		check_packet(run, packet);
	}
}

static size_t run_fds(struct run *run, int *fds, size_t size)
{
	size_t count = 0;

	for (guint i = 0; i < run->handles->len && count < size; i++) {
		const struct run_handle *handle = run->handles->pdata[i];

		if (!handle->closed && handle->waiting == 0)
			fds[count++] = handle->fd;
	}
	if (overlap_fd(run->overlap) >= 0 && count < size)
		fds[count++] = overlap_fd(run->overlap);
	if (peer_fd(run->peer) >= 0 && count < size)
		fds[count++] = peer_fd(run->peer);
	return count;
}

/* What the point waited for, and what programs have to say of it. */
static void tell_timed_out(struct run *run)
{
	GString *details = run->outcome->details;

	if (run->awaited)
		world_program_tell(details, run->awaited);
	for (guint i = 0; i < run->programs->len; i++) {
		const struct run_program *program = run->programs->pdata[i];
		int status;

		if (!program->running || program->running == run->awaited ||
		    world_program_over(program->running, &status))
			continue;
		g_string_append_printf(details, "%s (line %u) was running, too\n", program->name,
				       program->step->place.line);
		world_program_tell(details, program->running);
	}
}

/* Is its real time over? Then the point has timed out. */
static bool is_timed_out(struct run *run)
{
	struct outcome *outcome = run->outcome;

	if (run->real_end_us == 0 || g_get_monotonic_time() < run->real_end_us || run_failed(run))
		return false;
	outcome->verdict = VERDICT_TIMED_OUT;
	outcome->place = run->step ? run->step->place : run->point->scenario->place;
	outcome->message = g_strdup_printf("TIMED OUT after %s of real time: %s%s",
					   say_time(run->real_limit_ns), run->awaited_name ?
					   run->awaited_name : "this line",
					   run->awaited_name ? " has not ended" :
					   " is not over");
	tell_timed_out(run);
	return true;
}

/* Has the point to end here, whatever its script says? */
static bool is_over(struct run *run)
{
	if (!run_is_cancelled() || run_failed(run))
		return is_timed_out(run);
	run->outcome->verdict = VERDICT_BROKEN;
	run->outcome->message = g_strdup("it was ended");
	return true;
}

/* 'until_ns', or when the real time is over, if that is the time of the world. */
static int64_t bounded(struct run *run, int64_t until_ns)
{
	int64_t left_us = run->real_end_us - g_get_monotonic_time();

	if (run->world->kind->is_sim)
		return until_ns;
	if (run_is_cancelled())
		return run_now(run);
	if (run->real_end_us == 0)
		return until_ns;
	return MIN(until_ns, run_now(run) + MAX(left_us, 0) * NS_PER_US);
}

/* Runs for one instant at most. False: nothing more happens until 'until_ns', which is now. */
bool run_advance_once(struct run *run, int64_t until_ns)
{
	int fds[64];
	int64_t due_ns = peer_due_ns(run->peer);
	int64_t step_ns = bounded(run, MIN(due_ns, until_ns));
	bool happened, cut = step_ns < MIN(due_ns, until_ns);

	if (is_over(run))
		return false;
	do
		happened = run->world->kind->step(run->world, step_ns, fds,
						  run_fds(run, fds, G_N_ELEMENTS(fds)));
	while (run->world->is_busy && !is_over(run));
	run_collect(run);
	if (cut && !happened)
		return !is_over(run);
	if (!happened && due_ns <= until_ns) {
		int status = peer_send_due(run->peer, run_now(run));

		if (status < 0)
			run_fail(run, run->step->place, "the peer could not answer: %s",
				 g_strerror(-status));
		run_collect(run);
		happened = true;
	}
	return happened && !run_failed(run);
}

void run_advance(struct run *run, int64_t until_ns)
{
	until_ns = MAX(until_ns, run_now(run));
	while (!run_failed(run) && run_advance_once(run, until_ns))
		;
	run->act_sequence = ++run->world->sequence;
}

/* ---- when a step is due ---- */

static int64_t late_allowed(const struct run *run, int64_t waited_ns)
{
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;
	int64_t per_try = tolerance->per_try_ns >= 0 ? tolerance->per_try_ns :
			  2 * run->world->tick_ns;

	return tolerance->late_ns + waited_ns / 100000 * (int64_t)tolerance->late_millipercent +
	       per_try * (1 + (int64_t)run->same_count);
}

/* The window of a point in time: one instant on the simulator, with tolerances on hw and guests. */
static struct due_window point_window(struct run *run, const struct plan_step *step)
{
	const struct plan_time *time = &step->time;
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;
	int64_t target = (time->from_relative ? run->base_ns : run->zero_ns) + time->from_ns;
	struct due_window due = { target, target, target };

	if (run->world->is_exact)
		return due;
	/* What a call starts begins somewhere between the beginning and the end of the call. */
	due.low_ns -= run->acted_ns;
	due.low_ns -= tolerance->early_ns >= 0 ? tolerance->early_ns : run->world->tick_ns;
	due.high_ns += late_allowed(run, time->from_ns);
	return due;
}

struct due_window step_window(struct run *run, const struct plan_step *step)
{
	const struct plan_time *time = &step->time;
	struct due_window due;

	switch (time->kind) {
	case STEP_TIME_POINT:
		return point_window(run, step);
	case STEP_TIME_WINDOW:
		due.low_ns = (time->from_relative ? run->base_ns : run->zero_ns) + time->from_ns;
		due.high_ns = (time->to_relative ? run->base_ns : run->zero_ns) + time->to_ns - 1;
		due.target_ns = due.low_ns;
		return due;
	case STEP_TIME_ANY:
		due.low_ns = due.target_ns = run->base_ns;
		due.high_ns = run->limit_ns;
		return due;
	}
	return (struct due_window) { 0, 0, 0 };
}

void step_done(struct run *run, const struct plan_step *step, const struct due_window *due,
	       int64_t at_ns)
{
	bool exact = run->world->is_exact && step->time.kind == STEP_TIME_POINT;

	if (step->time.kind == STEP_TIME_WINDOW)
		return;
	run->base_ns = exact ? due->target_ns : at_ns;
	if (step->time.kind == STEP_TIME_POINT)
		run->nominal_ns = step->time.from_ns +
				  (step->time.from_relative ? run->nominal_ns : 0);
}

void step_acted(struct run *run, int64_t began_ns)
{
	if (run->world->kind->is_sim)
		return;
	run->base_ns = run_now(run);
	run->acted_ns = run->base_ns - began_ns;
	run->zero_ns = run->base_ns - run->nominal_ns;
}

/* ---- windows of silence ---- */

void run_add_silence(struct run *run, const struct plan_step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct silence silence = { step, due.low_ns, due.high_ns + 1, handle };
	const GQueue *queue = handle ? &handle->inbox : &run->outbox;
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;

	/* On a whole kernel what follows the window may come a little early. */
	if (!run->world->is_exact)
		silence.to_ns -=
			tolerance->early_ns >= 0 ? tolerance->early_ns : run->world->tick_ns;
	run_collect(run);
	g_array_append_val(run->silences, silence);
	run->end_ns = MAX(run->end_ns, silence.to_ns);
	for (const GList *link = queue->head; link; link = link->next) {
		if (handle)
			check_item(run, handle, link->data);
		else
			check_packet(run, link->data);
	}
}

void run_check_close(struct run *run, const struct run_handle *handle)
{
	for (guint i = 0; i < run->silences->len; i++) {
		const struct silence *silence = &g_array_index(run->silences, struct silence, i);

		if (silence->handle == handle && silence->to_ns > run_now(run))
			run_fail(run, silence->step->place, "umad_recv() would wait up to %s, but "
				 "line %u closes its handle at %s, and it returns -EINVAL",
				 say_time(silence->to_ns), run->step->place.line,
				 say_time(run_now(run)));
	}
}

/* Everything that came before 'before_ns' must be accounted for. */
void run_check_leftovers(struct run *run, struct place place, int64_t before_ns)
{
	struct world_packet *packet = g_queue_peek_head(&run->outbox);

	/* A later line wire == accounts for all of them. */
	if (packet && packet->at_ns < before_ns && run->wires_left == 0)
		fail_unexpected(run, place, packet);
	for (guint i = 0; i < run->handles->len && !run_failed(run); i++) {
		struct run_handle *handle = run->handles->pdata[i];
		struct run_item *item = g_queue_peek_head(&handle->inbox);
		g_autofree char *summary = NULL;

		if (!item || item->at_ns >= before_ns || handle->closed)
			continue;
		summary = mad_summary(item->mad);
		run_fail(run, place, "unexpected: at %s umad_recv() had %s%s, which no line reads",
			 say_time(item->at_ns), summary,
			 item_failed(item) ? " (a send that failed)" : "");
		run->step = NULL;
		run_note_item(run, item, "UNEXPECTED");
	}
}
