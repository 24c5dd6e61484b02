/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines that wait for something, and results of calls.
 */
#include "harness/script/run/script-expect.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <string.h>

#include "harness/script/run/script-verdict.h"

/* ---- '>' ---- */

/* Waits for a packet in the window: the head of the outbox, or NULL when the run has failed. */
static struct world_packet *wait_packet(struct run *run, const struct step *step,
					const struct due_window *due)
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
	if (packet == NULL)
		fail_missing(run, step, due, NULL);
	return packet;
}

/* The candidates behind the head that would have fitted. */
static void hint_candidates(struct run *run, const struct mad_pattern *pattern)
{
	for (const GList *link = run->outbox.head->next; link != NULL; link = link->next) {
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

static void take_packet(struct run *run, const struct step *step, const struct due_window *due)
{
	struct world_packet *packet = g_queue_pop_head(&run->outbox);
	g_autofree char *summary = mad_summary(packet->mad);

	step_done(run, step, due, packet->at_ns);
	run_note(run, packet->at_ns, ">", step->verb == STEP_SAME ? "same" : summary, "ok");
	g_free(run->last_left);
	run->last_left = packet;
}

static void fail_packet(struct run *run, const struct step *step, const struct due_window *due,
			const struct world_packet *packet, const struct mad_pattern *pattern,
			GString *why)
{
	g_autofree char *summary = mad_summary(packet->mad);

	if (packet->at_ns < due->low_ns) {
		fail_unexpected(run, step->place, packet);
		return;
	}
	run_fail(run, step->place, "the MAD is another");
	fail_expected(run, step, due);
	run->outcome->actual =
		g_strdup_printf("{ time: %s, mad: %s }", say_time(packet->at_ns), summary);
	g_string_append(run->outcome->details, why->str);
	if (pattern != NULL)
		hint_candidates(run, pattern);
	run_note(run, packet->at_ns, ">", summary, "DIFFERS");
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

void expect_leaves(struct run *run, const struct step *step)
{
	const struct mad_pattern *pattern = step->patterns.mad;
	struct due_window due;
	struct world_packet *packet;
	struct mad_instance instance;
	g_autoptr(GString) why = g_string_new(NULL);

	run->same_count = step->verb == STEP_SAME ? run->same_count + 1 : 0;
	due = step_window(run, step);
	packet = wait_packet(run, step, &due);
	if (packet == NULL)
		return;
	packet_instance(packet, &instance);
	if (step->verb == STEP_SAME && run->last_left != NULL)
		compare_same(run->last_left, packet, why);
	else if (step->verb == STEP_LEAVES)
		mad_compare(pattern, &run->env, &instance, why);
	if (why->len > 0)
		fail_packet(run, step, &due, packet, pattern, why);
	else if (packet->at_ns < due.low_ns || packet->at_ns > due.high_ns) {
		g_autofree char *summary = mad_summary(packet->mad);

		fail_time(run, step, &due, packet->at_ns, summary);
	} else {
		take_packet(run, step, &due);
	}
}

/* ---- results ---- */

void append_call_value(GString *out, int64_t value)
{
	const char *name = value < 0 ? errno_name((int)-value) : NULL;

	if (name != NULL)
		g_string_append_printf(out, "-%s", name);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

static bool is_nothing(const struct expr *expr)
{
	return expr != NULL && expr->kind == EXPR_WORD && strcmp(expr->text, "nothing") == 0;
}

/* {IN, OUT} as poll(2) has it. */
static uint64_t poll_set(const struct expr *set)
{
	uint64_t events = 0;

	for (guint i = 0; i < set->items->len; i++) {
		const char *word = ((const struct expr *)set->items->pdata[i])->text;

		events |= strcmp(word, "IN") == 0 ? POLLIN : strcmp(word, "OUT") == 0 ? POLLOUT :
			  strcmp(word, "ERR") == 0 ? POLLERR : POLLHUP;
	}
	return events;
}

/* The value that a call must have, against the one it has. */
void expect_value(struct run *run, const struct step *step, int64_t value)
{
	GString *text;
	uint64_t expected;

	if (step->result == NULL)
		return;
	if (step->result->kind == EXPR_SET) {
		expected = poll_set(step->result);
	} else if (!run_number(run, step->result, &expected)) {
		run_fail(run, step->result->place, "this has no value here");
		return;
	}
	if ((int64_t)expected == value)
		return;
	text = g_string_new(NULL);
	append_call_value(text, value);
	run_fail(run, step->place, "%s() gave %s", step->call->name, text->str);
	run->outcome->actual = g_string_free(text, FALSE);
	text = g_string_new(NULL);
	append_call_value(text, (int64_t)expected);
	run->outcome->expected = g_string_free(text, FALSE);
}

void expect_fields(struct run *run, const struct step *step,
			 const struct mad_instance *instance, bool has_item)
{
	g_autoptr(GString) why = g_string_new(NULL);

	if (run_failed(run))
		return;
	if (step->patterns.umad != NULL)
		mad_compare(step->patterns.umad, &run->env, instance, why);
	if (step->patterns.result != NULL && has_item)
		mad_compare(step->patterns.result, &run->env, instance, why);
	if (step->patterns.result != NULL && !has_item)
		g_string_append(why, "nothing was read\n");
	if (why->len == 0)
		return;
	g_string_append(run->outcome->details, why->str);
	g_strdelimit(why->str, "\n", ';');
	why->str[strlen(why->str) - 1] = '\0';
	run_fail(run, step->place, "%s(): %s", step->call->name, why->str);
}

void note_call(struct run *run, const struct step *step, int64_t value)
{
	g_autoptr(GString) text = g_string_new(step->call->name);

	g_string_append(text, "() = ");
	append_call_value(text, value);
	run_note(run, run_now(run), "", text->str, run_failed(run) ? "DIFFERS" : "ok");
}

/* ---- umad_recv ---- */

/* umad_recv(fd) = nothing, at a point. */
static void recv_nothing(struct run *run, const struct step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	const struct run_item *item;
	g_autofree char *summary = NULL;

	run_advance(run, due.target_ns);
	step_done(run, step, &due, run_now(run));
	item = g_queue_peek_head(&handle->inbox);
	if (run_failed(run) || item == NULL)
		return;
	summary = mad_summary(item->mad);
	run_fail(run, step->place, "nothing was to be read: since %s there is %s",
		 say_time(item->at_ns), summary);
}

/* A negative result: what umad_recv() itself says where nothing was read before. */
static bool recv_error(struct run *run, const struct step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = false };
	int length = MAD_SIZE;
	uint64_t expected;
	int result;

	if (step->result == NULL || !run_number(run, step->result, &expected) ||
	    (int64_t)expected >= 0)
		return false;
	run_advance(run, due.target_ns);
	step_done(run, step, &due, run_now(run));
	if (run_failed(run))
		return true;
	if (!g_queue_is_empty(&handle->inbox)) {
		const struct run_item *item = g_queue_peek_head(&handle->inbox);

		result = item->result;
	} else {
		memset(run->buffer, 0, 64 + MAD_SIZE);
		errno = 0;
		result = umad_recv(handle->fd, run->buffer, &length, 0);
		instance.result[TERM_RESULT_ERRNO] = errno;
	}
	expect_value(run, step, result);
	expect_fields(run, step, &instance, false);
	note_call(run, step, result);
	return true;
}

static void take_item(struct run *run, const struct step *step, const struct due_window *due,
		      struct run_handle *handle)
{
	struct run_item *item = g_queue_pop_head(&handle->inbox);
	struct mad_instance instance;
	g_autofree char *summary = mad_summary(item->mad);
	g_autofree char *text = g_strdup_printf("recv %s", summary);

	call_item_instance(item, &instance);
	if (item->at_ns < due->low_ns || item->at_ns > due->high_ns) {
		fail_time(run, step, due, item->at_ns, summary);
	} else {
		expect_value(run, step, item->result);
		expect_fields(run, step, &instance, true);
		step_done(run, step, due, item->at_ns);
		run_note(run, item->at_ns, "", text, run_failed(run) ? "DIFFERS" : "ok");
	}
	g_free(item);
}

void expect_recv(struct run *run, const struct step *step, const struct call_args *args)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	struct due_window due;

	if (handle == NULL)
		return;
	if (is_nothing(step->result)) {
		if (step->time.kind == STEP_TIME_WINDOW)
			run_add_silence(run, step, handle);
		else
			recv_nothing(run, step, handle);
		return;
	}
	if (recv_error(run, step, handle))
		return;
	due = step_window(run, step);
	run_collect(run);
	while (g_queue_is_empty(&handle->inbox) && !run_failed(run)) {
		if (!run_advance_once(run, due.high_ns))
			break;
	}
	if (run_failed(run))
		return;
	if (g_queue_is_empty(&handle->inbox))
		fail_missing(run, step, &due, handle);
	else
		take_item(run, step, &due, handle);
}
