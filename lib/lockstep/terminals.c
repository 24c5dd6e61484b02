/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/terminals.h. */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/terminal-device.h"
#include "lib/lockstep/terminals.h"
#include "lib/lockstep/turn.h"

#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41)
#endif

/* Its inode and times differ from run to run, and programs send what is left on the stack. */
static struct stat found;

static SESSION_NO_REGISTERS bool is_master(int fd)
{
	return CALL_2(SYS_fstat, fd, &found) == 0 && terminal_is_master(&found);
}

/*
 * To look at the terminal waits for the kernel's thread, unless there is something to be read: then
 * that thread gets a millisecond.
 */
static void look_at(int terminal)
{
	const struct timespec at_once = { 0, 0 }, pause = { .tv_nsec = 1000000 };
	struct pollfd pollfd = { .fd = terminal, .events = POLLIN };

	if (CALL_5(SYS_ppoll, &pollfd, 1, &at_once, NULL, 0) > 0)
		CALL_2(SYS_nanosleep, &pause, NULL);
}

/*
 * Signals of keys, and that of the end of a terminal: to those in front of it, and to the one that
 * leads them.
 */
static void expect_signals(int fd, int leader)
{
	int group = 0;

	CALL_3(SYS_ioctl, fd, TIOCGPGRP, &group);
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && !slot->expects_signals &&
		    session_slot_of(slot->pid) == slot &&
		    (slot->pid == leader || CALL_1(SYS_getpgid, slot->pid) == group))
			turn_expect_signals(slot->pid);
	}
}

/*
 * Only where it is the terminal of a session of processes (tty_ioctl(4)), so that somebody has it
 * open: for others the end of this look would be that of the terminal.
 */
void terminals_settle(int fd)
{
	const int flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	int leader = 0;
	long terminal;

	if (!session_is_on() || !is_master(fd) ||
	    CALL_3(SYS_ioctl, fd, TIOCGSID, &leader) < 0)
		return;
	expect_signals(fd, leader);
	terminal = CALL_3(SYS_ioctl, fd, TIOCGPTPEER, flags);
	if (terminal < 0)
		return;
	look_at((int)terminal);
	CALL_1(SYS_close, terminal);
}

/* The part that byte 'n' of all belongs to, from there on; of no length: there is none. */
static struct iovec part_at(const struct iovec *parts, int count, size_t n)
{
	for (int i = 0; i < count; i++) {
		if (n < parts[i].iov_len)
			return (struct iovec){ (char *)parts[i].iov_base + n,
					       parts[i].iov_len - n };
		n -= parts[i].iov_len;
	}
	return (struct iovec){ NULL, 0 };
}

/* To look at a master that has nothing to be read waits for the kernel's thread. */
static bool has_more(int master)
{
	const struct timespec at_once = { 0, 0 };
	struct pollfd pollfd = { .fd = master, .events = POLLIN };

	return CALL_5(SYS_ppoll, &pollfd, 1, &at_once, NULL, 0) > 0 && pollfd.revents & POLLIN;
}

/* In packets (ioctl_tty(2)) each read begins with a byte that is none of the terminal's. */
static bool is_in_packets(int master)
{
	int mode = 0;

	return CALL_3(SYS_ioctl, master, TIOCGPKT, &mode) == 0 && mode;
}

long terminals_read_rest(int fd, const struct iovec *parts, int count, long n)
{
	struct iovec part = part_at(parts, count, (size_t)n);

	if (!part.iov_len || !session_is_on() || !is_master(fd) || is_in_packets(fd))
		return n;
	while (part.iov_len && has_more(fd)) {
		long more = CALL_3(SYS_read, fd, part.iov_base, part.iov_len);

		if (more <= 0)
			break;
		n += more;
		part = part_at(parts, count, (size_t)n);
	}
	return n;
}
