/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Named data: the contents of messages with many segments, and whole packets.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_PAYLOAD_H
#define UMADRIG_HARNESS_SCRIPT_MAD_PAYLOAD_H

#include "harness/script/tree/value.h"

/* The largest message of data: 64 MiB and its header. */
#define PAYLOAD_SIZE_MAX ((64u << 20) + 4096)

/* The payload 'name' in 'payloads' (of const struct payload *), or NULL. */
const struct payload *payload_find(const GPtrArray *payloads, const char *name);

/*
 * The size of a payload, which may be made from others in 'payloads'. False: it is unknown before
 * the script runs, too large, or not a payload; the message says which.
 */
bool payload_size(const GPtrArray *payloads, const struct payload *payload, size_t *ret);
const char *payload_objection(const struct payload *payload);

/*
 * Fills 'ret' (of its size). No two groups of 4 bytes in a pattern are equal, so that misplaced
 * data is detected.
 */
void payload_fill(const GPtrArray *payloads, const struct payload *payload, uint8_t *ret);

#endif
