/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The dictionary's performance management attributes (IBA vol 1, 16.1).
 */
#include "sim/dictionary/tables.h"

/* The start of most attributes, and of those that count packets of one BTH opcode. */
#define PORT_AND_COUNTERS DEC("PortSelect", 8, 8), HEX("CounterSelect", 16, 16)
#define OPCODE_PORT_AND_COUNTERS HEX("OpCode", 0, 8), PORT_AND_COUNTERS

static const struct mad_field samples_control[] = {
	HEX("OpCode", 0, 8), DEC("PortSelect", 8, 8), DEC("Tick", 16, 8),
	DEC("CounterWidth", 29, 3), HEX("CounterMask0", 34, 3), HEX("CounterMasks1to9", 37, 27),
	HEX("CounterMasks10to14", 65, 15), HEX("SampleMechanisms", 80, 8),
	DEC("SampleStatus", 94, 2), HEX("OptionMask", 96, 64), HEX("VendorMask", 160, 64),
	DEC("SampleStart", 224, 32), DEC("SampleInterval", 256, 32), HEX("Tag", 288, 16),
	FIELDS_15(HEX, "CounterSelect", 304, 16), HEX("SamplesOnlyOptionMask", 576, 64),
	FIELDS_END,
};

static const struct mad_field samples_result[] = {
	HEX("Tag", 0, 16), DEC("SampleStatus", 30, 2), FIELDS_15(DEC, "Counter", 32, 32),
	FIELDS_END,
};

static const struct mad_field samples_result_extended[] = {
	HEX("Tag", 0, 16), DEC("SampleStatus", 30, 2), DEC("ExtendedWidth", 32, 2),
	FIELDS_15(DEC, "Counter", 64, 64), FIELDS_END,
};

/* CounterSelect2's bit 0 is PortXmitWait; QP1Dropped was reserved before vol 1, 1.4. */
static const struct mad_field port_counters[] = {
	PORT_AND_COUNTERS, DEC("SymbolErrorCounter", 32, 16),
	DEC("LinkErrorRecoveryCounter", 48, 8), DEC("LinkDownedCounter", 56, 8),
	DEC("PortRcvErrors", 64, 16), DEC("PortRcvRemotePhysicalErrors", 80, 16),
	DEC("PortRcvSwitchRelayErrors", 96, 16), DEC("PortXmitDiscards", 112, 16),
	DEC("PortXmitConstraintErrors", 128, 8), DEC("PortRcvConstraintErrors", 136, 8),
	HEX("CounterSelect2", 144, 8), DEC("LocalLinkIntegrityErrors", 152, 4),
	DEC("ExcessiveBufferOverrunErrors", 156, 4), DEC("QP1Dropped", 160, 16),
	DEC("VL15Dropped", 176, 16), DEC("PortXmitData", 192, 32), DEC("PortRcvData", 224, 32),
	DEC("PortXmitPkts", 256, 32), DEC("PortRcvPkts", 288, 32), DEC("PortXmitWait", 320, 32),
	FIELDS_END,
};

static const struct mad_field port_counters_extended[] = {
	PORT_AND_COUNTERS, HEX("CounterSelect2", 32, 32), DEC("PortXmitData", 64, 64),
	DEC("PortRcvData", 128, 64), DEC("PortXmitPkts", 192, 64), DEC("PortRcvPkts", 256, 64),
	DEC("PortUnicastXmitPkts", 320, 64), DEC("PortUnicastRcvPkts", 384, 64),
	DEC("PortMulticastXmitPkts", 448, 64), DEC("PortMulticastRcvPkts", 512, 64),
	DEC("SymbolErrorCounter", 576, 64), DEC("LinkErrorRecoveryCounter", 640, 64),
	DEC("LinkDownedCounter", 704, 64), DEC("PortRcvErrors", 768, 64),
	DEC("PortRcvRemotePhysicalErrors", 832, 64), DEC("PortRcvSwitchRelayErrors", 896, 64),
	DEC("PortXmitDiscards", 960, 64), DEC("PortXmitConstraintErrors", 1024, 64),
	DEC("PortRcvConstraintErrors", 1088, 64), DEC("LocalLinkIntegrityErrors", 1152, 64),
	DEC("ExcessiveBufferOverrunErrors", 1216, 64), DEC("VL15Dropped", 1280, 64),
	DEC("PortXmitWait", 1344, 64), DEC("QP1Dropped", 1408, 64), FIELDS_END,
};

static const struct mad_field rcv_error_details[] = {
	PORT_AND_COUNTERS, DEC("PortLocalPhysicalErrors", 32, 16),
	DEC("PortMalformedPktErrors", 48, 16), DEC("PortBufferOverrunErrors", 64, 16),
	DEC("PortDLIDMappingErrors", 80, 16), DEC("PortVLMappingErrors", 96, 16),
	DEC("PortLoopingErrors", 112, 16), FIELDS_END,
};

static const struct mad_field xmit_discard_details[] = {
	PORT_AND_COUNTERS, DEC("PortInactiveDiscards", 32, 16),
	DEC("PortNeighborMTUDiscards", 48, 16), DEC("PortSwLifetimeLimitDiscards", 64, 16),
	DEC("PortSwHOQLifetimeLimitDiscards", 80, 16), FIELDS_END,
};

static const struct mad_field op_rcv_counters[] = {
	OPCODE_PORT_AND_COUNTERS, DEC("PortOpRcvPkts", 32, 32), DEC("PortOpRcvData", 64, 32),
	FIELDS_END,
};

static const struct mad_field flow_ctl_counters[] = {
	PORT_AND_COUNTERS, DEC("PortXmitFlowPkts", 32, 32), DEC("PortRcvFlowPkts", 64, 32),
	FIELDS_END,
};

/* Attributes that count something per VL or SL: 2, 16 or 32 bits each, from byte 4 on. */
#define PER_LANE_OF(first, var, name, width)                                               \
	static const struct mad_field var[] = {                                            \
		first, FIELDS_16(DEC, name, 32, width), FIELDS_END,                        \
	}
#define PER_LANE(var, name, width) PER_LANE_OF(PORT_AND_COUNTERS, var, name, width)
PER_LANE_OF(OPCODE_PORT_AND_COUNTERS, vl_op_packets, "PortVLOpPackets", 16);
PER_LANE_OF(OPCODE_PORT_AND_COUNTERS, vl_op_data, "PortVLOpData", 32);
PER_LANE(vl_flow_ctl_errors, "PortVLXmitFlowCtlUpdateErrors", 2);
PER_LANE(vl_xmit_wait, "PortVLXmitWait", 16);
PER_LANE(sw_vl_congestion, "SWPortVLCongestion", 16);
PER_LANE(sl_rcv_fecn, "PortSLRcvFECN", 32);
PER_LANE(sl_rcv_becn, "PortSLRcvBECN", 32);
PER_LANE(xmit_data_sl, "XmtDataSL", 32);
PER_LANE(rcv_data_sl, "RcvDataSL", 32);

/* VL15 is not congested: 15 of them. */
static const struct mad_field vl_xmit_time_cong[] = {
	PORT_AND_COUNTERS, FIELDS_15(DEC, "PortVLXmitTimeCong", 32, 32), FIELDS_END,
};

static const struct mad_field rcv_con_ctrl[] = {
	PORT_AND_COUNTERS, DEC("PortPktRcvFECN", 32, 32), DEC("PortPktRcvBECN", 64, 32),
	FIELDS_END,
};

static const struct mad_field xmit_con_ctrl[] = {
	PORT_AND_COUNTERS, DEC("PortXmitTimeCong", 32, 32), FIELDS_END,
};

/*
 * Lanes as counted without RS-FEC. With it, the fields of correctable blocks have the correctable
 * symbols of each lane, and the last three those of the whole port.
 */
static const struct mad_field extended_speeds[] = {
	DEC("PortSelect", 8, 8), HEX("CounterSelect", 64, 64),
	DEC("SyncHeaderErrorCounter", 128, 16), DEC("UnknownBlockCounter", 144, 16),
	FIELDS_12(DEC, "ErrorDetectionCounterLane", 160, 16),
	FIELDS_12(DEC, "FECCorrectableBlockCtrLane", 352, 32),
	FIELDS_12(DEC, "FECUncorrectableBlockCtrLane", 736, 32),
	DEC("PortFECCorrectableBlockCtr", 1120, 32),
	DEC("PortFECUncorrectableBlockCtr", 1152, 32),
	DEC("PortFECCorrectedSymbolCtr", 1184, 32), FIELDS_END,
};

const struct mad_attribute mad_attributes_perf[] = {
	COMMON_ATTRIBUTES_WITH(mad_fields_perf_class_port_info),
	ATTRIBUTE(0x0010, "PortSamplesControl", samples_control, 80),
	ATTRIBUTE(0x0011, "PortSamplesResult", samples_result, 64),
	ATTRIBUTE(0x0012, "PortCounters", port_counters, 44),
	ATTRIBUTE(0x0015, "PortRcvErrorDetails", rcv_error_details, 16),
	ATTRIBUTE(0x0016, "PortXmitDiscardDetails", xmit_discard_details, 12),
	ATTRIBUTE(0x0017, "PortOpRcvCounters", op_rcv_counters, 12),
	ATTRIBUTE(0x0018, "PortFlowCtlCounters", flow_ctl_counters, 12),
	ATTRIBUTE(0x0019, "PortVLOpPackets", vl_op_packets, 36),
	ATTRIBUTE(0x001a, "PortVLOpData", vl_op_data, 68),
	ATTRIBUTE(0x001b, "PortVLXmitFlowCtlUpdateErrors", vl_flow_ctl_errors, 8),
	ATTRIBUTE(0x001c, "PortVLXmitWaitCounters", vl_xmit_wait, 36),
	ATTRIBUTE(0x001d, "PortCountersExtended", port_counters_extended, 184),
	ATTRIBUTE(0x001e, "PortSamplesResultExtended", samples_result_extended, 128),
	ATTRIBUTE(0x001f, "PortExtendedSpeedsCounters", extended_speeds, 152),
	ATTRIBUTE(0x0030, "SwPortVLCongestion", sw_vl_congestion, 36),
	ATTRIBUTE(0x0031, "PortRcvConCtrl", rcv_con_ctrl, 12),
	ATTRIBUTE(0x0032, "PortSLRcvFECN", sl_rcv_fecn, 68),
	ATTRIBUTE(0x0033, "PortSLRcvBECN", sl_rcv_becn, 68),
	ATTRIBUTE(0x0034, "PortXmitConCtrl", xmit_con_ctrl, 8),
	ATTRIBUTE(0x0035, "PortVLXmitTimeCong", vl_xmit_time_cong, 64),
	ATTRIBUTE(0x0036, "PortXmitDataSL", xmit_data_sl, 68),
	ATTRIBUTE(0x0037, "PortRcvDataSL", rcv_data_sl, 68),
	ATTRIBUTES_END,
};
