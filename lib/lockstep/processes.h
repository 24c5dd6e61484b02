/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Processes: how they are made, waited for, and what their numbers are. Numbers are virtual, in the
 * order in which processes are made: they are the same in each run.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PROCESSES_H
#define UMADRIG_LIB_LOCKSTEP_PROCESSES_H

#include "lib/lockstep/hooks.h"
#include "lib/lockstep/lockstep-session.h"

/*
 * Around libc's posix_spawn(3): when its child cannot execute the program it waits for the end of
 * that, of which the session does not know.
 */
void processes_spawning(bool is_on);

/* Between virtual numbers and the kernel's; what is no process of the session stays as it is. */
int processes_to_kernel(int pid);
int processes_to_virtual(int pid);
/* The virtual number of one that may be gone by now; 0: it is none of the session. */
int processes_sender(int pid);
/*
 * Of a process group or session of terminals. One that no program of the session has made is
 * LOCKSTEP_OUTER, whatever its number is: that one is another each time.
 */
int processes_group_to_kernel(int number);
int processes_group_to_virtual(int number);

/* A slot for a new process of this one; NULL, with errno. */
struct lockstep_slot *processes_new(void);

/*
 * The calling thread is the first of this process's program: takes over the slot of the process, or
 * makes one for the first program of the session. False: it does not belong to the session.
 */
bool processes_join(void);
/* To be called once, before other libraries see to their forks. */
void processes_begin(void);

extern const struct hook processes_hooks[];

#endif
