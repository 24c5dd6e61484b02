/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads: they start and end with the turn.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_THREADS_H
#define UMADRIG_LIB_LOCKSTEP_THREADS_H

/* To be called once, by the first thread. */
void threads_begin(void);

#endif
