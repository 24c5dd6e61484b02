/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The two CRCs of an InfiniBand packet: see wire-crc.h.
 */
#include "kmod-stub/wire-crc.h"

#include <string.h>

#include "kmod-stub/reflected-crc.h"
#include "lib/base/wire.h"

static void prepare_crc32(void);
static void prepare_crc16(void);

static struct reflected_crc crc32 = {
	.polynomial = 0xedb88320, .once = PTHREAD_ONCE_INIT, .prepare = prepare_crc32,
};

static struct reflected_crc crc16 = {
	.polynomial = 0xd008, .once = PTHREAD_ONCE_INIT, .prepare = prepare_crc16,
};

static void prepare_crc32(void)
{
	reflected_crc_prepare(&crc32);
}

static void prepare_crc16(void)
{
	reflected_crc_prepare(&crc16);
}

uint32_t wire_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
	return reflected_crc_update(&crc32, crc, bytes, size);
}

uint16_t wire_crc16(const uint8_t *bytes, size_t size)
{
	return (uint16_t)~reflected_crc_update(&crc16, 0xffff, bytes, size);
}

uint32_t wire_icrc(const uint8_t *packet, size_t size)
{
	uint8_t head[LRH_SIZE + GRH_SIZE + BTH_SIZE];
	size_t head_size = LRH_SIZE + BTH_SIZE;
	size_t bth = LRH_SIZE;

	if ((packet[LRH_SL] & 3) == LRH_LNH_GRH) {
		head_size += GRH_SIZE;
		bth += GRH_SIZE;
	}
	memcpy(head, packet, head_size);
	if (bth == LRH_SIZE) {
		head[LRH_VL] |= 0xf0;
	} else {
		/* A router writes a new LRH, so with a GRH none of it is included. */
		memset(head, 0xff, LRH_SIZE);
		head[LRH_SIZE] |= 0x0f;
		memset(head + LRH_SIZE + 1, 0xff, 3);
		head[LRH_SIZE + GRH_HOPLIMIT] = 0xff;
	}
	head[bth + 4] = 0xff;
	return ~wire_crc32(wire_crc32(WIRE_CRC32_INIT, head, head_size), packet + head_size,
			   size - head_size);
}
