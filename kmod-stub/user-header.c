/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The user header, byte by byte (linux-mad A.1).
 */
#include "kmod-stub/user-header.h"

#include <string.h>

#include "lib/base/wire.h"

void user_header_received(uint8_t *header, uint32_t id, const struct mad_address *from,
			  uint32_t header_size, uint32_t mad_size)
{
	uint16_t pkey_index = from->pkey_index;

	memset(header, 0, USER_HEADER_SIZE);
	user_header_set(header, USER_ID, id);
	user_header_set(header, USER_LENGTH, header_size + mad_size);
	put_be32(header + USER_QPN_BE, from->qpn);
	put_be16(header + USER_LID_BE, from->lid);
	header[USER_SL] = from->sl;
	header[USER_PATH_BITS] = from->path_bits;
	if (from->has_grh) {
		header[USER_GRH_PRESENT] = 1;
		header[USER_GID_INDEX] = from->gid_index;
		/* Linux: not the hop limit of the wire but the one to answer with. */
		header[USER_HOP_LIMIT] = 0xff;
		header[USER_TRAFFIC_CLASS] = from->traffic_class;
		memcpy(header + USER_GID, from->gid, 16);
		put_be32(header + USER_FLOW_LABEL_BE, from->flow_label);
	}
	memcpy(header + USER_PKEY_INDEX, &pkey_index, sizeof(pkey_index));
}
