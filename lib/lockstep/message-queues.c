/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * POSIX message queues: sending waits for room in one, receiving for a message. Poll(2) can tell
 * both, though for the rest a queue is a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

/* In the session no call has a deadline of the kernel's, which would wait in real time. */
static bool is_wrong(const struct timespec *until)
{
	return until &&
	       (until->tv_sec < 0 || until->tv_nsec < 0 || until->tv_nsec >= NS_PER_SECOND);
}

/* 0, when the call will not wait now, or -errno. 'until', of the real-time clock, may be NULL. */
static long await(mqd_t queue, short events, const struct timespec *until)
{
	struct pollfd one = { .fd = queue, .events = events };
	long n = descriptors_wait(&one, 1, until ? clocks_deadline(CLOCK_REALTIME, until) :
						   LOCKSTEP_NEVER, true);

	if (n == 0)
		return -ETIMEDOUT;
	return n < 0 ? n : 0;
}

/*
 * A call, which is tried first with O_NONBLOCK: the kernel refuses messages of a wrong size at
 * once. 'number' is that of mq_timedsend(2) or mq_timedreceive(2).
 */
static long call(long number, mqd_t queue, void *bytes, size_t size, uintptr_t priority,
		 const struct timespec *until)
{
	long n, flags;

	pthread_testcancel();
	flags = descriptors_begin_try(queue);
	n = CALL_5(number, queue, bytes, size, priority, NULL);
	descriptors_end_try(queue, flags);
	if (n != -EAGAIN || (flags & O_NONBLOCK))
		return n;
	n = await(queue, number == SYS_mq_timedsend ? POLLOUT : POLLIN, until);
	return n < 0 ? n : CALL_5(number, queue, bytes, size, priority, NULL);
}

/* (libc's header promises that 'until' is not NULL, of functions that the kernel takes NULL in.) */
static __attribute__((noinline)) long transfer(long number, mqd_t queue, void *bytes, size_t size,
					       uintptr_t priority, const struct timespec *until)
{
	if (!session_is_on())
		return CALL_5(number, queue, bytes, size, priority, until);
	return is_wrong(until) ? -EINVAL : call(number, queue, bytes, size, priority, until);
}

PUBLIC int mq_timedsend(mqd_t queue, const char *bytes, size_t size, unsigned int priority,
			const struct timespec *until)
{
	return (int)call_result(transfer(SYS_mq_timedsend, queue, (void *)bytes, size, priority,
					 until));
}

PUBLIC int mq_send(mqd_t queue, const char *bytes, size_t size, unsigned int priority)
{
	return (int)call_result(transfer(SYS_mq_timedsend, queue, (void *)bytes, size, priority,
					 NULL));
}

PUBLIC ssize_t mq_timedreceive(mqd_t queue, char *restrict bytes, size_t size,
			       unsigned int *restrict ret_priority,
			       const struct timespec *restrict until)
{
	return call_result(transfer(SYS_mq_timedreceive, queue, bytes, size,
				    (uintptr_t)ret_priority, until));
}

PUBLIC ssize_t mq_receive(mqd_t queue, char *bytes, size_t size, unsigned int *ret_priority)
{
	return call_result(transfer(SYS_mq_timedreceive, queue, bytes, size,
				    (uintptr_t)ret_priority, NULL));
}
