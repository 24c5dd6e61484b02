/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PortInfo (IBA vol 1, 14.2.5.6). See sim/agents/sma.h.
 *
 * A Set is checked as a whole first: if one field is wrong, none is applied, and the answer has the
 * port's present values.
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/link.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	/* PortInfo's attribute modifier: the SM knows the extended speeds (IBA vol 1, 14.2.5.6). */
	SM_SUPPORTS_EXTENDED_SPEEDS = INT32_MIN,
	RESP_TIME_VALUE = 16,

	/* Values of a Set that mean what is supported, or no change. */
	NO_CHANGE = 0,
	ALL_WIDTHS = 0xff,
	ALL_SPEEDS = 0xf,
	ALL_EXT_SPEEDS = 31,
	NO_EXT_SPEEDS = 30,
	ALL_EXT_SPEEDS_2 = 7,
	NO_EXT_SPEEDS_2 = 6,
};

/* ---- fields, looked up once ---- */

#define PORT_INFO(F)                                                                       \
	F(Mkey) F(GidPrefix) F(Lid) F(SMLid) F(CapMask) F(MkeyLeasePeriod) F(LocalPort)    \
	F(LinkWidthEnabled) F(LinkWidthSupported) F(LinkWidthActive) F(LinkSpeedSupported) \
	F(LinkState) F(PhysLinkState) F(LinkDownDefState) F(ProtectBits) F(LMC)            \
	F(LinkSpeedActive) F(LinkSpeedEnabled) F(NeighborMTU) F(SMSL) F(VLCap)             \
	F(VLHighLimit) F(VLArbHighCap) F(VLArbLowCap) F(MtuCap) F(VLStallCount) F(HoqLife) \
	F(OperVLs) F(PartEnforceInb) F(PartEnforceOutb)                                    \
	F(MkeyViolations) F(PkeyViolations) F(QkeyViolations) F(GuidCap)                   \
	F(ClientReregister) F(McastPkeyTrapSuppressionEnabled) F(SubnetTimeout)            \
	F(RespTimeVal) F(LocalPhysErr) F(OverrunErr)                                       \
	F(LinkSpeedExtActive) F(LinkSpeedExtSupported) F(LinkSpeedExtEnabled)              \
	F(CapabilityMask2) F(LinkSpeedExtActive2) F(LinkSpeedExtSupported2)                \
	F(LinkSpeedExtEnabled2)

#define MEMBER(name) const struct mad_field *name;
static struct { PORT_INFO(MEMBER) } port_info;

/* Runs before anything else, so that it takes no fabric's lock and costs no request anything. */
__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_PORT_INFO(name) port_info.name = mad_field_must(0x01, ATTR_PORT_INFO, #name);
	PORT_INFO(IN_PORT_INFO)
}

/* ---- Get ---- */

/* On a CA, 0 means the port that received the request, as on Linux. */
static struct port *find_port(const struct sma_request *request, uint32_t num)
{
	struct node *node = request->port->node;

	if (num == 0 && !node->sw)
		return request->port;
	return num <= node->port_count ? &node->ports[num] : NULL;
}

struct port *sma_selected_port(const struct sma_request *request)
{
	return find_port(request, request->modifier);
}

struct port *sma_selected_port_info(const struct sma_request *request)
{
	return find_port(request, request->modifier & ~(uint32_t)SM_SUPPORTS_EXTENDED_SPEEDS);
}

/*
 * Fills in the fields of end ports that external ports of a switch do not have (IBA vol 1, table
 * 146).
 */
static void fill_end_port(const struct sma_request *request, const struct end_port *end,
			  uint8_t *data)
{
	/*
	 * From level 1 on the M_Key is returned only to those that know it (IBA vol 1, 14.2.4.1).
	 */
	if (end->m_key_protect == 0 || sma_knows_m_key(request, end))
		mad_field_set(port_info.Mkey, data, end->m_key);
	mad_field_set(port_info.GidPrefix, data, end->gid_prefix);
	mad_field_set(port_info.Lid, data, end->attr.lid);
	mad_field_set(port_info.SMLid, data, end->sm_lid);
	mad_field_set(port_info.CapMask, data, end->cap_mask);
	mad_field_set(port_info.CapabilityMask2, data, end->cap_mask2);
	mad_field_set(port_info.MkeyLeasePeriod, data, end->m_key_lease);
	mad_field_set(port_info.ProtectBits, data, end->m_key_protect);
	mad_field_set(port_info.LMC, data, end->attr.lmc);
	mad_field_set(port_info.SMSL, data, end->sm_sl);
	mad_field_set(port_info.GuidCap, data, end->attr.gid_count);
	mad_field_set(port_info.SubnetTimeout, data, end->subnet_timeout);
	mad_field_set(port_info.McastPkeyTrapSuppressionEnabled, data,
		      end->multicast_trap_suppression);
	mad_field_set(port_info.MkeyViolations, data, end->m_key_violations);
	mad_field_set(port_info.PkeyViolations, data, end->p_key_violations);
	mad_field_set(port_info.QkeyViolations, data, end->q_key_violations);
	mad_field_set(port_info.RespTimeVal, data, RESP_TIME_VALUE);
}

/*
 * Some devices show their extended speeds, and take new ones, only if the SM says that it knows
 * them. The modifier does not matter to the others.
 */
static bool knows_ext_speeds(const struct sma_request *request)
{
	return request->wants_all || !request->port->node->ext_speeds_asked ||
	       request->modifier & (uint32_t)SM_SUPPORTS_EXTENDED_SPEEDS;
}

/*
 * XDR has fields of its own. Programs that ignore them read NDR, the fastest speed of the other
 * fields, as programs that ignore the extended fields read QDR.
 */
static void fill_ext_speeds(const struct port *port, uint8_t *data)
{
	bool is_xdr = port->speed_ext_active & LINK_SPEED_XDR;

	mad_field_set(port_info.LinkSpeedExtActive, data,
		      is_xdr ? LINK_SPEED_NDR : port->speed_ext_active);
	mad_field_set(port_info.LinkSpeedExtSupported, data, port->speed_ext_supported);
	mad_field_set(port_info.LinkSpeedExtEnabled, data,
		      port->speed_ext_enabled & LINK_SPEEDS_EXT_1);
	mad_field_set(port_info.LinkSpeedExtActive2, data, is_xdr);
	mad_field_set(port_info.LinkSpeedExtSupported2, data,
		      !!(port->speed_ext_supported & LINK_SPEED_XDR));
	mad_field_set(port_info.LinkSpeedExtEnabled2, data,
		      !!(port->speed_ext_enabled & LINK_SPEED_XDR));
}

/* Fills in the fields that every port has. */
static void fill_port(const struct port *port, uint8_t *data)
{
	mad_field_set(port_info.LinkWidthEnabled, data, port->width_enabled);
	mad_field_set(port_info.LinkWidthSupported, data, port->width_supported);
	mad_field_set(port_info.LinkWidthActive, data, port->width_active);
	mad_field_set(port_info.LinkSpeedSupported, data, port->speed_supported);
	mad_field_set(port_info.LinkState, data, port->phys_wanted ? PORT_DOWN : port->state);
	mad_field_set(port_info.PhysLinkState, data,
		      port->phys_wanted ? port->phys_wanted : port->phys_state);
	mad_field_set(port_info.LinkDownDefState, data, port->link_down_default);
	mad_field_set(port_info.LinkSpeedActive, data, port->speed_active);
	mad_field_set(port_info.LinkSpeedEnabled, data, port->speed_enabled);
	mad_field_set(port_info.NeighborMTU, data, port->neighbor_mtu);
	mad_field_set(port_info.VLCap, data, port->vl_cap);
	mad_field_set(port_info.VLHighLimit, data, port->vl_high_limit);
	mad_field_set(port_info.VLArbHighCap, data, VL_ARBITRATION_CAP);
	mad_field_set(port_info.VLArbLowCap, data, VL_ARBITRATION_CAP);
	mad_field_set(port_info.MtuCap, data, port->mtu_cap);
	mad_field_set(port_info.VLStallCount, data, port->vl_stall_count);
	mad_field_set(port_info.HoqLife, data, port->hoq_life);
	mad_field_set(port_info.OperVLs, data, port->operational_vls);
	mad_field_set(port_info.PartEnforceInb, data, port->enforce_inbound);
	mad_field_set(port_info.PartEnforceOutb, data, port->enforce_outbound);
	mad_field_set(port_info.PkeyViolations, data, port->p_key_violations);
	mad_field_set(port_info.LocalPhysErr, data, port->phys_error_threshold);
	mad_field_set(port_info.OverrunErr, data, port->overrun_threshold);
}

enum mad_status sma_get_port_info(const struct sma_request *request, uint8_t *data)
{
	const struct port *port = sma_selected_port_info(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	fill_port(port, data);
	if (knows_ext_speeds(request))
		fill_ext_speeds(port, data);
	if (port->end)
		fill_end_port(request, port_speaker(port), data);
	/* The port that received the request, not the one that it is about. */
	mad_field_set(port_info.LocalPort, data, request->port->num);
	return MAD_STATUS_OK;
}

/* ---- Set: is it valid? ---- */

static bool is_unicast(unsigned int lid)
{
	return lid > 0 && lid <= LID_UNICAST_MAX;
}

/* Is it a switch's base port 0, which has no link and one LID? */
static bool is_base_port0(const struct port *port)
{
	return port->num == 0 && port->node->sw && !port->node->enhanced_port0;
}

/* A port without a LID keeps none; otherwise LIDs are unicast and fit the LMC. */
static bool lid_is_valid(const struct end_port *end, unsigned int lid, unsigned int lmc)
{
	if (lmc && is_base_port0(end->port))
		return false;
	if (lid == 0)
		return end->attr.lid == 0 && lmc == end->attr.lmc;
	return is_unicast(lid) && is_unicast(lid + (1U << lmc) - 1) && !(lid & ((1U << lmc) - 1));
}

static bool end_port_is_valid(const struct end_port *end, const uint8_t *data)
{
	unsigned int sm_lid = (unsigned int)mad_field_get(port_info.SMLid, data);

	return lid_is_valid(end, (unsigned int)mad_field_get(port_info.Lid, data),
			    (unsigned int)mad_field_get(port_info.LMC, data)) &&
	       (sm_lid == end->sm_lid || is_unicast(sm_lid));
}

/* IBA vol 1, 7.2.7: an SM takes a port from Init to Armed to Active, or down. */
static bool state_is_valid(const struct port *port, uint64_t state, uint64_t phys_state)
{
	if (phys_state > PORT_PHYS_DISABLED)
		return false;
	switch (state) {
	case NO_CHANGE:
	case PORT_DOWN:
		return true;
	case PORT_ARMED:
		return phys_state == NO_CHANGE &&
		       (port->state == PORT_INIT || port->state == PORT_ARMED);
	case PORT_ACTIVE:
		return phys_state == NO_CHANGE &&
		       (port->state == PORT_ARMED || port->state == PORT_ACTIVE);
	default:	/* numbers from the wire, not an enum of ours */
		return false;
	}
}

static bool is_among(uint64_t wanted, uint64_t supported, uint64_t all)
{
	return wanted == all || !(wanted & ~supported);
}

static bool ext_speeds_are_valid(const struct port *port, const uint8_t *data)
{
	uint64_t ext = mad_field_get(port_info.LinkSpeedExtEnabled, data);
	uint64_t ext2 = mad_field_get(port_info.LinkSpeedExtEnabled2, data);

	return (ext == NO_EXT_SPEEDS ||
		is_among(ext, port->speed_ext_supported & LINK_SPEEDS_EXT_1, ALL_EXT_SPEEDS)) &&
	       (ext2 == NO_EXT_SPEEDS_2 ||
		is_among(ext2, !!(port->speed_ext_supported & LINK_SPEED_XDR), ALL_EXT_SPEEDS_2));
}

static bool rate_is_valid(const struct sma_request *request, const struct port *port,
			  const uint8_t *data)
{
	return is_among(mad_field_get(port_info.LinkWidthEnabled, data), port->width_supported,
			ALL_WIDTHS) &&
	       is_among(mad_field_get(port_info.LinkSpeedEnabled, data), port->speed_supported,
			ALL_SPEEDS) &&
	       (!knows_ext_speeds(request) || ext_speeds_are_valid(port, data));
}

/* Checks the fields of a port with a link. */
static bool link_is_valid(const struct sma_request *request, const struct port *port,
			  const uint8_t *data)
{
	uint64_t mtu = mad_field_get(port_info.NeighborMTU, data);

	return mtu > 0 && mtu <= port->mtu_cap &&
	       mad_field_get(port_info.OperVLs, data) <= port->vl_cap &&
	       mad_field_get(port_info.LinkDownDefState, data) <= PORT_PHYS_POLLING &&
	       rate_is_valid(request, port, data) &&
	       state_is_valid(port, mad_field_get(port_info.LinkState, data),
			      mad_field_get(port_info.PhysLinkState, data));
}

/* ---- Set: applied ---- */

/* Counters of violations are cleared by writing 0; other values do not change them. */
static void clear_counter(uint16_t *counter, const struct mad_field *field, const uint8_t *data)
{
	if (mad_field_get(field, data) == 0)
		*counter = 0;
}

/* An SM that makes itself known to a port ends the fabric's own SA, if that is at another LID. */
static void set_sm_lid(struct end_port *end, uint16_t sm_lid)
{
	const struct fabric_sa *sa = end->subnet->sa;

	end->sm_lid = sm_lid;
	if (sa && !end_port_has_lid(sa->end, sm_lid))
		fabric_sa_give_way(end->subnet);
}

static void apply_end_port(struct end_port *end, const uint8_t *data)
{
	uint16_t lid = (uint16_t)mad_field_get(port_info.Lid, data);
	uint8_t lmc = (uint8_t)mad_field_get(port_info.LMC, data);

	if (lid != end->attr.lid || lmc != end->attr.lmc)
		end_port_set_lid(end, lid, lmc);
	end_port_set_gid_prefix(end, mad_field_get(port_info.GidPrefix, data));
	if (mad_field_get(port_info.Mkey, data) != end->m_key)
		end->port->node->fabric->m_key_changes++;
	end->m_key = mad_field_get(port_info.Mkey, data);
	end->m_key_protect = (uint8_t)mad_field_get(port_info.ProtectBits, data);
	end->m_key_lease = (uint16_t)mad_field_get(port_info.MkeyLeasePeriod, data);
	end->reregistrations += mad_field_get(port_info.ClientReregister, data) != 0;
	set_sm_lid(end, (uint16_t)mad_field_get(port_info.SMLid, data));
	end->sm_sl = (uint8_t)mad_field_get(port_info.SMSL, data);
	end->subnet_timeout = (uint8_t)mad_field_get(port_info.SubnetTimeout, data);
	end->multicast_trap_suppression =
		(uint8_t)mad_field_get(port_info.McastPkeyTrapSuppressionEnabled, data);
	clear_counter(&end->m_key_violations, port_info.MkeyViolations, data);
	clear_counter(&end->p_key_violations, port_info.PkeyViolations, data);
	clear_counter(&end->q_key_violations, port_info.QkeyViolations, data);
}

static void apply_mask(uint8_t *mask, uint8_t supported, uint64_t wanted, uint64_t all)
{
	if (wanted != NO_CHANGE)
		*mask = wanted == all ? supported : (uint8_t)wanted;
}

static void apply_ext_speeds(struct port *port, const uint8_t *data)
{
	uint64_t ext = mad_field_get(port_info.LinkSpeedExtEnabled, data);
	uint64_t ext2 = mad_field_get(port_info.LinkSpeedExtEnabled2, data);
	uint8_t supported = port->speed_ext_supported;
	uint8_t enabled = port->speed_ext_enabled & LINK_SPEEDS_EXT_1;
	uint8_t enabled2 = port->speed_ext_enabled & LINK_SPEED_XDR;

	if (ext == NO_EXT_SPEEDS)
		enabled = 0;
	else
		apply_mask(&enabled, supported & LINK_SPEEDS_EXT_1, ext, ALL_EXT_SPEEDS);
	if (ext2 != NO_CHANGE)
		enabled2 = ext2 == NO_EXT_SPEEDS_2 ? 0 : supported & LINK_SPEED_XDR;
	port->speed_ext_enabled = enabled | enabled2;
}

/*
 * Widths and speeds take effect when the link trains next. That is now, if both ends poll and had
 * nothing in common before.
 */
static void apply_rate(const struct sma_request *request, struct port *port, const uint8_t *data)
{
	apply_mask(&port->width_enabled, port->width_supported,
		   mad_field_get(port_info.LinkWidthEnabled, data), ALL_WIDTHS);
	apply_mask(&port->speed_enabled, port->speed_supported,
		   mad_field_get(port_info.LinkSpeedEnabled, data), ALL_SPEEDS);
	if (knows_ext_speeds(request))
		apply_ext_speeds(port, data);
	link_train(port);
}

/* Subscribers of the fabric's own SA learn of an end port whose link, or first plane, is active. */
static void set_state(struct port *port, enum port_state state)
{
	const struct planes *planes = port->end ? port->node->planes : NULL;
	bool was_active = (planes ? planes_state(planes) : port->state) == PORT_ACTIVE;

	load_touch(port->node->fabric);
	port->state = (uint8_t)state;
	if (state == PORT_ACTIVE && port->end && !was_active)
		fabric_sa_gain(port_speaker(port));
}

static void apply_state(struct port *port, const uint8_t *data)
{
	uint64_t state = mad_field_get(port_info.LinkState, data);
	uint64_t phys_state = mad_field_get(port_info.PhysLinkState, data);

	/* Port 0 of a switch has no cable that could go down. */
	if (port->num == 0 && port->node->sw && (state == PORT_DOWN || phys_state))
		return;
	if (phys_state != NO_CHANGE)
		link_set_phys(port, (enum port_phys_state)phys_state);
	else if (state == PORT_DOWN)
		link_set_phys(port, (enum port_phys_state)port->link_down_default);
	else if (state != NO_CHANGE && state != port->state)
		set_state(port, (enum port_state)state);
}

static void apply_link(const struct sma_request *request, struct port *port, const uint8_t *data)
{
	uint64_t down_default = mad_field_get(port_info.LinkDownDefState, data);
	uint64_t vls = mad_field_get(port_info.OperVLs, data);

	port->neighbor_mtu = (uint8_t)mad_field_get(port_info.NeighborMTU, data);
	port->vl_high_limit = (uint8_t)mad_field_get(port_info.VLHighLimit, data);
	port->vl_stall_count = (uint8_t)mad_field_get(port_info.VLStallCount, data);
	port->hoq_life = (uint8_t)mad_field_get(port_info.HoqLife, data);
	port->phys_error_threshold = (uint8_t)mad_field_get(port_info.LocalPhysErr, data);
	port->overrun_threshold = (uint8_t)mad_field_get(port_info.OverrunErr, data);
	/* Only external ports of a switch can enforce partitions. */
	if (!port->end) {
		port->enforce_inbound = mad_field_get(port_info.PartEnforceInb, data);
		port->enforce_outbound = mad_field_get(port_info.PartEnforceOutb, data);
		clear_counter(&port->p_key_violations, port_info.PkeyViolations, data);
	}
	if (vls != NO_CHANGE)
		port->operational_vls = (uint8_t)vls;
	if (down_default != NO_CHANGE)
		port->link_down_default = (uint8_t)down_default;
	apply_rate(request, port, data);
	apply_state(port, data);
}

enum mad_status sma_set_port_info(const struct sma_request *request, const uint8_t *data)
{
	struct port *port = sma_selected_port_info(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	/*
	 * Linux: a CA's port can only be set through itself; through another port it is read-only.
	 */
	if (!port->node->sw && port != request->port)
		return MAD_STATUS_OK;
	if ((port->end && !end_port_is_valid(port_speaker(port), data)) ||
	    (!is_base_port0(port) && !link_is_valid(request, port, data)))
		return MAD_STATUS_BAD_FIELD;
	if (port->end)
		apply_end_port(port_speaker(port), data);
	if (!is_base_port0(port))
		apply_link(request, port, data);
	return MAD_STATUS_OK;
}

/*
 * IBA vol 1, 14.4.12.3: the answer repeats the request to register again; the answer to a Get never
 * has it.
 */
void sma_echo_reregister(const struct sma_request *request, const uint8_t *asked,
			 uint8_t *answer)
{
	if (!sma_selected_port_info(request)->end)
		return;
	mad_field_set(port_info.ClientReregister, answer,
		      mad_field_get(port_info.ClientReregister, asked));
}
