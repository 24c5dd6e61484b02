/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PDDR, by which tools ask what is wrong with a link: its pages for operation, troubleshooting and
 * the cable's module. See sim/agents/register-parts.h.
 */
#include <glib.h>

#include "sim/agents/register-parts.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	PAGE_OPERATION = 0,
	PAGE_TROUBLESHOOTING = 1,
	PAGE_MODULE = 3,
	PAGE_AT = 8,			/* in the register */

	PROTOCOL_IB = 1,		/* a bit */
	STANDARD_IB = 4,		/* how it was negotiated */

	/* Of the manager of the physical layer, and of InfiniBand's negotiation. */
	MANAGER_DISABLED = 0, MANAGER_POLLING = 2, MANAGER_ACTIVE = 3, MANAGER_SLEEP = 6,
	NEGOTIATION_DISABLED = 0, NEGOTIATION_LINK_UP = 7, NEGOTIATION_POLLING = 8,

	MESSAGE_SIZE = 236,
};

/* ---- operation ---- */

static unsigned int manager_state(const struct port *port)
{
	if (port_is_linked(port))
		return MANAGER_ACTIVE;
	if (port->phys_state == PORT_PHYS_DISABLED)
		return MANAGER_DISABLED;
	return port->phys_state == PORT_PHYS_SLEEP ? MANAGER_SLEEP : MANAGER_POLLING;
}

static unsigned int negotiation_state(const struct port *port)
{
	if (port_is_linked(port))
		return NEGOTIATION_LINK_UP;
	return port->phys_state == PORT_PHYS_DISABLED ? NEGOTIATION_DISABLED : NEGOTIATION_POLLING;
}

/* A word of widths and speeds. */
static void put_rates(uint8_t *page, unsigned int at, uint16_t widths, uint16_t speeds)
{
	register_put(page, at, 0, 16, speeds);
	register_put(page, at, 16, 16, widths);
}

/* What the cable can do is what both ends can, less what has become bad of it. */
static void put_cable(const struct port *port, uint8_t *page)
{
	const struct port *peer = port->peer;
	uint8_t widths = port->width_supported & peer->width_supported;

	if (port->widths_left)
		widths &= port->widths_left;
	put_rates(page, 0x10, register_widths(widths),
		  register_speeds(port->speed_supported & peer->speed_supported,
				  port->speed_ext_supported & peer->speed_ext_supported,
				  port->fdr10 && peer->fdr10));
}

static void put_operation(const struct port *port, uint8_t *page)
{
	uint16_t enabled = register_speeds(port->speed_enabled, port->speed_ext_enabled,
					   port->fdr10_enabled);

	register_put(page, 0x04, 8, 8, negotiation_state(port));
	register_put(page, 0x04, 24, 8, manager_state(port));
	put_rates(page, 0x08, register_widths(port->width_enabled), enabled);
	put_rates(page, 0x0c, register_widths(port->width_enabled), enabled);
	if (cable_is_plugged(port))
		put_cable(port, page);
	put_rates(page, 0x14, register_active_width(port), register_active_speed(port));
	register_put(page, 0x00, 20, 4, PROTOCOL_IB);
	if (!port_is_linked(port))
		return;
	register_put(page, 0x00, 16, 4, STANDARD_IB);
	register_put(page, 0x1c, 16, 16, port->fec_active);
}

/* ---- troubleshooting ---- */

struct trouble {
	uint16_t opcode;
	const char *message;
};

static struct trouble find_trouble(const struct port *port)
{
	if (!cable_is_plugged(port))
		return (struct trouble){ 1024, "Cable is unplugged" };
	if (port->phys_state == PORT_PHYS_DISABLED)
		return (struct trouble){ 1, "The port is closed by command" };
	if (!port_is_linked(port))
		return (struct trouble){ 2, "Auto-negotiation failure: no partner detected" };
	if (port->widths_left || port->speed_left)
		return (struct trouble){ 34, "Speed degradation" };
	return (struct trouble){ 0, "No issue was observed" };
}

static void put_trouble(const struct port *port, uint8_t *page)
{
	struct trouble trouble = find_trouble(port);

	register_put(page, 0x04, 0, 16, trouble.opcode);
	register_put_text(page, 0x0c, MESSAGE_SIZE - 1, trouble.message);
}

enum register_status register_get_pddr(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);
	unsigned int page = register_bits(query->asked, 0x04, 0, 8);

	if (!port)
		return REGISTER_BAD_PARAMETER;
	register_put_port(query, data);
	register_put(data, 0x04, 0, 8, page);
	switch (page) {	/* numbers from the wire */
	case PAGE_OPERATION:
		put_operation(port, data + PAGE_AT);
		return REGISTER_OK;
	case PAGE_TROUBLESHOOTING:
		put_trouble(port, data + PAGE_AT);
		return REGISTER_OK;
	case PAGE_MODULE:
		register_put_module_page(port, data + PAGE_AT);
		return REGISTER_OK;
	default:
		return REGISTER_BAD_PARAMETER;
	}
}
