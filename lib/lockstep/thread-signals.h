/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals to threads, beside pthread_kill(3) and its kin.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_THREAD_SIGNALS_H
#define UMADRIG_LIB_LOCKSTEP_THREAD_SIGNALS_H

#include <signal.h>

#include "lib/lockstep/lockstep-session.h"

/* rt_tgsigqueueinfo(2), with the numbers that programs see. */
int thread_signals_queue(int pid, int tid, int sig, const siginfo_t *info);

/* A thread of this process by the number that programs see; NULL: there is none. */
struct lockstep_slot *thread_signals_find(int tid);

#endif
