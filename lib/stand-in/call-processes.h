/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls about processes: their numbers and groups, and waiting for children. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_PROCESSES_H
#define UMADRIG_LIB_STAND_IN_CALL_PROCESSES_H

long call_processes_getpid(void);
long call_processes_getppid(void);
long call_processes_gettid(void);
long call_processes_set_tid_address(void);
long call_processes_getpgid(void);
long call_processes_getpgrp(void);
long call_processes_setpgid(void);
long call_processes_getsid(void);
long call_processes_setsid(void);
/* Of another process: the first is made by the kernel, and the second refused, as Linux does. */
long call_processes_capget(void);
long call_processes_capset(void);
long call_processes_wait4(void);
long call_processes_waitid(void);
long call_processes_pidfd_open(void);

#endif
