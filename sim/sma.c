/*
 * The subnet management agent: what a node's firmware answers on QP0 (IBA vol 1, 14.2.5), from the
 * live state of the fabric.
 *
 * Who is answered at all, and with which status, follows the software SMAs of Linux's HCA drivers
 * rather than the book; where the two differ it is said below. Set is not supported yet: 0x000c.
 */
#include <string.h>

#include "fabric.h"
#include "mad-dictionary.h"
#include "wire.h"

enum {
	ATTR_NOTICE = 0x0002,
	ATTR_NODE_DESCRIPTION = 0x0010,
	ATTR_NODE_INFO = 0x0011,
	ATTR_SWITCH_INFO = 0x0012,
	ATTR_GUID_INFO = 0x0014,
	ATTR_PORT_INFO = 0x0015,
	ATTR_P_KEY_TABLE = 0x0016,
	ATTR_LINEAR_TABLE = 0x0019,
	ATTR_SM_INFO = 0x0020,
	ATTR_MLNX_EXT_PORT_INFO = 0xff90,
};

enum {
	GUIDS_PER_BLOCK = 8,
	P_KEYS_PER_BLOCK = 32,
	LIDS_PER_BLOCK = 64,
	NO_PORT = 255,
	VENDOR_MELLANOX = 0x0002c9,
	MLNX_SPEED_FDR10 = 1,
	/* PortInfo's attribute modifier: the SM knows the extended speeds (IBA vol 1, 14.2.5.6). */
	SM_SUPPORTS_EXTENDED_SPEEDS = INT32_MIN,
	CAP_SM_DISABLED = 1 << 10,
};

/* What PortInfo says of things that the fabric does not model: typical of today's devices. */
enum {
	LINK_DOWN_DEFAULT_POLLING = 2,
	VL_ARB_CAP = 8,
	VL_STALL_COUNT = 7,
	HOQ_LIFE = 18,
	SUBNET_TIMEOUT = 18,
	RESP_TIME_VALUE = 16,
	ERROR_THRESHOLD = 8,
};

/* ---- fields, looked up once ---- */

#define NODE_INFO(F)                                                                       \
	F(BaseVers) F(ClassVers) F(NodeType) F(NumPorts) F(SystemGuid) F(Guid) F(PortGuid) \
	F(PartCap) F(DevId) F(Revision) F(LocalPort) F(VendorId)

#define SWITCH_INFO(F)                                                                     \
	F(LinearFdbCap) F(McastFdbCap) F(LinearFdbTop) F(LifeTime) F(StateChange) F(EnhancedPort0)

#define PORT_INFO(F)                                                                       \
	F(Mkey) F(GidPrefix) F(Lid) F(SMLid) F(CapMask) F(MkeyLeasePeriod) F(LocalPort)    \
	F(LinkWidthEnabled) F(LinkWidthSupported) F(LinkWidthActive) F(LinkSpeedSupported) \
	F(LinkState) F(PhysLinkState) F(LinkDownDefState) F(ProtectBits) F(LMC)            \
	F(LinkSpeedActive) F(LinkSpeedEnabled) F(NeighborMTU) F(SMSL) F(VLCap)             \
	F(VLArbHighCap) F(VLArbLowCap) F(MtuCap) F(VLStallCount) F(HoqLife) F(OperVLs)     \
	F(GuidCap) F(SubnetTimeout) F(RespTimeVal) F(LocalPhysErr) F(OverrunErr)           \
	F(LinkSpeedExtActive) F(LinkSpeedExtSupported) F(LinkSpeedExtEnabled)

#define MLNX_EXT_PORT_INFO(F) F(LinkSpeedSupported) F(LinkSpeedEnabled) F(LinkSpeedActive)

#define MEMBER(name) const struct mad_field *name;
static struct { NODE_INFO(MEMBER) } node_info;
static struct { SWITCH_INFO(MEMBER) } switch_info;
static struct { PORT_INFO(MEMBER) } port_info;
static struct { MLNX_EXT_PORT_INFO(MEMBER) } mlnx_ext_port_info;

/* Before anything else runs, so that no fabric's lock is asked for and no request pays for it. */
__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_NODE_INFO(name) node_info.name = mad_field_must(0x01, ATTR_NODE_INFO, #name);
#define IN_SWITCH_INFO(name) switch_info.name = mad_field_must(0x01, ATTR_SWITCH_INFO, #name);
#define IN_PORT_INFO(name) port_info.name = mad_field_must(0x01, ATTR_PORT_INFO, #name);
#define IN_MLNX(name) \
	mlnx_ext_port_info.name = mad_field_must(0x01, ATTR_MLNX_EXT_PORT_INFO, #name);
	NODE_INFO(IN_NODE_INFO)
	SWITCH_INFO(IN_SWITCH_INFO)
	PORT_INFO(IN_PORT_INFO)
	MLNX_EXT_PORT_INFO(IN_MLNX)
}

/* ---- attributes ---- */

/* A Get on its way: where it arrived, and what of its header matters. */
struct request {
	struct port *port;
	uint32_t modifier;
	uint64_t m_key;
};

/*
 * Each fills in the attribute at 'data' (64 bytes, all zero). Returns a MAD status: what a switch
 * alone has is on other nodes an attribute that they do not support.
 */
typedef enum mad_status get_fn(const struct request *request, uint8_t *data);

/* The end port behind 'port': itself, or a switch's port 0. */
static struct end_port *port_end(const struct port *port)
{
	return port->end ? port->end : port->node->ports[0].end;
}

/* A port without an M_Key is everybody's. */
static bool knows_m_key(const struct request *request, const struct end_port *end)
{
	return end->m_key == 0 || end->m_key == request->m_key;
}

static enum mad_status get_node_description(const struct request *request, uint8_t *data)
{
	const char *description = request->port->node->description;

	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	memcpy(data, description, strnlen(description, SMP_DATA_SIZE));
	return MAD_STATUS_OK;
}

static unsigned int node_type(const struct node *node)
{
	switch (node->kind) {
	case TOPOLOGY_CA:
		return 1;
	case TOPOLOGY_SWITCH:
		return 2;
	case TOPOLOGY_ROUTER:
		return 3;
	}
	return 0;
}

static enum mad_status get_node_info(const struct request *request, uint8_t *data)
{
	const struct node *node = request->port->node;
	const struct end_port *end = port_end(request->port);

	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(node_info.BaseVers, data, 1);
	mad_field_set(node_info.ClassVers, data, 1);
	mad_field_set(node_info.NodeType, data, node_type(node));
	mad_field_set(node_info.NumPorts, data, node->port_count);
	mad_field_set(node_info.SystemGuid, data, node->sys_image_guid);
	mad_field_set(node_info.Guid, data, node->node_guid);
	mad_field_set(node_info.PortGuid, data, end->guid);
	mad_field_set(node_info.PartCap, data, end->attr.pkey_count);
	mad_field_set(node_info.DevId, data, node->device_id);
	mad_field_set(node_info.Revision, data, node->revision);
	mad_field_set(node_info.LocalPort, data, request->port->num);
	mad_field_set(node_info.VendorId, data, node->vendor_id);
	return MAD_STATUS_OK;
}

/* The highest LID with an entry. Tables that nobody has asked for yet need not be made for that. */
static uint16_t linear_top(const struct node *node)
{
	const struct umadrig_fabric *fabric = node->fabric;

	return fabric->lfts_ready && node->sw->lft_size == 0 ? fabric->lid_top : node->sw->lft_top;
}

static enum mad_status get_switch_info(const struct request *request, uint8_t *data)
{
	const struct node *node = request->port->node;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(switch_info.LinearFdbCap, data, node->sw->lft_cap);
	mad_field_set(switch_info.McastFdbCap, data, node->sw->mft_cap);
	mad_field_set(switch_info.LinearFdbTop, data, linear_top(node));
	mad_field_set(switch_info.LifeTime, data, node->sw->life_time);
	mad_field_set(switch_info.StateChange, data, node->sw->state_change);
	mad_field_set(switch_info.EnhancedPort0, data, node->enhanced_port0);
	return MAD_STATUS_OK;
}

static enum mad_status get_guid_info(const struct request *request, uint8_t *data)
{
	const struct kmod_port_attr *attr = &port_end(request->port)->attr;
	size_t first = (size_t)request->modifier * GUIDS_PER_BLOCK;

	if (first >= attr->gid_count)
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = first; i < attr->gid_count && i < first + GUIDS_PER_BLOCK; i++)
		memcpy(data + (i - first) * 8, attr->gids[i] + 8, 8);
	return MAD_STATUS_OK;
}

/* Which port the modifier means; NULL: none. On a CA 0 is the port that was asked, as on Linux. */
static struct port *selected_port(const struct request *request)
{
	struct node *node = request->port->node;
	uint32_t num = request->modifier & ~(uint32_t)SM_SUPPORTS_EXTENDED_SPEEDS;

	if (num == 0 && !node->sw)
		return request->port;
	return num <= node->port_count ? &node->ports[num] : NULL;
}

/* What an end port has and an external port of a switch has not (IBA vol 1, table 146). */
static void fill_end_port(const struct request *request, const struct end_port *end,
			  uint8_t *data)
{
	/* From level 1 on, who does not know the M_Key is not told it (IBA vol 1, 14.2.4.1). */
	if (end->m_key_protect == 0 || knows_m_key(request, end))
		mad_field_set(port_info.Mkey, data, end->m_key);
	mad_field_set(port_info.GidPrefix, data, end->gid_prefix);
	mad_field_set(port_info.Lid, data, end->attr.lid);
	mad_field_set(port_info.SMLid, data, end->sm_lid);
	mad_field_set(port_info.CapMask, data, end->cap_mask);
	mad_field_set(port_info.MkeyLeasePeriod, data, end->m_key_lease);
	mad_field_set(port_info.ProtectBits, data, end->m_key_protect);
	mad_field_set(port_info.LMC, data, end->attr.lmc);
	mad_field_set(port_info.SMSL, data, end->sm_sl);
	mad_field_set(port_info.GuidCap, data, end->attr.gid_count);
	mad_field_set(port_info.SubnetTimeout, data, SUBNET_TIMEOUT);
	mad_field_set(port_info.RespTimeVal, data, RESP_TIME_VALUE);
}

/* What every port has. */
static void fill_port(const struct port *port, uint8_t *data)
{
	mad_field_set(port_info.LinkWidthEnabled, data, port->width_enabled);
	mad_field_set(port_info.LinkWidthSupported, data, port->width_supported);
	mad_field_set(port_info.LinkWidthActive, data, port->width_active);
	mad_field_set(port_info.LinkSpeedSupported, data, port->speed_supported);
	mad_field_set(port_info.LinkState, data, port->state);
	mad_field_set(port_info.PhysLinkState, data, port->phys_state);
	mad_field_set(port_info.LinkDownDefState, data, LINK_DOWN_DEFAULT_POLLING);
	mad_field_set(port_info.LinkSpeedActive, data, port->speed_active);
	mad_field_set(port_info.LinkSpeedEnabled, data, port->speed_enabled);
	mad_field_set(port_info.NeighborMTU, data, port->neighbor_mtu);
	mad_field_set(port_info.VLCap, data, port->vl_cap);
	mad_field_set(port_info.VLArbHighCap, data, VL_ARB_CAP);
	mad_field_set(port_info.VLArbLowCap, data, VL_ARB_CAP);
	mad_field_set(port_info.MtuCap, data, port->mtu_cap);
	mad_field_set(port_info.VLStallCount, data, VL_STALL_COUNT);
	mad_field_set(port_info.HoqLife, data, HOQ_LIFE);
	mad_field_set(port_info.OperVLs, data, port->operational_vls);
	mad_field_set(port_info.LocalPhysErr, data, ERROR_THRESHOLD);
	mad_field_set(port_info.OverrunErr, data, ERROR_THRESHOLD);
	mad_field_set(port_info.LinkSpeedExtActive, data, port->speed_ext_active);
	mad_field_set(port_info.LinkSpeedExtSupported, data, port->speed_ext_supported);
	mad_field_set(port_info.LinkSpeedExtEnabled, data, port->speed_ext_enabled);
}

static enum mad_status get_port_info(const struct request *request, uint8_t *data)
{
	const struct port *port = selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	fill_port(port, data);
	if (port->end)
		fill_end_port(request, port->end, data);
	/* The port that was asked, not the one asked about. */
	mad_field_set(port_info.LocalPort, data, request->port->num);
	return MAD_STATUS_OK;
}

/*
 * IBA vol 1, 14.2.5.7: block in the low half; on a switch the high half is a port. Our switches
 * enforce no partitions (PartEnforceCap 0), so their external ports have no table.
 */
static enum mad_status get_p_key_table(const struct request *request, uint8_t *data)
{
	const struct kmod_port_attr *attr = &port_end(request->port)->attr;
	size_t first = (size_t)(request->modifier & 0xffff) * P_KEYS_PER_BLOCK;

	if (first >= attr->pkey_count || (request->port->node->sw && request->modifier >> 16))
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = first; i < attr->pkey_count && i < first + P_KEYS_PER_BLOCK; i++)
		put_be16(data + (i - first) * 2, attr->pkeys[i]);
	return MAD_STATUS_OK;
}

static enum mad_status get_linear_table(const struct request *request, uint8_t *data)
{
	struct node *node = request->port->node;
	uint64_t first = (uint64_t)request->modifier * LIDS_PER_BLOCK;
	const uint8_t *table;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (first >= node->sw->lft_cap)
		return MAD_STATUS_BAD_FIELD;
	/* To read is no reason to make the table longer: behind its end no LID has a port. */
	table = switch_lft(node, 0);
	if (first < node->sw->lft_size)
		memcpy(data, table + first, LIDS_PER_BLOCK);
	else
		memset(data, NO_PORT, LIDS_PER_BLOCK);
	return MAD_STATUS_OK;
}

/* Mellanox devices say here that a link runs at FDR10, which PortInfo can only call QDR. */
static enum mad_status get_mlnx_ext_port_info(const struct request *request, uint8_t *data)
{
	const struct port *port = selected_port(request);
	unsigned int speed;

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (!port->fdr10 && port->node->vendor_id != VENDOR_MELLANOX)
		return MAD_STATUS_BAD_METHOD_ATTR;
	speed = port->fdr10 ? MLNX_SPEED_FDR10 : 0;
	mad_field_set(mlnx_ext_port_info.LinkSpeedSupported, data, speed);
	mad_field_set(mlnx_ext_port_info.LinkSpeedEnabled, data, speed);
	mad_field_set(mlnx_ext_port_info.LinkSpeedActive, data, speed);
	return MAD_STATUS_OK;
}

static get_fn *get_function(uint16_t attr_id)
{
	switch (attr_id) {
	case ATTR_NODE_DESCRIPTION:
		return get_node_description;
	case ATTR_NODE_INFO:
		return get_node_info;
	case ATTR_SWITCH_INFO:
		return get_switch_info;
	case ATTR_GUID_INFO:
		return get_guid_info;
	case ATTR_PORT_INFO:
		return get_port_info;
	case ATTR_P_KEY_TABLE:
		return get_p_key_table;
	case ATTR_LINEAR_TABLE:
		return get_linear_table;
	case ATTR_MLNX_EXT_PORT_INFO:
		return get_mlnx_ext_port_info;
	default:	/* numbers of the wire, not an enum of ours */
		return NULL;
	}
}

/* ---- requests ---- */

/* 'out' is a copy of the request: makes it the response. Data are as the caller has left them. */
static unsigned int answer(uint8_t *out, enum mad_status status)
{
	out[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(out + MAD_STATUS, (uint16_t)(out[MAD_CLASS] == MAD_CLASS_SUBN_DR ?
					      SMP_DIRECTION | status : status));
	return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
}

static unsigned int answer_get(const struct request *request, uint8_t *out)
{
	get_fn *get = get_function(get_be16(out + MAD_ATTR_ID));
	uint8_t data[SMP_DATA_SIZE] = { 0 };
	enum mad_status status;

	if (!get)
		return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	status = get(request, data);
	/* An attribute that is not supported comes back as it was asked. */
	if (status != MAD_STATUS_BAD_METHOD_ATTR)
		memcpy(out + SMP_DATA, data, sizeof(data));
	return answer(out, status);
}

/*
 * SMInfo belongs to the subnet manager, if one runs on the port: the kernel then hands the request
 * to its agent.
 */
static unsigned int answer_sm_info(const struct end_port *end, uint8_t *out)
{
	if (end->cap_mask & CAP_SM_DISABLED)
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	if (end->cap_mask & CAP_IS_SM)
		return KMOD_MAD_SUCCESS;
	return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
}

/*
 * IBA vol 1, 14.2.4: who does not know the M_Key may read at protection levels 0 and 1, and is not
 * answered at all otherwise.
 */
static bool m_key_allows(const struct request *request, const struct end_port *end,
			 uint8_t method)
{
	return knows_m_key(request, end) || (method == MAD_METHOD_GET && end->m_key_protect < 2);
}

unsigned int sma_process(struct port *port, const struct kmod_source *source, const uint8_t *in,
			 uint8_t *out)
{
	const struct end_port *end = port_end(port);
	uint16_t attr_id = get_be16(in + MAD_ATTR_ID);
	struct request request = {
		.port = port,
		.modifier = get_be32(in + MAD_ATTR_MOD),
		.m_key = get_be64(in + SMP_MKEY),
	};

	(void)source;
	/* A response, whatever is wrong with it, is never answered. */
	if (in[MAD_METHOD] & MAD_METHOD_RESPONSE)
		return KMOD_MAD_SUCCESS;
	memcpy(out, in, MAD_SIZE);
	if (in[MAD_CLASS_VERSION] != 1)
		return answer(out, MAD_STATUS_BAD_VERSION);

	switch (in[MAD_METHOD]) {
	case MAD_METHOD_GET:
	case MAD_METHOD_SET:
		/* No M_Key is asked of SMs among themselves (IBA vol 1, 14.4.1): SMInfo has SM_Keys. */
		if (attr_id == ATTR_SM_INFO)
			return answer_sm_info(end, out);
		if (!m_key_allows(&request, end, in[MAD_METHOD]))
			return KMOD_MAD_FAILURE;
		if (in[MAD_METHOD] == MAD_METHOD_GET)
			return answer_get(&request, out);
		return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	case MAD_METHOD_TRAP_REPRESS:
		if (attr_id == ATTR_NOTICE)
			return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
		return answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	case MAD_METHOD_TRAP:
	case MAD_METHOD_REPORT:
		return KMOD_MAD_SUCCESS;
	default:	/* numbers of the wire, not an enum of ours */
		return answer(out, MAD_STATUS_BAD_METHOD);
	}
}
