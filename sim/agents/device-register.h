/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registers of Mellanox devices, as firmware shows them to tools in band: of what a device is, its
 * firmware, its ports, what is wrong with a link, counters, cables' modules and sensors. How they
 * are asked for is in sim/agents/register-access.h.
 */
#ifndef UMADRIG_SIM_AGENTS_DEVICE_REGISTER_H
#define UMADRIG_SIM_AGENTS_DEVICE_REGISTER_H

#include <stddef.h>
#include <stdint.h>

#include "sim/agents/register-field.h"

/*
 * Reads register 'id' of a device into 'data' (DEVICE_REGISTER_SIZE_MAX bytes), as 'asked' (as
 * many) has its fields; both may be the same. '*ret_size' is the register's size in bytes. Unless
 * it returns REGISTER_OK, nothing is changed.
 */
enum register_status device_register_get(struct node *node, unsigned int id, const uint8_t *asked,
					 uint8_t *data, size_t *ret_size);

#endif
