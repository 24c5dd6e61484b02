/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The actions of syslog(2), by Linux's numbers (klogctl(3)), and who may do which of a simulated
 * host's kernel.
 */
#ifndef UMADRIG_LIB_BASE_SYSLOG_ACTION_H
#define UMADRIG_LIB_BASE_SYSLOG_ACTION_H

#include <errno.h>
#include <stdbool.h>

enum {
	SYSLOG_CLOSE = 0,
	SYSLOG_OPEN = 1,
	SYSLOG_READ_ALL = 3,
	SYSLOG_READ_CLEAR = 4,
	SYSLOG_CLEAR = 5,
	SYSLOG_SIZE_BUFFER = 10,
};

enum { SYSLOG_BUFFER_SIZE = 1 << 18 };

/*
 * 0, or -errno. Everybody may read, and who 'may_all' clear. One that waits for messages, as klogd
 * did, gets EPERM as without the right to: /dev/kmsg is there for that. The machine's console is
 * nobody's.
 */
static inline int syslog_refusal(int action, bool may_all)
{
	switch (action) {
	case SYSLOG_READ_ALL:
	case SYSLOG_SIZE_BUFFER:
		return 0;
	case SYSLOG_CLOSE:
	case SYSLOG_OPEN:
	case SYSLOG_READ_CLEAR:
	case SYSLOG_CLEAR:
		return may_all ? 0 : -EPERM;
	}
	return action < SYSLOG_CLOSE || action > SYSLOG_SIZE_BUFFER ? -EINVAL : -EPERM;
}

#endif
