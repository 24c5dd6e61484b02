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
 * Sends 'size' bytes of umad message through the handle of a cookie, if write(2) of a umad file
 * would certainly take them: 'size' then. 0: that is not certain, or there is no room; the caller
 * makes a call of it. From any thread, also from a signal handler in another call of this.
 */
long attach_ring_send(uint64_t cookie, const uint8_t *umad, size_t size);

/* Somebody has found no MAD: what has been put is to be sent now. */
void attach_ring_flush(void);

/* Where a thread waits for a MAD of a handle. */
struct attach_wait {
	struct attach_page *page;	/* the handle's, NULL: it has none */
	uint64_t serial;		/* of the ring */
	bool is_elsewhere;		/* the server is on another CPU: to look on may pay */
	unsigned int place;
};

/*
 * The caller is about to wait for a MAD of the handle of a cookie (0: whichever): what has been put
 * is sent now, and what is put until attach_ring_wait_over() is sent at once. The page stays where
 * it is until then.
 */
void attach_ring_wait_begins(uint64_t cookie, struct attach_wait *ret_wait);
void attach_ring_wait_over(const struct attach_wait *wait);

/* A handle is closed: what is remembered of it goes. */
void attach_ring_forget(uint64_t cookie);

/*
 * A port is opened, or has come to its end: is the ring's server still there? There may be another
 * one by now. And are the ring's descriptors what they were? A program that closes all it finds has
 * closed them, too. A new ring is made with the next send then.
 */
void attach_ring_check(void);

#endif
