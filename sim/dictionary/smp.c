/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The dictionary's subnet management attributes (IBA vol 1, 14.2.5), and names of their values.
 */
#include "sim/dictionary/tables.h"

const struct mad_field_name mad_names_node_type[] = {
	{ 1, "CA" }, { 2, "Switch" }, { 3, "Router" }, { 0, NULL },
};

const struct mad_field_name mad_names_width[] = {
	{ 1, "1X" }, { 2, "4X" }, { 4, "8X" }, { 8, "12X" }, { 16, "2X" }, { 0, NULL },
};

const struct mad_field_name mad_names_speed[] = {
	{ 1, "SDR" }, { 2, "DDR" }, { 4, "QDR" }, { 0, NULL },
};

const struct mad_field_name mad_names_speed_ext[] = {
	{ 1, "FDR" }, { 2, "EDR" }, { 4, "HDR" }, { 8, "NDR" }, { 0, NULL },
};

const struct mad_field_name mad_names_speed_ext2[] = { { 1, "XDR" }, { 0, NULL } };

const struct mad_field_name mad_names_port_state[] = {
	{ 0, "NoChange" }, { 1, "Down" }, { 2, "Init" }, { 3, "Armed" }, { 4, "Active" },
	{ 5, "ActDefer" }, { 0, NULL },
};

const struct mad_field_name mad_names_phys_state[] = {
	{ 0, "NoChange" }, { 1, "Sleep" }, { 2, "Polling" }, { 3, "Disabled" }, { 4, "Training" },
	{ 5, "LinkUp" }, { 6, "Recovery" }, { 7, "PhyTest" }, { 0, NULL },
};

const struct mad_field_name mad_names_link_down_default[] = {
	{ 0, "NoChange" }, { 1, "Sleep" }, { 2, "Polling" }, { 0, NULL },
};

const struct mad_field_name mad_names_mtu[] = {
	{ 1, "256" }, { 2, "512" }, { 3, "1024" }, { 4, "2048" }, { 5, "4096" }, { 0, NULL },
};

const struct mad_field_name mad_names_vls[] = {
	{ 0, "NoChange" }, { 1, "VL0" }, { 2, "VL0-1" }, { 3, "VL0-3" }, { 4, "VL0-7" },
	{ 5, "VL0-14" }, { 0, NULL },
};

const struct mad_field_name mad_names_sm_state[] = {
	{ 0, "NotActive" }, { 1, "Discovering" }, { 2, "Standby" }, { 3, "Master" }, { 0, NULL },
};

const struct mad_field_name mad_names_notice_type[] = {
	{ 0, "Fatal" }, { 1, "Urgent" }, { 2, "Security" }, { 3, "SubnetManagement" },
	{ 4, "Informational" }, { 0x7f, "Empty" }, { 0, NULL },
};

/* IBA vol 1, 14.2.5.6. */
const struct mad_field_name mad_names_cap_mask[] = {
	{ 1u << 1, "IsSM" },
	{ 1u << 2, "IsNoticeSupported" },
	{ 1u << 3, "IsTrapSupported" },
	{ 1u << 4, "IsOptionalIPDSupported" },
	{ 1u << 5, "IsAutomaticMigrationSupported" },
	{ 1u << 6, "IsSLMappingSupported" },
	{ 1u << 7, "IsMKeyNVRAM" },
	{ 1u << 8, "IsPKeyNVRAM" },
	{ 1u << 9, "IsLedInfoSupported" },
	{ 1u << 10, "IsSMdisabled" },
	{ 1u << 11, "IsSystemImageGUIDSupported" },
	{ 1u << 12, "IsPKeySwitchExternalPortTrapSupported" },
	{ 1u << 14, "IsExtendedSpeedsSupported" },
	{ 1u << 15, "IsCapabilityMask2Supported" },
	{ 1u << 16, "IsCommunicationManagementSupported" },
	{ 1u << 17, "IsSNMPTunnelingSupported" },
	{ 1u << 18, "IsReinitSupported" },
	{ 1u << 19, "IsDeviceManagementSupported" },
	{ 1u << 20, "IsVendorClassSupported" },
	{ 1u << 21, "IsDRNoticeSupported" },
	{ 1u << 22, "IsCapabilityMaskNoticeSupported" },
	{ 1u << 23, "IsBootManagementSupported" },
	{ 1u << 24, "IsLinkRoundTripLatencySupported" },
	{ 1u << 25, "IsClientReregistrationSupported" },
	{ 1u << 26, "IsOtherLocalChangesNoticeSupported" },
	{ 1u << 27, "IsLinkSpeedWidthPairsTableSupported" },
	{ 1u << 28, "IsVendorSpecificMadsTableSupported" },
	{ 1u << 29, "IsMcastPkeyTrapSuppressionSupported" },
	{ 1u << 30, "IsMulticastFDBTopSupported" },
	{ 1u << 31, "IsHierarchyInfoSupported" },
	{ 0, NULL },
};

const struct mad_field_name mad_names_cap_mask2[] = {
	{ 1u << 0, "IsSetNodeDescriptionSupported" },
	{ 1u << 1, "IsPortInfoExtendedSupported" },
	{ 1u << 2, "IsVirtualizationSupported" },
	{ 1u << 3, "IsSwitchPortStateTableSupported" },
	{ 1u << 4, "IsLinkWidth2xSupported" },
	{ 1u << 5, "IsLinkSpeedHDRSupported" },
	{ 1u << 6, "IsMKeyProtectBitsExtSupported" },
	{ 1u << 7, "IsEnhancedTrap128Supported" },
	{ 1u << 8, "IsPartitionTopSupported" },
	{ 1u << 9, "IsEnhancedQoSArbiterSupported" },
	{ 1u << 10, "IsLinkSpeedNDRSupported" },
	{ 0, NULL },
};

/* IBA vol 1, 15.2.5.16. */
const struct mad_field_name mad_names_rate[] = {
	{ 2, "2.5 Gb/s" }, { 3, "10 Gb/s" }, { 4, "30 Gb/s" }, { 5, "5 Gb/s" }, { 6, "20 Gb/s" },
	{ 7, "40 Gb/s" }, { 8, "60 Gb/s" }, { 9, "80 Gb/s" }, { 10, "120 Gb/s" },
	{ 11, "14 Gb/s" }, { 12, "56 Gb/s" }, { 13, "112 Gb/s" }, { 14, "168 Gb/s" },
	{ 15, "25 Gb/s" }, { 16, "100 Gb/s" }, { 17, "200 Gb/s" }, { 18, "300 Gb/s" },
	{ 19, "28 Gb/s" }, { 20, "50 Gb/s" }, { 21, "400 Gb/s" }, { 22, "600 Gb/s" },
	{ 23, "800 Gb/s" }, { 24, "1200 Gb/s" },
	{ 0, NULL },
};

const struct mad_field_name mad_names_selector[] = {
	{ 0, "GreaterThan" }, { 1, "LessThan" }, { 2, "Exactly" }, { 3, "Largest" }, { 0, NULL },
};

static const struct mad_field notice[] = { NOTICE_FIELDS, FIELDS_END };

static const struct mad_field node_description[] = { TEXT("NodeDesc", 0, 512), FIELDS_END };

static const struct mad_field node_info[] = { NODE_INFO_FIELDS(0), FIELDS_END };

static const struct mad_field switch_info[] = { SWITCH_INFO_FIELDS(0), FIELDS_END };

static const struct mad_field guid_info[] = {
	GUID("GUID0", 0), GUID("GUID1", 64), GUID("GUID2", 128), GUID("GUID3", 192),
	GUID("GUID4", 256), GUID("GUID5", 320), GUID("GUID6", 384), GUID("GUID7", 448),
	FIELDS_END,
};

static const struct mad_field port_info[] = { PORT_INFO_FIELDS(0), FIELDS_END };

static const struct mad_field p_key_table[] = {
	FIELDS_16(FOR_P_KEYS, "P_Key", 0, 16),
	P_KEY("P_Key16", 256), P_KEY("P_Key17", 272), P_KEY("P_Key18", 288),
	P_KEY("P_Key19", 304), P_KEY("P_Key20", 320), P_KEY("P_Key21", 336),
	P_KEY("P_Key22", 352), P_KEY("P_Key23", 368), P_KEY("P_Key24", 384),
	P_KEY("P_Key25", 400), P_KEY("P_Key26", 416), P_KEY("P_Key27", 432),
	P_KEY("P_Key28", 448), P_KEY("P_Key29", 464), P_KEY("P_Key30", 480),
	P_KEY("P_Key31", 496), FIELDS_END,
};

static const struct mad_field sl_to_vl[] = { FIELDS_16(DEC, "VLforSL", 0, 4), FIELDS_END };

/* Pairs of 4 reserved bits, VL, weight. */
#define VL_ARB_PAIR(n) DEC("VL" #n, (n) * 16 + 4, 4), DEC("Weight" #n, (n) * 16 + 8, 8)
static const struct mad_field vl_arbitration[] = {
	VL_ARB_PAIR(0), VL_ARB_PAIR(1), VL_ARB_PAIR(2), VL_ARB_PAIR(3), VL_ARB_PAIR(4),
	VL_ARB_PAIR(5), VL_ARB_PAIR(6), VL_ARB_PAIR(7), VL_ARB_PAIR(8), VL_ARB_PAIR(9),
	VL_ARB_PAIR(10), VL_ARB_PAIR(11), VL_ARB_PAIR(12), VL_ARB_PAIR(13), VL_ARB_PAIR(14),
	VL_ARB_PAIR(15), VL_ARB_PAIR(16), VL_ARB_PAIR(17), VL_ARB_PAIR(18), VL_ARB_PAIR(19),
	VL_ARB_PAIR(20), VL_ARB_PAIR(21), VL_ARB_PAIR(22), VL_ARB_PAIR(23), VL_ARB_PAIR(24),
	VL_ARB_PAIR(25), VL_ARB_PAIR(26), VL_ARB_PAIR(27), VL_ARB_PAIR(28), VL_ARB_PAIR(29),
	VL_ARB_PAIR(30), VL_ARB_PAIR(31), FIELDS_END,
};

static const struct mad_field linear_table[] = { BYTES("LinearForwTbl", 0, 512), FIELDS_END };
static const struct mad_field random_table[] = {
	IDENTITY("RandomForwTbl", 0, 512, BYTES, LID_TABLE), FIELDS_END,
};
static const struct mad_field multicast_table[] = { BYTES("MulticastForwTbl", 0, 512), FIELDS_END };

static const struct mad_field sm_info[] = { SM_INFO_FIELDS(0), FIELDS_END };

static const struct mad_field vendor_diag[] = {
	DEC("NextIndex", 0, 16), BYTES("DiagData", 16, 496), FIELDS_END,
};

static const struct mad_field led_info[] = { FLAG("LedMask", 0), FIELDS_END };

/*
 * IBA vol 1, 14.2.5.19. libibmad swaps the HDR and NDR modes in the halves of their words (so that
 * HDR supported overlaps EDR enabled): here they are as in the specification.
 */
static const struct mad_field port_info_extended[] = {
	HEX("CapMask", 0, 32), HEX("FECModeActive", 32, 16),
	HEX("FDRFECModeSupported", 48, 16), HEX("FDRFECModeEnabled", 64, 16),
	HEX("EDRFECModeSupported", 80, 16), HEX("EDRFECModeEnabled", 96, 16),
	HEX("HDRFECModeSupported", 112, 16), HEX("HDRFECModeEnabled", 128, 16),
	HEX("NDRFECModeSupported", 144, 16), HEX("NDRFECModeEnabled", 160, 16),
	FIELDS_END,
};

/*
 * IBA vol 1, release 1.4. The layout is that of the headers which NVIDIA publishes with its ibis
 * library; what the levels of a template mean is up to its vendor.
 */
static const struct mad_field hierarchy_info[] = {
	/* This names the vendor's format, not a node. */
	FIELD("TemplateGUID", 0, 64, MAD_FIELD_GUID, NULL),
	DEC("MaxSupportedIndex", 64, 8), DEC("MaxActiveIndex", 72, 8),
	DEC("ActiveLevels", 80, 4),
	HEX("Level0Data", 96, 32), HEX("Level1Data", 128, 32), HEX("Level2Data", 160, 32),
	HEX("Level3Data", 192, 32), HEX("Level4Data", 224, 32), HEX("Level5Data", 256, 32),
	HEX("Level6Data", 288, 32), HEX("Level7Data", 320, 32), HEX("Level8Data", 352, 32),
	HEX("Level9Data", 384, 32), HEX("Level10Data", 416, 32), HEX("Level11Data", 448, 32),
	HEX("Level12Data", 480, 32), FIELDS_END,
};

/* Mellanox: FDR10 is bit 0 of the three speeds. */
static const struct mad_field mlnx_ext_port_info[] = {
	HEX("StateChangeEnable", 24, 8), HEX("LinkSpeedSupported", 56, 8),
	HEX("LinkSpeedEnabled", 88, 8), HEX("LinkSpeedActive", 120, 8), FIELDS_END,
};

/* As NVIDIA's headers of opensm and ibis have it. */
static const struct mad_field_name extended_node_types[] = {
	{ 0, "None" }, { 1, "GPU" }, { 2, "MultiPlaneHCA" }, { 0, NULL },
};
static const struct mad_field mlnx_extended_node_info[] = {
	DEC("NumOOB", 0, 8), DEC("NumPCIe", 8, 8), HEX("SLVLAct", 16, 8), HEX("SLVLCap", 24, 8),
	DEC("AnycastLIDTop", 104, 8), DEC("AnycastLIDCap", 112, 8),
	ENUM("NodeTypeExtended", 120, 8, extended_node_types), HEX("NodeEnableBits", 128, 8),
	DEC("AsicMaxPlanes", 152, 8), FIELDS_END,
};

/* Of virtual functions, as NVIDIA's headers of opensm and ibis have it. */
static const struct mad_field virtualization_info[] = {
	DEC("VPortCap", 0, 16), DEC("VPortIndexTop", 16, 16), FLAG("VirtualizationEnable", 32),
	FLAG("VClientReregister", 33), FLAG("VPortStateChange", 34),
	DEC("VirtualizationRevision", 48, 8), HEX("CapMask", 56, 8), FIELDS_END,
};

static const struct mad_field vport_info[] = {
	ENUM("VPortState", 0, 4, mad_names_port_state), FLAG("VPortClientReregister", 4),
	FLAG("LidRequired", 5), DEC("GuidCap", 8, 8), HEX("CapMask", 16, 16),
	DEC("PkeyViolations", 32, 16), DEC("QkeyViolations", 48, 16), LID("VPortLid", 64),
	DEC("LidByVPortIndex", 80, 16), GUID("VPortGuid", 96), HEX("VPortProfile", 160, 64),
	FIELDS_END,
};

static const struct mad_field vnode_info[] = {
	DEC("VPartitionCap", 0, 16), DEC("VLocalPort", 16, 8), DEC("VNumPorts", 24, 8),
	GUID("VNodeGuid", 32), FIELDS_END,
};

static const struct mad_field vport_state[] = { BYTES("VPortStates", 0, 512), FIELDS_END };

const struct mad_attribute mad_attributes_smp[] = {
	ATTRIBUTE(0x0002, "Notice", notice, NOTICE_SIZE),
	ATTRIBUTE(0x0010, "NodeDescription", node_description, 64),
	ATTRIBUTE(0x0011, "NodeInfo", node_info, NODE_INFO_SIZE),
	ATTRIBUTE(0x0012, "SwitchInfo", switch_info, SWITCH_INFO_SIZE),
	ATTRIBUTE(0x0014, "GUIDInfo", guid_info, 64),
	ATTRIBUTE(0x0015, "PortInfo", port_info, PORT_INFO_SIZE),
	ATTRIBUTE(0x0016, "P_KeyTable", p_key_table, 64),
	ATTRIBUTE(0x0017, "SLtoVLMappingTable", sl_to_vl, 8),
	ATTRIBUTE(0x0018, "VLArbitrationTable", vl_arbitration, 64),
	ATTRIBUTE(0x0019, "LinearForwardingTable", linear_table, 64),
	ATTRIBUTE(0x001a, "RandomForwardingTable", random_table, 64),
	ATTRIBUTE(0x001b, "MulticastForwardingTable", multicast_table, 64),
	NAMED(0x001c, "LinkSpeedWidthPairsTable"),
	NAMED(0x001d, "VendorSpecificMadsTable"),
	ATTRIBUTE(0x001e, "HierarchyInfo", hierarchy_info, 64),
	ATTRIBUTE(0x0020, "SMInfo", sm_info, SM_INFO_SIZE),
	ATTRIBUTE(0x0030, "VendorDiag", vendor_diag, 64),
	ATTRIBUTE(0x0031, "LedInfo", led_info, 4),
	ATTRIBUTE(0x0033, "PortInfoExtended", port_info_extended, 64),
	NAMED(0xff17, "MlnxGeneralInfo"),
	NAMED(0xff50, "MlnxConfigSpaceAccess"),
	NAMED(0xff52, "MlnxAccessRegister"),
	ATTRIBUTE(0xff90, "MlnxExtPortInfo", mlnx_ext_port_info, 64),
	ATTRIBUTE(0xff91, "MlnxExtendedNodeInfo", mlnx_extended_node_info, 64),
	ATTRIBUTE(0xffb0, "VirtualizationInfo", virtualization_info, 64),
	ATTRIBUTE(0xffb1, "VPortInfo", vport_info, 64),
	ATTRIBUTE(0xffb2, "VNodeInfo", vnode_info, 64),
	ATTRIBUTE(0xffb3, "VPortState", vport_state, 64),
	ATTRIBUTE(0xffb4, "VNodeDescription", node_description, 64),
	ATTRIBUTE(0xffb5, "VPortGUIDInfo", guid_info, 64),
	ATTRIBUTE(0xffb6, "VPortP_KeyTable", p_key_table, 64),
	ATTRIBUTES_END,
};
