/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which thread the machine is to prefer: nice(2), and those of the kernel's policies that have no
 * priority. In the session the thread that has the turn runs, however nice it is: so the kernel is
 * not told. One that has made itself as nice as can be would, on a busy machine, hold up all others
 * with each of its turns. A session begins with 0, and SCHED_OTHER, whatever its surroundings have.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PRIORITIES_H
#define UMADRIG_LIB_LOCKSTEP_PRIORITIES_H

enum {
	/* A slot's policy: the kernel has it, as SCHED_FIFO and SCHED_RR, which have priorities. */
	PRIORITIES_ARE_THE_KERNELS = -1,
};

#endif
