/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The two CRCs of an InfiniBand packet: see wire-crc.h.
 */
#include "kmod-stub/wire-crc.h"

#include <string.h>

#include "lib/base/wire.h"

/* One nibble at a time: small tables that are spelled out beat a big one that must be built. */
uint32_t wire_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		crc = table[crc & 15] ^ crc >> 4;
		crc = table[crc & 15] ^ crc >> 4;
	}
	return crc;
}

/* 0xd008 shifted by 0 to 3 and added up: what the low nibble does to the rest of the register. */
uint16_t wire_crc16(const uint8_t *bytes, size_t size)
{
	uint16_t table[16];
	uint16_t crc = 0xffff;

	for (unsigned int nibble = 0; nibble < 16; nibble++) {
		uint16_t value = (uint16_t)nibble;

		for (unsigned int bit = 0; bit < 4; bit++)
			value = (uint16_t)(value & 1 ? value >> 1 ^ 0xd008 : value >> 1);
		table[nibble] = value;
	}
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		crc = (uint16_t)(table[crc & 15] ^ crc >> 4);
		crc = (uint16_t)(table[crc & 15] ^ crc >> 4);
	}
	return (uint16_t)~crc;
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
