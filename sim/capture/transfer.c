/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Transfers by RMPP: see sim/capture/transfer.h.
 */
#include "sim/capture/transfer.h"

#include <glib.h>
#include <string.h>

enum { GROWS_SLOWLY = 1 << 20 };

void transfer_of_mad(struct transfer *transfer, const uint8_t *mad)
{
	*transfer = (struct transfer){
		.bytes = g_malloc(MAD_SIZE),
		.size = MAD_SIZE,
		.padded = MAD_SIZE,
		.allocated = MAD_SIZE,
	};
	memcpy(transfer->bytes, mad, MAD_SIZE);
}

static bool is_seen(const struct transfer *transfer, uint32_t segment)
{
	return segment < transfer->seen_size && transfer->seen[segment / 8] & 1 << segment % 8;
}

static void set_seen(struct transfer *transfer, uint32_t segment)
{
	if (segment >= transfer->seen_size) {
		uint32_t size = MAX(transfer->seen_size * 2, (segment / 8 + 1) * 8);

		transfer->seen = g_realloc(transfer->seen, size / 8);
		memset(transfer->seen + transfer->seen_size / 8, 0,
		       (size - transfer->seen_size) / 8);
		transfer->seen_size = size;
	}
	transfer->seen[segment / 8] |= (uint8_t)(1 << segment % 8);
}

/* Makes '*bytes', of which '*allocated' are there, at least 'size'; new ones are zero. */
static void make_room(uint8_t **bytes, size_t *allocated, size_t size)
{
	/* Twice as much, of large ones a quarter more: as much again would lie idle. */
	size_t grown = *allocated < GROWS_SLOWLY ? *allocated * 2 : *allocated + *allocated / 4;
	size_t more = MAX(size, MAX(grown, (size_t)MAD_SIZE));

	if (size <= *allocated)
		return;
	*bytes = g_realloc(*bytes, more);
	memset(*bytes + *allocated, 0, more - *allocated);
	*allocated = more;
}

/* The message has the headers of its first segment; until that comes, those of another. */
static void take_headers(struct transfer *transfer, uint32_t segment, const uint8_t *mad)
{
	const size_t size = transfer->header;

	if (segment == 1 || !transfer->seen)
		memcpy(transfer->bytes, mad, size);
	if (segment == 1)
		return;
	make_room(&transfer->headers, &transfer->headers_size, (segment - 1) * size);
	memcpy(transfer->headers + (segment - 2) * size, mad, size);
}

/* The length of the last segment, which counts the class header (13.6.2.1). */
static uint32_t last_size(const uint8_t *mad, uint32_t header, uint32_t most)
{
	uint32_t said = get_be32(mad + RMPP_PAYLEN_NEWWIN);

	if (said < header - RMPP_END)
		return 0;
	return MIN(said - (header - RMPP_END), most);
}

static bool is_out_of_bounds(const struct transfer *transfer, uint32_t segment)
{
	return segment == 0 || segment > MAX(transfer->next, 1) + TRANSFER_AHEAD_MAX ||
	       (transfer->last && segment > transfer->last);
}

enum transfer_taken transfer_take(struct transfer *transfer, const uint8_t *mad)
{
	const uint32_t segment = get_be32(mad + RMPP_SEGMENT);
	const uint32_t header = mad_class_header_size(mad[MAD_CLASS]), data = MAD_SIZE - header;
	size_t at = header + (size_t)(segment - 1) * data;

	if (is_out_of_bounds(transfer, segment))
		return TRANSFER_REFUSED;
	if (segment > TRANSFER_SEGMENTS_MAX)
		return TRANSFER_FULL;
	if (is_seen(transfer, segment))
		return TRANSFER_REPEATED;
	make_room(&transfer->bytes, &transfer->allocated, at + data);
	transfer->header = header;
	take_headers(transfer, segment, mad);
	memcpy(transfer->bytes + at, mad + header, data);
	set_seen(transfer, segment);
	transfer->next = MAX(transfer->next, 1);
	while (is_seen(transfer, transfer->next))
		transfer->next++;
	if (mad[RMPP_FLAGS] & RMPP_FLAG_LAST) {
		transfer->last = segment;
		transfer->last_size = last_size(mad, header, data);
	}
	transfer->padded = transfer->size = header + (size_t)(transfer->next - 1) * data;
	if (transfer_is_whole(transfer))
		transfer->size -= data - transfer->last_size;
	return TRANSFER_ADDED;
}

bool transfer_is_whole(const struct transfer *transfer)
{
	return !transfer->seen || (transfer->last && transfer->next > transfer->last);
}

size_t transfer_held(const struct transfer *transfer)
{
	return transfer->allocated + transfer->headers_size + transfer->seen_size / 8;
}

void transfer_clear(struct transfer *transfer)
{
	g_free(transfer->bytes);
	g_free(transfer->seen);
	g_free(transfer->headers);
	*transfer = (struct transfer){ 0 };
}
