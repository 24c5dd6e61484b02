/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sensors: MTCAP, MTMP, MFCR, MFSM, FORE, MVCR, MSPS. See sim/agents/register-parts.h.
 *
 * What heats a simulated device is the console (sim/agents/device-health.h).
 */
#include <stdio.h>

#include "sim/agents/device-health.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	SENSOR_CHIP = 0,
	SENSOR_MODULES = 64,		/* and upwards: those of cables' modules */

	EIGHTHS = 8,			/* of a degree Celsius */

	FANS = 4,
	FAN_RPM = 6000,
	BOARD_VOLTAGE = 1200,		/* in hundredths of a volt */

	SUPPLIES = 2,
	SUPPLY_SIZE = 0x50,
	SUPPLY_WATTS = 300,
};

enum register_status register_get_mtcap(const struct register_query *query, uint8_t *data)
{
	(void)query;
	register_put(data, 0x00, 0, 7, 1);
	register_put(data, 0x04, 0, 8, 1);
	put_be64(data + 0x08, UINT64_C(1) << SENSOR_CHIP);
	return REGISTER_OK;
}

static enum register_status put_chip(const struct node *node, uint8_t *data)
{
	register_put(data, 0x04, 0, 16, device_degrees(node) * EIGHTHS);
	register_put(data, 0x08, 31, 1, 1);	/* the highest is measured, too */
	register_put(data, 0x08, 0, 16, device_degrees_highest(node) * EIGHTHS);
	register_put(data, 0x0c, 0, 16, HEALTH_DEGREES_HIGH * EIGHTHS);
	register_put(data, 0x10, 0, 16, HEALTH_DEGREES_LOW * EIGHTHS);
	register_put_text(data, 0x18, 8, "asic0");
	return REGISTER_OK;
}

/* Cables of copper have no sensor: their temperature is 0. */
static enum register_status put_module(const struct node *node, unsigned int module)
{
	if (module >= node->port_count || !cable_is_plugged(&node->ports[module + 1]))
		return REGISTER_BAD_PARAMETER;
	return REGISTER_OK;
}

enum register_status register_get_mtmp(const struct register_query *query, uint8_t *data)
{
	unsigned int sensor = register_bits(query->asked, 0x00, 0, 12);

	register_put(data, 0x00, 0, 12, sensor);
	if (sensor == SENSOR_CHIP)
		return put_chip(query->node, data);
	return sensor >= SENSOR_MODULES ? put_module(query->node, sensor - SENSOR_MODULES) :
					  REGISTER_BAD_PARAMETER;
}

enum register_status register_get_mfcr(const struct register_query *query, uint8_t *data)
{
	(void)query;
	register_put(data, 0x04, 0, 5, 1);
	register_put(data, 0x04, 16, 10, (1U << FANS) - 1);
	return REGISTER_OK;
}

enum register_status register_get_mfsm(const struct register_query *query, uint8_t *data)
{
	unsigned int fan = register_bits(query->asked, 0x00, 24, 4);

	if (fan >= FANS)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 24, 4, fan);
	register_put(data, 0x04, 0, 16, FAN_RPM);
	return REGISTER_OK;
}

enum register_status register_get_mvcr(const struct register_query *query, uint8_t *data)
{
	if (register_bits(query->asked, 0x00, 0, 8) != 0)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x04, 0, 16, BOARD_VOLTAGE);
	register_put_text(data, 0x10, 8, "board");
	return REGISTER_OK;
}

/* No fan is too slow or too fast. */
enum register_status register_get_fore(const struct register_query *query, uint8_t *data)
{
	(void)query;
	(void)data;
	return REGISTER_OK;
}

/*
 * Power supplies: no public document says what is in their words. ibswinfo takes these for present,
 * with direct current and a good fan, a power, a serial number and a part number.
 */
enum register_status register_get_msps(const struct register_query *query, uint8_t *data)
{
	char serial[16];

	for (unsigned int i = 0; i < SUPPLIES; i++) {
		uint8_t *supply = data + i * SUPPLY_SIZE;

		snprintf(serial, sizeof(serial), "SIM%06X-%u", query->node->index, i);
		register_put(supply, 0x00, 0, 32, 0x50000010);
		register_put(supply, 0x04, 0, 32, 2);
		register_put(supply, 0x08, 0, 32, 1U << 31 | SUPPLY_WATTS);
		register_put_text(supply, 0x10, 12, serial);
		register_put_text(supply, 0x30, 16, "SIM-PSU");
	}
	return REGISTER_OK;
}
