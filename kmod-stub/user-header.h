/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The user header: what stands before the MAD in every read and write of a umad file, and the
 * address that it carries. 56 bytes, or 64 with the P_Key index; the file says which.
 */
#ifndef UMADRIG_KMOD_STUB_USER_HEADER_H
#define UMADRIG_KMOD_STUB_USER_HEADER_H

#include <stdbool.h>
#include <stdint.h>

enum {
	USER_HEADER_SIZE_OLD = 56,
	USER_HEADER_SIZE = 64,
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
 * The other end, as a sender addresses it and a receiver sees it, with what is ours on the way
 * there: path bits, P_Key index, GID index.
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
uint32_t user_header_get(const uint8_t *header, unsigned int offset);
void user_header_set(uint8_t *header, unsigned int offset, uint32_t value);

/* The address in a header of 64 bytes (an old one is followed by zeros). */
void user_header_get_address(const uint8_t *header, struct mad_address *ret_address);

/*
 * Fills all 64 bytes of the header of a received MAD of 'mad_size' bytes, read through headers of
 * 'header_size' bytes by agent 'id'.
 */
void user_header_received(uint8_t *header, uint32_t id, const struct mad_address *from,
			  uint32_t header_size, uint32_t mad_size);

#endif
