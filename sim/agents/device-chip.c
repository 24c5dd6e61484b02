/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Chips: see sim/agents/device-chip.h. Numbers and addresses are those by which mstflint knows them
 * (its dev_mgt and mtcr_ul).
 */
#include "sim/agents/device-chip.h"

#include <glib.h>

#include "sim/fabric/node.h"

static const struct chip_places
	connect_ib = { 0x000000, 0x0b0004, 0x0e27f8 },
	connectx_4 = { 0x000000, 0x0b0004, 0x0e250c },
	connectx_5 = { 0x000000, 0x0b5e04, 0x0e74e0 },
	connectx_6 = { 0x000000, 0x0b5f04, 0x0e74e0 },
	connectx_7 = { 0x000000, 0x0b5f04, 0x0e5660 },
	switch_ib = { 0x080000, 0x080010, 0x0a24f8 },
	quantum = { 0x100000, 0x100010, 0x0a68f8 },
	quantum_2 = { 0x100000, 0x100010, 0x0a52f8 },
	quantum_3 = { 0x200000, 0x200010, 0x1550f8 };

static const struct device_chip chips[] = {
	{ 0x1011, 0x1ff, "Connect-IB", 28, &connect_ib },
	{ 0x1013, 0x209, "ConnectX-4", 28, &connectx_4 },
	{ 0x1015, 0x20b, "ConnectX-4 Lx", 28, &connectx_4 },
	{ 0x1017, 0x20d, "ConnectX-5", 16, &connectx_5 },
	{ 0x1019, 0x20d, "ConnectX-5 Ex", 16, &connectx_5 },
	{ 0x101b, 0x20f, "ConnectX-6", 16, &connectx_6 },
	{ 0x101d, 0x212, "ConnectX-6 Dx", 16, &connectx_6 },
	{ 0x101f, 0x216, "ConnectX-6 Lx", 16, &connectx_6 },
	{ 0x1021, 0x218, "ConnectX-7", 7, &connectx_7 },
	{ 0x1023, 0x21e, "ConnectX-8", 5, &connectx_7 },
	{ 0xa2d2, 0x211, "BlueField", 16, &connectx_5 },
	{ 0xa2d6, 0x214, "BlueField-2", 16, &connectx_6 },
	{ 0xa2dc, 0x21c, "BlueField-3", 7, &connectx_7 },
	{ 0xcb20, 0x247, "Switch-IB", 28, &switch_ib },
	{ 0xcf08, 0x24b, "Switch-IB 2", 28, &switch_ib },
	{ 0xd2f0, 0x24d, "Quantum", 16, &quantum },
	{ 0xd2f2, 0x257, "Quantum-2", 7, &quantum_2 },
	{ 0xd2f4, 0x25b, "Quantum-3", 5, &quantum_3 },
};

const struct device_chip *device_chip_find(const struct node *node)
{
	for (size_t i = 0; i < G_N_ELEMENTS(chips); i++) {
		if (chips[i].device_id == node->device_id)
			return &chips[i];
	}
	return NULL;
}
