/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wire format of Protocol Buffers, as far as harness/show/perfetto.c writes it: fields one
 * after the other, appended to a buffer. A message inside another is built in a buffer of its own.
 */
#ifndef UMADRIG_HARNESS_SHOW_PROTOBUF_H
#define UMADRIG_HARNESS_SHOW_PROTOBUF_H

#include "harness/show/text.h"

/* A number: int32, int64, uint32, uint64, bool and enum are the same on the wire. */
void protobuf_varint(struct text *out, unsigned int field, uint64_t number);
void protobuf_fixed64(struct text *out, unsigned int field, uint64_t number);
/* A string, bytes, or a message. */
void protobuf_bytes(struct text *out, unsigned int field, const char *bytes, size_t size);
void protobuf_string(struct text *out, unsigned int field, const char *string);
/* The message that has been built in 'inner', which is emptied. */
void protobuf_message(struct text *out, unsigned int field, struct text *inner);

#endif
