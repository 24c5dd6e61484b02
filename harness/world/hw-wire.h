/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A simulated wire between two real RoCE ports, for tests that need a cable to do what no real one
 * does on request.
 *
 * Each port's network interface is connected not to the other port's but to an interface that we
 * read and write (two veth pairs, say). What arrives from one end goes over a simulated cable, with
 * its latency and faults, to the other end: the kernels are real, the cable is not. Frames that
 * carry no MAD, or a damaged one, are forwarded unchanged.
 */
#ifndef UMADRIG_HARNESS_WORLD_HW_WIRE_H
#define UMADRIG_HARNESS_WORLD_HW_WIRE_H

#include "harness/world/world.h"

/* Called when a MAD has left A, with its addresses (no LIDs). */
typedef void hw_wire_left_fn(void *ctx, const struct packet_addr *addr,
			     const uint8_t mad[MAD_SIZE]);
/* Called when a MAD arrives at A over the cable. */
typedef void hw_wire_arrived_fn(void *ctx, const uint8_t mad[MAD_SIZE]);

struct hw_wire_setup {
	int fds[WORLD_ENDS];		/* carry whole frames; the wire takes them over */
	uint8_t macs[WORLD_ENDS][6];	/* of the ports */
	int64_t latency_ns;
	uint64_t seed;
	hw_wire_left_fn *left;
	hw_wire_arrived_fn *arrived;	/* or NULL */
	void *ctx;
};

struct hw_wire;

/*
 * Opens a non-blocking packet socket for all frames at network interface 'name'. On failure returns
 * -errno, and a message.
 */
int hw_wire_socket(const char *name, char **reterr);

/* Makes a wire, at time 0. On failure returns NULL and a message, and closes the descriptors. */
struct hw_wire *hw_wire_new(const struct hw_wire_setup *setup, char **reterr);
/* NULL is allowed. */
void hw_wire_free(struct hw_wire *wire);

/* A descriptor that is readable when a frame waits at that end. */
int hw_wire_fd(const struct hw_wire *wire, enum world_end end);

/* When the next packet on the cable is due; TIME_NEVER: there is none. */
int64_t hw_wire_next_ns(const struct hw_wire *wire);

/*
 * Takes what has come up to 'now_ns' and passes on what is due. Returns whether there was anything.
 */
bool hw_wire_carry(struct hw_wire *wire, int64_t now_ns);

/* Makes a MAD arrive at A: the GRH's addresses count, LIDs do not. Returns 0 or -errno. */
int hw_wire_arrive(struct hw_wire *wire, const struct packet_addr *addr,
		   const uint8_t mad[MAD_SIZE]);

/* Adds a rule as umadrig_fault_add() does; its node and port are those of 'end'. */
int hw_wire_fault(struct hw_wire *wire, const struct umadrig_fault *fault, enum world_end end,
	       char *reterr, size_t reterr_size);

/* A counter of that end of the cable (umadrig_counter()). */
int64_t hw_wire_counter(struct hw_wire *wire, enum world_end end, const char *name);

#endif
