/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The headers of packets and MADs: see mad-header.h. IBA vol 1, 7.7 (LRH), 8.3 (GRH), 9.2 (BTH),
 * 9.3.3 (DETH), 13.4.2 (MAD), 13.6.2.1 (RMPP), 14.2.1 (SMPs), 15.2.1.1 (SA), 16.5 (vendor range 2).
 */
#include "sim/dictionary/mad-header.h"

#include "lib/base/wire.h"
#include "sim/dictionary/tables.h"

static const struct mad_field lrh[] = {
	DEC("VL", 0, 4), DEC("LVer", 4, 4), DEC("SL", 8, 4), DEC("Reserved2", 12, 2),
	DEC("LNH", 14, 2), LID("DLID", 16), DEC("Reserved5", 32, 5), DEC("PktLen", 37, 11),
	LID("SLID", 48), FIELDS_END,
};

static const struct mad_field grh[] = {
	DEC("IPVer", 0, 4), HEX("TClass", 4, 8), HEX("FlowLabel", 12, 20), DEC("PayLen", 32, 16),
	HEX("NxtHdr", 48, 8), DEC("HopLmt", 56, 8), GID("SGID", 64), GID("DGID", 192), FIELDS_END,
};

static const struct mad_field bth[] = {
	DEC("OpCode", 0, 8), FLAG("SE", 8), FLAG("MigReq", 9), DEC("PadCnt", 10, 2),
	DEC("TVer", 12, 4), P_KEY("P_Key", 16), DEC("Reserved8", 32, 8), HEX("DestQP", 40, 24),
	FLAG("AckReq", 64), DEC("Reserved7", 65, 7), HEX("PSN", 72, 24), FIELDS_END,
};

static const struct mad_field deth[] = {
	KEY("Q_Key", 0, 32), DEC("Reserved8", 32, 8), HEX("SrcQP", 40, 24), FIELDS_END,
};

static const struct mad_field mad[] = {
	DEC("BaseVersion", MAD_BASE_VERSION * 8, 8), HEX("MgmtClass", MAD_CLASS * 8, 8),
	DEC("ClassVersion", MAD_CLASS_VERSION * 8, 8), HEX("Method", MAD_METHOD * 8, 8),
	HEX("Status", MAD_STATUS * 8, 16), HEX("ClassSpecific", MAD_CLASS_SPECIFIC * 8, 16),
	HEX("TransactionID", MAD_TID * 8, 64), HEX("AttributeID", MAD_ATTR_ID * 8, 16),
	HEX("AttributeModifier", MAD_ATTR_MOD * 8, 32), FIELDS_END,
};

static const struct mad_field smp[] = {
	KEY("M_Key", SMP_MKEY * 8, 64), FIELDS_END,
};

static const struct mad_field directed_route[] = {
	FLAG("D", MAD_STATUS * 8), HEX("SMPStatus", MAD_STATUS * 8 + 1, 15),
	DEC("HopPointer", SMP_HOP_PTR * 8, 8), DEC("HopCount", SMP_HOP_CNT * 8, 8),
	LID("DrSLID", SMP_DR_SLID * 8), LID("DrDLID", SMP_DR_DLID * 8),
	BYTES("InitialPath", SMP_INITIAL_PATH * 8, SMP_PATH_SIZE * 8),
	BYTES("ReturnPath", SMP_RETURN_PATH * 8, SMP_PATH_SIZE * 8), FIELDS_END,
};

static const struct mad_field_name rmpp_types[] = {
	{ RMPP_TYPE_DATA, "DATA" }, { RMPP_TYPE_ACK, "ACK" }, { RMPP_TYPE_STOP, "STOP" },
	{ RMPP_TYPE_ABORT, "ABORT" }, { 0, NULL },
};

static const struct mad_field_name rmpp_flags[] = {
	{ RMPP_FLAG_ACTIVE, "ACTIVE" }, { RMPP_FLAG_FIRST, "FIRST" }, { RMPP_FLAG_LAST, "LAST" },
	{ 0, NULL },
};

static const struct mad_field rmpp[] = {
	DEC("RMPPVersion", RMPP_VERSION * 8, 8), ENUM("RMPPType", RMPP_TYPE * 8, 8, rmpp_types),
	DEC("RRespTime", RMPP_FLAGS * 8, 5), FLAGS("RMPPFlags", RMPP_FLAGS * 8 + 5, 3, rmpp_flags),
	DEC("RMPPStatus", RMPP_STATUS * 8, 8), DEC("SegmentNumber", RMPP_SEGMENT * 8, 32),
	DEC("PayloadLength", RMPP_PAYLEN_NEWWIN * 8, 32),
	DEC("NewWindowLast", RMPP_PAYLEN_NEWWIN * 8, 32), FIELDS_END,
};

static const struct mad_field sa[] = {
	KEY("SM_Key", SA_SM_KEY * 8, 64), DEC("AttributeOffset", SA_ATTR_OFFSET * 8, 16),
	HEX("ComponentMask", SA_COMP_MASK * 8, 64), FIELDS_END,
};

static const struct mad_field vendor2[] = {
	HEX("OUI", VENDOR2_OUI * 8, 24), FIELDS_END,
};

static bool is_any(unsigned int mgmt_class)
{
	(void)mgmt_class;
	return true;
}

static bool is_directed_route(unsigned int mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_DR;
}

static bool is_sa(unsigned int mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_ADM;
}

const struct mad_header *mad_headers(void)
{
	static const struct mad_header headers[] = {
		{ "LRH", MAD_HEADER_OF_PACKET, is_any, lrh },
		{ "GRH", MAD_HEADER_OF_PACKET, is_any, grh },
		{ "BTH", MAD_HEADER_OF_PACKET, is_any, bth },
		{ "DETH", MAD_HEADER_OF_PACKET, is_any, deth },
		{ "MAD", MAD_HEADER_OF_MAD, is_any, mad },
		{ "SMP", MAD_HEADER_OF_MAD, mad_class_is_smp, smp },
		{ "DirectedRoute", MAD_HEADER_OF_MAD, is_directed_route, directed_route },
		{ "RMPP", MAD_HEADER_OF_MAD, mad_class_has_rmpp, rmpp },
		{ "SA", MAD_HEADER_OF_MAD, is_sa, sa },
		{ "Vendor2", MAD_HEADER_OF_MAD, mad_class_is_vendor2, vendor2 },
		{ NULL, MAD_HEADER_OF_MAD, NULL, NULL },
	};

	return headers;
}
