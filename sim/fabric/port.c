/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ports as they are made, and as they are after power-up. See sim/fabric/fabric.h.
 */
#include "sim/fabric/fabric.h"

#include <string.h>

#include "sim/agents/cc.h"
#include "sim/api/issm-path.h"
#include "sim/fabric/link.h"
#include "sim/agents/trap.h"

enum {
	MTU_4096 = 5,
	VL_0_7 = 4,
	VL_STALL_COUNT = 7,
	HOQ_LIFE = 18,
	SUBNET_TIMEOUT = 18,
	ERROR_THRESHOLD = 8,
	GID_MULTICAST = 0xff,		/* how it begins */
};

static const uint64_t GID_PREFIX_DEFAULT = UINT64_C(0xfe80000000000000);
static const uint64_t SA_WELL_KNOWN_GUID = UINT64_C(0x0200000000000002);

/* PortInfo.CapabilityMask bits of what the fabric's end ports can do. */
enum {
	CAP_TRAP = 1 << 3,
	CAP_SL_MAPPING = 1 << 6,
	CAP_LED_INFO = 1 << 9,
	CAP_PKEY_SWITCH_EXTERNAL_PORT_TRAP = 1 << 12,
	CAP_EXTENDED_SPEEDS = 1 << 14,
	CAP_CAPABILITY_MASK_2 = 1 << 15,
	CAP_COMMUNICATION_MANAGEMENT = 1 << 16,
	CAP_DR_NOTICE = 1 << 21,
	CAP_CAPABILITY_MASK_NOTICE = 1 << 22,
	CAP_CLIENT_REREGISTRATION = 1 << 25,
	CAP_OTHER_LOCAL_CHANGES_NOTICE = 1 << 26,
	CAP_MULTICAST_PKEY_TRAP_SUPPRESSION = 1 << 29,
	CAP_MULTICAST_FDB_TOP = 1 << 30,
	CAP_HIERARCHY_INFO = INT32_MIN,		/* bit 31 */
	CAP_ALL_HAVE = CAP_TRAP | CAP_SL_MAPPING | CAP_LED_INFO | CAP_CAPABILITY_MASK_2 |
		       CAP_COMMUNICATION_MANAGEMENT | CAP_DR_NOTICE | CAP_CAPABILITY_MASK_NOTICE |
		       CAP_CLIENT_REREGISTRATION | CAP_OTHER_LOCAL_CHANGES_NOTICE |
		       CAP_MULTICAST_PKEY_TRAP_SUPPRESSION | CAP_HIERARCHY_INFO,
};

/* ---- physical ports ---- */

static uint8_t bits_up_to(uint8_t bit)
{
	return bit ? (uint8_t)(2 * bit - 1) : 0;
}

/* Bit 16 of LinkSpeedExt is nobody's. */
static uint8_t ext_speeds_up_to(uint8_t speed)
{
	return bits_up_to(speed) & (LINK_SPEEDS_EXT_1 | LINK_SPEED_XDR);
}

static void enable_fec(struct port *port)
{
	for (unsigned int i = 0; i < LINK_FEC_SPEEDS; i++)
		port->fec_enabled[i] = link_fec_supported(port, i);
}

/* What a file does not say: 4x at 2.5 Gb/s a lane, as ibsim takes it. */
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

/* What an SM may set, as it is after power-up. */
static void port_reset(struct port *port)
{
	port->state = PORT_DOWN;
	port->phys_state = PORT_PHYS_POLLING;
	port->phys_wanted = 0;
	port->operational_vls = port->vl_cap;
	/*
	 * As devices come up. OpenSM takes a link down whose MTU it changes, which no cold fabric
	 * sees it do.
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

/* ---- end ports ---- */

/* What an SM and software may set, as it is after power-up; its LID is its owner's affair. */
static void end_port_reset(struct end_port *end)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;

	if (event_is_armed(&end->m_key_lease_end))
		event_queue_disarm(&fabric->queue, &end->m_key_lease_end);
	if (event_is_armed(&end->trap_event))
		event_queue_disarm(&fabric->queue, &end->trap_event);
	trap_clear(end);
	cc_reset(end);
	end->multicast_trap_suppression = 0;
	end->cap_mask = (end->cap_mask & ~CAP_SERVED) | CAP_COMMUNICATION_MANAGEMENT;
	end->gid_prefix = GID_PREFIX_DEFAULT;
	memset(end->gids, 0, sizeof(end->gids));
	put_be64(end->gids[0], end->gid_prefix);
	put_be64(end->gids[0] + 8, end->guid);
	memset(end->pkeys, 0, sizeof(end->pkeys));
	end->pkeys[0] = PKEY_DEFAULT;
	end->m_key = 0;
	end->m_key_protect = 0;
	end->m_key_lease = 0;
	end->m_key_violations = end->p_key_violations = end->q_key_violations = 0;
	end->sm_lid = 0;
	end->sm_sl = 0;
	end->subnet_timeout = SUBNET_TIMEOUT;
}

void end_port_init(struct end_port *end, struct port *port, const struct topology_port *said)
{
	const struct node *node = port->node;

	port->end = end;
	port->pkey_count = PKEY_COUNT;
	end->port = port;
	end->issm_fd = -1;
	end->guid = said->guid ? said->guid : node->node_guid + port->num;
	end->cap_mask = CAP_ALL_HAVE;
	if (node->sw)
		end->cap_mask |= CAP_PKEY_SWITCH_EXTERNAL_PORT_TRAP | CAP_MULTICAST_FDB_TOP;
	end_port_reset(end);
	end->attr = (struct kmod_port_attr) {
		.has_smi = true,
		.is_switch = node->kind == TOPOLOGY_SWITCH,
		.port_num = port->num,
		.port_count = node->port_count,
		.pkeys = end->pkeys,
		.pkey_count = PKEY_COUNT,
		.gids = (const uint8_t (*)[16])end->gids,
		.gid_count = GID_COUNT,
	};
}

/*
 * IBA vol 1, 4.1.1: the GUID and each alias are reached with the subnet's prefix, and always with
 * the default one. Linux: by the SA's well-known GUID whoever is asked is meant.
 */
bool end_port_takes_gid(const struct end_port *end, const uint8_t *gid)
{
	uint64_t prefix = get_be64(gid), guid = get_be64(gid + 8);

	if (gid[0] == GID_MULTICAST || guid == SA_WELL_KNOWN_GUID)
		return true;
	for (size_t i = 0; i < GID_COUNT; i++) {
		if (get_be64(end->gids[i] + 8) == guid && guid != 0 &&
		    (get_be64(end->gids[i]) == prefix || prefix == GID_PREFIX_DEFAULT))
			return true;
	}
	return false;
}

void end_port_set_speeds(struct end_port *end, uint8_t widths, uint8_t ext_speeds)
{
	static const struct {
		uint8_t speeds;
		uint16_t cap;
	} caps[] = {
		{ LINK_SPEEDS_EXT_1 | LINK_SPEED_XDR, CAP2_PORT_INFO_EXTENDED },
		{ LINK_SPEED_HDR, CAP2_LINK_SPEED_HDR },
		{ LINK_SPEED_NDR, CAP2_LINK_SPEED_NDR },
		{ LINK_SPEED_XDR, CAP2_LINK_SPEED_XDR | CAP2_EXTENDED_SPEEDS_2 },
	};
	enum { WIDTH_2X = 16 };

	end->cap_mask2 = CAP2_SET_NODE_DESCRIPTION;
	if (widths & WIDTH_2X)
		end->cap_mask2 |= CAP2_LINK_WIDTH_2X;
	if (ext_speeds)
		end->cap_mask |= CAP_EXTENDED_SPEEDS;
	for (size_t i = 0; i < G_N_ELEMENTS(caps); i++) {
		if (ext_speeds & caps[i].speeds)
			end->cap_mask2 |= caps[i].cap;
	}
}

/* ---- both ---- */

void port_clear(struct port *port)
{
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
		issm_path_close(end);
		trap_clear(end);
		g_free(end->cc);
		g_free(end->node_info);
	}
	port_counters_clear(&port->counters);
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
