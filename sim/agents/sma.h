/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent's parts: sma.c decides which requests are answered,
 * sim/agents/sma-node.c has the attributes of a node, sim/agents/sma-port.c PortInfo,
 * sim/agents/sma-device.c the other attributes of a port, sim/agents/sma-table.c tables,
 * sim/agents/sma-virtual.c those of virtual functions, and sim/agents/sma-register.c the registers
 * of Mellanox devices.
 */
#ifndef UMADRIG_SIM_AGENTS_SMA_H
#define UMADRIG_SIM_AGENTS_SMA_H

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/end-port.h"

enum {
	ATTR_NOTICE = 0x0002,
	ATTR_NODE_DESCRIPTION = 0x0010,
	ATTR_NODE_INFO = 0x0011,
	ATTR_SWITCH_INFO = 0x0012,
	ATTR_GUID_INFO = 0x0014,
	ATTR_PORT_INFO = 0x0015,
	ATTR_P_KEY_TABLE = 0x0016,
	ATTR_SL_TO_VL = 0x0017,
	ATTR_VL_ARBITRATION = 0x0018,
	ATTR_LINEAR_TABLE = 0x0019,
	ATTR_MULTICAST_TABLE = 0x001b,
	ATTR_HIERARCHY_INFO = 0x001e,
	ATTR_SM_INFO = 0x0020,
	ATTR_VENDOR_DIAG = 0x0030,
	ATTR_LED_INFO = 0x0031,
	ATTR_PORT_INFO_EXTENDED = 0x0033,
	ATTR_MLNX_GENERAL_INFO = 0xff17,
	ATTR_MLNX_CONFIG_SPACE = 0xff50,
	ATTR_MLNX_ACCESS_REGISTER = 0xff52,
	ATTR_MLNX_EXT_PORT_INFO = 0xff90,
	ATTR_MLNX_EXTENDED_NODE_INFO = 0xff91,
	ATTR_VIRTUALIZATION_INFO = 0xffb0,
	ATTR_VPORT_INFO = 0xffb1,
	ATTR_VNODE_INFO = 0xffb2,
	ATTR_VPORT_STATE = 0xffb3,
	ATTR_VNODE_DESCRIPTION = 0xffb4,
	ATTR_VPORT_GUID_INFO = 0xffb5,
	ATTR_VPORT_P_KEY_TABLE = 0xffb6,
};

enum { VL_ARBITRATION_CAP = 8 };	/* VLArbHighCap, VLArbLowCap */

/* A Get or Set: where it arrived, and the relevant fields of its header. */
struct sma_request {
	struct port *port;
	struct end_port *end;	/* that speaks for it: port_speaker() */
	uint32_t modifier;
	uint64_t m_key;
	bool wants_all;		/* nobody asked: all fields that there are */
};

/*
 * Each fills in the attribute at 'data' (64 bytes, all zero). Returns a MAD status: an attribute
 * that only switches have is not supported on other nodes.
 */
typedef enum mad_status sma_get_fn(const struct sma_request *request, uint8_t *data);

/*
 * Each carries out what the attribute at 'data' (64 bytes) requests: all of it, or nothing, and
 * then the status says why. Read-only fields are ignored.
 */
typedef enum mad_status sma_set_fn(const struct sma_request *request, const uint8_t *data);

/*
 * Carries out the Set whose data are at 'data' (64 bytes), and puts the answer there. Nothing that
 * SMs and programs look at in a fabric changes by it.
 */
typedef enum mad_status sma_exchange_fn(const struct sma_request *request, uint8_t *data);

/* ---- sma.c ---- */

/*
 * The subnet management agent of a node: answers 'in' (256 bytes, of class 0x01 or 0x81, arrived
 * through 'port' from LID 'slid') in 'out', which may be 'in' itself: without an answer it is not
 * changed, and with one only method, status and attribute of the MAD are. Returns kmod_mad_result
 * bits. The direction bit, hop pointer and paths are left to the caller; SubnGetResp of a
 * directed-route SMP has D set in its status.
 */
unsigned int sma_answer(struct port *port, uint16_t slid, const uint8_t *in, uint8_t *out);

/* The same, as kmod_ops.process_mad. */
static inline unsigned int sma_process(struct port *port, const struct kmod_source *source,
				       const uint8_t *in, uint8_t *out)
{
	return sma_answer(port, source->slid, in, out);
}

/* A port without an M_Key accepts any. */
static inline bool sma_knows_m_key(const struct sma_request *request, const struct end_port *end)
{
	return end->m_key == 0 || end->m_key == request->m_key;
}

/*
 * Reads an attribute into 'data' (64 bytes) without a request, at a port that receives some: of
 * that port's node, or of its port 'num' if the attribute is a port's. -EOPNOTSUPP: the node does
 * not have it.
 */
int sma_read(struct port *port, unsigned int id, unsigned int num, uint8_t *data);

/* The same with the AttributeModifier of a request. -EOPNOTSUPP, too, if it is out of range. */
int sma_read_modified(struct port *port, unsigned int id, uint32_t modifier, uint8_t *data);

/*
 * SMInfo of the fabric's own SA at 'end' (sa=builtin): a master of the lowest priority, whose
 * activity count grows as if it swept the subnet. 'data' is all zero; the SM_Key stays so.
 */
void sma_fill_sm_info(const struct end_port *end, uint8_t *data);

/* ---- sim/agents/sma-node.c ---- */

sma_get_fn sma_get_node_description, sma_get_node_info, sma_get_switch_info, sma_get_guid_info;
sma_set_fn sma_set_node_description, sma_set_switch_info, sma_set_guid_info;

/* ---- sim/agents/sma-port.c ---- */

sma_get_fn sma_get_port_info;
sma_set_fn sma_set_port_info;

/* The port of the node that the modifier selects; NULL: none. */
struct port *sma_selected_port(const struct sma_request *request);

/* The same for PortInfo, whose modifier also says what the SM supports. */
struct port *sma_selected_port_info(const struct sma_request *request);

/*
 * Copies ClientReregister of the Set 'asked' into the answer to it (both: 64 bytes of PortInfo), if
 * that is about an end port.
 */
void sma_echo_reregister(const struct sma_request *request, const uint8_t *asked,
			 uint8_t *answer);

/* ---- sim/agents/sma-device.c ---- */

sma_get_fn sma_get_hierarchy_info, sma_get_port_info_extended, sma_get_vendor_diag,
	sma_get_led_info, sma_get_mlnx_ext_port_info, sma_get_mlnx_extended_node_info;
sma_set_fn sma_set_hierarchy_info, sma_set_port_info_extended, sma_set_led_info,
	sma_set_mlnx_ext_port_info;

/* ---- sim/agents/sma-table.c ---- */

sma_get_fn sma_get_p_key_table, sma_get_sl_to_vl, sma_get_vl_arbitration, sma_get_linear_table,
	sma_get_multicast_table;
sma_set_fn sma_set_p_key_table, sma_set_sl_to_vl, sma_set_vl_arbitration, sma_set_linear_table,
	sma_set_multicast_table;

/* ---- sim/agents/sma-virtual.c ---- */

sma_get_fn sma_get_virtualization_info, sma_get_vport_info, sma_get_vnode_info, sma_get_vport_state,
	sma_get_vnode_description, sma_get_vport_guid_info, sma_get_vport_p_key_table;
sma_set_fn sma_set_virtualization_info, sma_set_vport_info, sma_set_vport_guid_info,
	sma_set_vport_p_key_table;

/* ---- sim/agents/sma-register.c ---- */

sma_get_fn sma_get_general_info, sma_get_config_space, sma_get_register;
sma_exchange_fn sma_exchange_config_space, sma_exchange_register;

#endif
