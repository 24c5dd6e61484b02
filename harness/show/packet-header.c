/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of captured packets. See harness/show/packet-header.h.
 */
#include "harness/show/packet-header.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"

bool packet_field_is_kept(const char *field)
{
	static const char *const left_out[] = {
		"LVer", "PktLen", "IPVer", "PayLen", "SE", "MigReq", "PadCnt", "TVer", "AckReq",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(left_out); i++) {
		if (strcmp(left_out[i], field) == 0)
			return false;
	}
	return true;
}

static bool has_grh(const struct capture_mad *mad)
{
	/* RoCE has a GRH, or an IP header in its place. */
	return mad->addr.has_grh || mad->transport != CAPTURE_INFINIBAND;
}

void packet_of_mad(struct packet *ret, const struct capture_mad *mad)
{
	struct packet_addr addr = mad->addr;

	addr.has_grh = has_grh(mad);
	memset(ret, 0, sizeof(*ret));
	packet_build(ret, &addr);
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
