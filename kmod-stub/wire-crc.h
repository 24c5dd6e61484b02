/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The two CRCs of an InfiniBand packet (IBA vol 1, 7.8). Any thread may compute them.
 */
#ifndef UMADRIG_KMOD_STUB_WIRE_CRC_H
#define UMADRIG_KMOD_STUB_WIRE_CRC_H

#include <stddef.h>
#include <stdint.h>

/*
 * CRC-32 of the ICRC: polynomial 0x04c11db7 reflected. Begin with WIRE_CRC32_INIT, feed pieces, and
 * invert at the end; it is stored least significant byte first.
 */
#define WIRE_CRC32_INIT UINT32_C(0xffffffff)
uint32_t wire_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

/* CRC-16 of the VCRC: polynomial 0x100b reflected, complete: starts with ones, and is inverted. */
uint16_t wire_crc16(const uint8_t *bytes, size_t size);

/*
 * The ICRC of a native packet of 'size' bytes from the LRH through the last payload byte, with the
 * fields that switches and routers change taken as ones.
 */
uint32_t wire_icrc(const uint8_t *packet, size_t size);

#endif
