/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which system calls bypass virtual time if a program makes them itself: those that wait, tell the
 * time, or make what takes no part in the session.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_AUDIT_CALLS_H
#define UMADRIG_LIB_LOCKSTEP_AUDIT_CALLS_H

#include <stdbool.h>

/* 'a' are its six arguments. It looks at descriptors, and changes nothing. */
bool audit_calls_bypass(long number, const long *a);

#endif
