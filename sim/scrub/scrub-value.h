/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The values of packets that tell of a site, in place: learned, or replaced by their aliases.
 *
 * What finds them in frames, MADs and texts is the same for both, so that nothing is replaced that
 * was not learned, and nothing learned that is not replaced.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_VALUE_H
#define UMADRIG_SIM_SCRUB_SCRUB_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/scrub/alias.h"

struct value_book {
	struct alias_book *aliases;
	bool replace;		/* else learn */
	bool lids;		/* LIDs too */
	bool keep_p_keys;
};

/* Big-endian, as on the wire. */
void value_guid(const struct value_book *book, uint8_t bytes[8]);
void value_gid(const struct value_book *book, uint8_t bytes[16]);
void value_p_key(const struct value_book *book, uint8_t bytes[2]);
void value_lid(const struct value_book *book, uint8_t bytes[2]);
void value_ipv4(const struct value_book *book, uint8_t bytes[4]);
void value_mac(const struct value_book *book, uint8_t bytes[6]);

/* Any field: 'size' bytes that tell what 'identity' says. MAD_IDENTITY_PRIVATE becomes zero. */
void value_field(const struct value_book *book, enum mad_identity identity, uint8_t *bytes,
		 size_t size);

#endif
