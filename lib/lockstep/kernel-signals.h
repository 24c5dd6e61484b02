/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signals as the kernel's own calls have them, and those that libc keeps for itself. */
#ifndef UMADRIG_LIB_LOCKSTEP_KERNEL_SIGNALS_H
#define UMADRIG_LIB_LOCKSTEP_KERNEL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* rt_sigaction(2)'s, of this process or of another: the same on both architectures. */
struct kernel_action {
	uint64_t handler;	/* an address, or one of these */
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};

enum { KERNEL_SIG_DFL = 0, KERNEL_SIG_IGN = 1 };

enum { KERNEL_SET_SIZE = 8 };	/* of a set of signals, in bytes: bit SIGNAL - 1 */

/*
 * libc keeps two, which no program can set:
 * - with one it tells a thread that it was cancelled: since glibc 2.41 each, before only one that
 *   is in a system call;
 * - with the other it has every thread change its user, and waits for all of them.
 */
enum { SIGNAL_CANCEL = 32, SIGNAL_SETXID = 33 };

static inline bool signal_is_of_libc(int sig)
{
	return sig == SIGNAL_CANCEL || sig == SIGNAL_SETXID;
}

/* The kernel sends it to a thread for what the thread has done itself. */
static inline bool signal_is_of_error(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE ||
	       sig == SIGTRAP || sig == SIGSYS;
}

#endif
