/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What two messages differ in, field by field. */
#ifndef UMADRIG_SIM_DIFF_MESSAGE_DIFFERENCE_H
#define UMADRIG_SIM_DIFF_MESSAGE_DIFFERENCE_H

#include "sim/diff/message-bytes.h"

/*
 * What two messages differ in. 'name' is the field's ("status", "PathRecord[3].DLID", "bytes
 * 44..47", "segment 2: seg"); the values are as people read them. All strings are good for the call
 * only.
 */
typedef void field_difference_fn(void *ctx, const char *name, const char *a, const char *b);

/*
 * Calls 'fn' for each field in which two messages differ, in the order of their bytes, bytes that
 * no field has last, and then what segments after the first have of their own. Returns how many
 * there are.
 */
size_t message_differences(const struct message_bytes *a, const struct message_bytes *b,
			   field_difference_fn *fn, void *ctx);

#endif
