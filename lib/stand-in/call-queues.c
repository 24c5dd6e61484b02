/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-queues.h. */
#include <errno.h>
#include <mqueue.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

#include "lib/stand-in/call-queues.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"

enum {
	OPERATIONS_MAX = 500,		/* Linux' SEMOPM */
	MESSAGE_MAX = 16 << 20,		/* as large as Linux lets a queue's messages be made */
};

/* A time that may be missing. False: there is none at this address, which has been answered. */
static bool get_time(uint64_t at, struct timespec *buf, const struct timespec **ret)
{
	*ret = at ? buf : NULL;
	if (!at || foreign_memory_get(at, buf, sizeof(*buf)) == 0)
		return true;
	foreign_call_answer(-EFAULT);
	return false;
}

/* ---- System V ---- */

static void change_semaphores(uint64_t timeout_at)
{
	struct sembuf ops[OPERATIONS_MAX];
	size_t count = (size_t)foreign_argument(2);
	struct timespec buf;
	const struct timespec *timeout;

	if (count > OPERATIONS_MAX) {
		foreign_call_answer(-E2BIG);
		return;
	}
	if (foreign_memory_get(foreign_argument(1), ops, count * sizeof(*ops)) < 0) {
		foreign_call_answer(-EFAULT);
		return;
	}
	if (get_time(timeout_at, &buf, &timeout))
		foreign_call_answer_of(semtimedop((int)foreign_argument(0), ops, count, timeout));
}

void call_queues_semop(void)
{
	change_semaphores(0);
}

void call_queues_semtimedop(void)
{
	change_semaphores(foreign_argument(3));
}

/* Room for a message and what precedes it. NULL: that size is refused, which has been answered. */
static void *make_room(uint64_t size, size_t head, int refused)
{
	void *room = size <= MESSAGE_MAX ? malloc(head + (size_t)size + 1) : NULL;

	if (!room)
		foreign_call_answer(size <= MESSAGE_MAX ? -ENOMEM : -refused);
	return room;
}

/* Who receives may have room for more than there can be. */
static uint64_t most(uint64_t size)
{
	return size < MESSAGE_MAX ? size : MESSAGE_MAX;
}

void call_queues_msgsnd(void)
{
	uint64_t size = foreign_argument(2);
	long *message = make_room(size, sizeof(*message), EINVAL);

	if (!message)
		return;
	if (foreign_memory_get(foreign_argument(1), message, sizeof(*message) + (size_t)size) < 0)
		foreign_call_answer(-EFAULT);
	else
		foreign_call_answer_of(msgsnd((int)foreign_argument(0), message, (size_t)size,
					      (int)foreign_argument(3)));
	free(message);
}

void call_queues_msgrcv(void)
{
	/* Linux: a size below 0 is refused. */
	uint64_t size = foreign_argument(2) > INT64_MAX ? UINT64_MAX : most(foreign_argument(2));
	long *message = make_room(size, sizeof(*message), EINVAL);
	ssize_t n;

	if (!message)
		return;
	n = msgrcv((int)foreign_argument(0), message, (size_t)size, (long)foreign_argument(3),
		   (int)foreign_argument(4));
	foreign_call_answer_with(n, foreign_argument(1), message,
				 n < 0 ? 0 : sizeof(*message) + (size_t)n);
	free(message);
}

/* ---- POSIX ---- */

void call_queues_mq_timedsend(void)
{
	uint64_t size = foreign_argument(2);
	struct foreign_descriptor queue;
	struct timespec buf;
	const struct timespec *until;
	char *message;

	if (!get_time(foreign_argument(4), &buf, &until))
		return;
	message = make_room(size, 0, EMSGSIZE);
	if (!message)
		return;
	if (foreign_memory_get(foreign_argument(1), message, (size_t)size) < 0) {
		foreign_call_answer(-EFAULT);
	} else {
		foreign_descriptor_get((int)foreign_argument(0), &queue);
		foreign_call_answer_restarting(mq_timedsend(queue.fd, message, (size_t)size,
							    (unsigned int)foreign_argument(3),
							    until));
		foreign_descriptor_put(&queue);
	}
	free(message);
}

void call_queues_mq_timedreceive(void)
{
	uint64_t size = most(foreign_argument(2));
	struct foreign_descriptor queue;
	struct timespec buf;
	const struct timespec *until;
	unsigned int priority = 0;
	char *message;
	ssize_t n;

	if (!get_time(foreign_argument(4), &buf, &until))
		return;
	message = make_room(size, 0, EMSGSIZE);
	if (!message)
		return;
	foreign_descriptor_get((int)foreign_argument(0), &queue);
	n = mq_timedreceive(queue.fd, message, (size_t)size, &priority, until);
	foreign_descriptor_put(&queue);
	if (n >= 0 && foreign_argument(3) &&
	    foreign_memory_put(foreign_argument(3), &priority, sizeof(priority)) < 0)
		foreign_call_answer(-EFAULT);
	else if (n >= 0)
		foreign_call_answer_with(n, foreign_argument(1), message, (size_t)n);
	else
		foreign_call_answer_restarting(n);
	free(message);
}
