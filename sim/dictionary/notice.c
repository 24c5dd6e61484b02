/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The data details of notices, which differ from trap to trap (IBA vol 1, 14.2.5.1). Offsets count
 * from the attribute's first byte; the details begin at byte 10.
 */
#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/tables.h"

enum {
	NOTICE_GENERIC = 0x80,	/* of byte 0 */
	NOTICE_TRAP_NUMBER = 4,
};

#define AT(byte) ((10 + (byte)) * 8)

static const struct mad_field gid_address[] = { GID("GIDADDR", AT(6)), FIELDS_END };

static const struct mad_field link_state[] = { LID("LIDADDR", AT(0)), FIELDS_END };

static const struct mad_field port_errors[] = {
	LID("LIDADDR", AT(2)), DEC("PORTNO", AT(4), 8), FIELDS_END,
};

static const struct mad_field local_changes[] = {
	LID("LIDADDR", AT(2)), HEX("LocalChanges", AT(5), 8), HEX("CAPABILITYMASK", AT(6), 32),
	HEX("ChangeFlags", AT(10), 16), HEX("CAPABILITYMASK2", AT(12), 16), FIELDS_END,
};

static const struct mad_field system_guid[] = {
	LID("LIDADDR", AT(2)), GUID("SYSTEMIMAGEGUID", AT(6)), FIELDS_END,
};

static const struct mad_field bad_m_key[] = {
	LID("LIDADDR", AT(2)), LID("DRSLID", AT(4)), HEX("METHOD", AT(6), 8),
	HEX("ATTRIBUTEID", AT(8), 16), HEX("ATTRIBUTEMODIFIER", AT(10), 32),
	KEY("MKEY", AT(14), 64), FLAG("DRNotice", AT(23)), FLAG("DRPathTruncated", AT(23) + 1),
	DEC("DRHopCount", AT(23) + 2, 6),
	BYTES("DRNoticeReturnPath", AT(24), 240), FIELDS_END,
};

#define TWO_ENDS(qp, gid)                                                                  \
	LID("LIDADDR1", AT(2)), LID("LIDADDR2", AT(4)), DEC("SL", AT(qp), 4),              \
	HEX("QP1", AT((qp) + 1), 24), HEX("QP2", AT((qp) + 5), 24), GID("GIDADDR1", AT(gid)), \
	GID("GIDADDR2", AT((gid) + 16))

/* KEY has 32 bits, with the P_Key in the lower half. */
static const struct mad_field bad_p_key[] = {
	P_KEY("KEY", AT(8)), TWO_ENDS(10, 18), FIELDS_END,
};

static const struct mad_field bad_q_key[] = {
	KEY("KEY", AT(6), 32), TWO_ENDS(10, 18), FIELDS_END,
};

static const struct mad_field bad_p_key_at_switch[] = {
	HEX("DataValid", AT(0), 16), P_KEY("PKEY", AT(6)), TWO_ENDS(8, 16),
	LID("SWLIDADDR", AT(48)), DEC("PORTNO", AT(50), 8), FIELDS_END,
};

static const struct {
	uint16_t first, last;
	const struct mad_field *fields;
} traps[] = {
	{ 64, 67, gid_address },
	{ 128, 128, link_state },
	{ 129, 131, port_errors },
	{ 144, 144, local_changes },
	{ 145, 145, system_guid },
	{ 256, 256, bad_m_key },
	{ 257, 257, bad_p_key },
	{ 258, 258, bad_q_key },
	{ 259, 259, bad_p_key_at_switch },
};

const struct mad_field *mad_notice_details(uint16_t trap_number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(traps); i++)
		if (trap_number >= traps[i].first && trap_number <= traps[i].last)
			return traps[i].fields;
	return NULL;
}

const struct mad_field *mad_details_of(const struct mad_attribute *attribute, const uint8_t *data)
{
	if (strcmp(attribute->name, MAD_CONNECT_REQUEST) == 0)
		return mad_is_ip_cm(data) ? mad_ip_cm_details(mad_ip_cm_is_ipv4(data)) : NULL;
	if (strcmp(attribute->name, "Notice") != 0 || !(data[0] & NOTICE_GENERIC))
		return NULL;
	return mad_notice_details(get_be16(data + NOTICE_TRAP_NUMBER));
}
