/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a simulated world consists of.
 */
#ifndef UMADRIG_HARNESS_WORLD_SIM_WORLD_H
#define UMADRIG_HARNESS_WORLD_SIM_WORLD_H

#include "harness/world/world.h"
#include "sim/api/umadrig.h"

struct server;

struct world_sim {
	struct world world;
	struct umadrig_fabric *fabric;	/* the world's own, or the server's */
	struct server *server;		/* NULL: not served */
	char *how;			/* as in the setup */
	bool has_guests;		/* likewise */
	struct umadrig_port *ports[WORLD_ENDS];
	char *nodes[WORLD_ENDS];	/* as umadrig_host_enter() expects them */
	bool capturing;
	bool is_delivering;		/* what a script has arrive */
	GArray *questions;		/* of sim-wire.c: what kernels ask; NULL: nothing so far */
};

static inline struct world_sim *sim_of(struct world *world)
{
	return (struct world_sim *)(void *)world;
}

/* umadrig_tap_fn: every packet that leaves A or arrives there. The fabric's lock is held. */
void sim_tap(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size);

/* Of struct world_kind. */
int sim_arrive_packet(struct world *world, const uint8_t *bytes, size_t size, char **ret_why);
int sim_arrive(struct world *world, const struct packet_addr *addr, const uint8_t mad[MAD_SIZE]);
int sim_address(struct world *world, const char *name, struct world_address *ret);

/*
 * A and B of a topology without such names, to be freed: the first ports of the first two CAs.
 * False, and a message: the topology cannot be read, or has not so many.
 */
bool sim_choose_ports(const struct world_setup *setup, char *ret_ports[WORLD_ENDS], char **reterr);
/*
 * A and B of a replayed capture, to be freed: the port that asked (the last of H1), and everything
 * else.
 */
void sim_replayed_ports(struct umadrig_fabric *fabric, char *ret_ports[WORLD_ENDS]);
/* Makes "NODE[N]" of the fabric one end of the world. False, and a message: there is none. */
bool sim_take_port(struct world_sim *sim, enum world_end end, const char *name, char **reterr);

#endif
