/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What would take a program out of the session's order: rings of io_uring and queues of libaio,
 * whose ends no layer sees; debuggers, which stop a program while it has the turn; and filters of
 * its own calls, which end it at ours. Each is named once in a session.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_REFUSALS_H
#define UMADRIG_LIB_LOCKSTEP_REFUSALS_H

#include <stdbool.h>

/*
 * syscall(2) of these, with six arguments. True: *ret is what the kernel would return, or -errno;
 * false: it is none of these, or not to be refused. To be called in a session.
 */
bool refusals_answer(long number, const long *a, long *ret);

/* In the place of libc's functions (processes_hooks). */
long hooked_ptrace(long request, long pid, void *at, void *data);
int hooked_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

#endif
