/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Inside the MAD dictionary: how its tables are written down.
 *
 * A line of a table is KIND(name, bit, width), where 'bit' counts from the attribute's first byte,
 * most significant bit first, as in the tables of the specification. Bits that no line covers are
 * reserved. SA records contain whole SMP attributes: those field lists are macros with the bit at
 * which they begin as argument.
 */
#ifndef UMADRIG_SIM_DICTIONARY_TABLES_H
#define UMADRIG_SIM_DICTIONARY_TABLES_H

#include "sim/dictionary/mad-dictionary.h"

#define FIELD(name_, bit_, width_, format_, names_)                                        \
	{ name_, bit_, width_, format_, names_, MAD_IDENTITY_NONE }
#define DEC(name_, bit_, width_) FIELD(name_, bit_, width_, MAD_FIELD_DEC, NULL)
#define HEX(name_, bit_, width_) FIELD(name_, bit_, width_, MAD_FIELD_HEX, NULL)
#define FLAG(name_, bit_) FIELD(name_, bit_, 1, MAD_FIELD_BOOL, NULL)
#define ENUM(name_, bit_, width_, names_) FIELD(name_, bit_, width_, MAD_FIELD_ENUM, names_)
#define FLAGS(name_, bit_, width_, names_) FIELD(name_, bit_, width_, MAD_FIELD_FLAGS, names_)
/* A number whose bits have names: one of them each. */
#define MASK(name_, bit_, width_, names_) FIELD(name_, bit_, width_, MAD_FIELD_HEX, names_)
#define BYTES(name_, bit_, width_) FIELD(name_, bit_, width_, MAD_FIELD_BYTES, NULL)
#define FIELDS_END FIELD(NULL, 0, 0, MAD_FIELD_DEC, NULL)

/* Fields that identify a fabric. */
#define IDENTITY(name_, bit_, width_, format_, identity_)                                  \
	{ name_, bit_, width_, MAD_FIELD_##format_, NULL, MAD_IDENTITY_##identity_ }
#define GUID(name_, bit_) IDENTITY(name_, bit_, 64, GUID, GUID)
#define GID(name_, bit_) IDENTITY(name_, bit_, 128, GID, GID)
#define PREFIX(name_, bit_) IDENTITY(name_, bit_, 64, HEX, PREFIX)
#define LID(name_, bit_) IDENTITY(name_, bit_, 16, LID, LID)
#define TEXT(name_, bit_, width_) IDENTITY(name_, bit_, width_, STRING, NAME)
#define KEY(name_, bit_, width_) IDENTITY(name_, bit_, width_, HEX, KEY)
#define P_KEY(name_, bit_) IDENTITY(name_, bit_, 16, HEX, P_KEY)
#define FOR_P_KEYS(name_, bit_, width_) P_KEY(name_, bit_)

/* 'count' fields of one kind and width side by side, numbered from 0. */
#define FIELDS_8(kind, name, bit, width)                                                   \
	kind(name "0", (bit), width), kind(name "1", (bit) + 1 * (width), width),          \
	kind(name "2", (bit) + 2 * (width), width), kind(name "3", (bit) + 3 * (width), width), \
	kind(name "4", (bit) + 4 * (width), width), kind(name "5", (bit) + 5 * (width), width), \
	kind(name "6", (bit) + 6 * (width), width), kind(name "7", (bit) + 7 * (width), width)
#define FIELDS_8_TO_11(kind, name, bit, width)                                             \
	kind(name "8", (bit) + 8 * (width), width), kind(name "9", (bit) + 9 * (width), width), \
	kind(name "10", (bit) + 10 * (width), width), kind(name "11", (bit) + 11 * (width), width)
#define FIELDS_12_TO_14(kind, name, bit, width)                                            \
	kind(name "12", (bit) + 12 * (width), width),                                      \
	kind(name "13", (bit) + 13 * (width), width), kind(name "14", (bit) + 14 * (width), width)
#define FIELDS_12(kind, name, bit, width)                                                  \
	FIELDS_8(kind, name, bit, width), FIELDS_8_TO_11(kind, name, bit, width)
#define FIELDS_15(kind, name, bit, width)                                                  \
	FIELDS_12(kind, name, bit, width), FIELDS_12_TO_14(kind, name, bit, width)
#define FIELDS_16(kind, name, bit, width)                                                  \
	FIELDS_15(kind, name, bit, width), kind(name "15", (bit) + 15 * (width), width)

/* An attribute with fields, and one that is known by name only. */
#define ATTRIBUTE(id_, name_, fields_, size_) { id_, name_, fields_, size_ }
#define NAMED(id_, name_) { id_, name_, NULL, 0 }
#define ATTRIBUTES_END { 0, NULL, NULL, 0 }

/* IBA vol 1, 14.2.5.3 NodeInfo: 40 bytes. */
#define NODE_INFO_FIELDS(at)                                                               \
	DEC("BaseVers", (at) + 0, 8), DEC("ClassVers", (at) + 8, 8),                       \
	ENUM("NodeType", (at) + 16, 8, mad_names_node_type), DEC("NumPorts", (at) + 24, 8), \
	GUID("SystemGuid", (at) + 32), GUID("Guid", (at) + 96), GUID("PortGuid", (at) + 160), \
	DEC("PartCap", (at) + 224, 16), HEX("DevId", (at) + 240, 16),                      \
	HEX("Revision", (at) + 256, 32), DEC("LocalPort", (at) + 288, 8),                  \
	HEX("VendorId", (at) + 296, 24)
#define NODE_INFO_SIZE 40

/* IBA vol 1, 14.2.5.4 SwitchInfo: 20 bytes. */
#define SWITCH_INFO_FIELDS(at)                                                             \
	DEC("LinearFdbCap", (at) + 0, 16), DEC("RandomFdbCap", (at) + 16, 16),             \
	DEC("McastFdbCap", (at) + 32, 16),                                                 \
	IDENTITY("LinearFdbTop", (at) + 48, 16, DEC, LID_TOP),                             \
	DEC("DefPort", (at) + 64, 8), DEC("DefMcastPrimPort", (at) + 72, 8),               \
	DEC("DefMcastNotPrimPort", (at) + 80, 8), DEC("LifeTime", (at) + 88, 5),           \
	FLAG("StateChange", (at) + 93), DEC("OptSLtoVLMapping", (at) + 94, 2),             \
	DEC("LidsPerPort", (at) + 96, 16), DEC("PartEnforceCap", (at) + 112, 16),          \
	FLAG("InboundPartEnf", (at) + 128), FLAG("OutboundPartEnf", (at) + 129),           \
	FLAG("FilterRawInbound", (at) + 130), FLAG("FilterRawOutbound", (at) + 131),       \
	FLAG("EnhancedPort0", (at) + 132), LID("MulticastFDBTop", (at) + 144)
#define SWITCH_INFO_SIZE 20

/* IBA vol 1, 14.2.5.6 PortInfo: 64 bytes. */
#define PORT_INFO_FIELDS(at)                                                               \
	KEY("Mkey", (at) + 0, 64), PREFIX("GidPrefix", (at) + 64),                          \
	LID("Lid", (at) + 128), LID("SMLid", (at) + 144),                                  \
	MASK("CapMask", (at) + 160, 32, mad_names_cap_mask), HEX("DiagCode", (at) + 192, 16), \
	DEC("MkeyLeasePeriod", (at) + 208, 16), DEC("LocalPort", (at) + 224, 8),           \
	FLAGS("LinkWidthEnabled", (at) + 232, 8, mad_names_width),                         \
	FLAGS("LinkWidthSupported", (at) + 240, 8, mad_names_width),                       \
	ENUM("LinkWidthActive", (at) + 248, 8, mad_names_width),                           \
	FLAGS("LinkSpeedSupported", (at) + 256, 4, mad_names_speed),                       \
	ENUM("LinkState", (at) + 260, 4, mad_names_port_state),                            \
	ENUM("PhysLinkState", (at) + 264, 4, mad_names_phys_state),                        \
	ENUM("LinkDownDefState", (at) + 268, 4, mad_names_link_down_default),              \
	DEC("ProtectBits", (at) + 272, 2), DEC("LMC", (at) + 277, 3),                      \
	ENUM("LinkSpeedActive", (at) + 280, 4, mad_names_speed),                           \
	FLAGS("LinkSpeedEnabled", (at) + 284, 4, mad_names_speed),                         \
	ENUM("NeighborMTU", (at) + 288, 4, mad_names_mtu), DEC("SMSL", (at) + 292, 4),     \
	ENUM("VLCap", (at) + 296, 4, mad_names_vls), HEX("InitType", (at) + 300, 4),       \
	DEC("VLHighLimit", (at) + 304, 8), DEC("VLArbHighCap", (at) + 312, 8),             \
	DEC("VLArbLowCap", (at) + 320, 8), HEX("InitReply", (at) + 328, 4),                \
	ENUM("MtuCap", (at) + 332, 4, mad_names_mtu), DEC("VLStallCount", (at) + 336, 3),  \
	DEC("HoqLife", (at) + 339, 5), ENUM("OperVLs", (at) + 344, 4, mad_names_vls),      \
	FLAG("PartEnforceInb", (at) + 348), FLAG("PartEnforceOutb", (at) + 349),           \
	FLAG("FilterRawInb", (at) + 350), FLAG("FilterRawOutb", (at) + 351),               \
	DEC("MkeyViolations", (at) + 352, 16), DEC("PkeyViolations", (at) + 368, 16),      \
	DEC("QkeyViolations", (at) + 384, 16), DEC("GuidCap", (at) + 400, 8),              \
	FLAG("ClientReregister", (at) + 408),                                              \
	DEC("McastPkeyTrapSuppressionEnabled", (at) + 409, 2),                             \
	DEC("SubnetTimeout", (at) + 411, 5), DEC("RespTimeVal", (at) + 419, 5),            \
	DEC("LocalPhysErr", (at) + 424, 4), DEC("OverrunErr", (at) + 428, 4),              \
	DEC("MaxCreditHint", (at) + 432, 16),                                              \
	ENUM("LinkSpeedExtActive2", (at) + 449, 2, mad_names_speed_ext2),                  \
	FLAGS("LinkSpeedExtSupported2", (at) + 451, 2, mad_names_speed_ext2),              \
	FLAGS("LinkSpeedExtEnabled2", (at) + 453, 3, mad_names_speed_ext2),                \
	DEC("RoundTrip", (at) + 456, 24),                                                  \
	MASK("CapabilityMask2", (at) + 480, 16, mad_names_cap_mask2),                      \
	ENUM("LinkSpeedExtActive", (at) + 496, 4, mad_names_speed_ext),                    \
	FLAGS("LinkSpeedExtSupported", (at) + 500, 4, mad_names_speed_ext),                \
	FLAGS("LinkSpeedExtEnabled", (at) + 507, 5, mad_names_speed_ext)
#define PORT_INFO_SIZE 64

/* IBA vol 1, 14.2.5.13 SMInfo: 20 bytes and a half; 24 with the reserved part at the end. */
#define SM_INFO_FIELDS(at)                                                                 \
	GUID("SmInfoGuid", (at) + 0), KEY("SmInfoKey", (at) + 64, 64),                     \
	DEC("SmActivity", (at) + 128, 32), DEC("SmPriority", (at) + 160, 4),               \
	ENUM("SmState", (at) + 164, 4, mad_names_sm_state)
#define SM_INFO_SIZE 24

/* IBA vol 1, 13.4.8.2 Notice: 64 bytes, followed by a GID in classes other than SMPs. */
#define NOTICE_FIELDS                                                                      \
	FLAG("NoticeIsGeneric", 0), ENUM("NoticeType", 1, 7, mad_names_notice_type),       \
	HEX("NoticeProducerType", 8, 24), DEC("NoticeTrapNumber", 32, 16),                 \
	LID("NoticeIssuerLID", 48), FLAG("NoticeToggle", 64), DEC("NoticeCount", 65, 15),  \
	BYTES("NoticeDataDetails", 80, 432)
#define NOTICE_SIZE 64
#define NOTICE_GID_SIZE 80

/* IBA vol 1, 13.4.8.3 InformInfo: 36 bytes. */
#define INFORM_INFO_FIELDS(at)                                                             \
	GID("GID", (at) + 0), LID("LIDRangeBegin", (at) + 128), LID("LIDRangeEnd", (at) + 144), \
	DEC("IsGeneric", (at) + 176, 8), DEC("Subscribe", (at) + 184, 8),                  \
	HEX("Type", (at) + 192, 16), DEC("TrapNumber", (at) + 208, 16),                    \
	HEX("QPN", (at) + 224, 24), DEC("RespTimeValue", (at) + 251, 5),                   \
	HEX("ProducerType", (at) + 264, 24)
#define INFORM_INFO_SIZE 36

extern const struct mad_field_name mad_names_node_type[];
extern const struct mad_field_name mad_names_width[];
extern const struct mad_field_name mad_names_speed[];
extern const struct mad_field_name mad_names_speed_ext[];
extern const struct mad_field_name mad_names_speed_ext2[];
extern const struct mad_field_name mad_names_port_state[];
extern const struct mad_field_name mad_names_phys_state[];
extern const struct mad_field_name mad_names_link_down_default[];
extern const struct mad_field_name mad_names_cap_mask[];
extern const struct mad_field_name mad_names_cap_mask2[];
extern const struct mad_field_name mad_names_mtu[];
extern const struct mad_field_name mad_names_rate[];
extern const struct mad_field_name mad_names_selector[];
extern const struct mad_field_name mad_names_vls[];
extern const struct mad_field_name mad_names_sm_state[];
extern const struct mad_field_name mad_names_notice_type[];

/* The attributes that every class has: ClassPortInfo, Notice, InformInfo (sim/dictionary/mgt.c). */
extern const struct mad_field mad_fields_class_port_info[];
extern const struct mad_field mad_fields_sa_class_port_info[];
extern const struct mad_field mad_fields_perf_class_port_info[];
extern const struct mad_field mad_fields_notice_gid[];
extern const struct mad_field mad_fields_inform_info[];
#define CLASS_PORT_INFO_SIZE 72
#define COMMON_ATTRIBUTES_WITH(class_port_info_)                                           \
	ATTRIBUTE(0x0001, "ClassPortInfo", class_port_info_, CLASS_PORT_INFO_SIZE),        \
	ATTRIBUTE(0x0002, "Notice", mad_fields_notice_gid, NOTICE_GID_SIZE),               \
	ATTRIBUTE(0x0003, "InformInfo", mad_fields_inform_info, INFORM_INFO_SIZE)
#define COMMON_ATTRIBUTES COMMON_ATTRIBUTES_WITH(mad_fields_class_port_info)

/* Each class's attributes, ended by one without a name. */
extern const struct mad_attribute mad_attributes_smp[];
extern const struct mad_attribute mad_attributes_sa[];
extern const struct mad_attribute mad_attributes_perf[];
extern const struct mad_attribute mad_attributes_bm[];
extern const struct mad_attribute mad_attributes_dev_mgt[];
extern const struct mad_attribute mad_attributes_cm[];
extern const struct mad_attribute mad_attributes_snmp[];
extern const struct mad_attribute mad_attributes_cc[];
extern const struct mad_attribute mad_attributes_common[];

#endif
