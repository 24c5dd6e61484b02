/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sleeping: nanosleep, sleep and usleep are clock_nanosleep in libc.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SLEEPS_H
#define UMADRIG_LIB_LOCKSTEP_SLEEPS_H

#include "lib/lockstep/hooks.h"

extern const struct hook sleeps_hooks[];

#endif
