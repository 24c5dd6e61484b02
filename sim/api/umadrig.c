/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about a fabric and its time. Like those in the other files of
 * sim/api each takes the fabric's lock, does what a function of the fabric does, and leaves.
 */
#include "sim/api/umadrig.h"

#include "sim/api/attach.h"
#include "sim/api/serve.h"
#include "sim/fabric/entry.h"
#include "sim/programs/program-session.h"
#include "sim/run/assembly.h"
#include "sim/run/open.h"

/* ---- a fabric ---- */

struct umadrig_fabric *umadrig_fabric_open(const char *spec, char *reterr, size_t reterr_size)
{
	return fabric_open(spec, false, reterr, reterr_size);
}

struct umadrig_fabric *umadrig_fabric_parse(const char *text, const char *options, char *reterr,
					    size_t reterr_size)
{
	return fabric_parse(text, options, reterr, reterr_size);
}

void umadrig_fabric_close(struct umadrig_fabric *fabric)
{
	if (!fabric)
		return;
	attach_forget(fabric);
	program_session_end(fabric);
	serve_end(fabric);
	fabric_free(fabric);
}

/* ---- time ---- */

int64_t umadrig_now(struct umadrig_fabric *fabric)
{
	int64_t now_ns;

	if (fabric_enter_quick(fabric) < 0)
		return 0;
	now_ns = fabric->queue.now_ns;
	fabric_leave(fabric);
	return now_ns;
}

int64_t umadrig_next(struct umadrig_fabric *fabric)
{
	int64_t next_ns;

	if (fabric_enter_quick(fabric) < 0)
		return INT64_MAX;
	next_ns = clock_next_ns(fabric->clock);
	fabric_leave(fabric);
	return next_ns;
}

static bool step(struct umadrig_fabric *fabric, int64_t until_ns, bool once)
{
	bool fired = false;

	if (fabric_enter_quick(fabric) < 0)
		return false;
	if (clock_is_virtual(fabric->clock))
		fired = clock_step(fabric->clock, until_ns, once);
	fabric_leave(fabric);
	return fired;
}

void umadrig_step(struct umadrig_fabric *fabric, int64_t until_ns)
{
	step(fabric, until_ns, false);
}

bool umadrig_step_once(struct umadrig_fabric *fabric, int64_t until_ns)
{
	return step(fabric, until_ns, true);
}

bool umadrig_step_idle(struct umadrig_fabric *fabric, int64_t until_ns)
{
	bool is_idle;

	while (step(fabric, until_ns, true))
		;
	if (fabric_enter(fabric) < 0)
		return true;
	is_idle = clock_next_ns(fabric->clock) == INT64_MAX;
	fabric_leave(fabric);
	return is_idle;
}

void umadrig_thread_enter(struct umadrig_fabric *fabric)
{
	if (fabric_enter(fabric) < 0)
		return;
	clock_thread_enter(fabric->clock);
	fabric_leave(fabric);
}

void umadrig_thread_leave(struct umadrig_fabric *fabric)
{
	if (fabric_enter(fabric) < 0)
		return;
	clock_thread_leave(fabric->clock);
	fabric_leave(fabric);
}
