/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Fields of registers: see sim/agents/register-field.h. */
#include "sim/agents/register-field.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

void register_put_text(uint8_t *data, unsigned int at, size_t size, const char *text)
{
	memcpy(data + at, text, MIN(strlen(text), size));
}

/* ---- ports ---- */

struct port *register_port(const struct register_query *query)
{
	unsigned int num = register_bits(query->asked, 0, 16, 8) |
			   register_bits(query->asked, 0, 12, 2) << 8;

	return num > 0 && num <= query->node->port_count ? &query->node->ports[num] : NULL;
}

void register_put_port(const struct register_query *query, uint8_t *data)
{
	register_put(data, 0, 16, 8, register_bits(query->asked, 0, 16, 8));
	register_put(data, 0, 12, 2, register_bits(query->asked, 0, 12, 2));
}

uint16_t register_speeds(uint8_t speeds, uint8_t ext_speeds, bool fdr10)
{
	enum { FDR10 = 1 << 3, FDR = 4 };
	uint16_t mask = (uint16_t)((speeds & 7) | (ext_speeds & LINK_SPEEDS_EXT_1) << FDR);

	if (ext_speeds & LINK_SPEED_XDR)
		mask |= 1 << 8;
	return fdr10 ? mask | FDR10 : mask;
}

uint16_t register_widths(uint8_t widths)
{
	/* Of 1x, 2x, 4x, 8x and 12x. */
	static const uint8_t link_widths[] = { 1, 16, 2, 4, 8 };
	uint16_t mask = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(link_widths); i++) {
		if (widths & link_widths[i])
			mask |= (uint16_t)(1U << i);
	}
	return mask;
}

/* FDR10 is QDR in PortInfo, and extended speeds are the base speed that comes with them. */
uint16_t register_active_speed(const struct port *port)
{
	if (!port_is_linked(port))
		return 0;
	if (port->speed_ext_active)
		return register_speeds(0, port->speed_ext_active, false);
	return register_speeds(port->fdr10_active ? 0 : port->speed_active, 0, port->fdr10_active);
}

uint16_t register_active_width(const struct port *port)
{
	return port_is_linked(port) ? register_widths(port->width_active) : 0;
}
