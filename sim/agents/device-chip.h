/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The chips of Mellanox devices: which one a device has, by the number in its NodeInfo.
 */
#ifndef UMADRIG_SIM_AGENTS_DEVICE_CHIP_H
#define UMADRIG_SIM_AGENTS_DEVICE_CHIP_H

#include <stdint.h>

struct node;

/* Where a family of chips has what in its configuration space. */
struct chip_places {
	uint32_t command_pointer;	/* version, and where the command interface is */
	uint32_t not_ready;		/* a bit is set while the firmware starts */
	uint32_t semaphore;		/* of the command interface */
};

struct device_chip {
	uint16_t device_id;		/* of NodeInfo: PCI's */
	uint16_t hw_id;			/* of the chip itself */
	const char *name;
	uint8_t nm;			/* the size of its structures */
	const struct chip_places *places;
};

/* NULL: one that is not known. */
const struct device_chip *device_chip_find(const struct node *node);

#endif
