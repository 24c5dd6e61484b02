/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls about processes: their numbers and groups, and waiting for children. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_PROCESSES_H
#define UMADRIG_LIB_STAND_IN_CALL_PROCESSES_H

void call_processes_getpid(void);
void call_processes_getppid(void);
void call_processes_gettid(void);
void call_processes_set_tid_address(void);
void call_processes_getpgid(void);
void call_processes_getpgrp(void);
void call_processes_setpgid(void);
void call_processes_getsid(void);
void call_processes_setsid(void);
void call_processes_wait4(void);
void call_processes_waitid(void);
void call_processes_pidfd_open(void);

#endif
