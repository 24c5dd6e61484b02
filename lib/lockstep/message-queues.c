/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * POSIX message queues: sending waits for room in one, receiving for a message. Poll(2) can tell
 * both, though for the rest a queue is a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

/* 0, when the call will not wait, or -errno. 'until', of the real-time clock, may be NULL. */
static long prepare(mqd_t queue, short events, const struct timespec *until)
{
	struct pollfd one = { .fd = queue, .events = events };
	struct timespec none = { 0, 0 };
	long n = CALL_3(SYS_fcntl, queue, F_GETFL, 0);

	if (n < 0 || (n & O_NONBLOCK))
		return n < 0 ? n : 0;
	/* The deadline is not looked at where nothing has to wait. */
	if (CALL_5(SYS_ppoll, &one, 1, &none, NULL, 0) > 0)
		return 0;
	if (until && (until->tv_sec < 0 || until->tv_nsec < 0 || until->tv_nsec >= NS_PER_SECOND))
		return -EINVAL;
	n = descriptors_wait(&one, 1, until ? clocks_deadline(CLOCK_REALTIME, until) :
					      LOCKSTEP_NEVER, true);
	if (n == 0)
		return -ETIMEDOUT;
	return n < 0 ? n : 0;
}

static int send_message(mqd_t queue, const char *bytes, size_t size, unsigned int priority,
			const struct timespec *until)
{
	long n = session_is_on() ? prepare(queue, POLLOUT, until) : 0;

	if (n == 0)
		n = CALL_5(SYS_mq_timedsend, queue, bytes, size, priority,
			   session_is_on() ? NULL : until);
	return (int)call_result(n);
}

PUBLIC int mq_timedsend(mqd_t queue, const char *bytes, size_t size, unsigned int priority,
			const struct timespec *until)
{
	return send_message(queue, bytes, size, priority, until);
}

PUBLIC int mq_send(mqd_t queue, const char *bytes, size_t size, unsigned int priority)
{
	return send_message(queue, bytes, size, priority, NULL);
}

static ssize_t receive_message(mqd_t queue, char *bytes, size_t size, unsigned int *ret_priority,
			       const struct timespec *until)
{
	long n = session_is_on() ? prepare(queue, POLLIN, until) : 0;

	if (n == 0)
		n = CALL_5(SYS_mq_timedreceive, queue, bytes, size, ret_priority,
			   session_is_on() ? NULL : until);
	return call_result(n);
}

PUBLIC ssize_t mq_timedreceive(mqd_t queue, char *restrict bytes, size_t size,
			       unsigned int *restrict ret_priority,
			       const struct timespec *restrict until)
{
	return receive_message(queue, bytes, size, ret_priority, until);
}

PUBLIC ssize_t mq_receive(mqd_t queue, char *bytes, size_t size, unsigned int *ret_priority)
{
	return receive_message(queue, bytes, size, ret_priority, NULL);
}
