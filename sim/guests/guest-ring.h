/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A split ring of virtio 1.0, the device's side: buffers that the guest makes available are taken
 * in their order, and given back used. No indirect descriptors, no event indices.
 *
 * All that is in the ring is the guest's word: numbers of descriptors, lengths and addresses are
 * checked, and a chain that runs in circles ends.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_RING_H
#define UMADRIG_SIM_GUESTS_GUEST_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/guests/guest-memory.h"

enum { GUEST_RING_MAX = 1024 };	/* buffers */

/* Zeros: not set up. */
struct guest_ring {
	uint16_t size;		/* a power of two */
	bool is_enabled;
	uint64_t descriptors, available, used;	/* user addresses */
	uint16_t taken, given;	/* buffers so far, as the ring's indices count */
};

/* Has the guest made a buffer available? 1 or 0; -EPROTO: its index cannot be; -EFAULT. */
int guest_ring_has(const struct guest_ring *ring, const struct guest_memory *memory);

/*
 * Takes the next buffer, which the guest has filled: its bytes, at most 'most', into 'bytes'.
 * '*ret_head' is for guest_ring_give(). Their number, 0 if there is no buffer ('*ret_head' is then
 * -1), or -EPROTO, -EFAULT.
 */
long guest_ring_take(struct guest_ring *ring, const struct guest_memory *memory, void *bytes,
		     size_t most, int *ret_head);
/* Takes the next buffer, which is to be filled: writes 'bytes' there. 1; 0: there is no buffer. */
int guest_ring_fill(struct guest_ring *ring, const struct guest_memory *memory, const void *bytes,
		    size_t size, int *ret_head);
/* Gives a buffer back, with 'written' bytes in it. */
int guest_ring_give(struct guest_ring *ring, const struct guest_memory *memory, int head,
		    size_t written);

#endif
