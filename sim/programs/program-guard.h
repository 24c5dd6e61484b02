/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A process that outlives this one, and ends its programs if it dies without having closed its
 * fabric: what they have started would wait for its turn for ever.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_GUARD_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_GUARD_H

#include <sys/types.h>

struct lockstep_owner;

/* Starts it, with the signals of the calling thread blocked. Its number, or -errno. */
pid_t program_guard_start(struct lockstep_owner *owner);
/* Ends it. */
void program_guard_stop(pid_t guard);

#endif
