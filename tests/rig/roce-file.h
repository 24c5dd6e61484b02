/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures of RoCE for tests: pcap files of Ethernet frames, made of packets as kmod-stub has them.
 */
#ifndef UMADRIG_TESTS_RIG_ROCE_FILE_H
#define UMADRIG_TESTS_RIG_ROCE_FILE_H

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "kmod-stub/packet.h"
#include "lib/base/wire.h"

enum { ROCE_MACS = 12, ROCE_FRAME = 512 };

enum roce_form { ROCE_V1, ROCE_V2_IPV4 };

static inline size_t roce_write_ipv4(const struct packet *packet, size_t carried, uint8_t *ip)
{
	const uint8_t *grh = packet->bytes + LRH_SIZE;
	size_t size = 20 + 8 + carried;

	ip[0] = 0x45;
	put_be16(ip + 2, (uint16_t)size);
	ip[8] = 64;
	ip[9] = 17;
	memcpy(ip + 12, grh + 8 + 12, 4);
	memcpy(ip + 16, grh + 24 + 12, 4);
	put_be16(ip + 20, 49152);
	put_be16(ip + 22, 4791);
	put_be16(ip + 24, (uint16_t)(8 + carried));
	return 28;
}

/* An Ethernet frame; its ICRC of zeros means that there is none. */
static inline size_t roce_write_frame(enum roce_form form, const struct packet *packet,
				      uint8_t frame[ROCE_FRAME])
{
	size_t at = ROCE_MACS + 2, bth = packet_bth_at(packet);
	size_t carried = packet_size(packet) - bth;

	memset(frame, 0, ROCE_FRAME);
	put_be16(frame + ROCE_MACS, form == ROCE_V1 ? 0x8915 : 0x0800);
	if (form == ROCE_V1) {
		memcpy(frame + at, packet->bytes + LRH_SIZE, 40);
		at += 40;
	} else {
		at += roce_write_ipv4(packet, carried + 4, frame + at);
	}
	memcpy(frame + at, packet->bytes + bth, carried);
	return at + carried + 4;
}

static inline GByteArray *roce_file_new(void)
{
	static const uint8_t header[24] = { 0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, [17] = 1,
					    [23] = 1 };

	return g_byte_array_append(g_byte_array_new(), header, sizeof(header));
}

/* 'packet' has a GRH. */
static inline void roce_file_add(GByteArray *file, enum roce_form form, uint32_t at_s,
				 const struct packet *packet)
{
	uint8_t frame[ROCE_FRAME], record[16] = { 0 };
	size_t size = roce_write_frame(form, packet, frame);

	put_be32(record, at_s);
	put_be32(record + 8, (uint32_t)size);
	put_be32(record + 12, (uint32_t)size);
	g_byte_array_append(file, record, sizeof(record));
	g_byte_array_append(file, frame, (guint)size);
}

/* Frees 'file'; its name is to be unlinked and freed. */
static inline char *roce_file_end(GByteArray *file)
{
	char *path;

	close(g_file_open_tmp("umadrig-XXXXXX.pcap", &path, NULL));
	g_assert_true(g_file_set_contents(path, (const char *)file->data, file->len, NULL));
	g_byte_array_unref(file);
	return path;
}

#endif
