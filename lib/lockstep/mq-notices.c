/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Notices of message queues: mq_notify(3). The kernel sends its signal when a message comes, in
 * whoever's turn, so those that may get it look for signals before time moves. With SIGEV_THREAD
 * it writes to a netlink socket, for which the thread waits that calls the function.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/lockstep/delivery.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

/* As <linux/mqueue.h> has them. The last byte of what comes says why. */
enum { COOKIE_SIZE = 32, NOTIFY_WOKENUP = 1 };

struct notice {
	int fd;		/* a netlink socket */
	void (*function)(union sigval value);
	union sigval value;
};

/* The thread has all signals blocked until it calls the function. */
static void *await(void *data)
{
	struct notice notice = *(struct notice *)data;
	struct pollfd one = { .fd = notice.fd, .events = POLLIN };
	char cookie[COOKIE_SIZE] = "";
	long n;

	free(data);
	do
		n = descriptors_wait(&one, 1, LOCKSTEP_NEVER, true);
	while (n == -EINTR);
	n = CALL_6(SYS_recvfrom, notice.fd, cookie, sizeof(cookie), MSG_DONTWAIT, NULL, NULL);
	CALL_1(SYS_close, notice.fd);
	/* Or the notice was taken back. */
	if (n == sizeof(cookie) && cookie[COOKIE_SIZE - 1] == NOTIFY_WOKENUP) {
		delivery_set(0);
		notice.function(notice.value);
	}
	return NULL;
}

static long ask_for_thread(mqd_t queue, int fd, const struct sigevent *event)
{
	static char cookie[COOKIE_SIZE];
	struct sigevent own = {
		.sigev_notify = SIGEV_THREAD, .sigev_signo = fd, .sigev_value.sival_ptr = cookie,
	};
	struct notice *notice = malloc(sizeof(*notice));
	size_t stack_size = 0, guard_size = 0;
	uint64_t before;
	long r;

	if (!notice)
		return -ENOMEM;
	if (event->sigev_notify_attributes) {
		pthread_attr_getstacksize(event->sigev_notify_attributes, &stack_size);
		pthread_attr_getguardsize(event->sigev_notify_attributes, &guard_size);
	}
	*notice = (struct notice){ fd, event->sigev_notify_function, event->sigev_value };
	r = CALL_2(SYS_mq_notify, queue, &own);
	if (r < 0) {
		free(notice);
		return r;
	}
	before = delivery_block();
	r = -threads_start(await, notice, stack_size, guard_size);
	delivery_set(before);
	if (r < 0) {
		CALL_2(SYS_mq_notify, queue, NULL);
		free(notice);
	}
	return r;
}

static long notify_by_thread(mqd_t queue, const struct sigevent *event)
{
	long fd = CALL_3(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), r;

	if (fd < 0)
		return fd;
	r = ask_for_thread(queue, (int)fd, event);
	if (r < 0)
		CALL_1(SYS_close, fd);
	return r;
}

NEXT_DECLARE(mq_notify);
PUBLIC int mq_notify(mqd_t queue, const struct sigevent *event)
{
	long r;

	if (!session_is_on())
		return NEXT(mq_notify)(queue, event);
	if (event && event->sigev_notify == SIGEV_THREAD)
		return (int)call_result(notify_by_thread(queue, event));
	r = CALL_2(SYS_mq_notify, queue, event);
	if (r == 0 && event && event->sigev_notify == SIGEV_SIGNAL)
		turn_expect_signals(session_pid());
	return (int)call_result(r);
}
