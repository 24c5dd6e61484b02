/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of processes: waited for, looked at, or brought about.
 */
#ifndef UMADRIG_SIM_PROCESS_PROCESS_REAP_H
#define UMADRIG_SIM_PROCESS_PROCESS_REAP_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Waits until a child of this process has ended: its status as of waitpid(2), or -errno (-ECHILD:
 * another has waited for it). Signals do not end the wait.
 */
int reap(pid_t pid);
/* The same with SIGKILL. Does nothing for numbers that are none: 0 and below. */
int reap_killed(pid_t pid);
/*
 * The same of a child that leads a process group, and of all in the group. Those of them that
 * become children of this process by that (PR_SET_CHILD_SUBREAPER) are waited for, too.
 */
int reap_killed_group(pid_t leader);
/* If the child has ended, true and what reap() returns. Does not wait. */
bool reap_ended(pid_t pid, int *ret_status);
/* Would it be true? */
bool reap_can(pid_t pid);
/*
 * A child that has ended, and its status; 0: none has; -ECHILD: there are none. Does not wait.
 * -EAGAIN: one that another thread of this process traces (ptrace(2)) has stopped, and that thread
 * is about to take the stop. There may be others that have ended: to be called again.
 */
pid_t reap_any(int *ret_status);

/* A status of waitpid(2): "ended with status 3", "was ended by signal 9 (Killed)"; to be freed. */
char *reap_status_text(int status);

/*
 * A descriptor that is readable when a process, whoever's child, has ended; the caller closes it.
 * -errno: -ESRCH it has been waited for; -ENOSYS before Linux 5.3.
 */
int reap_descriptor(pid_t pid);
/*
 * Waits at most 'timeout_ms' for the end of a process, whoever's child: has it ended? It may still
 * be to be waited for. Numbers that are none have. Where that cannot be seen, false at once.
 */
bool reap_has_ended(pid_t pid, int timeout_ms);

#endif
