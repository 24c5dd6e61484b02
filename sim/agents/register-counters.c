/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PPCNT: counters of a port, in groups. See sim/agents/register-parts.h.
 *
 * Counters are those of performance management, with what Sets have done to them.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/pma.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/link.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	GROUP_PHYSICAL = 0x12,
	GROUP_PHYSICAL_STATISTICS = 0x16,
	GROUP_IB = 0x20,
	GROUP_IB_LONG = 0x21,
	GROUP_IB_PACKETS = 0x25,
	GROUP_AT = 8,			/* in the register */

	ATTR_PORT_COUNTERS = 0x0012,
	PORT_COUNTERS_AT = 4,		/* of its counters, which the group has */
	PORT_COUNTERS_SIZE = 40,

	BER_NONE = 255,			/* a magnitude: no error at all */
};

#define LONG "PortCountersExtended."

/* In the order of the group, 64 bits each. NULL: there is nothing that counts it. */
static const char *const long_counters[] = {
	LONG "SymbolErrorCounter", LONG "LinkErrorRecoveryCounter", LONG "LinkDownedCounter",
	LONG "PortRcvErrors", LONG "PortRcvRemotePhysicalErrors", LONG "PortRcvSwitchRelayErrors",
	LONG "PortXmitDiscards", LONG "PortXmitConstraintErrors", LONG "PortRcvConstraintErrors",
	LONG "LocalLinkIntegrityErrors", LONG "ExcessiveBufferOverrunErrors", LONG "VL15Dropped",
	LONG "PortXmitData", LONG "PortRcvData", LONG "PortXmitPkts", LONG "PortRcvPkts",
	LONG "PortXmitWait", LONG "QP1Dropped", LONG "PortUnicastXmitPkts",
	LONG "PortMulticastXmitPkts", LONG "PortUnicastRcvPkts", LONG "PortMulticastRcvPkts",
};

/* From the second on: the first is the time. */
static const char *const packet_counters[] = {
	LONG "PortUnicastXmitPkts", LONG "PortUnicastRcvPkts", NULL,
	"PortLocalPhysicalErrors", "PortMalformedPktErrors", "PortBufferOverrunErrors",
	"PortDLIDMappingErrors", "PortVLMappingErrors", "PortLoopingErrors",
	"PortInactiveDiscards", "PortNeighborMTUDiscards",
};

static uint64_t counter(const struct port *port, const char *name)
{
	uint64_t value = 0;
	int ret = pma_counter_get(port->node, port->num, name, &value);

	g_assert(ret == 0);
	return value;
}

static void put_counters(const struct port *port, uint8_t *group, const char *const *names,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_be64(group + 8 * i, names[i] ? counter(port, names[i]) : 0);
}

/* In milliseconds since they were all 0: a simulated device never clears them at once. */
static void put_time(const struct port *port, uint8_t *group)
{
	put_be64(group, (uint64_t)(port->node->fabric->queue.now_ns / NS_PER_MS));
}

static void put_physical(const struct port *port, uint8_t *group)
{
	put_time(port, group);
	put_be64(group + 0x08, counter(port, LONG "SymbolErrorCounter"));
	put_be32(group + 0xc0, (uint32_t)counter(port, LONG "LinkDownedCounter"));
	put_be32(group + 0xc4, (uint32_t)counter(port, LONG "LinkErrorRecoveryCounter"));
}

/* ---- rates of errors ---- */

/* Errors for each bit that the link carries now: what "ctl link degrade ber=" has ordered. */
static double error_rate(const struct port *port)
{
	const struct motion *motion = port->counters.motion;
	int64_t now_ns = port->node->fabric->queue.now_ns;
	double per_s = 0;

	if (!port_is_linked(port) || !motion)
		return 0;
	for (const struct drift *drift = motion->drifts; drift; drift = drift->next) {
		if (drift->what == COUNTER_SYMBOL_ERRORS && drift->until_ns > now_ns)
			per_s += (double)drift->numerator / (double)drift->per_ns * NS_PER_S;
	}
	return per_s / (double)link_bits_per_s(port);
}

/* As 3E-9: one digit, and the magnitude. None at all is 15E-255, as devices have it. */
static void put_rate(uint8_t *group, unsigned int at, double rate)
{
	unsigned int magnitude = 0, coefficient;

	if (rate <= 0) {
		register_put(group, at, 0, 4, 15);
		register_put(group, at, 8, 8, BER_NONE);
		return;
	}
	for (; rate < 1 && magnitude < BER_NONE; magnitude++)
		rate *= 10;
	coefficient = (unsigned int)(rate + 0.5);
	if (coefficient == 10) {
		coefficient = 1;
		magnitude--;
	}
	register_put(group, at, 0, 4, coefficient);
	register_put(group, at, 8, 8, magnitude);
}

/* Errors here are what error correction has left: all three rates are the same. */
static void put_statistics(const struct port *port, uint8_t *group)
{
	double rate = error_rate(port);

	put_time(port, group);
	put_be64(group + 0x10, counter(port, LONG "SymbolErrorCounter"));
	put_rate(group, 0x60, rate);
	put_rate(group, 0x64, rate);
	put_rate(group, 0x68, rate);
	put_be64(group + 0x7c, counter(port, LONG "SymbolErrorCounter"));
}

/* ---- groups ---- */

static void put_ib(const struct port *port, uint8_t *group)
{
	uint8_t data[PMA_DATA_SIZE] = { 0 };

	pma_counters_get(pma_counters_find(port->node, ATTR_PORT_COUNTERS), port->node, port->num,
			 data);
	memcpy(group, data + PORT_COUNTERS_AT, PORT_COUNTERS_SIZE);
}

enum register_status register_get_ppcnt(const struct register_query *query, uint8_t *data)
{
	const struct port *port = register_port(query);
	unsigned int group = register_bits(query->asked, 0x00, 0, 6);
	uint8_t *at = data + GROUP_AT;

	if (!port)
		return REGISTER_BAD_PARAMETER;
	load_refresh(port->node->fabric);
	register_put_port(query, data);
	register_put(data, 0x00, 0, 6, group);
	switch (group) {	/* numbers from the wire */
	case GROUP_PHYSICAL:
		put_physical(port, at);
		return REGISTER_OK;
	case GROUP_PHYSICAL_STATISTICS:
		put_statistics(port, at);
		return REGISTER_OK;
	case GROUP_IB:
		put_ib(port, at);
		return REGISTER_OK;
	case GROUP_IB_LONG:
		put_counters(port, at, long_counters, G_N_ELEMENTS(long_counters));
		return REGISTER_OK;
	case GROUP_IB_PACKETS:
		put_time(port, at);
		put_counters(port, at + 8, packet_counters, G_N_ELEMENTS(packet_counters));
		return REGISTER_OK;
	default:
		return REGISTER_BAD_PARAMETER;
	}
}
