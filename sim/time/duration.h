/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Times in options, scripts and commands.
 */
#ifndef UMADRIG_SIM_TIME_DURATION_H
#define UMADRIG_SIM_TIME_DURATION_H

#include <stdint.h>

/* "1.5us": a time with a unit (ns us ms s), or 0 without one. -EINVAL if it is none, -ERANGE. */
int duration_parse(const char *text, int64_t *ret_ns);

#endif
