/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sending signals, and waiting for them.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SIGNALS_H
#define UMADRIG_LIB_LOCKSTEP_SIGNALS_H

#include "lib/lockstep/hooks.h"

extern const struct hook signals_hooks[];

#endif
