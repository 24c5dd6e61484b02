/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Processors: how many programs see, and which one they run on.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PROCESSORS_H
#define UMADRIG_LIB_LOCKSTEP_PROCESSORS_H

#include "lib/lockstep/hooks.h"

/* Puts this process on the session's processor. */
void processors_begin(void);

extern const struct hook processors_hooks[];

#endif
