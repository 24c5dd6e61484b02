/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which system calls of the calling thread come to the audit (audit.h): with syscall user dispatch,
 * prctl(2), the kernel sends SIGSYS for each one that is not made by this library, while a byte of
 * the thread, the selector, says so. The kernel leaves out new threads and the children of fork().
 *
 * Without audit= all of these do nothing.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_DISPATCH_H
#define UMADRIG_LIB_LOCKSTEP_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

/* No call of this process comes. */
void dispatch_exempt(void);

/* For the calling thread, from now on. False: the kernel cannot. */
bool dispatch_begin(void);

/*
 * Around what this library has libc do that a handler cannot: making threads and processes. Returns
 * what dispatch_resume() takes.
 */
bool dispatch_pause(void);
void dispatch_resume(bool was_on);

/* No call comes any more until the next turn of the thread, which says so by dispatch_go_on(). */
void dispatch_rest(void);
void dispatch_go_on(void);

/*
 * May the calling thread read the processor's clock? If not, SIGSEGV comes when it does, which
 * dispatch_begin() has come for the first time. A new program inherits that, and ld.so would die of
 * it: it has to be let before execve(2).
 */
void dispatch_let_clock(bool lets);

/* Signals that may never be blocked, as a set of the kernel's. */
uint64_t dispatch_signals(void);

#endif
