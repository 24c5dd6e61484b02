/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The audit (audit=yes): system calls that wait or tell the time, and do not come from this
 * library, are named once each: they are in real time beside virtual time.
 *
 * The kernel sends SIGSYS for each system call that is made elsewhere (dispatch.h); the handler
 * looks at it, and makes it. That is a matter of microseconds for each, and of x86_64.
 *
 * The processor's clock (rdtsc) is none of the kernel's: the first time that a thread reads it is a
 * fault, which is named as well.
 *
 * So are those that make threads and processes in another way than by the functions that this
 * library replaces: nobody gives those their turn.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_AUDIT_H
#define UMADRIG_LIB_LOCKSTEP_AUDIT_H

#include <stdbool.h>

/* In a program that starts. False: the kernel cannot. Without audit=yes: nothing to do. */
bool audit_begin(void);

#endif
