/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sendfile, splice, tee and vmsplice: data that goes from descriptor to descriptor.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SPLICES_H
#define UMADRIG_LIB_LOCKSTEP_SPLICES_H

#include "lib/lockstep/hooks.h"

extern const struct hook splices_hooks[];

#endif
