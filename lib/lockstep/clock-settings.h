/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Setting clocks, and steering them: a session's cannot be, whoever asks, and the machine's must
 * not be. clock_settime(2), settimeofday(2), adjtime(3), adjtimex(2) and its kin.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CLOCK_SETTINGS_H
#define UMADRIG_LIB_LOCKSTEP_CLOCK_SETTINGS_H

#include "lib/lockstep/hooks.h"

extern const struct hook clock_settings_hooks[];

#endif
