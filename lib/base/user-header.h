/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The user header, which precedes the MAD in every read and write of a umad file, and the address
 * in it. It has 56 bytes, or 64 with the P_Key index, depending on the file.
 */
#ifndef UMADRIG_LIB_BASE_USER_HEADER_H
#define UMADRIG_LIB_BASE_USER_HEADER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	USER_HEADER_SIZE_OLD = 56,
	USER_HEADER_SIZE = 64,
	USER_HEADER_LESS = USER_HEADER_SIZE - USER_HEADER_SIZE_OLD,
};

/* Offsets; integers are the machine's, those marked BE are big-endian. */
enum {
	USER_ID = 0,
	USER_STATUS = 4,
	USER_TIMEOUT_MS = 8,
	USER_RETRIES = 12,
	USER_LENGTH = 16,
	USER_QPN_BE = 20,
	USER_QKEY_BE = 24,
	USER_LID_BE = 28,
	USER_SL = 30,
	USER_PATH_BITS = 31,
	USER_GRH_PRESENT = 32,
	USER_GID_INDEX = 33,
	USER_HOP_LIMIT = 34,
	USER_TRAFFIC_CLASS = 35,
	USER_GID = 36,
	USER_FLOW_LABEL_BE = 52,
	USER_PKEY_INDEX = 56,
};

/*
 * The other end, as it is addressed by a sender or seen by a receiver, with the local end's path
 * bits, P_Key index and GID index.
 */
struct mad_address {
	uint32_t qpn;
	uint16_t lid;
	uint8_t sl;
	uint8_t path_bits;
	uint16_t pkey_index;
	bool has_grh;
	uint8_t gid_index;
	uint8_t hop_limit;
	uint8_t traffic_class;
	uint32_t flow_label;
	uint8_t gid[16];		/* the other end's */
};

/* Reads the machine's u32 at 'offset' of a header. */
static inline uint32_t user_header_get(const uint8_t *header, unsigned int offset)
{
	uint32_t value;

	memcpy(&value, header + offset, sizeof(value));
	return value;
}

static inline void user_header_set(uint8_t *header, unsigned int offset, uint32_t value)
{
	memcpy(header + offset, &value, sizeof(value));
}

/* Copies a header of either 'size'; as constants they compile to a few moves. */
static inline void user_header_copy(uint8_t *to, const uint8_t *from, uint32_t size)
{
	if (size == USER_HEADER_SIZE)
		memcpy(to, from, USER_HEADER_SIZE);
	else
		memcpy(to, from, USER_HEADER_SIZE_OLD);
}

/*
 * The address in a header of 64 bytes (an old one is followed by zeros). Without a GRH, the members
 * for one are left as they are.
 */
static inline void user_header_get_address(const uint8_t *header, struct mad_address *ret_address)
{
	ret_address->qpn = get_be32(header + USER_QPN_BE) & 0xffffff;
	ret_address->lid = get_be16(header + USER_LID_BE);
	ret_address->sl = header[USER_SL] & 0xf;
	ret_address->path_bits = header[USER_PATH_BITS];
	memcpy(&ret_address->pkey_index, header + USER_PKEY_INDEX, sizeof(uint16_t));
	ret_address->has_grh = header[USER_GRH_PRESENT] != 0;
	if (!ret_address->has_grh)
		return;
	ret_address->gid_index = header[USER_GID_INDEX];
	ret_address->hop_limit = header[USER_HOP_LIMIT];
	ret_address->traffic_class = header[USER_TRAFFIC_CLASS];
	ret_address->flow_label = get_be32(header + USER_FLOW_LABEL_BE) & 0xfffff;
	memcpy(ret_address->gid, header + USER_GID, 16);
}

/*
 * Fills all 64 bytes of the header of a received MAD of 'mad_size' bytes, read through headers of
 * 'header_size' bytes by agent 'id'.
 */
static inline void user_header_received(uint8_t *header, uint32_t id,
					const struct mad_address *from, uint32_t header_size,
					uint32_t mad_size)
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
		/* Linux: not the hop limit from the wire but the one for the answer. */
		header[USER_HOP_LIMIT] = 0xff;
		header[USER_TRAFFIC_CLASS] = from->traffic_class;
		memcpy(header + USER_GID, from->gid, 16);
		put_be32(header + USER_FLOW_LABEL_BE, from->flow_label);
	}
	memcpy(header + USER_PKEY_INDEX, &pkey_index, sizeof(pkey_index));
}

/*
 * Makes a message of 'size' bytes that was received one with an old header, USER_HEADER_LESS
 * shorter. The length in a header counts the header; that of a timed-out send is as its sender
 * wrote it.
 */
static inline void user_header_shorten(uint8_t *message, size_t size)
{
	if (user_header_get(message, USER_STATUS) == 0)
		user_header_set(message, USER_LENGTH,
				user_header_get(message, USER_LENGTH) - USER_HEADER_LESS);
	memmove(message + USER_HEADER_SIZE_OLD, message + USER_HEADER_SIZE,
		size - USER_HEADER_SIZE);
}

#endif
