/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of captured packets. See harness/show/packet-header.h.
 */
#include "harness/show/packet-header.h"

#include <string.h>

#include "lib/base/wire.h"

const char *packet_field_unit(const char *field)
{
	if (strcmp(field, "PktLen") == 0)
		return "words of 4 bytes";
	return strcmp(field, "PayLen") == 0 ? "bytes" : NULL;
}

static bool has_grh(const struct capture_mad *mad)
{
	/* RoCE has a GRH, or an IP header in its place. */
	return mad->addr.has_grh || mad->transport != CAPTURE_INFINIBAND;
}

/* What packet_build() sets to the values that senders use. */
static void restore_bits(struct packet *packet, const struct capture_headers *headers)
{
	uint8_t *lrh = packet->bytes, *grh = lrh + LRH_SIZE, *bth = lrh + packet_bth_at(packet);

	lrh[LRH_VL] = (lrh[LRH_VL] & 0xf0) | (headers->lrh[LRH_VL] & 0x0f);
	lrh[LRH_SL] = (lrh[LRH_SL] & 0xf3) | (headers->lrh[LRH_SL] & 0x0c);
	memcpy(lrh + LRH_PKTLEN, headers->lrh_length, sizeof(headers->lrh_length));
	if (packet_has_grh(packet)) {
		grh[0] = (uint8_t)(headers->ip_version << 4) | (grh[0] & 0x0f);
		put_be16(grh + GRH_PAYLEN, headers->payload_length);
		grh[GRH_NXTHDR] = headers->next_header;
	}
	bth[BTH_OPCODE + 1] = headers->bth_flags;
	bth[BTH_DESTQP - 1] = headers->bth_reserved;
	bth[BTH_PSN - 1] = headers->bth_ack;
	bth[BTH_SIZE + DETH_SRCQP - 1] = headers->deth_reserved;
}

void packet_of_mad(struct packet *ret, const struct capture_mad *mad,
		   const struct capture_headers *headers)
{
	struct packet_addr addr = mad->addr;

	addr.has_grh = has_grh(mad);
	memset(ret, 0, sizeof(*ret));
	packet_build(ret, &addr);
	if (headers)
		restore_bits(ret, headers);
}

bool packet_header_at(const struct capture_mad *mad, const struct mad_header *header, size_t *ret)
{
	size_t bth_at = LRH_SIZE + (has_grh(mad) ? GRH_SIZE : 0);

	if (strcmp(header->name, "LRH") == 0) {
		*ret = 0;
		return mad->transport == CAPTURE_INFINIBAND;
	}
	if (strcmp(header->name, "GRH") == 0) {
		*ret = LRH_SIZE;
		return has_grh(mad);
	}
	*ret = bth_at + (strcmp(header->name, "DETH") == 0 ? BTH_SIZE : 0);
	return true;
}
