/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The programs of a fabric of this process that are in its virtual time.
 *
 * A thread has their server (sim/server/lockstep-owner.h), is their parent, and runs it while one
 * of the caller's threads waits in the clock, which then lends it the lock (sim/time/clock.h). So
 * programs run only then, and every other call finds all of them waiting.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_SESSION_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "sim/programs/program-child.h"

struct umadrig_fabric;
struct umadrig_program;

/*
 * Starts a program, as umadrig_program_start() in sim/api/umadrig.h. What 'start' does not have
 * ('mask') is filled in. 'host' may be NULL: the first one.
 */
int program_session_start(struct umadrig_fabric *fabric, const char *host,
			  struct program_start *start, struct umadrig_program **ret_program,
			  char *reterr, size_t reterr_size);
/* As umadrig_program_wait(). */
int program_session_wait(struct umadrig_program *program, int64_t until_ns, int *ret_status);
/* As umadrig_program_signal(). */
int program_session_signal(struct umadrig_program *program, int sig);
/* Ends all programs, and frees everything of them. Does nothing if there is none. Lock not held. */
void program_session_end(struct umadrig_fabric *fabric);

#endif
