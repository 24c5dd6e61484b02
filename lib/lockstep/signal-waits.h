/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waiting for signals without handlers: sigwait(3), sigwaitinfo(2), sigtimedwait(2).
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SIGNAL_WAITS_H
#define UMADRIG_LIB_LOCKSTEP_SIGNAL_WAITS_H

#include "lib/lockstep/hooks.h"

extern const struct hook signal_waits_hooks[];

#endif
