/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages on their way to a guest: see sim/guests/guest-letter.h.
 */
#include "sim/guests/guest-letter.h"

#include <errno.h>
#include <string.h>

#include "sim/guests/guest.h"

enum { MADS_DOWN_MAX = 8192 };	/* packets that wait for the guest */

/* A message on its way down. */
struct guest_letter {
	size_t size;
	bool is_mad;
	uint8_t bytes[];
};

int guest_send(struct guest *guest, const struct umadrig_hca_header *header, const void *payload,
	       size_t size)
{
	bool is_mad = header->type == UMADRIG_HCA_MAD || header->type == UMADRIG_HCA_DATAGRAM;
	struct umadrig_hca_header whole = *header;
	struct guest_letter *letter;

	g_assert(sizeof(whole) + size <= UMADRIG_HCA_DOWN_MAX);
	if (guest->state != GUEST_ON)
		return -ENODEV;
	/* Of a datagram in pieces the first one decides. */
	if (is_mad && header->offset == 0 && guest->mads_down >= MADS_DOWN_MAX)
		return -ENOBUFS;
	letter = g_malloc(sizeof(*letter) + sizeof(whole) + size);
	letter->size = sizeof(whole) + size;
	letter->is_mad = is_mad;
	guest->mads_down += is_mad;
	whole.version = UMADRIG_HCA_VERSION;
	whole.length = GUINT32_TO_LE((uint32_t)letter->size);
	memcpy(letter->bytes, &whole, sizeof(whole));
	if (size > 0)
		memcpy(letter->bytes + sizeof(whole), payload, size);
	g_queue_push_tail(&guest->down, letter);
	return 0;
}

void guest_letters_forget(struct guest *guest)
{
	g_queue_clear_full(&guest->down, g_free);
	guest->mads_down = 0;
}

int guest_letters_put(struct guest *guest)
{
	int count = 0;

	for (;;) {
		struct guest_letter *letter = g_queue_peek_head(&guest->down);
		int ret = letter ? guest_vhost_put(&guest->vhost, letter->bytes, letter->size) : 0;

		if (ret <= 0)
			return ret < 0 ? ret : count;
		count++;
		guest->mads_down -= letter->is_mad;
		g_free(g_queue_pop_head(&guest->down));
	}
}

bool guest_letters_can_go(struct guest *guest)
{
	/* What is wrong with its queue comes to light when something is put there. */
	return !g_queue_is_empty(&guest->down) && guest_vhost_has_room(&guest->vhost) != 0;
}
