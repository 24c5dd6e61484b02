/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The programs of a simulated world: how they get to its fabric, and into its time.
 *
 * The world has a server, which they attach to. In real time a program that cannot load our library
 * gets there by other means, as with umadrig exec --how; in virtual time each has to load it, and
 * is a party of the server's owner (sim/server/lockstep-owner.h).
 */
#ifndef UMADRIG_HARNESS_WORLD_SIM_PROGRAMS_H
#define UMADRIG_HARNESS_WORLD_SIM_PROGRAMS_H

#include "harness/world/world.h"

struct server;

/* What program_start() of struct world_kind is told. */
struct sim_program {
	const char *how;	/* the means for one in real time, as in struct world_setup */
	const char *port, *session, *directory;
	char *const *argv;
};

/*
 * Starts a program as program_start() of struct world_kind: in virtual time if the server's
 * programs are. The server expects its session from then on (server_expect()).
 */
struct world_program *sim_programs_start(struct server *server, const struct sim_program *program,
					 char **reterr);
/* In virtual time: program_signalled() and program_kill() of struct world_kind. */
void sim_programs_signalled(struct server *server, const struct world_program *program, int sig);
void sim_programs_kill(struct server *server, const struct world_program *program);

#endif
