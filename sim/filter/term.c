/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The header fields that may be named: where they are, and the words for their values.
 *
 * Offsets: IBA vol 1, 13.4.2 (MAD header), 13.6.2.1 (RMPP), 14.2.1.2 (directed route), 15.2.1.1
 * (SA), 16.5 (vendor range 2); struct ib_user_mad of the kernel's ABI 5.
 */
#include "sim/filter/term.h"

#include <glib.h>
#include <string.h>

#include "kmod-stub/packet.h"
#include "lib/base/user-header.h"
#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

static const struct term_word rmpp_types[] = {
	{ "DATA", 1 }, { "ACK", 2 }, { "STOP", 3 }, { "ABORT", 4 }, { NULL, 0 },
};

static const struct term_word rmpp_flags[] = {
	{ "ACTIVE", 1 }, { "FIRST", 2 }, { "LAST", 4 }, { NULL, 0 },
};

static const struct term_word yes_no[] = {
	{ "yes", 1 }, { "no", 0 }, { NULL, 0 },
};

static const struct term_word mad_methods[] = {
	{ "Get", 0x01 }, { "Set", 0x02 }, { "Send", 0x03 }, { "Trap", 0x05 }, { "Report", 0x06 },
	{ "TrapRepress", 0x07 }, { "GetTable", 0x12 }, { "GetResp", 0x81 }, { "ReportResp", 0x86 },
	{ "GetTableResp", 0x92 }, { NULL, 0 },
};

#define IN_MAD(name, alias, byte, width, format, words) \
	{ name, alias, MAD_ANY, TERM_MAD, (byte) * 8, width, format, words }
/* The lower three bits of the byte; the upper five are resptime. */
#define IN_RMPP_FLAGS(name, alias) \
	{ name, alias, MAD_ANY, TERM_MAD, RMPP_FLAGS * 8 + 5, 3, TERM_FLAGS, rmpp_flags }
#define IN_UMAD(name, uses, order, byte, width, format, words) \
	{ name, NULL, uses, TERM_UMAD_##order, (byte) * 8, width, format, words }
#define IN_ADDR(name, alias, addr, width, format, words) \
	{ name, alias, MAD_ON_WIRE, TERM_ADDR, TERM_ADDR_##addr, width, format, words }

#define SENT_OR_HEADER (MAD_SENT | MAD_HEADER)

static const struct term_word crc_words[] = {
	{ "right", 1 }, { "wrong", 0 }, { NULL, 0 },
};

/* The parts of a packet that are computed, not set: they can be compared, and broken with mut=. */
#define IN_WIRE(name, alias, part, bit, width, format, words) \
	{ name, alias, MAD_ON_WIRE, TERM_WIRE, WIRE_PART * (part) + (bit), width, format, words }

/* If rows have the same name, the first one with a matching use is taken. */
static const struct term_info terms[] = {
	/* Results: what the call returned in addition to its value. */
	{ "errno", NULL, MAD_HEADER, TERM_RESULT, TERM_RESULT_ERRNO, 32, TERM_ERRNO, NULL },
	{ "flags", NULL, MAD_HEADER, TERM_RESULT, TERM_RESULT_FLAGS, 32, TERM_NUMBER, NULL },
	{ "agent", NULL, MAD_HEADER, TERM_RESULT, TERM_RESULT_ID, 32, TERM_NUMBER, NULL },

	/* struct ib_user_mad. */
	IN_UMAD("id", SENT_OR_HEADER, HOST, USER_ID, 32, TERM_NUMBER, NULL),
	IN_UMAD("status", MAD_HEADER, HOST, USER_STATUS, 32, TERM_ERRNO, NULL),
	IN_UMAD("umad.status", MAD_SENT, HOST, USER_STATUS, 32, TERM_ERRNO, NULL),
	IN_UMAD("timeout", MAD_HEADER, HOST, USER_TIMEOUT_MS, 32, TERM_NUMBER, NULL),
	IN_UMAD("retries", MAD_HEADER, HOST, USER_RETRIES, 32, TERM_NUMBER, NULL),
	IN_UMAD("umad.length", SENT_OR_HEADER, HOST, USER_LENGTH, 32, TERM_NUMBER, NULL),
	IN_UMAD("dqp", MAD_SENT, BE, USER_QPN_BE, 32, TERM_NUMBER, NULL),
	IN_UMAD("qpn", SENT_OR_HEADER, BE, USER_QPN_BE, 32, TERM_NUMBER, NULL),
	IN_UMAD("sqp", MAD_HEADER, BE, USER_QPN_BE, 32, TERM_NUMBER, NULL),
	IN_UMAD("qkey", SENT_OR_HEADER, BE, USER_QKEY_BE, 32, TERM_HEX, NULL),
	IN_UMAD("dlid", MAD_SENT, BE, USER_LID_BE, 16, TERM_HEX, NULL),
	IN_UMAD("lid", SENT_OR_HEADER, BE, USER_LID_BE, 16, TERM_HEX, NULL),
	IN_UMAD("slid", MAD_HEADER, BE, USER_LID_BE, 16, TERM_HEX, NULL),
	IN_UMAD("sl", SENT_OR_HEADER, HOST, USER_SL, 8, TERM_NUMBER, NULL),
	IN_UMAD("path_bits", SENT_OR_HEADER, HOST, USER_PATH_BITS, 8, TERM_NUMBER, NULL),
	IN_UMAD("grh", SENT_OR_HEADER, HOST, USER_GRH_PRESENT, 8, TERM_NUMBER, yes_no),
	IN_UMAD("gid_index", SENT_OR_HEADER, HOST, USER_GID_INDEX, 8, TERM_NUMBER, NULL),
	IN_UMAD("hop_limit", SENT_OR_HEADER, HOST, USER_HOP_LIMIT, 8, TERM_NUMBER, NULL),
	IN_UMAD("traffic_class", SENT_OR_HEADER, HOST, USER_TRAFFIC_CLASS, 8, TERM_NUMBER, NULL),
	IN_UMAD("gid", SENT_OR_HEADER, BE, USER_GID, 128, TERM_GID, NULL),
	IN_UMAD("dgid", MAD_SENT, BE, USER_GID, 128, TERM_GID, NULL),
	IN_UMAD("sgid", MAD_HEADER, BE, USER_GID, 128, TERM_GID, NULL),
	IN_UMAD("flow_label", SENT_OR_HEADER, BE, USER_FLOW_LABEL_BE, 32, TERM_HEX, NULL),
	IN_UMAD("pkey_index", SENT_OR_HEADER, HOST, USER_PKEY_INDEX, 16, TERM_NUMBER, NULL),

	/* The packet around the MAD. */
	IN_ADDR("slid", "infiniband.lrh.slid", SLID, 16, TERM_HEX, NULL),
	IN_ADDR("dlid", "infiniband.lrh.dlid", DLID, 16, TERM_HEX, NULL),
	IN_ADDR("sl", "infiniband.lrh.sl", SL, 4, TERM_NUMBER, NULL),
	IN_ADDR("vl", "infiniband.lrh.vl", VL, 4, TERM_NUMBER, NULL),
	IN_ADDR("pkey", "infiniband.bth.p_key", PKEY, 16, TERM_HEX, NULL),
	IN_ADDR("dqp", "infiniband.bth.destqp", DQP, 24, TERM_NUMBER, NULL),
	IN_ADDR("psn", "infiniband.bth.psn", PSN, 24, TERM_NUMBER, NULL),
	IN_ADDR("qkey", "infiniband.deth.q_key", QKEY, 32, TERM_HEX, NULL),
	IN_ADDR("sqp", "infiniband.deth.srcqp", SQP, 24, TERM_NUMBER, NULL),
	IN_ADDR("grh", NULL, GRH, 1, TERM_NUMBER, yes_no),
	IN_ADDR("hop_limit", "infiniband.grh.hoplmt", HOP_LIMIT, 8, TERM_NUMBER, NULL),
	IN_ADDR("traffic_class", "infiniband.grh.tclass", TRAFFIC_CLASS, 8, TERM_NUMBER, NULL),
	IN_ADDR("flow_label", "infiniband.grh.flowlabel", FLOW_LABEL, 20, TERM_HEX, NULL),
	IN_ADDR("sgid", "infiniband.grh.sgid", SGID, 128, TERM_GID, NULL),
	IN_ADDR("dgid", "infiniband.grh.dgid", DGID, 128, TERM_GID, NULL),
	IN_WIRE("lrh.lver", "infiniband.lrh.lver", WIRE_LRH, 4, 4, TERM_NUMBER, NULL),
	IN_WIRE("lrh.lnh", "infiniband.lrh.lnh", WIRE_LRH, 14, 2, TERM_NUMBER, NULL),
	IN_WIRE("lrh.pktlen", "infiniband.lrh.pktlen", WIRE_LRH, 37, 11, TERM_NUMBER, NULL),
	IN_WIRE("grh.ipver", "infiniband.grh.ipver", WIRE_GRH, 0, 4, TERM_NUMBER, NULL),
	IN_WIRE("grh.paylen", "infiniband.grh.paylen", WIRE_GRH, 32, 16, TERM_NUMBER, NULL),
	IN_WIRE("grh.nxthdr", "infiniband.grh.nxthdr", WIRE_GRH, 48, 8, TERM_HEX, NULL),
	IN_WIRE("bth.opcode", "infiniband.bth.opcode", WIRE_BTH, 0, 8, TERM_NUMBER, NULL),
	IN_WIRE("bth.se", "infiniband.bth.se", WIRE_BTH, 8, 1, TERM_NUMBER, yes_no),
	IN_WIRE("bth.migreq", "infiniband.bth.m", WIRE_BTH, 9, 1, TERM_NUMBER, yes_no),
	IN_WIRE("bth.pad", "infiniband.bth.padcnt", WIRE_BTH, 10, 2, TERM_NUMBER, NULL),
	IN_WIRE("bth.tver", "infiniband.bth.tver", WIRE_BTH, 12, 4, TERM_NUMBER, NULL),
	IN_WIRE("bth.ackreq", "infiniband.bth.a", WIRE_BTH, 64, 1, TERM_NUMBER, yes_no),
	IN_WIRE("icrc", "infiniband.invariant.crc", WIRE_ICRC, 0, 32, TERM_CRC, crc_words),
	IN_WIRE("vcrc", "infiniband.variant.crc", WIRE_VCRC, 0, 16, TERM_CRC, crc_words),
	IN_WIRE("size", NULL, WIRE_SIZE, 0, 16, TERM_NUMBER, NULL),
	{ "to", NULL, MAD_SENT | MAD_ON_WIRE, TERM_TO, 0, 0, TERM_NUMBER, NULL },
	{ "from", NULL, MAD_ON_WIRE | MAD_RECEIVED, TERM_FROM, 0, 0, TERM_NUMBER, NULL },

	/* The MAD. */
	IN_MAD("base_version", "infiniband.mad.baseversion", MAD_BASE_VERSION, 8, TERM_NUMBER,
	       NULL),
	IN_MAD("class", "infiniband.mad.mgmtclass", MAD_CLASS, 8, TERM_CLASS, NULL),
	IN_MAD("version", "infiniband.mad.classversion", MAD_CLASS_VERSION, 8, TERM_NUMBER, NULL),
	IN_MAD("method", "infiniband.mad.method", MAD_METHOD, 8, TERM_HEX, mad_methods),
	IN_MAD("status", "infiniband.mad.status", MAD_STATUS, 16, TERM_HEX, NULL),
	IN_MAD("mad.status", NULL, MAD_STATUS, 16, TERM_HEX, NULL),
	IN_MAD("specific", "infiniband.mad.classspecific", MAD_CLASS_SPECIFIC, 16, TERM_HEX, NULL),
	IN_MAD("tid", "infiniband.mad.transactionid", MAD_TID, 64, TERM_HEX, NULL),
	IN_MAD("tid.high", NULL, MAD_TID, 32, TERM_HEX, NULL),
	IN_MAD("tid.low", NULL, MAD_TID + 4, 32, TERM_HEX, NULL),
	IN_MAD("attr", "infiniband.mad.attributeid", MAD_ATTR_ID, 16, TERM_HEX, NULL),
	IN_MAD("modifier", "infiniband.mad.attributemodifier", MAD_ATTR_MOD, 32, TERM_HEX, NULL),
	IN_MAD("rmpp.version", "infiniband.rmpp.rmppversion", RMPP_VERSION, 8, TERM_NUMBER, NULL),
	IN_MAD("rmpp", "infiniband.rmpp.rmpptype", RMPP_TYPE, 8, TERM_NUMBER, rmpp_types),
	IN_RMPP_FLAGS("flags", "infiniband.rmpp.rmppflags"),
	IN_RMPP_FLAGS("rmpp.flags", NULL),
	IN_MAD("resptime", "infiniband.rmpp.rresptime", RMPP_FLAGS, 5, TERM_NUMBER, NULL),
	IN_MAD("rmpp.status", "infiniband.rmpp.rmppstatus", RMPP_STATUS, 8, TERM_NUMBER, NULL),
	IN_MAD("seg", "infiniband.rmpp.segmentnumber", RMPP_SEGMENT, 32, TERM_NUMBER, NULL),
	IN_MAD("paylen", "infiniband.rmpp.payloadlength", RMPP_PAYLEN_NEWWIN, 32, TERM_NUMBER,
	       NULL),
	IN_MAD("newwin", "infiniband.rmpp.newwindowlast", RMPP_PAYLEN_NEWWIN, 32, TERM_NUMBER,
	       NULL),
	IN_MAD("oui", "infiniband.vendor.oui", VENDOR2_OUI, 24, TERM_HEX, NULL),
	IN_MAD("hop_ptr", "infiniband.smpdirected.hoppointer", SMP_HOP_PTR, 8, TERM_NUMBER, NULL),
	IN_MAD("hop_cnt", "infiniband.smpdirected.hopcount", SMP_HOP_CNT, 8, TERM_NUMBER, NULL),
	IN_MAD("mkey", "infiniband.smpdirected.mkey", SMP_MKEY, 64, TERM_HEX, NULL),
	IN_MAD("drslid", "infiniband.smpdirected.drslid", SMP_DR_SLID, 16, TERM_HEX, NULL),
	IN_MAD("drdlid", "infiniband.smpdirected.drdlid", SMP_DR_DLID, 16, TERM_HEX, NULL),
	IN_MAD("path", "infiniband.smpdirected.initialpath", SMP_INITIAL_PATH, 512, TERM_PATH,
	       NULL),
	IN_MAD("return_path", "infiniband.smpdirected.returnpath", SMP_RETURN_PATH, 512, TERM_PATH,
	       NULL),
	IN_MAD("smkey", "infiniband.sa.smkey", SA_SM_KEY, 64, TERM_HEX, NULL),
	IN_MAD("attr_offset", "infiniband.sa.attributeoffset", SA_ATTR_OFFSET, 16, TERM_NUMBER,
	       NULL),
	IN_MAD("comp_mask", "infiniband.sa.componentmask", SA_COMP_MASK, 64, TERM_HEX, NULL),
	{ "bytes", NULL, MAD_ANY, TERM_BYTES, 0, 0, TERM_HEX, NULL },
	{ "data", NULL, MAD_ANY, TERM_DATA, 0, 0, TERM_NUMBER, NULL },

	/* After the MAD's fields, so that those take precedence; no MAD has a 'length'. */
	{ "length", NULL, MAD_HEADER, TERM_RESULT, TERM_RESULT_LENGTH, 32, TERM_NUMBER, NULL },
};

static const char *suggest(const char *name, enum mad_use use)
{
	const char *candidates[G_N_ELEMENTS(terms) + 1];
	size_t count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(terms); i++) {
		if (terms[i].uses & use)
			candidates[count++] = terms[i].name;
	}
	candidates[count] = NULL;
	return mad_closest(name, candidates);
}

static bool is_called(const struct term_info *term, const char *name)
{
	return strcmp(term->name, name) == 0 ||
	       (term->alias && strcmp(term->alias, name) == 0);
}

/* 'mgmtclass' means infiniband.mad.mgmtclass. There are two CRCs, so 'crc' means neither. */
static bool is_called_short(const struct term_info *term, const char *name)
{
	const char *dot = term->alias ? strrchr(term->alias, '.') : NULL;

	return dot && term->format != TERM_CRC && strcmp(dot + 1, name) == 0;
}

const struct term_info *term_find(const char *name, enum mad_use use, const char **ret_suggestion)
{
	for (size_t i = 0; i < G_N_ELEMENTS(terms); i++) {
		if ((terms[i].uses & use) && is_called(&terms[i], name))
			return &terms[i];
	}
	for (size_t i = 0; i < G_N_ELEMENTS(terms); i++) {
		if ((terms[i].uses & use) && is_called_short(&terms[i], name))
			return &terms[i];
	}
	*ret_suggestion = suggest(name, use);
	return NULL;
}

const struct term_info *term_at(unsigned int at)
{
	return at < G_N_ELEMENTS(terms) ? &terms[at] : NULL;
}

bool term_info_word(const struct term_info *info, const char *text, uint64_t *ret)
{
	const struct mad_class_info *class_info;

	for (const struct term_word *word = info->words; word && word->name; word++) {
		if (strcmp(word->name, text) == 0) {
			*ret = word->value;
			return true;
		}
	}
	class_info = info->format == TERM_CLASS ? mad_class_by_name(text) : NULL;
	if (class_info)
		*ret = class_info->mgmt_class;
	return class_info != NULL;
}

uint64_t term_addr_number(const struct packet_addr *addr, enum term_addr which)
{
	switch (which) {
	case TERM_ADDR_SLID: return addr->slid;
	case TERM_ADDR_DLID: return addr->dlid;
	case TERM_ADDR_SL: return addr->sl;
	case TERM_ADDR_VL: return addr->vl;
	case TERM_ADDR_PKEY: return addr->pkey;
	case TERM_ADDR_SQP: return addr->src_qp;
	case TERM_ADDR_DQP: return addr->dest_qp;
	case TERM_ADDR_QKEY: return addr->qkey;
	case TERM_ADDR_PSN: return addr->psn;
	case TERM_ADDR_GRH: return addr->has_grh;
	case TERM_ADDR_HOP_LIMIT: return addr->hop_limit;
	case TERM_ADDR_TRAFFIC_CLASS: return addr->traffic_class;
	case TERM_ADDR_FLOW_LABEL: return addr->flow_label;
	case TERM_ADDR_SGID:
	case TERM_ADDR_DGID:
		return 0;
	}
	return 0;
}
