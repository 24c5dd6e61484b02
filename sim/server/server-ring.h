/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rings of a server: sends without a reply (lib/attach/protocol.h: sends). All functions are
 * called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_RING_H
#define UMADRIG_SIM_SERVER_SERVER_RING_H

#include "lib/attach/attach-memory.h"
#include "lib/attach/spin.h"
#include "sim/server/served-fabric.h"
#include "sim/server/watch.h"

/*
 * The ring of one process. Zeros: none. Its states, as in lib/attach/attach-memory.h:
 *
 *	ASLEEP		!is_awake
 *	AWAKE		is_awake, in the list 'awake'
 *	NAPPING		the same while the server waits: all that are awake nap together
 *	ENDED		'shared' is NULL
 *
 * server_ring_wake() leads from ASLEEP to AWAKE, server_rings_look() from NAPPING to AWAKE,
 * server_rings_rest() to NAPPING or ASLEEP, server_ring_close() to ENDED.
 */
struct server_ring {
	struct watch bell;
	struct attach_ring *shared;	/* NULL: there is none */
	struct server_ring *next_awake;
	uint64_t serial;
	uint32_t taken, seen;		/* entries done; entries there at the last look */
	unsigned int skip_naps;		/* how many more times no nap is taken */
	bool is_awake;
	bool is_heard;			/* the bell woke us in this step */
	bool is_malformed;		/* its owner must be ended */
};

struct server_rings {
	struct served_fabric *served;
	struct watch_set *watches;
	struct server_ring *awake;	/* those that are looked at without a bell */
	struct attach_spin spin;	/* whether to look again at empty ones; see server-ring.c */
	struct attach_spin gather;	/* whether to wait for more; see there */
	int64_t spin_from_ns;		/* CLOCK_MONOTONIC; 0: not looking again */
	uint32_t last_count;		/* of sends taken in one step */
	bool has_napped;		/* since something was put into a ring that is awake */
};

/*
 * Makes a ring, which its program knows by 'serial'; takes over 'bell'. '*ret_fd': its memory. 0 or
 * -errno.
 */
int server_ring_open(struct server_rings *rings, struct server_ring *ring, uint64_t serial,
		     int bell, int *ret_fd);
/* Sends what is in the ring, and removes it. */
void server_ring_close(struct server_rings *rings, struct server_ring *ring);
/* The bell was rung. */
void server_ring_wake(struct server_rings *rings, struct server_ring *ring);

/* Notes how far rings are filled: the next two functions do not take what is put later. */
void server_rings_look(struct server_rings *rings);
/* Sends the entries through the last one of 'file', which is about to be closed. */
void server_rings_send_for(struct server_rings *rings, const struct server_file *file);
/* Sends all of it. */
void server_rings_send(struct server_rings *rings);
/* A ring whose owner has written something impossible, or NULL. */
struct server_ring *server_rings_malformed(struct server_rings *rings);
/* Has each ring at most the one entry that its bell announced? */
bool server_rings_are_told(const struct server_rings *rings);
/*
 * The invariants of a ring between two steps, and of the list of those that are awake
 * (lib/base/invariant.h): of our side alone, because programs write into the memory.
 */
const char *server_ring_check(const struct server_rings *rings, const struct server_ring *ring);
/* How long the server may wait for its descriptors, as for epoll_wait(2): at most 'timeout_ms'. */
int server_rings_rest(struct server_rings *rings, int timeout_ms);

#endif
