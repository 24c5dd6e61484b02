/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the tests of scrubbing share: names of a made-up site, and captures with MADs that have
 * them.
 */
#ifndef UMADRIG_TESTS_SIM_SCRUB_RIG_H
#define UMADRIG_TESTS_SIM_SCRUB_RIG_H

#include <glib.h>
#include <stdbool.h>

#include "sim/capture/capture.h"
#include "sim/scrub/scrub.h"

#define GUID_1 UINT64_C(0x0002c903a1b2c3d4)
#define GUID_2 UINT64_C(0xe41d2d0300aabbcc)
#define PREFIX_1 UINT64_C(0xfec0123456789abc)
#define KEY_1 UINT64_C(0x1122334455667788)

extern const struct scrub_options no_options;

/* What becomes of a file; it must be readable. */
GByteArray *scrubbed(const GByteArray *file, const struct scrub_options *options,
		     struct scrub_report *report);
/* The MADs of a pcap file that is scrubbed; the file is freed. */
struct capture *scrubbed_mads(GByteArray *file, const struct scrub_options *options,
			      struct scrub_report *report);

/* A native packet with this MAD, sealed. */
GByteArray *packet_with(const uint8_t *mad);
/* A pcap file of such packets. */
GByteArray *pcap_begin(void);
void pcap_add(GByteArray *file, const uint8_t *mad);

/* The header of a MAD, and zeros behind it. */
void mad_begin(uint8_t *mad, uint8_t mgmt_class, uint8_t method, uint16_t attr_id);

/* Are the eight bytes of the value there, in either order? */
bool holds(const void *bytes, size_t size, uint64_t value);

/* Adds the tests of the MADs' fields. */
void scrub_field_tests(void);

#endif
