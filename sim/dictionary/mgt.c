/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The dictionary's smaller classes: what all have in common, baseboard management (IBA vol 1,
 * 16.2), device management (16.3), SNMP tunnelling (16.4), congestion control (annex A10).
 */
#include "sim/dictionary/tables.h"

/*
 * IBA vol 1, 13.4.8.1. libibmad's two flow labels include the SLs in front of them; here the SLs
 * have their own 4 bits.
 */
#define CLASS_PORT_INFO_FIELDS(names_)                                                     \
	DEC("BaseVersion", 0, 8), DEC("ClassVersion", 8, 8),                               \
	MASK("CapabilityMask", 16, 16, names_), HEX("CapabilityMask2", 32, 27),            \
	DEC("RespTimeVal", 59, 5), GID("RedirectGID", 64),                                 \
	HEX("RedirectTC", 192, 8), DEC("RedirectSL", 200, 4), HEX("RedirectFL", 204, 20),  \
	LID("RedirectLID", 224), P_KEY("RedirectPKey", 240), HEX("RedirectQP", 264, 24),   \
	KEY("RedirectQKey", 288, 32), GID("TrapGID", 320), HEX("TrapTC", 448, 8),          \
	DEC("TrapSL", 456, 4), HEX("TrapFL", 460, 20), LID("TrapLID", 480),                \
	P_KEY("TrapPKey", 496), DEC("TrapHL", 512, 8), HEX("TrapQP", 520, 24),             \
	KEY("TrapQKey", 544, 32)

#define COMMON_CAPABILITIES { 1 << 0, "IsTrapSupported" }, { 1 << 1, "IsNoticeSupported" }

static const struct mad_field_name capabilities[] = { COMMON_CAPABILITIES, { 0, NULL } };

/* IBA vol 1, 15.2.5.1. */
static const struct mad_field_name sa_capabilities[] = {
	COMMON_CAPABILITIES,
	{ 1 << 8, "IsSubnetOptionalRecordsSupported" },
	{ 1 << 9, "IsUDMulticastSupported" },
	{ 1 << 10, "IsMultiPathSupported" },
	{ 1 << 11, "IsReinitSupported" },
	{ 1 << 12, "IsGIDScopedMulticastPathRecordSupported" },
	{ 1 << 13, "IsPortInfoCapabilityMaskMatchingSupported" },
	{ 1 << 14, "IsLinkSpeedWidthPairsRecordsSupported" },
	{ 1 << 15, "IsPAServicesSupported" },
	{ 0, NULL },
};

/* IBA vol 1, 16.1.3.1. */
static const struct mad_field_name perf_capabilities[] = {
	COMMON_CAPABILITIES,
	{ 1 << 8, "AllPortSelect" },
	{ 1 << 9, "IsExtendedWidthSupported" },
	{ 1 << 10, "IsExtendedWidthNoIETFSupported" },
	{ 1 << 11, "SamplesOnlySupported" },
	{ 1 << 12, "PortCountersXmitWaitSupported" },
	{ 1 << 13, "IsInhibitLimitedPkeyMulticastConstraintErrorsSupported" },
	{ 1 << 14, "IsRSFECCountersSupported" },
	{ 1 << 15, "IsQP1DroppedSupported" },
	{ 0, NULL },
};

const struct mad_field mad_fields_class_port_info[] = {
	CLASS_PORT_INFO_FIELDS(capabilities), FIELDS_END,
};

const struct mad_field mad_fields_sa_class_port_info[] = {
	CLASS_PORT_INFO_FIELDS(sa_capabilities), FIELDS_END,
};

const struct mad_field mad_fields_perf_class_port_info[] = {
	CLASS_PORT_INFO_FIELDS(perf_capabilities), FIELDS_END,
};

const struct mad_field mad_fields_notice_gid[] = {
	NOTICE_FIELDS, GID("NoticeIssuerGID", 512), FIELDS_END,
};

const struct mad_field mad_fields_inform_info[] = { INFORM_INFO_FIELDS(0), FIELDS_END };

const struct mad_attribute mad_attributes_common[] = { COMMON_ATTRIBUTES, ATTRIBUTES_END };

const struct mad_attribute mad_attributes_bm[] = {
	COMMON_ATTRIBUTES,
	NAMED(0x0010, "BKeyInfo"),
	NAMED(0x0020, "WriteVPD"),
	NAMED(0x0021, "ReadVPD"),
	NAMED(0x0022, "ResetIBML"),
	NAMED(0x0023, "SetModulePMControl"),
	NAMED(0x0024, "GetModulePMControl"),
	NAMED(0x0025, "SetUnitPMControl"),
	NAMED(0x0026, "GetUnitPMControl"),
	NAMED(0x0027, "SetIOCPMControl"),
	NAMED(0x0028, "GetIOCPMControl"),
	NAMED(0x0029, "SetModuleState"),
	NAMED(0x002a, "SetModuleAttention"),
	NAMED(0x002b, "GetModuleStatus"),
	NAMED(0x002c, "IB2IBML"),
	NAMED(0x002d, "IB2CME"),
	NAMED(0x002e, "IB2MME"),
	NAMED(0x002f, "OEM"),
	ATTRIBUTES_END,
};

static const struct mad_field io_unit_info[] = {
	DEC("ChangeID", 0, 16), DEC("MaxControllers", 16, 8), FLAG("DiagDeviceID", 30),
	FLAG("OptionROM", 31), BYTES("ControllerList", 32, 1024), FIELDS_END,
};

static const struct mad_field io_controller_profile[] = {
	GUID("IOControllerGUID", 0), HEX("VendorID", 64, 24), HEX("DeviceID", 96, 32),
	HEX("DeviceVersion", 128, 16), HEX("SubsystemVendorID", 160, 24),
	HEX("SubsystemID", 192, 32), HEX("IOClass", 224, 16), HEX("IOSubclass", 240, 16),
	HEX("Protocol", 256, 16), HEX("ProtocolVersion", 272, 16),
	DEC("SendMessageQueueDepth", 320, 16), DEC("RDMAReadQueueDepth", 344, 8),
	DEC("SendMessageSize", 352, 32), DEC("RDMATransferSize", 384, 32),
	HEX("ControllerOperationsMask", 416, 8), DEC("ServiceEntries", 432, 8),
	TEXT("IDString", 512, 512), FIELDS_END,
};

/* A name of 40 bytes and a service ID, four times. */
static const struct mad_field service_entries[] = {
	TEXT("ServiceName0", 0, 320), HEX("ServiceID0", 320, 64),
	TEXT("ServiceName1", 384, 320), HEX("ServiceID1", 704, 64),
	TEXT("ServiceName2", 768, 320), HEX("ServiceID2", 1088, 64),
	TEXT("ServiceName3", 1152, 320), HEX("ServiceID3", 1472, 64), FIELDS_END,
};

const struct mad_attribute mad_attributes_dev_mgt[] = {
	COMMON_ATTRIBUTES,
	ATTRIBUTE(0x0010, "IOUnitInfo", io_unit_info, 132),
	ATTRIBUTE(0x0011, "IOControllerProfile", io_controller_profile, 128),
	ATTRIBUTE(0x0012, "ServiceEntries", service_entries, 192),
	NAMED(0x0020, "DiagnosticTimeout"),
	NAMED(0x0021, "PrepareToTest"),
	NAMED(0x0022, "TestDeviceOnce"),
	NAMED(0x0023, "TestDeviceLoop"),
	NAMED(0x0024, "DiagCode"),
	ATTRIBUTES_END,
};

const struct mad_attribute mad_attributes_snmp[] = {
	COMMON_ATTRIBUTES,
	NAMED(0x0010, "CommunityInfo"),
	NAMED(0x0011, "PDUInfo"),
	ATTRIBUTES_END,
};

static const struct mad_field congestion_info[] = {
	HEX("CongestionInfo", 0, 16), DEC("ControlTableCap", 16, 8), FIELDS_END,
};

static const struct mad_field congestion_key_info[] = {
	KEY("CC_Key", 0, 64), FLAG("CC_KeyProtectBit", 64), DEC("CC_KeyLeasePeriod", 80, 16),
	DEC("CC_KeyViolations", 96, 16), FIELDS_END,
};

static const struct mad_field switch_congestion_setting[] = {
	HEX("Control_Map", 0, 32), BYTES("Victim_Mask", 32, 256), BYTES("Credit_Mask", 288, 256),
	DEC("Threshold", 544, 4), DEC("Packet_Size", 552, 8), DEC("CS_Threshold", 560, 4),
	DEC("CS_ReturnDelay", 576, 16), DEC("Marking_Rate", 592, 16), FIELDS_END,
};

static const struct mad_field ca_congestion_setting[] = {
	HEX("Port_Control", 0, 16), HEX("Control_Map", 16, 16), FIELDS_END,
};

static const struct mad_field congestion_control_table[] = {
	DEC("CCTI_Limit", 0, 16), FIELDS_END,
};

static const struct mad_field timestamp[] = { DEC("Timestamp", 0, 32), FIELDS_END };

/* The log is at byte 32 of its MAD and differs between switches and CAs: it has no fields here. */
const struct mad_attribute mad_attributes_cc[] = {
	COMMON_ATTRIBUTES,
	ATTRIBUTE(0x0011, "CongestionInfo", congestion_info, 192),
	ATTRIBUTE(0x0012, "CongestionKeyInfo", congestion_key_info, 192),
	NAMED(0x0013, "CongestionLog"),
	ATTRIBUTE(0x0014, "SwitchCongestionSetting", switch_congestion_setting, 192),
	NAMED(0x0015, "SwitchPortCongestionSetting"),
	ATTRIBUTE(0x0016, "CACongestionSetting", ca_congestion_setting, 192),
	ATTRIBUTE(0x0017, "CongestionControlTable", congestion_control_table, 192),
	ATTRIBUTE(0x0018, "TimeStamp", timestamp, 192),
	ATTRIBUTES_END,
};
