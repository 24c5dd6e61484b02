/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sends to a fabric server that need no reply (lib/attach/protocol.h: sends).
 */
#ifndef UMADRIG_LIB_ATTACH_RING_H
#define UMADRIG_LIB_ATTACH_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attach_page;

/*
 * Sends a umad message of 'size' bytes through the handle of a token, if write(2) of a umad file
 * would certainly accept it: returns 'size'. 0: that is not certain, or there is no room, and the
 * caller makes a call instead. From any thread, and from a signal handler that interrupts this
 * function.
 */
long attach_ring_send(uint64_t token, const uint8_t *umad, size_t size);

/* Has what was put sent now, because the caller has found no MAD. */
void attach_ring_flush(void);

/* Where a thread waits for a MAD of a handle. */
struct attach_wait {
	struct attach_page *page;	/* the handle's, NULL: it has none */
	uint64_t serial;		/* of the ring */
	bool is_elsewhere;		/* the server is on another CPU: spinning may pay */
	unsigned int place;
};

/*
 * The caller is about to wait for a MAD of the handle of a token (0: any): what has been put is
 * sent now, and what is put before attach_ring_wait_over() is sent at once. The page stays mapped
 * until then.
 */
void attach_ring_wait_begins(uint64_t token, struct attach_wait *ret_wait);
void attach_ring_wait_over(const struct attach_wait *wait);

/* Forgets a handle that is closed. */
void attach_ring_forget(uint64_t token);

/*
 * To be called when a port is opened, or has reached end of file. Checks whether the ring's server
 * is still there, since there may be a new one, and whether the ring's descriptors are still open,
 * since a program that closes all descriptors closes these too. If not, the next send makes a new
 * ring.
 */
void attach_ring_check(void);

#endif
