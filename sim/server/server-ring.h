/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rings of a server: sends without a reply (lib/attach/protocol.h: sends). All with the
 * fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_RING_H
#define UMADRIG_SIM_SERVER_SERVER_RING_H

#include "lib/attach/attach-memory.h"
#include "lib/attach/spin.h"
#include "sim/server/served-fabric.h"
#include "sim/server/watch.h"

/*
 * Of one process. Zeros: none. Its states, as in lib/attach/attach-memory.h:
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
	uint32_t taken, seen;		/* entries done with, and there when last looked */
	unsigned int skip_naps;		/* so often the bell is wanted at once */
	bool is_awake;
	bool is_heard;			/* the bell woke us in this step */
	bool is_malformed;		/* its owner is to be ended */
};

struct server_rings {
	struct served_fabric *served;
	struct watch_set *watches;
	struct server_ring *awake;	/* those that are looked at without their bell */
	struct attach_spin spin;	/* empty ones are looked at again; see server-ring.c */
	struct attach_spin gather;	/* more is waited for; see there */
	int64_t spin_from_ns;		/* CLOCK_MONOTONIC; 0: they are not */
	uint32_t last_count;		/* of sends that were taken at once */
	bool has_napped;		/* since something was put into a ring that is awake */
};

/*
 * Makes a ring that its program knows by 'serial'; 'bell' is taken over. '*ret_fd': its memory. 0
 * or -errno.
 */
int server_ring_open(struct server_rings *rings, struct server_ring *ring, uint64_t serial,
		     int bell, int *ret_fd);
/* Sends what is in it, and removes it. */
void server_ring_close(struct server_rings *rings, struct server_ring *ring);
/* The bell was rung. */
void server_ring_wake(struct server_rings *rings, struct server_ring *ring);

/* Notes how far rings are filled: what is put later is not taken by the next two. */
void server_rings_look(struct server_rings *rings);
/* Sends what was put before any send of 'file', and those: it is about to be closed. */
void server_rings_send_for(struct server_rings *rings, const struct server_file *file);
/* Sends all of it. */
void server_rings_send(struct server_rings *rings);
/* A ring whose owner has written what cannot be there, or NULL. */
struct server_ring *server_rings_malformed(struct server_rings *rings);
/* Is there nothing in the rings but what bells that were heard have announced? */
bool server_rings_are_told(const struct server_rings *rings);
/* How long the server may wait for its descriptors, as for epoll_wait(2). */
int server_rings_rest(struct server_rings *rings, int timeout_ms);

#endif
