/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes that differ, under a ruler of their numbers:
 *
 * 	byte      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 * 	expected                                     00 00 12 34
 * 	actual   01 32 01 01 00 00 00 00 00 00 00 01 00 00 12 35
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_HEX_RULER_H
#define UMADRIG_HARNESS_SCRIPT_MAD_HEX_RULER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Appends the rows of 16 bytes in which something differs, the first few of them. 'fields': which
 * bytes belong to fields that differ, as many as the larger size; NULL: each byte by itself that
 * both have.
 */
void hex_ruler(GString *out, const uint8_t *expected, size_t expected_size, const uint8_t *actual,
	       size_t actual_size, const bool *fields);

#endif
