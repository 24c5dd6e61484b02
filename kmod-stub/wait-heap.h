/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wait heap: the sends of an agent that wait for their answer, by deadline. Linux keeps a
 * sorted list and puts a send in front of those with the same deadline, so among equals the newest
 * comes first; the heap keeps that order at any number of sends.
 */
#ifndef UMADRIG_KMOD_STUB_WAIT_HEAP_H
#define UMADRIG_KMOD_STUB_WAIT_HEAP_H

#include <stdint.h>

struct mad_send;

struct wait_entry {
	int64_t deadline_ns;	/* TIME_NEVER: waits for ever */
	uint64_t order;		/* the larger, the newer */
	struct mad_send *send;
};

struct wait_heap {
	struct wait_entry *entries;
	uint32_t count;
	uint32_t size;
	uint32_t reserved;	/* sends with reserved room: pushing them needs no memory */
};

/* Makes the heap larger, whatever its size. -ENOMEM. */
int wait_heap_grow(struct wait_heap *heap);

/* Reserves room for one more send, to be released with wait_heap_unreserve(). -ENOMEM. */
static inline int wait_heap_reserve(struct wait_heap *heap)
{
	int err = heap->reserved == heap->size ? wait_heap_grow(heap) : 0;

	if (!err)
		heap->reserved++;
	return err;
}
static inline void wait_heap_unreserve(struct wait_heap *heap)
{
	heap->reserved--;
}

/* Adds a send, for which room was reserved. */
void wait_heap_push(struct wait_heap *heap, struct mad_send *send, int64_t deadline_ns,
		    uint64_t order);
/* Removes a send, which must be in the heap. */
void wait_heap_remove(struct wait_heap *heap, struct mad_send *send);
/* Frees the heap's memory; it must be empty. */
void wait_heap_clear(struct wait_heap *heap);

/* Its invariants: lib/base/invariant.h. */
const char *wait_heap_check(const struct wait_heap *heap);

/* The entry that comes first, or NULL. */
static inline const struct wait_entry *wait_heap_first(const struct wait_heap *heap)
{
	return heap->count ? &heap->entries[0] : (const struct wait_entry *)0;
}

#endif
