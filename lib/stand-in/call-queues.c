/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-queues.h. */
#include <errno.h>
#include <mqueue.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

#include "lib/stand-in/call-queues.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-notices.h"

enum {
	OPERATIONS_MAX = 500,		/* Linux' SEMOPM */
	MESSAGE_MAX = 16 << 20,		/* as large as Linux lets a queue's messages be made */
};

/* ---- System V ---- */

static long change_semaphores(uint64_t timeout_at)
{
	struct sembuf ops[OPERATIONS_MAX];
	size_t count = (size_t)foreign_argument(2);
	struct timespec buf;
	const struct timespec *timeout;

	if (count > OPERATIONS_MAX)
		return -E2BIG;
	if (foreign_memory_get(foreign_argument(1), ops, count * sizeof(*ops)) < 0)
		return -EFAULT;
	if (foreign_memory_get_time(timeout_at, &buf, &timeout) < 0)
		return -EFAULT;
	return foreign_call_result(semtimedop((int)foreign_argument(0), ops, count, timeout));
}

long call_queues_semop(void)
{
	return change_semaphores(0);
}

long call_queues_semtimedop(void)
{
	return change_semaphores(foreign_argument(3));
}

/* Who receives may have room for more than there can be. */
static uint64_t most(uint64_t size)
{
	return size < MESSAGE_MAX ? size : MESSAGE_MAX;
}

long call_queues_msgsnd(void)
{
	uint64_t size = foreign_argument(2);
	long *message, ret;

	if (size > MESSAGE_MAX)
		return -EINVAL;
	message = malloc(sizeof(*message) + (size_t)size);
	if (!message)
		return -ENOMEM;
	ret = foreign_memory_get(foreign_argument(1), message, sizeof(*message) + (size_t)size);
	if (ret == 0)
		ret = foreign_call_result(msgsnd((int)foreign_argument(0), message, (size_t)size,
						 (int)foreign_argument(3)));
	free(message);
	return ret;
}

long call_queues_msgrcv(void)
{
	uint64_t size = most(foreign_argument(2));
	long *message, ret;
	ssize_t n;

	/* Linux: a size below 0 is refused. */
	if (foreign_argument(2) > INT64_MAX)
		return -EINVAL;
	message = malloc(sizeof(*message) + (size_t)size);
	if (!message)
		return -ENOMEM;
	n = msgrcv((int)foreign_argument(0), message, (size_t)size, (long)foreign_argument(3),
		   (int)foreign_argument(4));
	ret = foreign_call_with(n, foreign_argument(1), message,
				n < 0 ? 0 : sizeof(*message) + (size_t)n);
	free(message);
	return ret;
}

/* ---- POSIX ---- */

long call_queues_mq_timedsend(void)
{
	uint64_t size = foreign_argument(2);
	struct foreign_descriptor queue;
	struct timespec buf;
	const struct timespec *until;
	char *message;
	long ret;

	if (foreign_memory_get_time(foreign_argument(4), &buf, &until) < 0)
		return -EFAULT;
	if (size > MESSAGE_MAX)
		return -EMSGSIZE;
	message = malloc((size_t)size + 1);
	if (!message)
		return -ENOMEM;
	ret = foreign_memory_get(foreign_argument(1), message, (size_t)size);
	if (ret == 0) {
		foreign_descriptor_get((int)foreign_argument(0), &queue);
		ret = foreign_call_restarting(mq_timedsend(queue.fd, message, (size_t)size,
							   (unsigned int)foreign_argument(3),
							   until));
		foreign_descriptor_put(&queue);
	}
	free(message);
	return ret;
}

long call_queues_mq_timedreceive(void)
{
	uint64_t size = most(foreign_argument(2));
	struct foreign_descriptor queue;
	struct timespec buf;
	const struct timespec *until;
	unsigned int priority = 0;
	char *message;
	long ret;

	if (foreign_memory_get_time(foreign_argument(4), &buf, &until) < 0)
		return -EFAULT;
	message = malloc((size_t)size + 1);
	if (!message)
		return -ENOMEM;
	foreign_descriptor_get((int)foreign_argument(0), &queue);
	ret = foreign_call_restarting(mq_timedreceive(queue.fd, message, (size_t)size, &priority,
						      until));
	foreign_descriptor_put(&queue);
	if (ret >= 0 &&
	    (foreign_memory_put(foreign_argument(1), message, (size_t)ret) < 0 ||
	     (foreign_argument(3) &&
	      foreign_memory_put(foreign_argument(3), &priority, sizeof(priority)) < 0)))
		ret = -EFAULT;
	free(message);
	return ret;
}

/* What this process has not asked for, the kernel takes back. */
long call_queues_mq_notify(void)
{
	struct foreign_descriptor queue;
	struct sigevent event;
	long ret = CALL_GOES_ON;

	if (foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), &event, sizeof(event)) < 0)
		return -EFAULT;
	foreign_descriptor_get((int)foreign_argument(0), &queue);
	foreign_notices_forget_sent();
	if (queue.fd >= 0 && !foreign_argument(1)) {
		foreign_notices_take_back(queue.fd);
	} else if (queue.fd >= 0 && event.sigev_notify == SIGEV_SIGNAL) {
		ret = foreign_call_result(foreign_notices_add(queue.fd, &event));
		if (ret == 0)
			return 0;
	}
	foreign_descriptor_put(&queue);
	return ret;
}
