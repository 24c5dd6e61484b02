/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-notices.h. */
#include <errno.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-notices.h"

enum { NOTICES = 64 };

static struct notice {
	bool is_used;
	int fd;
	dev_t device;
	ino_t inode;
	struct sigevent event;
} notices[NOTICES];
static unsigned int count;	/* of those in use */

static void forget(struct notice *notice)
{
	notice->is_used = false;
	count--;
	CALL_1(SYS_close, notice->fd);
}

/* A child has none of its parent's. */
static void begin_own(void)
{
	static pid_t owner;

	if (owner != getpid())
		foreign_notices_end();
	owner = getpid();
}

/* Asks for it once more. False: it was still there. */
static bool renew(const struct notice *notice)
{
	return CALL_2(SYS_mq_notify, notice->fd, &notice->event) == 0;
}

/* Those whose signal has come. */
static void sweep(void)
{
	begin_own();
	for (struct notice *at = notices; at < notices + NOTICES && count > 0; at++) {
		if (at->is_used && renew(at))
			forget(at);	/* which takes it back */
	}
}

static struct notice *notice_of(int fd)
{
	struct stat st;

	if (count == 0 || CALL_2(SYS_fstat, fd, &st) < 0)
		return NULL;
	begin_own();
	for (struct notice *at = notices; at < notices + NOTICES; at++) {
		if (at->is_used && at->device == st.st_dev && at->inode == st.st_ino)
			return at;
	}
	return NULL;
}

/* Takes the descriptor. */
static long add(int fd, const struct sigevent *event)
{
	struct notice *notice = notices;
	struct stat st;

	while (notice < notices + NOTICES && notice->is_used)
		notice++;
	if (notice == notices + NOTICES || CALL_2(SYS_fstat, fd, &st) < 0) {
		errno = ENOMEM;
		return -1;
	}
	if (mq_notify(fd, event) < 0)
		return -1;
	*notice = (struct notice){ true, fd, st.st_dev, st.st_ino, *event };
	count++;
	return 0;
}

/* What this process has not asked for, the kernel takes back. */
static long take_back(int fd)
{
	struct notice *notice = notice_of(fd);

	if (notice)
		forget(notice);
	return CALL_GOES_ON;
}

long foreign_notices_ask(void)
{
	struct foreign_descriptor queue;
	struct sigevent event;
	long ret = CALL_GOES_ON;

	if (foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), &event, sizeof(event)) < 0)
		return -EFAULT;
	foreign_descriptor_get((int)foreign_argument(0), &queue);
	sweep();
	if (queue.fd >= 0 && !foreign_argument(1)) {
		ret = take_back(queue.fd);
	} else if (queue.fd >= 0 && event.sigev_notify == SIGEV_SIGNAL) {
		ret = foreign_call_result(add(queue.fd, &event));
		if (ret == 0)
			return 0;
	}
	foreign_descriptor_put(&queue);
	return ret;
}

void foreign_notices_end(void)
{
	for (struct notice *at = notices; at < notices + NOTICES; at++) {
		if (at->is_used)
			forget(at);
	}
}

void foreign_notices_close(int fd)
{
	struct notice *notice = notice_of(fd);
	bool is_gone = notice && renew(notice);

	CALL_1(SYS_close, fd);
	if (is_gone)
		forget(notice);
	else if (notice)
		renew(notice);
}
