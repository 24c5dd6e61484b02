/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers of processes and threads in calls that do no more than to take or return one. Programs
 * see virtual ones (processes.h has those of processes and their groups), the kernel its own.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TASKS_H
#define UMADRIG_LIB_LOCKSTEP_TASKS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/types.h>

/* Of a process or thread; what is none of the session stays as it is. */
int tasks_to_kernel(int number);
int tasks_to_virtual(int number);

/* The process, by the kernel's number, of a pidfd; 0: it is none, or the process is gone. */
int tasks_of_pidfd(int fd);

/* System calls whose first argument is a task's number, and no more of ours than that. */
bool tasks_is_first_argument(long call);

/* No header declares them: capget(2). */
int capget(cap_user_header_t header, cap_user_data_t ret_data);
int capset(cap_user_header_t header, const cap_user_data_t data);
/* As in <sys/pidfd.h>, which older systems do not have. */
int pidfd_open(pid_t pid, unsigned int flags);

#endif
