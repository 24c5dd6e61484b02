/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers and times that options of the command line have. GOption's own would read 010 as 8.
 *
 * Each writes to '*ret'. 'text' NULL: the option was not given, and '*ret' stays. False: after an
 * error about the command line, which says what was expected.
 */
#ifndef UMADRIG_HARNESS_BASE_OPTION_VALUE_H
#define UMADRIG_HARNESS_BASE_OPTION_VALUE_H

#include <stdbool.h>
#include <stdint.h>

bool option_number(const char *command, const char *option, const char *text, uint64_t min,
		   uint64_t max, const char *expected, uint64_t *ret);
/* As of --grace, and others of which 0 means none. */
#define OPTION_TIME_EXPECTED "a time with a unit, such as 500ms (ns us ms s), or 0"
bool option_time(const char *command, const char *option, const char *text, const char *expected,
		 int64_t *ret_ns);
/* "90", "1.5s": up to ten years. */
bool option_seconds(const char *command, const char *option, const char *text, int64_t *ret_ns);
/* "90s", "45min", "8h": real time, up to ten years. */
bool option_long_time(const char *command, const char *option, const char *text, int64_t *ret_ns);
/* --shard "I/N": part I, from 1, of N; without it, 1 of 1. */
bool option_shard(const char *command, const char *text, unsigned int *ret_part,
		  unsigned int *ret_parts);

#endif
