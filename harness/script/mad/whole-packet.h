/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whole packets in scripts: packet(DATA), mut=, and fields that are neither in the MAD nor
 * addresses.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_WHOLE_PACKET_H
#define UMADRIG_HARNESS_SCRIPT_MAD_WHOLE_PACKET_H

#include "harness/script/mad/pattern.h"

/*
 * Must what arrives be given as bytes, because it is a packet(DATA) or mut= breaks it? Such packets
 * are InfiniBand's, which no RoCE port sends.
 */
bool packet_is_raw(const struct mad_pattern *pattern);

/*
 * Puts the bytes of what arrives into 'ret' (PACKET_SIZE_MAX), with the CRCs: the data, or
 * 'instance' with its mut= applied. '*ret_size' is the number of bytes. Returns false, and a
 * message, on failure.
 */
bool packet_bytes(const struct mad_pattern *pattern, const struct mad_env *env,
		  const struct mad_instance *instance, uint8_t *ret, size_t *ret_size,
		  GString *reterr);

/*
 * Compares a TERM_WIRE field; and all bytes with those of packet(DATA). Differences are appended to
 * 'why' (may be NULL).
 */
bool packet_compare_term(const struct mad_term *term, uint64_t wanted,
			 const struct mad_instance *actual, GString *why);
bool packet_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		    const struct mad_instance *actual, GString *why);
/* Appends the bytes in which packet(DATA) differs, under a ruler. */
void packet_hex(const struct mad_pattern *pattern, const struct mad_env *env,
		const struct mad_instance *actual, GString *out);

/* Puts the correct CRCs at the end of a packet of 'size' bytes, which includes their 6 bytes. */
void packet_stamp(uint8_t *bytes, size_t size);

/* "packet(junk), 290 bytes": to be freed. */
char *packet_summary(const struct mad_pattern *pattern, size_t size);

#endif
