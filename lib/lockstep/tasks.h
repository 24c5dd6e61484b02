/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers of processes and threads in calls that do no more than to take or return one. Programs
 * see virtual ones (processes.h has those of processes and their groups), the kernel its own.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TASKS_H
#define UMADRIG_LIB_LOCKSTEP_TASKS_H

#include <sys/types.h>

/* Of a process or thread; what is none of the session stays as it is. */
int tasks_to_kernel(int number);
int tasks_to_virtual(int number);

/* The process, by the kernel's number, of a pidfd; 0: it is none, or the process is gone. */
int tasks_of_pidfd(int fd);

/* As in <sys/pidfd.h>, which older systems do not have. */
int pidfd_open(pid_t pid, unsigned int flags);

#endif
