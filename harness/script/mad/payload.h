/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Data with a name: what messages of many segments carry, and whole packets.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_PAYLOAD_H
#define UMADRIG_HARNESS_SCRIPT_MAD_PAYLOAD_H

#include "harness/script/tree/value.h"

/* What a message of data may have at most: 64 MiB and its header. */
#define PAYLOAD_SIZE_MAX ((64u << 20) + 4096)

/* The one called 'name' of 'payloads' (of const struct payload *), or NULL. */
const struct payload *payload_find(const GPtrArray *payloads, const char *name);

/*
 * The size of a payload, made of others of 'payloads' perhaps; false: it is not known before the
 * script runs, or too large, or no payload. And why not, in words.
 */
bool payload_size(const GPtrArray *payloads, const struct payload *payload, size_t *ret);
const char *payload_objection(const struct payload *payload);

/*
 * Fills 'ret' (of its size). A pattern's every 4 bytes are like no other 4 of it, so that data in
 * the wrong place is seen.
 */
void payload_fill(const GPtrArray *payloads, const struct payload *payload, uint8_t *ret);

#endif
