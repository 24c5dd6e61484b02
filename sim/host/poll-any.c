/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Waiting for any of several handles: see sim/host/poll-any.h. */
#include "sim/host/poll-any.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>

#include "sim/fabric/entry.h"
#include "sim/host/handle.h"

static bool are_all_of(const struct umadrig_fabric *fabric, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!handle_find(fabric, fds[i]))
			return false;
	}
	return true;
}

static bool is_any_ready(const struct umadrig_fabric *fabric, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct handle *handle = handle_find(fabric, fds[i]);

		/* Of what was closed meanwhile poll(2) has something to say. */
		if (!handle || kmod_file_poll(handle->file) & (POLLIN | POLLERR))
			return true;
	}
	return false;
}

/* Whenever a handle becomes readable, 'fabric' is woken for all (handles_wake()). */
static int wait_once(struct umadrig_fabric *fabric, int64_t deadline_ns)
{
	int ret;

	fabric->any_waits++;
	ret = clock_wait(fabric->clock, fabric, deadline_ns);
	fabric->any_waits--;
	return ret;
}

static int wait_for_any(struct umadrig_fabric *fabric, const int *fds, size_t count,
			int *timeout_ms)
{
	int64_t deadline_ns = TIME_NEVER;
	int ret = 0;

	clock_thread_enter(fabric->clock);
	clock_settle(fabric->clock);
	if (*timeout_ms >= 0)
		deadline_ns = fabric->queue.now_ns + *timeout_ms * NS_PER_MS;
	while (ret >= 0 && !is_any_ready(fabric, fds, count) &&
	       fabric->queue.now_ns < deadline_ns)
		ret = wait_once(fabric, deadline_ns);
	if (ret < 0)
		return ret;
	if (*timeout_ms >= 0)
		*timeout_ms = (int)((deadline_ns - fabric->queue.now_ns + NS_PER_MS - 1) /
				    NS_PER_MS);
	return is_any_ready(fabric, fds, count);
}

int handle_poll_any(const int *fds, size_t count, int *timeout_ms)
{
	struct umadrig_fabric *fabric;
	struct handle *first;
	int ret = count > 0 ? handle_enter(fds[0], &first) : -EINVAL;

	if (ret < 0)
		return ret;
	fabric = first->fabric;
	if (!clock_is_virtual(fabric->clock))
		ret = -EOPNOTSUPP;
	else if (!are_all_of(fabric, fds, count))
		ret = -EXDEV;
	else
		ret = wait_for_any(fabric, fds, count, timeout_ms);
	fabric_leave(fabric);
	return ret;
}
