/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whole packets in scripts: packet(DATA), mut=, and fields that are no MAD's and no address.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_WHOLE_PACKET_H
#define UMADRIG_HARNESS_SCRIPT_MAD_WHOLE_PACKET_H

#include "harness/script/mad/pattern.h"

/*
 * Does what arrives have to be given as bytes: a packet(DATA), or one that mut= breaks? Those are
 * InfiniBand's own, which no RoCE port sends.
 */
bool packet_is_raw(const struct mad_pattern *pattern);

/*
 * The bytes of what arrives into 'ret' (PACKET_SIZE_MAX), with its CRCs: the data, or what is in
 * 'instance' with what mut= says. '*ret_size' is how many. False with a message.
 */
bool packet_bytes(const struct mad_pattern *pattern, const struct mad_env *env,
		  const struct mad_instance *instance, uint8_t *ret, size_t *ret_size,
		  GString *reterr);

/*
 * Compares a TERM_WIRE field, or all bytes with those of packet(DATA). Differences are appended to
 * 'why' (may be NULL).
 */
bool packet_compare_term(const struct mad_term *term, uint64_t wanted,
			 const struct mad_instance *actual, GString *why);
bool packet_compare(const struct mad_pattern *pattern, const struct mad_env *env,
		    const struct mad_instance *actual, GString *why);

/* Puts the right CRCs at the end of a packet of 'size' bytes, these 6 among them. */
void packet_stamp(uint8_t *bytes, size_t size);

/* "packet(junk), 290 bytes": to be freed. */
char *packet_summary(const struct mad_pattern *pattern, size_t size);

#endif
