/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#ifndef UMADRIG_HARNESS_WORLD_SM_ADDRESS_H
#define UMADRIG_HARNESS_WORLD_SM_ADDRESS_H

#include "harness/world/world.h"

/* The address of the SM that A's port knows. 0, or a negative errno of umad_get_port(). */
int world_sm_address(const struct world *world, struct world_address *ret);

#endif
