/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that pass by virtual time: those that may wait in a way which is not known here, that take
 * the kernel's numbers of processes, and those of kernels newer than this program. Each is named at
 * its first use, and made by the kernel, in real time.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_PAST_H
#define UMADRIG_LIB_STAND_IN_CALL_PAST_H

/* From this number on nothing is known of calls: Linux 6.5 has it. */
enum { CALL_PAST_UNKNOWN = 451 };

long call_past_go_on(void);
/* Not with a process that is the calling one: 0, or its number where the kernel can be asked. */
long call_past_of_process(void);
long call_past_prlimit(void);
/* What virtual time has not: named as well, and ENOSYS. */
long call_past_refuse(void);

#endif
