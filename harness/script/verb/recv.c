/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad_recv(fd) = ...: see harness/script/verb/recv.h.
 */
#include "harness/script/verb/recv.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "harness/script/run/amend.h"
#include "harness/script/run/candidate.h"
#include "harness/script/run/expect.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "harness/script/verb/call-run.h"

/* umad_recv(fd) = nothing, at a point. */
static void recv_nothing(struct run *run, const struct plan_step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct run_item *item;
	g_autofree char *summary = NULL;

	run_advance(run, due.target_ns);
	step_done(run, step, &due, run_now(run));
	item = g_queue_peek_head(&handle->inbox);
	if (run_failed(run) || !item)
		return;
	summary = mad_summary(item->mad);
	run_fail(run, step->place, "expected nothing to read: since %s there is %s",
		 say_time(item->at_ns), summary);
	run_note_item(run, item, "UNEXPECTED");
}

/* A negative result: what umad_recv() itself returns if nothing was read before. */
static bool recv_error(struct run *run, const struct plan_step *step,
		       const struct expected *expected, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = false };
	int length = MAD_SIZE;
	uint64_t wanted;
	int result;

	if (!expected->value || !run_number(run, expected->value, &wanted) ||
	    (int64_t)wanted >= 0)
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
	expect_value(run, step, expected, result);
	expect_fields(run, step, expected, &instance, false);
	note_call(run, expected->call, result);
	return true;
}

static void fail_item(struct run *run, const struct plan_step *step,
		      const struct expected *expected, const struct due_window *due,
		      const struct run_item *item, const struct run_handle *handle)
{
	g_autofree char *text = item_text(item);

	fail_expected(run, step, due);
	fail_actual(run, item->at_ns, text);
	hint_items(run, expected, handle);
}

static void take_item(struct run *run, const struct plan_step *step,
		      const struct expected *expected, struct due_window *due,
		      struct run_handle *handle)
{
	struct run_item *item = g_queue_pop_head(&handle->inbox);
	struct mad_instance instance;
	g_autofree char *text = item_text(item);

	item_instance(item, &instance);
	if (!due_includes(due, item->at_ns) && !run_amend_time(run, step, due, item->at_ns)) {
		run_note_item(run, item, fail_time(run, step, due, item->at_ns, text));
	} else {
		expect_value(run, step, expected, item->result);
		expect_fields(run, step, expected, &instance, true);
		step_done(run, step, due, item->at_ns);
		run_note_item(run, item, run_failed(run) ? "DIFFERS" : "ok");
		if (run_failed(run))
			fail_item(run, step, expected, due, item, handle);
	}
	g_free(item);
}

void run_recv(struct run *run, const struct plan_step *step, const struct call_args *args,
	      const struct expected *expected)
{
	struct run_handle *handle = call_handle(run, args->at[WAIT_AT_HANDLE]);
	struct due_window due;

	if (!handle)
		return;
	if (expr_is_word(expected->value, "nothing")) {
		if (handle->closed)
			run_fail(run, step->place, "umad_recv() of a handle that was closed "
				 "returns -EINVAL at once: it does not wait for nothing");
		else if (step->time.kind == STEP_TIME_WINDOW)
			run_add_silence(run, step, handle);
		else
			recv_nothing(run, step, handle);
		return;
	}
	if (recv_error(run, step, expected, handle))
		return;
	due = step_window(run, step);
	run_collect(run);
	while (g_queue_is_empty(&handle->inbox) && !run_failed(run)) {
		if (!run_advance_once(run, due.high_ns))
			break;
	}
	if (run_failed(run))
		return;
	if (g_queue_is_empty(&handle->inbox)) {
		fail_missing(run, step, &due, handle);
		if (run_failed(run))
			hint_items(run, expected, handle);
	}
	if (!run_failed(run))
		take_item(run, step, expected, &due, handle);
}
