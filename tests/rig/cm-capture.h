/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures for tests in which the CM connects two ports, A (10.0.0.1) and B (10.0.0.2).
 */
#ifndef UMADRIG_TESTS_RIG_CM_CAPTURE_H
#define UMADRIG_TESTS_RIG_CM_CAPTURE_H

#include "tests/rig/roce-capture.h"

enum {
	CM_REQ = 0x10, CM_MRA = 0x11, CM_REJ = 0x12, CM_REP = 0x13, CM_RTU = 0x14, CM_DREQ = 0x15,
	CM_DREP = 0x16,
	LOCAL = MAD_HDR_SIZE, REMOTE = MAD_HDR_SIZE + 4, SERVICE = MAD_HDR_SIZE + 8,
	CA_GUID = MAD_HDR_SIZE + 16,
	CM_FRAMES = 8,
};

struct cm_row {
	bool back;		/* from B to A */
	uint16_t attr;
	uint32_t local, remote;
	uint8_t mark;		/* of the service, or in the data */
};

static inline struct packet_addr cm_addr(bool back)
{
	struct packet_addr addr = {
		.src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .pkey = PKEY_DEFAULT, .has_grh = true,
		.hop_limit = 64,
		.sgid = { [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 2 : 1 },
		.dgid = { [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 1 : 2 },
	};

	return addr;
}

static inline void cm_packet(const struct cm_row *row, uint64_t tid, struct packet *packet)
{
	struct packet_addr addr = cm_addr(row->back);
	uint8_t *mad;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_CM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = MAD_METHOD_SEND;
	put_be64(mad + MAD_TID, tid);
	put_be16(mad + MAD_ATTR_ID, row->attr);
	put_be32(mad + LOCAL, row->local);
	put_be32(mad + REMOTE, row->remote);
	if (row->attr == CM_REQ) {
		mad[SERVICE + 7] = row->mark;
		put_be64(mad + CA_GUID, 0x1234567800abcdef);
	} else if (row->attr != CM_MRA && row->attr != CM_REJ) {
		mad[200] = row->mark;
	}
}

/* Row after row, from 1 s on, one each second. Its path, to be freed and unlinked. */
static inline char *cm_capture(enum rig_form form, const struct cm_row *rows)
{
	struct rig_capture capture = rig_capture_begin(form, "H1[1]");

	for (unsigned int i = 0; i < CM_FRAMES && rows[i].attr; i++) {
		struct packet packet;

		cm_packet(&rows[i], 7, &packet);
		rig_capture_add(&capture, (int64_t)(i + 1) * 1000000000, !rows[i].back, &packet);
	}
	return rig_capture_end(&capture);
}

#endif
