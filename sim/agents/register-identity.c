/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registers of what a device is: MGIR, MSGI, MSCI, SPZR. See sim/agents/register-parts.h.
 *
 * A simulated device's firmware is the simulator.
 */
#include "config.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/words/number.h"
#include "sim/agents/device-chip.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"

enum {
	CHIP_SIMULATED = 2,		/* MGIR: ChipSim */
	DESCRIPTION_SIZE = 64,
	CPLD_VERSION = 1,
};

/* ---- MGIR ---- */

/* Each generation has a code, beginning with that of 40 nm. 0: not said. */
static uint32_t technology(const struct device_chip *chip)
{
	static const uint8_t nanometres[] = { 0, 40, 28, 16, 7, 5 };

	for (unsigned int i = 1; i < G_N_ELEMENTS(nanometres); i++) {
		if (nanometres[i] == chip->nm)
			return i;
	}
	return 0;
}

static void put_hardware(const struct node *node, uint8_t *hardware)
{
	const struct device_chip *chip = device_chip_find(node);

	register_put(hardware, 0x00, 0, 16, node->device_id);
	register_put(hardware, 0x00, 16, 16, node->revision);
	register_put(hardware, 0x04, 11, 5, chip ? technology(chip) : 0);
	register_put(hardware, 0x04, 16, 8, node->port_count);
	register_put(hardware, 0x08, 0, 16, chip ? chip->hw_id : 0);
	register_put(hardware, 0x10, 24, 4, CHIP_SIMULATED);
	register_put(hardware, 0x1c, 0, 32,
		     (uint32_t)(node->fabric->queue.now_ns / NS_PER_S));
}

void register_firmware_version(uint32_t ret_parts[3])
{
	const char *version = PACKAGE_VERSION;

	for (unsigned int i = 0; i < 3; i++) {
		uint64_t part = 0;

		number_take(&version, 10, UINT32_MAX, &part);
		version += *version == '.';
		ret_parts[i] = (uint32_t)part;
	}
}

/* The version is there twice: a byte each, and 32 bits each on all but the oldest devices. */
static void put_firmware(uint8_t *firmware)
{
	uint32_t parts[3];

	register_firmware_version(parts);
	for (unsigned int i = 0; i < 3; i++) {
		register_put(firmware, 0x00, 16 - 8 * i, 8, parts[i]);
		register_put(firmware, 0x24 + 4 * i, 0, 32, parts[i]);
	}
	register_put_text(firmware, 0x10, 15, PACKAGE_NAME);
}

enum register_status register_get_mgir(const struct register_query *query, uint8_t *data)
{
	put_hardware(query->node, data + MGIR_HARDWARE);
	put_firmware(data + MGIR_FIRMWARE);
	return REGISTER_OK;
}

/* ---- what people read ---- */

/* No two devices of a fabric have the same serial number: it is the node's GUID. */
enum register_status register_get_msgi(const struct register_query *query, uint8_t *data)
{
	const struct device_chip *chip = device_chip_find(query->node);
	char text[DESCRIPTION_SIZE];

	snprintf(text, sizeof(text), "SIM%016" PRIX64, query->node->node_guid);
	register_put_text(data, 0x00, 24, text);
	snprintf(text, sizeof(text), "SIM-MT%u", query->node->device_id);
	register_put_text(data, 0x20, 20, text);
	snprintf(text, sizeof(text), "%x", query->node->revision);
	register_put_text(data, 0x38, 4, text);
	snprintf(text, sizeof(text), "%s, simulated", chip ? chip->name : "Device");
	register_put_text(data, 0x40, 64, text);
	return REGISTER_OK;
}

/* The version of programmable logic on a switch's board, of which there is one. */
enum register_status register_get_msci(const struct register_query *query, uint8_t *data)
{
	if (register_bits(query->asked, 0, 0, 4) != 0)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x04, 0, 32, CPLD_VERSION);
	return REGISTER_OK;
}

enum register_status register_get_spzr(const struct register_query *query, uint8_t *data)
{
	struct node *node = query->node;
	struct end_port *end = node_end_port(node, node->sw ? 0 : 1);

	if (register_bits(query->asked, 0, 24, 8) != 0 || !end)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 1, 1, node->enhanced_port0);
	register_put(data, 0x04, 0, 32, end->cap_mask);
	put_be64(data + 0x08, node->sys_image_guid);
	put_be64(data + 0x10, end->guid);
	put_be64(data + 0x18, node->node_guid);
	register_put(data, 0x28, 0, 16, end->cap_mask2);
	register_put(data, 0x2c, 16, 16, end->port->pkey_count);
	register_put_text(data, 0x30, DESCRIPTION_SIZE, node_description(node));
	return REGISTER_OK;
}
