/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The dictionary's subnet administration attributes (IBA vol 1, 15.2.5): one record each.
 *
 * Names are the specification's (libibmad prepends the record's: PathRecDGid); look-ups ignore case
 * and underscores, so that saquery's dgid and pkey are found too.
 */
#include "sim/dictionary/tables.h"

static const struct mad_field node_record[] = {
	LID("Lid", 0), NODE_INFO_FIELDS(32), TEXT("NodeDesc", 352, 512), FIELDS_END,
};

static const struct mad_field port_info_record[] = {
	LID("EndportLID", 0), DEC("PortNum", 16, 8), HEX("Options", 24, 8),
	PORT_INFO_FIELDS(32), FIELDS_END,
};

static const struct mad_field sl_to_vl_record[] = {
	LID("LID", 0), DEC("InputPortNum", 16, 8), DEC("OutputPortNum", 24, 8),
	FIELDS_16(DEC, "VLforSL", 64, 4), FIELDS_END,
};

static const struct mad_field switch_info_record[] = {
	LID("LID", 0), SWITCH_INFO_FIELDS(32), FIELDS_END,
};

static const struct mad_field linear_record[] = {
	LID("LID", 0), IDENTITY("BlockNum", 16, 16, DEC, LID_BLOCK),
	BYTES("LinearForwTbl", 64, 512), FIELDS_END,
};

static const struct mad_field random_record[] = {
	LID("LID", 0), DEC("BlockNum", 16, 16),
	IDENTITY("RandomForwTbl", 64, 512, BYTES, LID_TABLE), FIELDS_END,
};

static const struct mad_field multicast_record[] = {
	LID("LID", 0), DEC("Position", 16, 4), DEC("BlockNum", 23, 9),
	BYTES("MulticastForwTbl", 64, 512), FIELDS_END,
};

static const struct mad_field sm_info_record[] = {
	LID("LID", 0), SM_INFO_FIELDS(32), FIELDS_END,
};

static const struct mad_field link_record[] = {
	LID("FromLID", 0), DEC("FromPort", 16, 8), DEC("ToPort", 24, 8), LID("ToLID", 32),
	FIELDS_END,
};

static const struct mad_field guid_info_record[] = {
	LID("Lid", 0), DEC("BlockNum", 16, 8),
	GUID("Guid0", 64), GUID("Guid1", 128), GUID("Guid2", 192), GUID("Guid3", 256),
	GUID("Guid4", 320), GUID("Guid5", 384), GUID("Guid6", 448), GUID("Guid7", 512),
	FIELDS_END,
};

static const struct mad_field service_record[] = {
	HEX("ServiceID", 0, 64), GID("ServiceGID", 64), P_KEY("ServiceP_Key", 192),
	DEC("ServiceLease", 224, 32), IDENTITY("ServiceKey", 256, 128, BYTES, KEY),
	TEXT("ServiceName", 384, 512), IDENTITY("ServiceData", 896, 512, BYTES, PRIVATE),
	FIELDS_END,
};

static const struct mad_field p_key_record[] = {
	LID("LID", 0), DEC("BlockNum", 16, 16), DEC("PortNum", 32, 8),
	IDENTITY("P_Keys", 64, 512, BYTES, P_KEY), FIELDS_END,
};

static const struct mad_field path_record[] = {
	HEX("ServiceID", 0, 64), GID("DGID", 64), GID("SGID", 192), LID("DLID", 320),
	LID("SLID", 336), FLAG("RawTraffic", 352), HEX("FlowLabel", 356, 20),
	DEC("HopLimit", 376, 8), HEX("TClass", 384, 8), FLAG("Reversible", 392),
	DEC("NumbPath", 393, 7), P_KEY("P_Key", 400), HEX("QosClass", 416, 12),
	DEC("SL", 428, 4), ENUM("MTUSelector", 432, 2, mad_names_selector),
	ENUM("MTU", 434, 6, mad_names_mtu),
	ENUM("RateSelector", 440, 2, mad_names_selector), ENUM("Rate", 442, 6, mad_names_rate),
	ENUM("PacketLifeTimeSelector", 448, 2, mad_names_selector),
	DEC("PacketLifeTime", 450, 6), DEC("Preference", 456, 8), FIELDS_END,
};

static const struct mad_field vl_arbitration_record[] = {
	LID("LID", 0), DEC("OutputPortNum", 16, 8), DEC("BlockNum", 24, 8),
	BYTES("VLArbTbl", 64, 512), FIELDS_END,
};

/* IBA vol 1, 15.2.5.17. libibmad's FlowLabel includes SL; here SL has its own 4 bits. */
static const struct mad_field mc_member_record[] = {
	GID("MGID", 0), GID("PortGID", 128), KEY("Q_Key", 256, 32), LID("MLID", 288),
	ENUM("MTUSelector", 304, 2, mad_names_selector), ENUM("MTU", 306, 6, mad_names_mtu),
	HEX("TClass", 312, 8),
	P_KEY("P_Key", 320), ENUM("RateSelector", 336, 2, mad_names_selector),
	ENUM("Rate", 338, 6, mad_names_rate),
	ENUM("PacketLifeTimeSelector", 344, 2, mad_names_selector), DEC("PacketLifeTime", 346, 6),
	DEC("SL", 352, 4),
	HEX("FlowLabel", 356, 20), DEC("HopLimit", 376, 8), HEX("Scope", 384, 4),
	HEX("JoinState", 388, 4), FLAG("ProxyJoin", 392), FIELDS_END,
};

static const struct mad_field trace_record[] = {
	PREFIX("GIDPrefix", 0), DEC("IDGeneration", 64, 16),
	ENUM("NodeType", 88, 8, mad_names_node_type), GUID("NodeID", 96), GUID("ChassisID", 160),
	GUID("EntryPortID", 224), GUID("ExitPortID", 288), DEC("EntryPort", 352, 8),
	DEC("ExitPort", 360, 8), FIELDS_END,
};

/* IBA vol 1, 15.2.5.20: the service ID is in two pieces, its top byte in a reserved place. */
static const struct mad_field multi_path_record[] = {
	FLAG("RawTraffic", 0), HEX("FlowLabel", 4, 20), DEC("HopLimit", 24, 8),
	HEX("TClass", 32, 8), FLAG("Reversible", 40), DEC("NumbPath", 41, 7),
	P_KEY("P_Key", 48), HEX("QosClass", 64, 12), DEC("SL", 76, 4),
	ENUM("MTUSelector", 80, 2, mad_names_selector), ENUM("MTU", 82, 6, mad_names_mtu),
	ENUM("RateSelector", 88, 2, mad_names_selector),
	ENUM("Rate", 90, 6, mad_names_rate),
	ENUM("PacketLifeTimeSelector", 96, 2, mad_names_selector), DEC("PacketLifeTime", 98, 6),
	HEX("ServiceIDHigh", 104, 8), DEC("IndependenceSelector", 112, 2),
	DEC("SGIDCount", 120, 8), DEC("DGIDCount", 128, 8), HEX("ServiceIDLow", 136, 56),
	GID("GID0", 192), GID("GID1", 320), GID("GID2", 448), GID("GID3", 576),
	GID("GID4", 704), GID("GID5", 832), GID("GID6", 960), GID("GID7", 1088),
	GID("GID8", 1216), GID("GID9", 1344), GID("GID10", 1472), FIELDS_END,
};

static const struct mad_field service_association_record[] = {
	IDENTITY("ServiceKey", 0, 128, BYTES, KEY), TEXT("ServiceName", 128, 512), FIELDS_END,
};

static const struct mad_field inform_info_record[] = {
	GID("SubscriberGID", 0), DEC("Enum", 128, 16), INFORM_INFO_FIELDS(192), FIELDS_END,
};

const struct mad_attribute mad_attributes_sa[] = {
	COMMON_ATTRIBUTES_WITH(mad_fields_sa_class_port_info),
	ATTRIBUTE(0x0011, "NodeRecord", node_record, 108),
	ATTRIBUTE(0x0012, "PortInfoRecord", port_info_record, 68),
	ATTRIBUTE(0x0013, "SLtoVLMappingTableRecord", sl_to_vl_record, 16),
	ATTRIBUTE(0x0014, "SwitchInfoRecord", switch_info_record, 24),
	ATTRIBUTE(0x0015, "LinearForwardingTableRecord", linear_record, 72),
	ATTRIBUTE(0x0016, "RandomForwardingTableRecord", random_record, 72),
	ATTRIBUTE(0x0017, "MulticastForwardingTableRecord", multicast_record, 72),
	ATTRIBUTE(0x0018, "SMInfoRecord", sm_info_record, 28),
	ATTRIBUTE(0x0020, "LinkRecord", link_record, 8),
	ATTRIBUTE(0x0030, "GuidInfoRecord", guid_info_record, 72),
	ATTRIBUTE(0x0031, "ServiceRecord", service_record, 176),
	ATTRIBUTE(0x0033, "P_KeyTableRecord", p_key_record, 72),
	ATTRIBUTE(0x0035, "PathRecord", path_record, 64),
	ATTRIBUTE(0x0036, "VLArbitrationTableRecord", vl_arbitration_record, 72),
	ATTRIBUTE(0x0038, "MCMemberRecord", mc_member_record, 52),
	ATTRIBUTE(0x0039, "TraceRecord", trace_record, 46),
	ATTRIBUTE(0x003a, "MultiPathRecord", multi_path_record, 200),
	ATTRIBUTE(0x003b, "ServiceAssociationRecord", service_association_record, 80),
	ATTRIBUTE(0x00f3, "InformInfoRecord", inform_info_record, 60),
	ATTRIBUTES_END,
};
