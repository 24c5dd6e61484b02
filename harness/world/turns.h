/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Turns of a script and of programs that are in virtual time with it: at each instant first the
 * fabric, then the programs until all of them wait, then the script.
 */
#ifndef UMADRIG_HARNESS_WORLD_TURNS_H
#define UMADRIG_HARNESS_WORLD_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct server;

/*
 * Lets the programs of a server with an owner (sim/server/lockstep-owner.h) run at this instant,
 * or goes to the next one and does so. False: there is none up to 'until_ns', which is now.
 *
 * '*is_busy', false before the first call: a program has run for a while of real time, and still
 * does; to be called again before anything else is done. That call only waits for the programs of
 * this instant: how long they take in real time must not decide how far virtual time goes.
 */
bool turns_step(struct server *server, int64_t until_ns, bool *is_busy);
/* When something happens next, in the fabric or in a program; INT64_MAX: never by itself. */
int64_t turns_next_ns(struct server *server);

#endif
