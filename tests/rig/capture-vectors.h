/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One made-up MAD in every encapsulation that captures have, and how a test reads a capture of it.
 * The CRCs were computed elsewhere: zlib's crc32 over the strings of the specification.
 */
#ifndef UMADRIG_TESTS_RIG_CAPTURE_VECTORS_H
#define UMADRIG_TESTS_RIG_CAPTURE_VECTORS_H

#include "tests/rig/capture-build.h"
#include "sim/capture/capture.h"

#define MAD_HEADER "0103020100000000000000000000123400350000 00000000"
#define GID_A "fe80000000000000000000000000000a"
#define GID_B "fe80000000000000000000000000000b"
#define BTH_DETH "6400ffff0000000100000007 8001000000000001"
#define MACS "020000000002020000000001"
#define GRH "612345670118 1b03" GID_A GID_B

/* The SubnAdmGet(PathRecord) of TID 0x1234 in every encapsulation: the bytes around its 256. */
enum vector { NATIVE, NATIVE_GRH, ROCE_V1, ROCE_V1_VLANS, ROCE_V2_IPV4, ROCE_V2_IPV6 };

static const struct { const char *front, *behind; } vectors[] = {
	[NATIVE] = { "1022000200480001" BTH_DETH, "858f18c3e5da" },
	[NATIVE_GRH] = { "1023000200520001" GRH BTH_DETH, "37b18d74f14b" },
	[ROCE_V1] = { MACS "8915" GRH BTH_DETH, "37b18d74" },
	[ROCE_V1_VLANS] = { MACS "88a8600a8100a00b8915" GRH BTH_DETH, "37b18d74" },
	/* With 4 bytes of IP options, TOS 0x68, TTL 64 and checksums that only the ICRC masks. */
	[ROCE_V2_IPV4] = { MACS "0800" "46680138000040004011abcd0a0000010a00000294040000"
			   "c35112b701200000" BTH_DETH, "abdbb77f" },
	[ROCE_V2_IPV6] = { MACS "86dd" "6a2345670120 1140" GID_A GID_B "c35112b70120dead" BTH_DETH,
			   "140ddee5" },
};

static inline GByteArray *vector_bytes(enum vector vector)
{
	GByteArray *bytes = g_byte_array_new();
	guint mad_at;

	build_hex(bytes, vectors[vector].front);
	mad_at = bytes->len;
	build_hex(bytes, MAD_HEADER);
	build_zero(bytes, mad_at + MAD_SIZE - bytes->len);
	build_hex(bytes, vectors[vector].behind);
	return bytes;
}

/* Reads the file, called "made-up", which must be valid. */
static inline struct capture *parse(const GByteArray *file)
{
	char message[512] = "";
	struct capture *capture = capture_parse(file->data, file->len, "made-up", message,
						sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(capture);
	return capture;
}

/* An ERF record's header: its time is 0x11223344 and a half seconds. All in hex. */
#define ERF_TIME "00000080 44332211"
#define ERF(type, flags, wlen) ERF_TIME type flags "0132" "0000" wlen

#endif
