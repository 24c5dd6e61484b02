/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest's time: see sim/guests/guest-time.h.
 */
#include "sim/guests/guest-time.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "lib/base/session-date.h"
#include "sim/guests/guest-stream.h"

enum time_op {
	OP_ACK,
	OP_START,
	OP_REQUEST,
	OP_WAIT,
	OP_GET,
	OP_UPDATE,
	OP_RUN,
	OP_FREE_UNTIL,
	OP_GET_TOD,
	OP_BROADCAST,
};

struct time_message {
	uint32_t op, sequence;
	uint64_t time;
};

static int complain(struct guest_time *time, const char *format, ...) G_GNUC_PRINTF(2, 3);

static int complain(struct guest_time *time, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(time->why, sizeof(time->why), format, args);
	va_end(args);
	return -EPROTO;
}

static int receive(struct guest_time *time, struct time_message *message)
{
	return guest_stream_read(time->fd, message, sizeof(*message), time->patience_ms, NULL);
}

static int transmit(struct guest_time *time, enum time_op op, uint32_t sequence, uint64_t value)
{
	const struct time_message message = { op, sequence, value };

	return guest_stream_write(time->fd, &message, sizeof(message), time->patience_ms);
}

static int acknowledge(struct guest_time *time, const struct time_message *message, uint64_t value)
{
	return transmit(time, OP_ACK, message->sequence, value);
}

/* What the guest is told is acknowledged by it before it says anything else. */
static int tell(struct guest_time *time, enum time_op op, int64_t at_ns)
{
	uint32_t sequence = ++time->sequence;
	struct time_message answer;
	int ret = transmit(time, op, sequence, (uint64_t)(at_ns - time->start_ns));

	if (ret == 0)
		ret = receive(time, &answer);
	if (ret < 0)
		return ret;
	if (answer.op != OP_ACK || answer.sequence != sequence)
		return complain(time, "message %" PRIu32 " of its time, where the answer to %d was "
				"due", answer.op, (int)op);
	return 0;
}

int guest_time_start(struct guest_time *time)
{
	struct time_message message;
	int ret = receive(time, &message);

	if (ret < 0)
		return ret;
	if (message.op != OP_START)
		return complain(time, "its time begins with message %" PRIu32 ", not with START",
				message.op);
	time->start_sequence = message.sequence;
	time->request_ns = TIME_NEVER;
	time->state = GUEST_TIME_STARTING;
	return 0;
}

int guest_time_begin(struct guest_time *time, int64_t now_ns)
{
	time->start_ns = now_ns;
	time->state = GUEST_TIME_RUNNING;
	return transmit(time, OP_ACK, time->start_sequence, 0);
}

static int64_t bounded(int64_t now_ns, int64_t limit_ns)
{
	return MIN(limit_ns, now_ns + GUEST_TIME_FREE_MAX_NS);
}

/* Before RUN, because the guest looks for it only when it is told anything. */
int guest_time_run(struct guest_time *time, int64_t now_ns, int64_t limit_ns)
{
	int64_t free_ns = bounded(now_ns, limit_ns);
	int ret = 0;

	time->free_ns = 0;
	time->request_ns = TIME_NEVER;
	if (free_ns > now_ns)
		ret = tell(time, OP_FREE_UNTIL, free_ns);
	if (ret < 0)
		return ret;
	if (free_ns > now_ns)
		time->free_ns = free_ns;
	time->state = GUEST_TIME_RUNNING;
	return tell(time, OP_RUN, now_ns);
}

int guest_time_limit(struct guest_time *time, int64_t now_ns, int64_t limit_ns)
{
	int64_t free_ns = MAX(bounded(now_ns, limit_ns), now_ns);
	int ret;

	if (time->state != GUEST_TIME_RUNNING || !time->free_ns || free_ns >= time->free_ns)
		return 0;
	ret = tell(time, OP_FREE_UNTIL, free_ns);
	if (ret == 0)
		time->free_ns = free_ns;
	return ret;
}

/* In the fabric's time; TIME_NEVER: never, or later than there is time. */
static int64_t of_fabric(const struct guest_time *time, uint64_t value)
{
	/* (It may have begun before the fabric: half of all time is never, too.) */
	if (value >= (uint64_t)(TIME_NEVER - MAX(time->start_ns, 0)))
		return TIME_NEVER;
	return (int64_t)value + time->start_ns;
}

static int take_request(struct guest_time *time, const struct time_message *message, int64_t now_ns)
{
	int64_t at_ns = of_fabric(time, message->time);

	if (at_ns < now_ns)
		return complain(time, "it asks to be run at %" PRId64 " ns, and it is %" PRId64,
				at_ns, now_ns);
	time->request_ns = at_ns;
	return acknowledge(time, message, 0);
}

static int take_update(struct guest_time *time, const struct time_message *message,
		       int64_t *now_ns)
{
	int64_t at_ns = of_fabric(time, message->time);

	if (time->state != GUEST_TIME_RUNNING && at_ns != *now_ns)
		return complain(time, "its time moves while it waits");
	if (at_ns < *now_ns)
		return complain(time, "its time goes back to %" PRId64 " ns from %" PRId64, at_ns,
				*now_ns);
	if (at_ns > *now_ns && at_ns > time->free_ns)
		return complain(time, "it is at %" PRId64 " ns, and was free up to %" PRId64, at_ns,
				time->free_ns);
	*now_ns = at_ns;
	return acknowledge(time, message, 0);
}

static int take_wait(struct guest_time *time, const struct time_message *message)
{
	if (time->state != GUEST_TIME_RUNNING)
		return complain(time, "it waits, and waited already");
	time->state = GUEST_TIME_WAITING;
	time->ahead_ns = time->free_ns;
	time->free_ns = 0;
	return acknowledge(time, message, 0);
}

int guest_time_take(struct guest_time *time, int64_t *now_ns)
{
	struct time_message message;
	int ret = receive(time, &message);

	if (ret < 0)
		return ret;
	/* Numbers of the guest, not an enum of ours. */
	if (message.op == OP_REQUEST)
		return take_request(time, &message, *now_ns);
	if (message.op == OP_WAIT)
		return take_wait(time, &message);
	if (message.op == OP_GET)
		return acknowledge(time, &message, (uint64_t)(*now_ns - time->start_ns));
	if (message.op == OP_UPDATE)
		return take_update(time, &message, now_ns);
	if (message.op == OP_GET_TOD)
		return acknowledge(time, &message, (uint64_t)(SESSION_DATE_S * NS_PER_S + *now_ns));
	if (message.op == OP_BROADCAST)
		return acknowledge(time, &message, 0);
	return complain(time, "message %" PRIu32 " of its time is none that a guest sends",
			message.op);
}
