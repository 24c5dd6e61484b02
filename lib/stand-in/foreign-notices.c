/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-notices.h. */
#include <errno.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/lockstep/system-call.h"
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

void foreign_notices_forget_sent(void)
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

int foreign_notices_add(int fd, const struct sigevent *event)
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

void foreign_notices_take_back(int fd)
{
	struct notice *notice = notice_of(fd);

	if (notice)
		forget(notice);
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
