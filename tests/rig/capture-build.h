/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hand-made captures for tests: bytes from hex, with pcap and pcapng files around them.
 */
#ifndef UMADRIG_TESTS_RIG_CAPTURE_BUILD_H
#define UMADRIG_TESTS_RIG_CAPTURE_BUILD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Appends the bytes of 'hex' (spaces allowed). */
static inline void build_hex(GByteArray *to, const char *hex)
{
	for (; hex && *hex; hex += *hex == ' ' ? 1 : 2) {
		uint8_t byte;

		if (*hex == ' ')
			continue;
		g_assert_true(g_ascii_isxdigit(hex[0]) && g_ascii_isxdigit(hex[1]));
		byte = (uint8_t)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
		g_byte_array_append(to, &byte, 1);
	}
}

static inline void build_number(GByteArray *to, uint64_t value, unsigned int size, bool big)
{
	for (unsigned int i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * (big ? size - 1 - i : i));

		g_byte_array_append(to, &byte, 1);
	}
}

static inline void build_zero(GByteArray *to, size_t count)
{
	while (count--)
		g_byte_array_append(to, (const uint8_t *)"", 1);
}

/* ---- pcap ---- */

static inline void build_pcap(GByteArray *to, uint32_t magic, uint32_t link_type, bool big)
{
	build_number(to, magic, 4, big);
	build_number(to, 2, 2, big);
	build_number(to, 4, 2, big);
	build_number(to, 0, 8, big);
	build_number(to, 65535, 4, big);
	build_number(to, link_type, 4, big);
}

static inline void build_pcap_record(GByteArray *to, uint32_t seconds, uint32_t fraction,
				     const void *bytes, size_t captured, size_t original, bool big)
{
	build_number(to, seconds, 4, big);
	build_number(to, fraction, 4, big);
	build_number(to, captured, 4, big);
	build_number(to, original, 4, big);
	g_byte_array_append(to, bytes, (guint)captured);
}

/* ---- pcapng ---- */

/* A block of 'type' around 'body', which must be a multiple of 4 and is freed. */
static inline void build_block(GByteArray *to, uint32_t type, GByteArray *body, bool big)
{
	g_assert_cmpuint(body->len % 4, ==, 0);
	build_number(to, type, 4, big);
	build_number(to, body->len + 12, 4, big);
	g_byte_array_append(to, body->data, body->len);
	build_number(to, body->len + 12, 4, big);
	g_byte_array_free(body, true);
}

static inline void build_option(GByteArray *to, unsigned int code, const void *bytes, size_t size,
				bool big)
{
	build_number(to, code, 2, big);
	build_number(to, size, 2, big);
	g_byte_array_append(to, bytes, (guint)size);
	build_zero(to, -size & 3);
}

static inline void build_section(GByteArray *to, bool big)
{
	GByteArray *body = g_byte_array_new();

	build_number(body, 0x1a2b3c4d, 4, big);
	build_number(body, 1, 2, big);
	build_number(body, 0, 2, big);
	build_number(body, UINT64_MAX, 8, big);
	build_block(to, 0x0a0d0d0a, body, big);
}

/* 'tsresol' 0: the option is left out. 'name' may be NULL. */
static inline void build_interface(GByteArray *to, uint32_t link_type, const char *name,
				   uint8_t tsresol, int64_t tsoffset_s, bool big)
{
	GByteArray *body = g_byte_array_new(), *offset = g_byte_array_new();

	build_number(body, link_type, 2, big);
	build_number(body, 0, 2, big);
	build_number(body, 0, 4, big);
	if (name)
		build_option(body, 2, name, strlen(name), big);
	if (tsresol)
		build_option(body, 9, &tsresol, 1, big);
	if (tsoffset_s) {
		build_number(offset, (uint64_t)tsoffset_s, 8, big);
		build_option(body, 14, offset->data, 8, big);
	}
	build_option(body, 0, NULL, 0, big);
	build_block(to, 1, body, big);
	g_byte_array_free(offset, true);
}

/* 'options' (may be NULL) are put after the packet unchanged. */
static inline void build_enhanced(GByteArray *to, uint32_t interface, uint64_t ticks,
				  const GByteArray *packet, const GByteArray *options, bool big)
{
	GByteArray *body = g_byte_array_new();

	build_number(body, interface, 4, big);
	build_number(body, ticks >> 32, 4, big);
	build_number(body, ticks & UINT32_MAX, 4, big);
	build_number(body, packet->len, 4, big);
	build_number(body, packet->len, 4, big);
	g_byte_array_append(body, packet->data, packet->len);
	build_zero(body, -packet->len & 3);
	if (options)
		g_byte_array_append(body, options->data, options->len);
	build_block(to, 6, body, big);
}

#endif
