/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sockets that programs have among each other.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SOCKETS_H
#define UMADRIG_LIB_LOCKSTEP_SOCKETS_H

#include "lib/lockstep/hooks.h"

extern const struct hook sockets_hooks[];

#endif
