/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters as files: see sim/server/sysfs-counters.h.
 *
 * Linux asks the port's PMA when a file is read. The files for traffic show the extended counters,
 * if the PMA has them; those for errors show PortCounters, which are narrow and stop at their
 * highest value.
 */
#include "sim/server/sysfs-counters.h"

#include "sim/agents/pma.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

#define ERRORS "PortCounters."
#define TRAFFIC "PortCountersExtended."

static const struct {
	const char *file, *counter;
} counters[SYSFS_COUNTERS] = {
	{ "symbol_error", ERRORS "SymbolErrorCounter" },
	{ "link_error_recovery", ERRORS "LinkErrorRecoveryCounter" },
	{ "link_downed", ERRORS "LinkDownedCounter" },
	{ "port_rcv_errors", ERRORS "PortRcvErrors" },
	{ "port_rcv_remote_physical_errors", ERRORS "PortRcvRemotePhysicalErrors" },
	{ "port_rcv_switch_relay_errors", ERRORS "PortRcvSwitchRelayErrors" },
	{ "port_xmit_discards", ERRORS "PortXmitDiscards" },
	{ "port_xmit_constraint_errors", ERRORS "PortXmitConstraintErrors" },
	{ "port_rcv_constraint_errors", ERRORS "PortRcvConstraintErrors" },
	{ "local_link_integrity_errors", ERRORS "LocalLinkIntegrityErrors" },
	{ "excessive_buffer_overrun_errors", ERRORS "ExcessiveBufferOverrunErrors" },
	{ "VL15_dropped", ERRORS "VL15Dropped" },
	{ "port_xmit_wait", ERRORS "PortXmitWait" },
	{ "port_xmit_data", TRAFFIC "PortXmitData" },
	{ "port_rcv_data", TRAFFIC "PortRcvData" },
	{ "port_xmit_packets", TRAFFIC "PortXmitPkts" },
	{ "port_rcv_packets", TRAFFIC "PortRcvPkts" },
	{ "unicast_xmit_packets", TRAFFIC "PortUnicastXmitPkts" },
	{ "unicast_rcv_packets", TRAFFIC "PortUnicastRcvPkts" },
	{ "multicast_xmit_packets", TRAFFIC "PortMulticastXmitPkts" },
	{ "multicast_rcv_packets", TRAFFIC "PortMulticastRcvPkts" },
};

const char *sysfs_counter_file(unsigned int i)
{
	return counters[i].file;
}

void sysfs_counters_read(const struct port *port, uint64_t *ret_values)
{
	for (unsigned int i = 0; i < SYSFS_COUNTERS; i++) {
		int ret = pma_counter_get(port->node, port->num, counters[i].counter,
					  &ret_values[i]);

		g_assert(ret == 0);
	}
}

static bool is_moving(const struct port *port)
{
	return port->counters.motion && motion_is_moving(port->counters.motion);
}

bool sysfs_counters_move(const struct port *port)
{
	const struct node *hca = node_is_gsi(port->node) ? port->node->planes->hca : NULL;

	load_refresh(port->node->fabric);
	if (!hca)
		return is_moving(port);
	for (unsigned int num = 1; num <= hca->port_count; num++) {
		if (is_moving(&hca->ports[num]))
			return true;
	}
	return false;
}
