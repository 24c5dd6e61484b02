/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tap: see lib/mad-tap.h.
 */
#include "lib/mad-tap.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/base/wire.h"
#include "lib/registration-argument.h"
#include "lib/tap-file.h"
#include "lib/tap-port.h"

enum {
	RECORD_HEADER_SIZE = 16,
	ERF_SIZE = 16,
	ERF_INFINIBAND = 21,
	ERF_VARYING = 4,
	ERF_OUTBOUND = 1,
};

/* ---- packets ---- */

/* One packet on its way to the file. */
struct record {
	uint8_t bytes[RECORD_HEADER_SIZE + ERF_SIZE + LRH_SIZE + GRH_SIZE + BTH_SIZE + DETH_SIZE +
		      MAD_SIZE + ICRC_SIZE];
	size_t mad_at;
};

static void put_le32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static void put_grh(uint8_t *grh, const struct ib_user_mad *umad, struct tap_port *port, bool sent)
{
	uint32_t flow = get_be32(&umad->addr.flow_label) & 0xfffff;

	put_be32(grh + GRH_TCLASS_FLOW,
		 UINT32_C(6) << 28 | (uint32_t)umad->addr.traffic_class << 20 | flow);
	put_be16(grh + GRH_PAYLEN, BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE);
	grh[GRH_NXTHDR] = GRH_NXTHDR_IBA;
	grh[GRH_HOPLIMIT] = umad->addr.hop_limit;
	memcpy(grh + (sent ? GRH_DGID : GRH_SGID), umad->addr.gid, 16);
	tap_port_gid(port, grh + (sent ? GRH_SGID : GRH_DGID));
}

/* LRH; the MAD's class decides about the LIDs of directed routes. */
static void put_lrh(uint8_t *lrh, const struct ib_user_mad *umad, struct tap_port *port,
		    uint8_t mgmt_class, bool sent, bool qp0)
{
	uint16_t theirs = get_be16(&umad->addr.lid), ours = tap_port_lid(port);

	if (!sent)
		ours |= umad->addr.path_bits;
	if (mgmt_class == MAD_CLASS_SUBN_DR)
		ours = theirs = LID_PERMISSIVE;
	lrh[LRH_VL] = qp0 ? 0xf0 : 0;
	lrh[LRH_SL] = (uint8_t)(umad->addr.sl << 4 |
				(umad->addr.grh_present ? LRH_LNH_GRH : LRH_LNH_IBA));
	put_be16(lrh + LRH_DLID, sent ? theirs : ours);
	put_be16(lrh + LRH_PKTLEN, umad->addr.grh_present ? 82 : 72);
	put_be16(lrh + LRH_SLID, sent ? ours : theirs);
}

static void put_erf(uint8_t *record, size_t packet_size, const struct timespec *at, bool sent)
{
	uint8_t *erf = record + RECORD_HEADER_SIZE;

	put_le32(record, (uint32_t)at->tv_sec);
	put_le32(record + 4, (uint32_t)at->tv_nsec);
	put_le32(record + 8, (uint32_t)(ERF_SIZE + packet_size));
	put_le32(record + 12, (uint32_t)(ERF_SIZE + packet_size));
	put_le32(erf, (uint32_t)((((uint64_t)at->tv_nsec << 32) + 500000000) / 1000000000));
	put_le32(erf + 4, (uint32_t)at->tv_sec);
	erf[8] = ERF_INFINIBAND;
	erf[9] = ERF_VARYING | (sent ? ERF_OUTBOUND : 0);
	put_be16(erf + 10, (uint16_t)(ERF_SIZE + packet_size));
	put_be16(erf + 14, (uint16_t)packet_size);
}

/* All but the MAD, which the caller puts at 'mad_at'. */
static void begin_record(struct record *record, const struct ib_user_mad *umad,
			 struct tap_port *port, uint8_t mgmt_class, const struct timespec *at,
			 bool sent)
{
	uint32_t theirs = get_be32(&umad->addr.qpn) & 0xffffff;
	bool qp0 = mad_class_is_smp(mgmt_class);
	uint8_t *lrh = record->bytes + RECORD_HEADER_SIZE + ERF_SIZE, *bth = lrh + LRH_SIZE;

	memset(record->bytes, 0, sizeof(record->bytes));
	put_lrh(lrh, umad, port, mgmt_class, sent, qp0);
	if (umad->addr.grh_present) {
		put_grh(bth, umad, port, sent);
		bth += GRH_SIZE;
	}
	bth[BTH_OPCODE] = BTH_UD_SEND_ONLY;
	put_be16(bth + BTH_PKEY, PKEY_DEFAULT);
	put_be24(bth + BTH_DESTQP, sent ? theirs : !qp0);
	put_be32(bth + BTH_SIZE + DETH_QKEY, qp0 ? 0 : sent ? get_be32(&umad->addr.qkey) :
							      QKEY_GSI);
	put_be24(bth + BTH_SIZE + DETH_SRCQP, sent ? !qp0 : theirs);
	record->mad_at = (size_t)(bth - record->bytes) + BTH_SIZE + DETH_SIZE;
	put_erf(record->bytes, record->mad_at + MAD_SIZE + ICRC_SIZE - RECORD_HEADER_SIZE -
		ERF_SIZE, at, sent);
}

/* The kernel writes its agent's number over the upper half of TIDs that are its own. */
static void clear_agent(uint8_t *mad, bool sent)
{
	if (mad_is_response(mad) != sent)
		put_be32(mad + MAD_TID, 0);
}

/* Segments as the kernel makes them of a message, or has made a message of. */
static void put_segment(uint8_t *segment, const uint8_t *mad, size_t size, uint32_t number,
			uint32_t count)
{
	const size_t header = mad_class_header_size(mad[MAD_CLASS]), room = MAD_SIZE - header;
	const size_t at = (size_t)(number - 1) * room, data = size - header;
	const size_t piece = data - at < room ? data - at : room;
	uint8_t flags = RMPP_FLAG_ACTIVE | (number == 1 ? RMPP_FLAG_FIRST : 0) |
			(number == count ? RMPP_FLAG_LAST : 0);

	memcpy(segment, mad, header);
	memcpy(segment + header, mad + header + at, piece);
	segment[RMPP_VERSION] = 1;
	segment[RMPP_TYPE] = RMPP_TYPE_DATA;
	segment[RMPP_FLAGS] = (uint8_t)((mad[RMPP_FLAGS] & ~RMPP_FLAGS_MASK) | flags);
	put_be32(segment + RMPP_SEGMENT, number);
	put_be32(segment + RMPP_PAYLEN_NEWWIN, number == 1 ?
		 (uint32_t)(data + count * (header - RMPP_END)) :
		 number == count ? (uint32_t)(piece + header - RMPP_END) : 0);
}

/* Of a file that was not opened here: only the kernel's messages are long, or lack a number. */
static bool is_kernels_rmpp(int fd, uint32_t agent, const uint8_t *mad, size_t size, bool sent)
{
	if (!mad_class_has_rmpp(mad[MAD_CLASS]) || size < mad_class_header_size(mad[MAD_CLASS]) ||
	    !(mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE))
		return false;
	switch (tap_port_rmpp(fd, agent)) {
	case TAP_RMPP_PROGRAM:
		return false;
	case TAP_RMPP_KERNEL:
		return true;
	case TAP_RMPP_UNKNOWN:
		break;
	}
	return size > MAD_SIZE || (sent && !get_be32(mad + RMPP_SEGMENT));
}

/* 'umad' is a header of the descriptor's kind and 'size' bytes in all. */
static void tap(int fd, const uint8_t *umad, size_t size, const struct timespec *at, bool sent)
{
	struct tap_port *port = tap_port_find(fd);
	const size_t header_size = tap_port_header_size(port);
	struct ib_user_mad header = { .status = 0 };
	const uint8_t *mad = umad + header_size;
	uint32_t count = 1;
	struct record record;
	bool is_rmpp;

	if (size < header_size + MAD_HDR_SIZE)
		return;
	memcpy(&header, umad, header_size);
	size -= header_size;
	/* What comes back with a status was not received; other files give what they like. */
	if (!sent && header.status)
		return;
	is_rmpp = is_kernels_rmpp(fd, header.agent_id, mad, size, sent);
	if (is_rmpp) {
		size_t head = mad_class_header_size(mad[MAD_CLASS]), room = MAD_SIZE - head;

		count = (uint32_t)((size - head + room - 1) / room);
	}
	for (uint32_t number = 1; number <= count || number == 1; number++) {
		uint8_t *to;

		begin_record(&record, &header, port, mad[MAD_CLASS], at, sent);
		to = record.bytes + record.mad_at;
		if (is_rmpp)
			put_segment(to, mad, size, number, count ? count : 1);
		else
			memcpy(to, mad, size < MAD_SIZE ? size : MAD_SIZE);
		clear_agent(to, sent);
		tap_file_append(record.bytes, record.mad_at + MAD_SIZE + ICRC_SIZE);
	}
}

/* ---- the backend ---- */

static int tap_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	int fd = umad_backend_ib_umad.open(ca_name, portnum, ret_header_size);

	if (fd >= 0)
		tap_port_opened(fd, ca_name, portnum, *ret_header_size);
	return fd;
}

static int tap_close(int fd)
{
	/* Before another thread may open a file of the same number. */
	tap_port_closed(fd);
	return umad_backend_ib_umad.close(fd);
}

static int tap_register_agent(int fd, struct umad_backend_reg *reg)
{
	int r = umad_backend_ib_umad.register_agent(fd, reg);

	/* With the flag, the program has RMPP of its own (linux-mad: IB_USER_MAD_USER_RMPP). */
	if (r == 0)
		tap_port_set_rmpp(fd, reg->id, registration_has_kernel_rmpp(reg));
	return r;
}

/* The time is that before the call: no answer may come before its request. */
static long tap_send(int fd, const void *umad, size_t size)
{
	bool is_open = tap_file_is_open();
	struct timespec at;
	long n;
	int err;

	if (is_open)
		clock_gettime(CLOCK_REALTIME, &at);
	n = umad_backend_ib_umad.send(fd, umad, size);
	err = errno;
	if (is_open && n == (long)size)
		tap(fd, umad, size, &at, true);
	errno = err;
	return n;
}

static long tap_recv(int fd, void *umad, size_t size)
{
	long n = umad_backend_ib_umad.recv(fd, umad, size);
	struct timespec at;
	int err = errno;

	if (n > 0 && tap_file_is_open()) {
		clock_gettime(CLOCK_REALTIME, &at);
		tap(fd, umad, (size_t)n, &at, false);
	}
	errno = err;
	return n;
}

const struct umad_backend *umad_tap(const char *path, char *reterr, size_t reterr_size)
{
	static struct umad_backend tapped;

	if (!tap_file_open(path, reterr, reterr_size))
		return NULL;
	tapped = umad_backend_ib_umad;
	tapped.open = tap_open;
	tapped.close = tap_close;
	tapped.register_agent = tap_register_agent;
	tapped.send = tap_send;
	tapped.recv = tap_recv;
	return &tapped;
}

void umad_tap_close(void)
{
	tap_file_close();
}
