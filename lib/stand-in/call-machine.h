/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that show the machine, and chance. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_MACHINE_H
#define UMADRIG_LIB_STAND_IN_CALL_MACHINE_H

long call_machine_getrandom(void);
long call_machine_getcpu(void);
long call_machine_getrusage(void);
long call_machine_sysinfo(void);
long call_machine_syslog(void);		/* syslog(2): klogctl(3) */
long call_machine_sched_getaffinity(void);
long call_machine_sched_setaffinity(void);

#endif
