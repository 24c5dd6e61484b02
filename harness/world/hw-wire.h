/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wire between two real RoCE ports, in our hands: for tests of what no real cable does when it
 * is asked to.
 *
 * Each port's network interface ends not at the other's but at an interface that we read and write
 * (two veth pairs, say). What comes off one end goes over a cable of the simulator's, with its
 * latency and faults, and on to the other end: the kernels are real, the cable is not. Frames that
 * carry no MAD, or a damaged one, go straight on.
 */
#ifndef UMADRIG_HARNESS_WORLD_HW_WIRE_H
#define UMADRIG_HARNESS_WORLD_HW_WIRE_H

#include "harness/world/world.h"

/* A MAD has left A, with what addresses it (no LIDs). */
typedef void hw_wire_left_fn(void *ctx, const struct packet_addr *addr,
			     const uint8_t mad[MAD_SIZE]);

struct hw_wire_setup {
	int fds[WORLD_ENDS];		/* carry whole frames; become the wire's */
	uint8_t macs[WORLD_ENDS][6];	/* of the ports */
	int64_t latency_ns;
	uint64_t seed;
	hw_wire_left_fn *left;
	void *ctx;
};

struct hw_wire;

/*
 * A packet socket for all frames at network interface 'name', which does not block. -errno with a
 * message.
 */
int hw_wire_socket(const char *name, char **reterr);

/* NULL with a message; the descriptors are then closed. Time is 0. */
struct hw_wire *hw_wire_new(const struct hw_wire_setup *setup, char **reterr);
/* NULL is allowed. */
void hw_wire_free(struct hw_wire *wire);

/* Readable when a frame waits at that end. */
int hw_wire_fd(const struct hw_wire *wire, enum world_end end);

/* When something on the cable is due, TIME_NEVER: nothing is on it. */
int64_t hw_wire_next_ns(const struct hw_wire *wire);

/* Takes what has come up to 'now_ns' and passes on what is due. Was there anything? */
bool hw_wire_carry(struct hw_wire *wire, int64_t now_ns);

/* A MAD arrives at A: the GRH's addresses count, LIDs do not. 0 or -errno. */
int hw_wire_arrive(struct hw_wire *wire, const struct packet_addr *addr,
		   const uint8_t mad[MAD_SIZE]);

/* A rule as for umadrig_fault_add(), whose node and port are those of 'end'. */
int hw_wire_fault(struct hw_wire *wire, const struct umadrig_fault *fault, enum world_end end,
	       char *reterr, size_t reterr_size);

/* What that end of the cable has counted (umadrig_counter()). */
int64_t hw_wire_counter(struct hw_wire *wire, enum world_end end, const char *name);

#endif
