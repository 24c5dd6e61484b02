/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wait heap: a binary heap whose sends know their place in it.
 */
#include "kmod-stub/wait-heap.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kmod-stub/mad-send.h"
#include "lib/base/invariant.h"

enum { HEAP_SIZE_MIN = 8 };

static bool comes_before(const struct wait_entry *a, const struct wait_entry *b)
{
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	return a->order > b->order;
}

static void put(struct wait_heap *heap, uint32_t slot, struct wait_entry entry)
{
	heap->entries[slot] = entry;
	entry.send->wait_slot = slot;
}

static void sift_up(struct wait_heap *heap, uint32_t slot, struct wait_entry entry)
{
	while (slot > 0) {
		uint32_t parent = (slot - 1) / 2;

		if (!comes_before(&entry, &heap->entries[parent]))
			break;
		put(heap, slot, heap->entries[parent]);
		slot = parent;
	}
	put(heap, slot, entry);
}

static void sift_down(struct wait_heap *heap, uint32_t slot, struct wait_entry entry)
{
	for (;;) {
		uint32_t child = slot * 2 + 1;

		if (child >= heap->count)
			break;
		if (child + 1 < heap->count &&
		    comes_before(&heap->entries[child + 1], &heap->entries[child]))
			child++;
		if (!comes_before(&heap->entries[child], &entry))
			break;
		put(heap, slot, heap->entries[child]);
		slot = child;
	}
	put(heap, slot, entry);
}

int wait_heap_grow(struct wait_heap *heap)
{
	uint32_t size = heap->size ? heap->size * 2 : HEAP_SIZE_MIN;
	struct wait_entry *entries = realloc(heap->entries, size * sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	heap->entries = entries;
	heap->size = size;
	return 0;
}

void wait_heap_push(struct wait_heap *heap, struct mad_send *send, int64_t deadline_ns,
		    uint64_t order)
{
	struct wait_entry entry = { deadline_ns, order, send };

	assert(heap->count < heap->reserved);
	sift_up(heap, heap->count++, entry);
}

void wait_heap_remove(struct wait_heap *heap, struct mad_send *send)
{
	uint32_t slot = send->wait_slot;
	struct wait_entry last;

	assert(slot < heap->count && heap->entries[slot].send == send);
	last = heap->entries[--heap->count];
	if (last.send == send)
		return;
	if (slot > 0 && comes_before(&last, &heap->entries[(slot - 1) / 2]))
		sift_up(heap, slot, last);
	else
		sift_down(heap, slot, last);
}

void wait_heap_clear(struct wait_heap *heap)
{
	assert(heap->count == 0 && heap->reserved == 0);
	free(heap->entries);
	*heap = (struct wait_heap){ 0 };
}

const char *wait_heap_check(const struct wait_heap *heap)
{
	MUST(heap->count <= heap->reserved, "wait heap: room was reserved for each of its sends");
	MUST(heap->reserved <= heap->size, "wait heap: there is as much room as was reserved");
	for (uint32_t i = 0; i < heap->count; i++) {
		const struct wait_entry *entry = &heap->entries[i];

		MUST(entry->send->wait_slot == i, "wait heap: a send knows its place");
		NEVER(entry->send->wait_lane, "wait heap: never a send that is in a lane");
		MUST(entry->deadline_ns == entry->send->deadline_ns &&
		     entry->order == entry->send->order,
		     "wait heap: an entry has its send's deadline and order");
		NEVER(i > 0 && comes_before(entry, &heap->entries[(i - 1) / 2]),
		      "wait heap: never an entry that comes before its parent");
	}
	return NULL;
}
