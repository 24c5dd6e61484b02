/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registers of ports: PTYS, PAOS, PMLP, PLIB, PPLM, PMTU, SLTP. See sim/agents/register-parts.h.
 */
#include <glib.h>

#include "sim/agents/device-chip.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	PROTOCOL_IB = 1,		/* PTYS: of its mask */

	AN_COMPLETED = 1,		/* PTYS: of negotiation */
	AN_NOT_PERFORMED = 4,		/* and the link is down */

	STATUS_UP = 1,			/* PAOS: up, down; up, disabled by configuration */
	STATUS_DOWN = 2,

	LANES_MAX = 8,			/* of a module, in PMLP */
};

/* Speeds and widths: what the port can do, what it may do, and what its link runs at. */
static void put_rates(const struct port *port, uint8_t *data)
{
	uint64_t bits_per_s = port_is_linked(port) ? link_bits_per_s(port) : 0;

	register_put(data, 0x10, 0, 16, register_speeds(port->speed_supported,
							port->speed_ext_supported, port->fdr10));
	register_put(data, 0x10, 16, 16, register_widths(port->width_supported));
	register_put(data, 0x1c, 0, 16, register_speeds(port->speed_enabled,
							port->speed_ext_enabled,
							port->fdr10_enabled));
	register_put(data, 0x1c, 16, 16, register_widths(port->width_enabled));
	register_put(data, 0x28, 0, 16, register_active_speed(port));
	register_put(data, 0x28, 16, 16, register_active_width(port));
	/* Of the port in 100 Mb/s, and of a lane in 10 Mb/s. */
	register_put(data, 0x04, 0, 16, (uint32_t)(bits_per_s / 100000000));
	register_put(data, 0x2c, 4, 20,
		     (uint32_t)(bits_per_s / link_lanes(port->width_active) / 10000000));
}

/* Of protocols other than InfiniBand there is nothing to say. */
enum register_status register_get_ptys(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);

	if (!port)
		return REGISTER_BAD_PARAMETER;
	register_put_port(query, data);
	register_put(data, 0x00, 0, 3, register_bits(query->asked, 0x00, 0, 3));
	if (!(register_bits(query->asked, 0x00, 0, 3) & PROTOCOL_IB))
		return REGISTER_OK;
	put_rates(port, data);
	register_put(data, 0x04, 28, 4, port_is_linked(port) ? AN_COMPLETED : AN_NOT_PERFORMED);
	return REGISTER_OK;
}

enum register_status register_get_paos(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);
	bool disabled;

	if (!port)
		return REGISTER_BAD_PARAMETER;
	disabled = port->phys_state == PORT_PHYS_DISABLED;
	register_put_port(query, data);
	register_put(data, 0x00, 0, 4, port_is_linked(port) ? STATUS_UP : STATUS_DOWN);
	register_put(data, 0x00, 8, 4, disabled ? STATUS_DOWN : STATUS_UP);
	/* Both have the numbers of PortInfo. */
	register_put(data, 0x04, 4, 4, port->phys_state);
	register_put(data, 0x04, 16, 3, port->state);
	return REGISTER_OK;
}

/* Each port has a module of its own, all lanes of it: module 0 is that of port 1. */
enum register_status register_get_pmlp(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);
	unsigned int lanes;

	if (!port)
		return REGISTER_BAD_PARAMETER;
	lanes = MIN(link_lanes(port->width_supported), (unsigned int)LANES_MAX);
	register_put_port(query, data);
	register_put(data, 0x00, 0, 8, lanes);
	for (unsigned int i = 0; i < lanes; i++) {
		register_put(data, 0x04 + 4 * i, 0, 8, port->num - 1U);
		register_put(data, 0x04 + 4 * i, 16, 4, i);
		register_put(data, 0x04 + 4 * i, 24, 4, i);
	}
	return REGISTER_OK;
}

/* A switch's ports by their numbers in subnet management: the same. */
enum register_status register_get_plib(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);

	if (!port)
		return REGISTER_BAD_PARAMETER;
	register_put_port(query, data);
	register_put(data, 0x00, 0, 10, port->num);
	return REGISTER_OK;
}

/* Forward error correction: modes are bits 0 to 2 here, too. Those of Ethernet are 0. */
enum register_status register_get_pplm(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);

	if (!port)
		return REGISTER_BAD_PARAMETER;
	register_put_port(query, data);
	if (port_is_linked(port))
		register_put(data, 0x0c, 0, 24, 1U << port->fec_active);
	return REGISTER_OK;
}

/* In bytes; PortInfo has codes, 1 for 256. */
static uint32_t mtu_bytes(uint8_t code)
{
	return code ? 128U << code : 0;
}

enum register_status register_get_pmtu(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);

	if (!port)
		return REGISTER_BAD_PARAMETER;
	register_put_port(query, data);
	register_put(data, 0x04, 16, 16, mtu_bytes(port->mtu_cap));
	register_put(data, 0x08, 16, 16, mtu_bytes(port->neighbor_mtu));
	register_put(data, 0x0c, 16, 16, mtu_bytes(port->neighbor_mtu));
	return REGISTER_OK;
}

/*
 * How a lane transmits: of that nothing is simulated, and the status says so. Tools learn from it
 * which generation of the hardware this is. (The upper bits of the port are elsewhere here.)
 */
enum register_status register_get_sltp(const struct register_query *query, uint8_t *data)
{
	static const uint8_t nanometres[] = { 40, 28, 0, 16, 7, 5 };
	const struct device_chip *chip = device_chip_find(query->node);
	unsigned int num = register_bits(query->asked, 0x00, 16, 8);

	if (!chip || num == 0 || num > query->node->port_count)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 16, 8, num);
	register_put(data, 0x00, 8, 4, register_bits(query->asked, 0x00, 8, 4));
	for (unsigned int i = 0; i < G_N_ELEMENTS(nanometres); i++) {
		if (nanometres[i] == chip->nm)
			register_put(data, 0x00, 24, 4, i);
	}
	return REGISTER_OK;
}
