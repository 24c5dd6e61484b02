/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registers of a device's firmware: which registers it has (MCAM, PCAM), its components (MCQS,
 * MCQI), what it is called (MQIS), and the state of an update (MCC, MCDA), of which there is none.
 * See sim/agents/register-parts.h.
 *
 * There is one component, the image that the device runs: the simulator, of its version.
 */
#include "config.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/agents/device-chip.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/node.h"

enum {
	GROUP_SIZE = 0x80,		/* registers that a mask is of */
	GROUPS_MAX = 4,
	MASK_AT = 0x08, MASK_WORDS = 4,

	COMPONENT_IMAGE = 1,
	COMPONENT_IN_USE = 2,

	INFO_CAPABILITIES = 0, INFO_VERSION = 1,
	INFO_AT = 0x18, INFO_SIZE = 0x7c,

	STRING_AT = 0x10, STRING_SIZE = 8,
	NAME_MODEL = 1, NAME_DESCRIPTION = 2,
};

/* ---- MCAM, PCAM ---- */

/* The mask's last word has its first registers, the first in the lowest bit. */
static enum register_status put_mask(const struct register_query *query, unsigned int base,
				     uint8_t *data)
{
	unsigned int group = register_bits(query->asked, 0x00, 0, 8);

	if (group >= GROUPS_MAX)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 0, 8, group);
	for (unsigned int i = 0; i < GROUP_SIZE; i++) {
		if (query->has(query->node, base + group * GROUP_SIZE + i))
			register_put(data, MASK_AT + 4 * (MASK_WORDS - 1 - i / 32), i % 32, 1, 1);
	}
	return REGISTER_OK;
}

enum register_status register_get_mcam(const struct register_query *query, uint8_t *data)
{
	return put_mask(query, 0x9000, data);
}

enum register_status register_get_pcam(const struct register_query *query, uint8_t *data)
{
	return put_mask(query, 0x5000, data);
}

/* ---- components ---- */

/* Of the device itself, not of a gearbox or module behind it. */
static bool is_image(const struct register_query *query)
{
	return register_bits(query->asked, 0x00, 0, 16) == 0 &&
	       register_bits(query->asked, 0x00, 16, 12) == 0;
}

enum register_status register_get_mcqs(const struct register_query *query, uint8_t *data)
{
	if (!is_image(query))
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 31, 1, 1);	/* the last one */
	register_put(data, 0x04, 0, 16, COMPONENT_IMAGE);
	register_put(data, 0x08, 4, 5, COMPONENT_IN_USE);
	return REGISTER_OK;
}

/* "0.1.0" in a byte each, the last part in 16 bits, and as text. */
static void put_version(uint8_t *info)
{
	uint32_t parts[3];

	register_firmware_version(parts);
	register_put(info, 0x00, 0, 8, (uint32_t)strlen(PACKAGE_VERSION) + 1);
	register_put(info, 0x04, 24, 8, parts[0]);
	register_put(info, 0x04, 16, 8, parts[1]);
	register_put(info, 0x04, 0, 16, parts[2]);
	register_put_text(info, 0x20, INFO_SIZE - 0x20 - 1, PACKAGE_VERSION);
}

enum register_status register_get_mcqi(const struct register_query *query, uint8_t *data)
{
	unsigned int type = register_bits(query->asked, 0x08, 0, 5);
	unsigned int offset = register_bits(query->asked, 0x10, 0, 32);
	unsigned int size = register_bits(query->asked, 0x14, 0, 16);
	uint8_t info[INFO_SIZE] = { 0 };

	/* Nothing waits to be started. */
	if (!is_image(query) || register_bits(query->asked, 0x00, 31, 1) || offset > INFO_SIZE)
		return REGISTER_BAD_PARAMETER;
	if (type == INFO_VERSION)
		put_version(info);
	else if (type == INFO_CAPABILITIES)
		register_put(info, 0x00, 0, 32, 1U << INFO_CAPABILITIES | 1U << INFO_VERSION);
	else
		return REGISTER_BAD_PARAMETER;
	size = MIN(size, INFO_SIZE - offset);
	register_put(data, 0x08, 0, 5, type);
	register_put(data, 0x0c, 0, 32, INFO_SIZE);
	register_put(data, 0x10, 0, 32, offset);
	register_put(data, 0x14, 0, 16, size);
	memcpy(data + INFO_AT, info + offset, size);
	return REGISTER_OK;
}

/* Nobody updates anything: idle, and without a handle. */
enum register_status register_get_mcc(const struct register_query *query, uint8_t *data)
{
	(void)query;
	(void)data;
	return REGISTER_OK;
}

/* Nor is there a component that could be read, without a handle. */
enum register_status register_get_mcda(const struct register_query *query, uint8_t *data)
{
	(void)query;
	(void)data;
	return REGISTER_BAD_PARAMETER;
}

/* ---- MQIS ---- */

enum register_status register_get_mqis(const struct register_query *query, uint8_t *data)
{
	const struct device_chip *chip = device_chip_find(query->node);
	unsigned int type = register_bits(query->asked, 0x00, 0, 8);
	unsigned int size = register_bits(query->asked, 0x08, 0, 16);
	unsigned int offset = register_bits(query->asked, 0x08, 16, 16);
	char text[64] = "";
	size_t length;

	if (type == NAME_MODEL)
		snprintf(text, sizeof(text), "SIM-MT%u", query->node->device_id);
	else if (type == NAME_DESCRIPTION)
		snprintf(text, sizeof(text), "%s, simulated", chip ? chip->name : "Device");
	else
		return REGISTER_BAD_PARAMETER;
	length = strlen(text) + 1;
	if (offset > length)
		return REGISTER_BAD_PARAMETER;
	size = (unsigned int)MIN(size, MIN(length - offset, STRING_SIZE));
	register_put(data, 0x00, 0, 8, type);
	register_put(data, 0x04, 0, 16, (uint32_t)length);
	register_put(data, 0x08, 0, 16, size);
	register_put(data, 0x08, 16, 16, offset);
	memcpy(data + STRING_AT, text + offset, size);
	return REGISTER_OK;
}
