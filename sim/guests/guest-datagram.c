/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Datagrams of a guest: see sim/guests/guest-datagram.h.
 */
#include "sim/guests/guest-datagram.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "kmod-stub/packet.h"
#include "sim/guests/hca-driver.h"

enum {
	QP_MASK = 0xffffff,
	QP_FIRST = 2,		/* QP0 and QP1 have MADs */
	DOWN_ROOM = UMADRIG_HCA_DOWN_MAX - sizeof(struct umadrig_hca_header),
};

/* One whose pieces have not all come. */
struct guest_datagram {
	struct umadrig_hca_header header;	/* of the first piece */
	uint32_t filled;			/* 0: there is none */
	uint8_t bytes[UMADRIG_HCA_GRH_SIZE + UMADRIG_HCA_DATAGRAM_MAX];
};

void guest_datagrams_clear(struct guest_datagrams *datagrams)
{
	g_clear_pointer(&datagrams->pieces, g_free);
}

/* ---- down ---- */

static struct umadrig_hca_header header_of(uint8_t hca, uint8_t num, const struct packet *packet)
{
	const uint8_t *bth = packet->bytes + packet_bth_at(packet);

	return (struct umadrig_hca_header) {
		.type = UMADRIG_HCA_DATAGRAM, .hca = hca, .port = num,
		.source_qp = GUINT32_TO_LE(packet_src_qp(packet)),
		.destination_qp = GUINT32_TO_LE(packet_dest_qp(packet)),
		.qkey = GUINT32_TO_LE(get_be32(bth + BTH_SIZE + DETH_QKEY)),
		.slid = GUINT16_TO_LE(packet_slid(packet)),
		.dlid = GUINT16_TO_LE(packet_dlid(packet)),
		.pkey = GUINT16_TO_LE(get_be16(bth + BTH_PKEY)),
		.sl = packet->bytes[LRH_SL] >> 4,
		.flags = packet_has_grh(packet) ? UMADRIG_HCA_FLAG_GRH : 0,
		.psn = GUINT32_TO_LE(get_be24(bth + BTH_PSN)),
	};
}

int guest_datagram_give(struct guest_datagrams *datagrams, struct hca_driver *driver, uint8_t hca,
			uint8_t num, const struct packet *packet)
{
	struct umadrig_hca_header header = header_of(hca, num, packet);
	size_t grh = packet_has_grh(packet) ? GRH_SIZE : 0, at = 0;
	size_t size = grh + packet->mad_size - packet_padding(packet);
	uint8_t whole[LONG_PACKET_SIZE_MAX], *payload = whole + packet->mad_at - grh;
	int ret;

	packet_gather(packet, whole);
	/* What stands between the GRH and the datagram is the HCA's. */
	memmove(payload, whole + LRH_SIZE, grh);
	header.value = GUINT32_TO_LE((uint32_t)size);
	header.sequence = GUINT32_TO_LE(++datagrams->given);
	do {
		size_t count = MIN(size - at, (size_t)DOWN_ROOM);

		header.offset = GUINT32_TO_LE((uint32_t)at);
		ret = driver->send(driver, &header, payload + at, count);
		at += count;
	} while (ret == 0 && at < size);
	return ret;
}

/* ---- up ---- */

/* A piece that does not follow what came before: some were lost in between, and all of it is. */
static bool follows(const struct guest_datagram *datagram, const struct umadrig_hca_header *header)
{
	return GUINT32_FROM_LE(header->offset) == datagram->filled &&
	       header->value == datagram->header.value &&
	       header->sequence == datagram->header.sequence;
}

/* Is the datagram whole with this piece? */
static bool collect(struct guest_datagram *datagram, const struct umadrig_hca_header *header,
		    const uint8_t *payload, size_t size)
{
	size_t offset = GUINT32_FROM_LE(header->offset);

	if (offset == 0) {
		datagram->header = *header;
	} else if (!follows(datagram, header)) {
		datagram->filled = 0;
		return false;
	}
	memcpy(datagram->bytes + offset, payload, size);
	datagram->filled = (uint32_t)(offset + size);
	if (datagram->filled < GUINT32_FROM_LE(header->value))
		return false;
	datagram->filled = 0;
	return true;
}

int guest_datagram_take(struct guest_datagrams *datagrams,
			const struct umadrig_hca_header *header, const uint8_t *payload,
			size_t size, struct guest_datagram_whole *ret)
{
	size_t grh = header->flags & UMADRIG_HCA_FLAG_GRH ? UMADRIG_HCA_GRH_SIZE : 0;
	size_t whole = GUINT32_FROM_LE(header->value), offset = GUINT32_FROM_LE(header->offset);

	if (whole < grh || whole > grh + UMADRIG_HCA_DATAGRAM_MAX || offset > whole ||
	    size > whole - offset || (size == 0 && whole != 0) ||
	    (GUINT32_FROM_LE(header->source_qp) & QP_MASK) < QP_FIRST)
		return -EPROTO;
	*ret = (struct guest_datagram_whole){ *header, payload, size };
	if (size == whole)
		return 1;
	if (!datagrams->pieces)
		datagrams->pieces = g_new0(struct guest_datagram, 1);
	if (!collect(datagrams->pieces, header, payload, size))
		return 0;
	*ret = (struct guest_datagram_whole){
		datagrams->pieces->header, datagrams->pieces->bytes, whole,
	};
	return 1;
}
