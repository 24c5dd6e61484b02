/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of scrubbing share: see tests/sim/scrub-rig.h.
 */
#define _GNU_SOURCE
#include "tests/sim/scrub-rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/capture/frame.h"
#include "tests/rig/capture-vectors.h"

const struct scrub_options no_options;

/* What becomes of a file; it must be readable. */
GByteArray *scrubbed(const GByteArray *file, const struct scrub_options *options,
		     struct scrub_report *report)
{
	struct scrub_report mine;
	char message[512] = "";
	char *bytes = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&bytes, &size);
	GByteArray *result = g_byte_array_new();

	g_assert_cmpint(scrub_bytes(file->data, file->len, "made-up", to, options,
				    report ? report : &mine, message, sizeof(message)), ==, 0);
	g_assert_cmpstr(message, ==, "");
	fclose(to);
	g_byte_array_append(result, (const guint8 *)bytes, (guint)size);
	free(bytes);
	return result;
}

/* A native packet with this MAD, sealed. */
GByteArray *packet_with(const uint8_t *mad)
{
	struct packet_addr addr = { .slid = 1, .dlid = 2, .pkey = PKEY_DEFAULT, .src_qp = 1,
				    .dest_qp = 1, .qkey = QKEY_GSI };
	GByteArray *bytes = g_byte_array_new();
	struct packet packet = { .mad_size = MAD_SIZE };

	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	packet_seal(&packet);
	g_byte_array_append(bytes, packet.bytes, (guint)packet_size(&packet));
	return bytes;
}

GByteArray *pcap_begin(void)
{
	GByteArray *file = g_byte_array_new();

	build_pcap(file, 0xa1b2c3d4, LINKTYPE_INFINIBAND, false);
	return file;
}

void pcap_add(GByteArray *file, const uint8_t *mad)
{
	GByteArray *packet = packet_with(mad);

	build_pcap_record(file, 1, 2, packet->data, packet->len, packet->len, false);
	g_byte_array_free(packet, true);
}

/* The MADs of a pcap file that is scrubbed; the file is freed. */
struct capture *scrubbed_mads(GByteArray *file, const struct scrub_options *options,
			      struct scrub_report *report)
{
	GByteArray *result = scrubbed(file, options, report);
	struct capture *capture = parse(result);

	for (size_t i = 0; i < capture->mad_count; i++)
		g_assert_true(capture->mads[i].icrc_ok && capture->mads[i].vcrc_ok);
	g_byte_array_free(file, true);
	g_byte_array_free(result, true);
	return capture;
}

void mad_begin(uint8_t *mad, uint8_t mgmt_class, uint8_t method, uint16_t attr_id)
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, 0x1234);
	put_be16(mad + MAD_ATTR_ID, attr_id);
}

bool holds(const void *bytes, size_t size, uint64_t value)
{
	uint8_t big[8], little[8];

	put_be64(big, value);
	memcpy(little, &value, 8);
	return memmem(bytes, size, big, 8) || memmem(bytes, size, little, 8);
}
