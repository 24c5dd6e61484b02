/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cables' modules: MGPIR, how many there can be, PMAOS, whether one is plugged in, MCIA, which
 * reads their memory, and the module page of PDDR. See sim/agents/register-parts.h.
 *
 * All cables here are passive copper ones of unknown length, which measure nothing, without an
 * adapter: QSFP28 (SFF-8636) up to HDR, OSFP (CMIS 5.0) above. Both ends of one have the same
 * serial number. Their memory is flat: there is no page but page 0.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/agents/register-parts.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

#define VENDOR "umadrig"

enum {
	/* MCIA: what became of a read. */
	MODULE_OK = 0, MODULE_NOT_CONNECTED = 3, MODULE_I2C_ERROR = 9,
	I2C_ADDRESS = 0x50,
	READ_MAX = 128,
	READ_AT = 16,

	MEMORY_SIZE = 256,		/* the lower half, and page 0 */
	PAGE_AT = 128,

	/* SFF-8024. */
	IDENTIFIER_QSFP28 = 0x11, IDENTIFIER_OSFP = 0x19, CONNECTOR_NONE = 0x23,

	/* PDDR. */
	CABLE_PASSIVE_COPPER = 3, CABLE_UNPLUGGED = 4,
	PDDR_QSFP28 = 0, PDDR_OSFP = 8,
	PDDR_COPPER = 0x0a,		/* its technology: unequalized */
};

struct module {
	bool is_osfp;
	uint16_t speeds, widths;	/* as registers have them */
	char part[17], serial[17];
};

/* ---- what is plugged in ---- */

static const char *speed_name(uint16_t speeds)
{
	static const char *const names[] = {
		"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR",
	};
	unsigned int best = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++) {
		if (speeds & 1U << i)
			best = i;
	}
	return names[best];
}

/* The end by which the cable is named: the first of the two in the fabric. */
static const struct port *first_end(const struct port *port)
{
	const struct port *peer = port->peer;

	if (port->node->index != peer->node->index)
		return port->node->index < peer->node->index ? port : peer;
	return port->num < peer->num ? port : peer;
}

/* 'port' has a cable. Damage does not change what the module says of itself. */
static struct module module_of(const struct port *port)
{
	enum { NDR = 1 << 7 };
	const struct port *peer = port->peer, *first = first_end(port);
	struct module module = {
		.speeds = register_speeds(port->speed_supported & peer->speed_supported,
					  port->speed_ext_supported & peer->speed_ext_supported,
					  port->fdr10 && peer->fdr10),
		.widths = register_widths(port->width_supported & peer->width_supported),
	};

	module.is_osfp = module.speeds >= NDR;
	snprintf(module.part, sizeof(module.part), "SIM-%ux%s",
		 link_lanes(port->width_supported & peer->width_supported),
		 speed_name(module.speeds));
	snprintf(module.serial, sizeof(module.serial), "SIM%06X-%03u", first->node->index,
		 first->num);
	return module;
}

/* ---- its memory ---- */

/* Text in memory is padded with spaces. */
static void put_padded(uint8_t *memory, unsigned int at, size_t size, const char *text)
{
	memset(memory + at, ' ', size);
	register_put_text(memory, at, size, text);
}

static uint8_t sum_of(const uint8_t *memory, unsigned int from, unsigned int to)
{
	unsigned int sum = 0;

	for (unsigned int i = from; i <= to; i++)
		sum += memory[i];
	return (uint8_t)sum;
}

static void fill_sff8636(const struct module *module, uint8_t *memory)
{
	memory[0] = IDENTIFIER_QSFP28;
	memory[1] = 0x08;		/* revision 2.8 */
	memory[2] = 0x04;		/* flat */
	memory[128] = IDENTIFIER_QSFP28;
	memory[130] = CONNECTOR_NONE;
	memory[147] = 0xa0;		/* copper, unequalized */
	put_padded(memory, 148, 16, VENDOR);
	/* SDR to QDR, then FDR to HDR: there is no bit for FDR10. */
	memory[164] = (uint8_t)((module->speeds & 7) | (module->speeds >> 4 & 7) << 3);
	put_padded(memory, 168, 16, module->part);
	put_padded(memory, 184, 2, "A");
	memory[191] = sum_of(memory, 128, 190);
	put_padded(memory, 196, 16, module->serial);
	put_padded(memory, 212, 8, "");
	memory[223] = sum_of(memory, 192, 222);
}

static void fill_cmis(const struct module *module, uint8_t *memory)
{
	memory[0] = IDENTIFIER_OSFP;
	memory[1] = 0x50;		/* revision 5.0 */
	memory[2] = 0x80;		/* flat */
	memory[3] = 3 << 1;		/* ready */
	memory[85] = 3;			/* passive copper */
	memory[128] = IDENTIFIER_OSFP;
	put_padded(memory, 129, 16, VENDOR);
	put_padded(memory, 148, 16, module->part);
	put_padded(memory, 164, 2, "A");
	put_padded(memory, 166, 16, module->serial);
	put_padded(memory, 182, 8, "");
	memory[203] = CONNECTOR_NONE;
	memory[212] = PDDR_COPPER;
	memory[222] = sum_of(memory, 128, 221);
}

/* Which error a read has: MODULE_OK and on. */
static unsigned int read_module(const struct port *port, const struct register_query *query,
				uint8_t *to)
{
	unsigned int at = register_bits(query->asked, 0x04, 0, 16);
	unsigned int page = register_bits(query->asked, 0x04, 16, 8);
	unsigned int size = register_bits(query->asked, 0x08, 0, 16);
	uint8_t memory[MEMORY_SIZE] = { 0 };
	struct module module;

	if (!cable_is_plugged(port))
		return MODULE_NOT_CONNECTED;
	if (register_bits(query->asked, 0x04, 24, 8) != I2C_ADDRESS || at + size > MEMORY_SIZE ||
	    (page != 0 && at + size > PAGE_AT))
		return MODULE_I2C_ERROR;
	module = module_of(port);
	if (module.is_osfp)
		fill_cmis(&module, memory);
	else
		fill_sff8636(&module, memory);
	memcpy(to, memory + at, size);
	return MODULE_OK;
}

/* Module 0 is that of port 1, as PMLP says. */
enum register_status register_get_mcia(const struct register_query *query, uint8_t *data)
{
	unsigned int number = register_bits(query->asked, 0x00, 16, 8) + 1;

	if (number > query->node->port_count ||
	    register_bits(query->asked, 0x08, 0, 16) > READ_MAX)
		return REGISTER_BAD_PARAMETER;
	memcpy(data, query->asked, READ_AT);
	register_put(data, 0x00, 0, 8, read_module(&query->node->ports[number], query,
						   data + READ_AT));
	return REGISTER_OK;
}

enum register_status register_get_mgpir(const struct register_query *query, uint8_t *data)
{
	if (register_bits(query->asked, 0x00, 28, 4) != 0)	/* of line cards there are none */
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 8, 8, query->node->port_count);
	register_put(data, 0x04, 0, 8, query->node->port_count);
	return REGISTER_OK;
}

enum register_status register_get_pmaos(const struct register_query *query, uint8_t *data)
{
	enum { ENABLED = 1, PLUGGED = 1, UNPLUGGED = 2 };
	unsigned int module = register_bits(query->asked, 0x00, 16, 8);

	if (module >= query->node->port_count)
		return REGISTER_BAD_PARAMETER;
	register_put(data, 0x00, 16, 8, module);
	register_put(data, 0x00, 8, 4, ENABLED);
	register_put(data, 0x00, 0, 4, cable_is_plugged(&query->node->ports[module + 1]) ?
				       PLUGGED : UNPLUGGED);
	return REGISTER_OK;
}

/* ---- PDDR ---- */

void register_put_module_page(const struct port *port, uint8_t *page)
{
	struct module module;

	if (!cable_is_plugged(port)) {
		register_put(page, 0x04, 28, 4, CABLE_UNPLUGGED);
		return;
	}
	module = module_of(port);
	register_put(page, 0x00, 24, 8, PDDR_COPPER);
	register_put(page, 0x04, 8, 8, module.is_osfp ? PDDR_OSFP : PDDR_QSFP28);
	register_put(page, 0x04, 28, 4, CABLE_PASSIVE_COPPER);
	put_padded(page, 0x14, 16, VENDOR);
	put_padded(page, 0x24, 16, module.part);
	register_put_text(page, 0x34, 4, "A");
	put_padded(page, 0x3c, 16, module.serial);
	register_put(page, 0x98, 0, 10, module.speeds);
	register_put(page, 0x9c, 0, 6, module.widths);
	register_put(page, 0xb8, 24, 8, CONNECTOR_NONE);
}
