/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Until the kernel has ended, stopped or continued a process, and others know it: what comes after
 * has one order then. Processes are named by the kernel's numbers.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PROCESS_STATE_H
#define UMADRIG_LIB_LOCKSTEP_PROCESS_STATE_H

#include <stdbool.h>

/*
 * Waits until the process is gone (it may still be to be waited for), its parent has SIGCHLD, and
 * the peers of its connections know of their end. Returns at once where there is none.
 */
void process_state_await_end(int pid);
/* Before SIGSTOP for a process whose threads wait, or for the caller's own, see the next. */
void process_state_expect_stop(int pid);
/*
 * Waits until the threads of a process have stopped, and its parent has SIGCHLD; or until they wait
 * again. Half a second each at most.
 */
void process_state_await_stop(int pid, bool is_stopped);

#endif
