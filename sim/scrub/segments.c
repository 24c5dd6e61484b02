/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The segments of RMPP transfers: see sim/scrub/segments.h.
 */
#include "sim/scrub/segments.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	/* Class, method, attribute, TID, LIDs, QPs, GIDs. */
	KEY_SIZE = 1 + 1 + 2 + 8 + 2 + 2 + 3 + 3 + 32,
	WINDOW = 512,	/* how far a neighbour may be: more than any window of RMPP in use */
};

struct transfer {
	GPtrArray *mads;	/* of const uint8_t *, the segments in the order of the file */
	guint next;		/* the one that is asked for next */
};

struct segments {
	GHashTable *transfers;	/* of struct transfer *, by GBytes of KEY_SIZE */
};

static void transfer_free(void *p)
{
	struct transfer *transfer = p;

	g_ptr_array_unref(transfer->mads);
	g_free(transfer);
}

struct segments *segments_new(void)
{
	struct segments *segments = g_new0(struct segments, 1);

	segments->transfers = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
						    (GDestroyNotify)g_bytes_unref, transfer_free);
	return segments;
}

void segments_free(struct segments *segments)
{
	if (!segments)
		return;
	g_hash_table_unref(segments->transfers);
	g_free(segments);
}

bool segments_is_data(const uint8_t *mad)
{
	return mad_class_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_VERSION] &&
	       (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) && mad[RMPP_TYPE] == RMPP_TYPE_DATA;
}

static void put(uint8_t **to, const void *bytes, size_t size)
{
	memcpy(*to, bytes, size);
	*to += size;
}

static GBytes *key_of(const uint8_t *frame, const struct packet_layout *layout)
{
	const uint8_t *mad = frame + layout->mad, *bth = frame + layout->bth;
	uint8_t key[KEY_SIZE] = { 0 }, *to = key;

	put(&to, mad + MAD_CLASS, 1);
	put(&to, mad + MAD_METHOD, 1);
	put(&to, mad + MAD_ATTR_ID, 2);
	put(&to, mad + MAD_TID, 8);
	put(&to, bth + BTH_DESTQP, 3);
	put(&to, bth + BTH_SIZE + DETH_SRCQP, 3);
	if (layout->has_lrh) {
		put(&to, frame + layout->lrh + LRH_DLID, 2);
		put(&to, frame + layout->lrh + LRH_SLID, 2);
	} else if (layout->ipv4) {
		put(&to, frame + layout->ipv4 + 12, 8);
	} else {
		put(&to, frame + (layout->ipv6 ? layout->ipv6 : layout->grh) + GRH_SGID, 32);
	}
	return g_bytes_new(key, sizeof(key));
}

void segments_add(struct segments *segments, const uint8_t *frame,
		  const struct packet_layout *layout)
{
	GBytes *key = key_of(frame, layout);
	struct transfer *transfer = g_hash_table_lookup(segments->transfers, key);

	if (!transfer) {
		transfer = g_new0(struct transfer, 1);
		transfer->mads = g_ptr_array_new();
		g_hash_table_insert(segments->transfers, g_bytes_ref(key), transfer);
	}
	g_ptr_array_add(transfer->mads, (void *)(uintptr_t)(frame + layout->mad));
	g_bytes_unref(key);
}

void segments_rewind(struct segments *segments)
{
	GHashTableIter iter;
	void *transfer;

	g_hash_table_iter_init(&iter, segments->transfers);
	while (g_hash_table_iter_next(&iter, NULL, &transfer))
		((struct transfer *)transfer)->next = 0;
}

/* The nearest segment 'number' from 'at' on in direction 'step', or NULL. */
static const uint8_t *nearest(const struct transfer *transfer, guint at, int step, uint32_t number)
{
	for (unsigned int i = 0; i < WINDOW; i++) {
		const uint8_t *mad;

		at += (guint)step;	/* below 0 is far above the end */
		if (at >= transfer->mads->len)
			return NULL;
		mad = transfer->mads->pdata[at];
		if (get_be32(mad + RMPP_SEGMENT) == number)
			return mad;
	}
	return NULL;
}

void segments_next(struct segments *segments, const uint8_t *frame,
		   const struct packet_layout *layout, const uint8_t **ret_before,
		   const uint8_t **ret_after)
{
	GBytes *key = key_of(frame, layout);
	struct transfer *transfer = g_hash_table_lookup(segments->transfers, key);
	uint32_t number = get_be32(frame + layout->mad + RMPP_SEGMENT);
	guint at = transfer->next++;

	g_assert(transfer->mads->pdata[at] == frame + layout->mad);
	*ret_before = nearest(transfer, at, -1, number - 1);
	if (!*ret_before)
		*ret_before = nearest(transfer, at, 1, number - 1);
	*ret_after = nearest(transfer, at, 1, number + 1);
	if (!*ret_after)
		*ret_after = nearest(transfer, at, -1, number + 1);
	g_bytes_unref(key);
}
