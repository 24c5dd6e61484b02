/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that show the machine, and chance. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_MACHINE_H
#define UMADRIG_LIB_STAND_IN_CALL_MACHINE_H

void call_machine_getrandom(void);
void call_machine_getcpu(void);
void call_machine_getrusage(void);
void call_machine_sysinfo(void);
void call_machine_syslog(void);		/* syslog(2): klogctl(3) */
void call_machine_sched_getaffinity(void);
void call_machine_sched_setaffinity(void);

#endif
