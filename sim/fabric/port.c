/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making ports, and their state after power-up. See sim/fabric/port.h.
 */
#include "sim/fabric/port.h"

#include <glib.h>
#include <string.h>

#include "lib/base/invariant.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"

#include "sim/fabric/link.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/motion.h"
#include "sim/fabric/node.h"
#include "sim/fabric/trap.h"
#include "sim/topology/topology.h"

enum {
	MTU_4096 = 5,
	VL_0_7 = 4,
	VL_STALL_COUNT = 7,
	HOQ_LIFE = 18,
	ERROR_THRESHOLD = 8,
};

static uint8_t bits_up_to(uint8_t bit)
{
	return bit ? (uint8_t)(2 * bit - 1) : 0;
}

/* Bit 16 of LinkSpeedExt is not a speed. */
static uint8_t ext_speeds_up_to(uint8_t speed)
{
	return bits_up_to(speed) & (LINK_SPEEDS_EXT_1 | LINK_SPEED_XDR);
}

static void enable_fec(struct port *port)
{
	for (unsigned int i = 0; i < LINK_FEC_SPEEDS; i++)
		port->fec_enabled[i] = link_fec_supported(port, i);
}

/* The defaults of what a file does not give: 4x at 2.5 Gb/s per lane, as in ibsim. */
static void port_set_rate(struct port *port, const struct topology_port *said,
			  const struct topology_port *peer)
{
	uint8_t width = said->width_active, speed = said->speed_active;
	uint8_t ext = said->speed_ext_active;

	if (!width && said->width_enabled)
		width = link_best_width(said->width_enabled & (peer && peer->width_enabled ?
							  peer->width_enabled : 0xff));
	if (!speed && said->speed_enabled)
		speed = link_best_speed(said->speed_enabled & (peer && peer->speed_enabled ?
							peer->speed_enabled : 0xff));
	if (!ext && said->speed_ext_enabled && peer)
		ext = link_best_speed(said->speed_ext_enabled & peer->speed_ext_enabled);
	if (!width)
		width = 2;
	if (!speed)
		speed = ext || said->fdr10 ? 4 : 1;

	port->width_active = width;
	port->width_supported = link_widths_up_to(link_best_width(width | said->width_enabled));
	port->width_enabled = said->width_enabled ? said->width_enabled : port->width_supported;
	port->speed_active = speed;
	port->speed_supported = bits_up_to(link_best_speed(speed | said->speed_enabled));
	port->speed_enabled = said->speed_enabled ? said->speed_enabled : port->speed_supported;
	port->speed_ext_active = ext;
	port->speed_ext_supported = ext_speeds_up_to(link_best_speed(ext |
								     said->speed_ext_enabled));
	port->speed_ext_enabled = said->speed_ext_enabled ? said->speed_ext_enabled :
							    port->speed_ext_supported;
	port->fdr10 = port->fdr10_enabled = said->fdr10;
	enable_fec(port);
}

/* Resets what an SM may set to the state after power-up. */
static void port_reset(struct port *port)
{
	port->state = PORT_DOWN;
	port->phys_state = PORT_PHYS_POLLING;
	port->phys_wanted = 0;
	port->operational_vls = port->vl_cap;
	/*
	 * As devices come up. OpenSM takes down a link whose MTU it changes, which does not happen
	 * in a real cold fabric.
	 */
	port->neighbor_mtu = MTU_4096;
	port->link_down_default = PORT_PHYS_POLLING;
	port->vl_high_limit = 0;
	port->vl_stall_count = VL_STALL_COUNT;
	port->hoq_life = HOQ_LIFE;
	port->phys_error_threshold = port->overrun_threshold = ERROR_THRESHOLD;
	port->phys_errors = port->overruns = 0;
	port->enforce_inbound = port->enforce_outbound = false;
	port->p_key_violations = 0;
	g_clear_pointer(&port->pkeys, g_free);
	g_clear_pointer(&port->sl_to_vl, g_free);
	g_clear_pointer(&port->vl_arbitration, g_free);
	g_clear_pointer(&port->hierarchy, g_free);
}

void port_init(struct node *node, unsigned int num, const struct topology_port *said,
	       const struct topology_port *peer)
{
	struct port *port = &node->ports[num];

	port->node = node;
	port->num = (uint8_t)num;
	port->interface = -1;
	port->vl_cap = said->vl_cap ? said->vl_cap : VL_0_7;
	port->mtu_cap = MTU_4096;
	port_reset(port);
	port_set_rate(port, said, peer);
}

void port_clear(struct port *port)
{
	load_touch(port->node->fabric);
	port_reset(port);
	port->width_enabled = port->width_supported;
	port->speed_enabled = port->speed_supported;
	port->speed_ext_enabled = port->speed_ext_supported;
	port->fdr10_enabled = port->fdr10;
	enable_fec(port);
	port_counters_clear(&port->counters);
	if (port->end) {
		end_port_set_lid(port->end, 0, 0);
		end_port_reset(port->end);
	}
}

void port_free(struct port *port)
{
	struct end_port *end = port->end;

	if (end) {
		trap_free(end);
		g_free(end->cc);
		g_free(end->node_info);
	}
	port_counters_clear(&port->counters);
	motion_free(port->counters.motion);
	g_free(port->pkeys);
	g_free(port->sl_to_vl);
	g_free(port->vl_arbitration);
	g_free(port->hierarchy);
	g_free(port->chance);
}

const char *port_format(const struct port *port, char buf[PORT_NAME_SIZE])
{
	g_snprintf(buf, PORT_NAME_SIZE, "%s[%u]", port->node->id, port->num);
	return buf;
}

struct chance *port_chance(struct port *port)
{
	char name[PORT_NAME_SIZE];

	if (!port->chance) {
		port->chance = g_new(struct chance, 1);
		chance_init(port->chance, port->node->fabric->seed, port_format(port, name));
	}
	return port->chance;
}

/* ---- invariants ---- */

static const char *state_check(const struct port *port)
{
	MUST(port->state >= PORT_DOWN && port->state <= PORT_ACTIVE,
	     "port: its state is Down, Init, Armed or Active");
	MUST(port->phys_state == PORT_PHYS_LINK_UP ||
	     (port->phys_state >= PORT_PHYS_SLEEP && port->phys_state <= PORT_PHYS_DISABLED),
	     "port: its physical state is Sleep, Polling, Disabled or LinkUp");
	MUST(port->phys_wanted <= PORT_PHYS_DISABLED,
	     "port: what an SM wants is Sleep, Polling or Disabled");
	MUST(port->link_down_default == PORT_PHYS_SLEEP ||
	     port->link_down_default == PORT_PHYS_POLLING,
	     "port: after its link went down it sleeps or polls");
	NEVER(port->state != PORT_DOWN && port->phys_state != PORT_PHYS_LINK_UP,
	      "port: never Init, Armed or Active without LinkUp");
	NEVER(port->num > 0 && port->state == PORT_DOWN && port->phys_state == PORT_PHYS_LINK_UP,
	      "port: never Down with LinkUp, except port 0");
	return NULL;
}

static bool is_one_bit(unsigned int mask)
{
	return mask && !(mask & (mask - 1));
}

const char *port_check(const struct port *port)
{
	const struct node *node = port->node;

	MUST(port->num <= node->port_count && port == &node->ports[port->num],
	     "port: its node has it under its number");
	MUST(!port->end || port->end->port == port, "port: it is its end port's");
	MUST((port->end != NULL) == (node->sw ? port->num == 0 : port->num > 0),
	     "port: all ports of CAs and routers are end ports, of switches port 0");
	NEVER(port->end && port->pkeys, "port: never the P_Keys of a switch's port in an end port");
	if (port->num == 0 && !node->sw)
		return NULL;
	MUST_HOLD(state_check(port));
	MUST(is_one_bit(port->width_active), "port: it has one active width");
	MUST(port->speed_active == 0 || is_one_bit(port->speed_active),
	     "port: it has one active speed");
	MUST(port->speed_ext_active == 0 || is_one_bit(port->speed_ext_active),
	     "port: it has one active extended speed");
	MUST(port->speed_active | port->speed_ext_active, "port: it has a speed");
	NEVER(port->fdr10_active && (port->speed_ext_active || !port->fdr10),
	      "port: never FDR10 where it does not exist, or with an extended speed");
	MUST(port->neighbor_mtu >= 1 && port->neighbor_mtu <= port->mtu_cap,
	     "port: its neighbour's MTU is at most its own");
	MUST(port->operational_vls >= 1 && port->operational_vls <= port->vl_cap,
	     "port: it has VL 0, and no more VLs than it can have");
	NEVER(port->speed_ext_enabled & ~port->speed_ext_supported,
	      "port: never an extended speed enabled that it has not");
	NEVER(port->speed_enabled & ~port->speed_supported,
	      "port: never a speed enabled that it has not");
	NEVER(port->width_enabled & ~port->width_supported,
	      "port: never a width enabled that it has not");
	return NULL;
}
