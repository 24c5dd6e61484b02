/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A split ring: see sim/guests/guest-ring.h. Layouts are those of virtio 1.0, 2.4.5 to 2.4.8; a
 * ring of virtio 1.0 is little endian.
 */
#include "sim/guests/guest-ring.h"

#include <endian.h>
#include <errno.h>
#include <glib.h>

enum {
	AVAILABLE_INDEX = 2,		/* behind flags */
	AVAILABLE_RING = 4,
	USED_INDEX = 2,
	USED_RING = 4,
	DESCRIPTOR_NEXT = 1,
	DESCRIPTOR_WRITE = 2,		/* the device's to write */
	DESCRIPTOR_INDIRECT = 4,
};

struct descriptor {
	uint64_t at;
	uint32_t size;
	uint16_t flags, next;
};

static int read_index(const struct guest_memory *memory, uint64_t at, uint16_t *ret)
{
	uint16_t value;
	int err = guest_memory_read(memory, GUEST_USER, at, &value, sizeof(value));

	if (err == 0)
		*ret = le16toh(value);
	return err;
}

static int read_descriptor(const struct guest_ring *ring, const struct guest_memory *memory,
			   uint16_t number, struct descriptor *ret)
{
	struct descriptor raw;
	int err;

	if (number >= ring->size)
		return -EPROTO;
	err = guest_memory_read(memory, GUEST_USER, ring->descriptors + number * sizeof(raw), &raw,
				sizeof(raw));
	if (err < 0)
		return err;
	*ret = (struct descriptor) {
		.at = le64toh(raw.at), .size = le32toh(raw.size),
		.flags = le16toh(raw.flags), .next = le16toh(raw.next),
	};
	return ret->flags & DESCRIPTOR_INDIRECT ? -EPROTO : 0;
}

int guest_ring_has(const struct guest_ring *ring, const struct guest_memory *memory)
{
	uint16_t index = 0;
	int err;

	if (!ring->is_enabled || !ring->size)
		return 0;
	err = read_index(memory, ring->available + AVAILABLE_INDEX, &index);
	if (err < 0)
		return err;
	/* No more than there are can be available. */
	if ((uint16_t)(index - ring->taken) > ring->size)
		return -EPROTO;
	return index != ring->taken;
}

/* The head of the next chain: 1; 0: there is none. */
static int take_head(struct guest_ring *ring, const struct guest_memory *memory, uint16_t *ret)
{
	int has = guest_ring_has(ring, memory), err;

	if (has <= 0)
		return has;
	err = read_index(memory, ring->available + AVAILABLE_RING +
			 2 * (uint64_t)(ring->taken % ring->size), ret);
	if (err < 0)
		return err;
	ring->taken++;
	return *ret < ring->size ? 1 : -EPROTO;
}

typedef int piece_fn(const struct guest_memory *memory, uint64_t at, uint8_t *bytes, size_t size);

static int read_piece(const struct guest_memory *memory, uint64_t at, uint8_t *bytes, size_t size)
{
	return guest_memory_read(memory, GUEST_PHYSICAL, at, bytes, size);
}

static int write_piece(const struct guest_memory *memory, uint64_t at, uint8_t *bytes, size_t size)
{
	return guest_memory_write(memory, GUEST_PHYSICAL, at, bytes, size);
}

/*
 * Moves up to 'size' bytes; all descriptors must have the direction 'flag'. Their number, -errno.
 */
static long walk(const struct guest_ring *ring, const struct guest_memory *memory, uint16_t number,
		 uint16_t flag, piece_fn *move, uint8_t *bytes, size_t size)
{
	size_t done = 0;

	for (unsigned int length = 0; length < ring->size; length++) {
		struct descriptor piece;
		int err = read_descriptor(ring, memory, number, &piece);
		size_t part;

		if (err == 0 && (piece.flags & DESCRIPTOR_WRITE) != flag)
			err = -EPROTO;
		part = err < 0 ? 0 : MIN((size_t)piece.size, size - done);
		if (part > 0)
			err = move(memory, piece.at, bytes + done, part);
		if (err < 0)
			return err;
		done += part;
		if (!(piece.flags & DESCRIPTOR_NEXT))
			return (long)done;
		number = piece.next;
	}
	return -EPROTO;
}

long guest_ring_take(struct guest_ring *ring, const struct guest_memory *memory, void *bytes,
		     size_t most, int *ret_head)
{
	uint16_t head;
	int ret = take_head(ring, memory, &head);

	*ret_head = -1;
	if (ret <= 0)
		return ret;
	*ret_head = head;
	return walk(ring, memory, head, 0, read_piece, bytes, most);
}

int guest_ring_fill(struct guest_ring *ring, const struct guest_memory *memory, const void *bytes,
		    size_t size, int *ret_head)
{
	uint16_t head;
	int ret = take_head(ring, memory, &head);
	long done;

	*ret_head = -1;
	if (ret <= 0)
		return ret;
	*ret_head = head;
	done = walk(ring, memory, head, DESCRIPTOR_WRITE, write_piece, (uint8_t *)(uintptr_t)bytes,
		    size);
	if (done < 0)
		return (int)done;
	return (size_t)done == size ? 1 : -EPROTO;
}

int guest_ring_give(struct guest_ring *ring, const struct guest_memory *memory, int head,
		    size_t written)
{
	const uint32_t element[2] = { htole32((uint32_t)head), htole32((uint32_t)written) };
	uint64_t at = ring->used + USED_RING +
		      sizeof(element) * (uint64_t)(ring->given % ring->size);
	uint16_t index = htole16((uint16_t)(ring->given + 1));
	int err = guest_memory_write(memory, GUEST_USER, at, element, sizeof(element));

	if (err == 0)
		err = guest_memory_write(memory, GUEST_USER, ring->used + USED_INDEX, &index,
					 sizeof(index));
	if (err == 0)
		ring->given++;
	return err;
}
