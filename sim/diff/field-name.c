/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fields by name: see sim/diff/field-name.h.
 */
#include "sim/diff/field-name.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/wire.h"

const char *const address_field_names[ADDRESS_FIELDS] = {
	[ADDRESS_SLID] = "slid", [ADDRESS_DLID] = "dlid", [ADDRESS_SL] = "sl",
	[ADDRESS_PKEY] = "pkey", [ADDRESS_SQP] = "sqp", [ADDRESS_DQP] = "dqp",
	[ADDRESS_QKEY] = "qkey", [ADDRESS_GRH] = "grh", [ADDRESS_SGID] = "sgid",
	[ADDRESS_DGID] = "dgid",
};

const char *const conversation_field_names[CONVERSATION_FIELDS] = {
	[CONVERSATION_RETRIES] = "retries", [CONVERSATION_LOSSES] = "losses",
};

#define HEADER_BITS(kind_, name_, bit_, width_, format_)                                    \
	{ .kind = HEADER_##kind_, .field = { .name = name_, .bit = bit_, .width = width_,   \
					     .format = MAD_FIELD_##format_ } }
#define HEADER(kind, name, byte, width, format) HEADER_BITS(kind, name, (byte) * 8, width, format)

const struct header_field header_fields[] = {
	HEADER(ALL, "base_version", MAD_BASE_VERSION, 8, DEC),
	HEADER(ALL, "class", MAD_CLASS, 8, HEX),
	HEADER(ALL, "version", MAD_CLASS_VERSION, 8, DEC),
	HEADER(ALL, "method", MAD_METHOD, 8, HEX),
	HEADER(ALL, "status", MAD_STATUS, 16, HEX),
	HEADER(ALL_BUT_DIRECTED, "specific", MAD_CLASS_SPECIFIC, 16, HEX),
	HEADER(DIRECTED, "hop_ptr", SMP_HOP_PTR, 8, DEC),
	HEADER(DIRECTED, "hop_cnt", SMP_HOP_CNT, 8, DEC),
	HEADER(ALL, "tid", MAD_TID, 64, HEX),
	HEADER(ALL, "attr", MAD_ATTR_ID, 16, HEX),
	HEADER(ALL, "modifier", MAD_ATTR_MOD, 32, HEX),
	HEADER(SMP, "mkey", SMP_MKEY, 64, HEX),
	HEADER(DIRECTED, "drslid", SMP_DR_SLID, 16, HEX),
	HEADER(DIRECTED, "drdlid", SMP_DR_DLID, 16, HEX),
	HEADER(DIRECTED, "path", SMP_INITIAL_PATH, 512, BYTES),
	HEADER(DIRECTED, "return_path", SMP_RETURN_PATH, 512, BYTES),
	HEADER(RMPP, "rmpp.version", RMPP_VERSION, 8, DEC),
	HEADER(RMPP, "rmpp", RMPP_TYPE, 8, DEC),
	HEADER_BITS(RMPP, "resptime", RMPP_FLAGS * 8, 5, DEC),
	HEADER_BITS(RMPP, "rmpp.flags", RMPP_FLAGS * 8 + 5, 3, HEX),
	HEADER(RMPP, "rmpp.status", RMPP_STATUS, 8, DEC),
	HEADER(RMPP, "seg", RMPP_SEGMENT, 32, DEC),
	HEADER(RMPP, "paylen", RMPP_PAYLEN_NEWWIN, 32, DEC),
	HEADER(VENDOR2, "oui", VENDOR2_OUI, 24, HEX),
	HEADER(SA, "smkey", SA_SM_KEY, 64, HEX),
	HEADER(SA, "attr_offset", SA_ATTR_OFFSET, 16, DEC),
	HEADER(SA, "comp_mask", SA_COMP_MASK, 64, HEX),
	{ .field = { .name = NULL } },
};

bool header_field_applies(const struct header_field *header, const uint8_t *mad)
{
	uint8_t mgmt_class = mad[MAD_CLASS];

	switch (header->kind) {
	case HEADER_ALL:
		return true;
	case HEADER_ALL_BUT_DIRECTED:
		return mgmt_class != MAD_CLASS_SUBN_DR;
	case HEADER_DIRECTED:
		return mgmt_class == MAD_CLASS_SUBN_DR;
	case HEADER_SMP:
		return mad_class_is_smp(mgmt_class);
	case HEADER_RMPP:
		return mad_class_has_rmpp(mgmt_class);
	case HEADER_SA:
		return mgmt_class == MAD_CLASS_SUBN_ADM;
	case HEADER_VENDOR2:
		return mad_class_is_vendor2(mgmt_class);
	}
	return false;
}
