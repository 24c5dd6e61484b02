/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waits that let virtual time pass: poll, select and epoll_wait on handles of a fabric in this
 * process with clock=virtual, where nothing else is waited for. Whatever else there is could become
 * ready by something that takes real time, which nobody knows: then the kernel waits, and virtual
 * time stands still.
 */
#ifndef UMADRIG_LIB_RAW_VIRTUAL_WAIT_H
#define UMADRIG_LIB_RAW_VIRTUAL_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum {
	VIRTUAL_WAIT_MAX = 64,		/* handles in one call */
	VIRTUAL_WAIT_LOOKS = 16,	/* in vain, after which the kernel waits */
	VIRTUAL_WAIT_NOT = 2,		/* a result: nothing for us */
};

struct virtual_wait {
	int fds[VIRTUAL_WAIT_MAX];
	size_t count;
	bool has_others;
	unsigned int looks;
};

/* Has this process a fabric whose time may stand still? Otherwise no call is looked at. */
bool virtual_wait_is_possible(void);

/* Adds what a call waits for; 'reads': until it can be read. */
void virtual_wait_add(struct virtual_wait *wait, int fd, bool reads);

/*
 * Lets time pass. 1: look again; 0: the time is over; -errno; VIRTUAL_WAIT_NOT. '*timeout_ms' is
 * what is left then; negative: no end.
 */
int virtual_wait(struct virtual_wait *wait, int *timeout_ms);

/* Milliseconds, rounded up; -1 for NULL. */
int virtual_wait_ms(const struct timespec *timeout);

#endif
