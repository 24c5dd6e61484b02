/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tap: see lib/mad-tap.h.
 */
#include "lib/mad-tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/base/monotonic.h"
#include "lib/base/wire.h"
#include "lib/sysfs.h"

enum {
	FILE_HEADER_SIZE = 24,
	LINK_TYPE_AT = 20,
	LINK_TYPE_ERF = 197,
	RECORD_HEADER_SIZE = 16,
	ERF_SIZE = 16,
	ERF_INFINIBAND = 21,
	ERF_VARYING = 4,
	ERF_OUTBOUND = 1,
	NEW_HEADER_SIZE = 64,
	OLD_HEADER_SIZE = 56,
	PORTS_MAX = 256,	/* descriptors below it have a port that is known */
	FRESH_NS = 1000000000,
};

#define PCAP_MAGIC UINT32_C(0x4d3cb2a1)	/* nanoseconds, little-endian */

/* What is known of a descriptor. */
struct tapped {
	char dir[SYSFS_PATH_SIZE];	/* of the port; "": unknown */
	size_t header_size;
	uint8_t gid[16];
	_Atomic uint32_t lid;
	_Atomic int64_t lid_read_ns;
	_Atomic uint32_t qp0_agents;	/* bits of agents */
	_Atomic uint32_t rmpp_agents;	/* whose messages the kernel cuts and puts together */
};

static struct tapped ports[PORTS_MAX];
static atomic_int tap_fd = -1;

/* An unknown descriptor (dup, inherited) is taken for one of the usual kind. */
static struct tapped *port_of(int fd)
{
	static struct tapped unknown = { .header_size = NEW_HEADER_SIZE };

	return fd >= 0 && fd < PORTS_MAX && ports[fd].header_size ? &ports[fd] : &unknown;
}

static uint16_t own_lid(struct tapped *port)
{
	int64_t now_ns = monotonic_ns();
	unsigned int lid;

	if (port->dir[0] && now_ns - atomic_load(&port->lid_read_ns) > FRESH_NS) {
		atomic_store(&port->lid_read_ns, now_ns);
		if (sysfs_read_number(port->dir, "lid", &lid) == 0)
			atomic_store(&port->lid, lid);
	}
	return (uint16_t)atomic_load(&port->lid);
}

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

static void put_grh(uint8_t *grh, const struct ib_user_mad *umad, const uint8_t *own, bool sent)
{
	uint32_t flow = get_be32(&umad->addr.flow_label) & 0xfffff;

	put_be32(grh + GRH_TCLASS_FLOW,
		 UINT32_C(6) << 28 | (uint32_t)umad->addr.traffic_class << 20 | flow);
	put_be16(grh + GRH_PAYLEN, BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE);
	grh[GRH_NXTHDR] = GRH_NXTHDR_IBA;
	grh[GRH_HOPLIMIT] = umad->addr.hop_limit;
	memcpy(grh + GRH_SGID, sent ? own : umad->addr.gid, 16);
	memcpy(grh + GRH_DGID, sent ? umad->addr.gid : own, 16);
}

/* LRH; the MAD's class decides about the LIDs of directed routes. */
static void put_lrh(uint8_t *lrh, const struct ib_user_mad *umad, struct tapped *port,
		    uint8_t mgmt_class, bool sent, bool qp0)
{
	uint16_t theirs = get_be16(&umad->addr.lid), ours = own_lid(port);

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

static void put_erf(uint8_t *record, size_t packet_size, bool sent)
{
	uint8_t *erf = record + RECORD_HEADER_SIZE;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	put_le32(record, (uint32_t)now.tv_sec);
	put_le32(record + 4, (uint32_t)now.tv_nsec);
	put_le32(record + 8, (uint32_t)(ERF_SIZE + packet_size));
	put_le32(record + 12, (uint32_t)(ERF_SIZE + packet_size));
	put_le32(erf, (uint32_t)((((uint64_t)now.tv_nsec << 32) + 500000000) / 1000000000));
	put_le32(erf + 4, (uint32_t)now.tv_sec);
	erf[8] = ERF_INFINIBAND;
	erf[9] = ERF_VARYING | (sent ? ERF_OUTBOUND : 0);
	put_be16(erf + 10, (uint16_t)(ERF_SIZE + packet_size));
	put_be16(erf + 14, (uint16_t)packet_size);
}

/* All but the MAD, which the caller puts at 'mad_at'. */
static void begin_record(struct record *record, const struct ib_user_mad *umad,
			 struct tapped *port, uint8_t mgmt_class, bool sent)
{
	uint32_t theirs = get_be32(&umad->addr.qpn) & 0xffffff;
	bool qp0 = mad_class_is_smp(mgmt_class);
	uint8_t *lrh = record->bytes + RECORD_HEADER_SIZE + ERF_SIZE, *bth = lrh + LRH_SIZE;

	memset(record->bytes, 0, sizeof(record->bytes));
	put_lrh(lrh, umad, port, mgmt_class, sent, qp0);
	if (umad->addr.grh_present) {
		put_grh(bth, umad, port->gid, sent);
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
		ERF_SIZE, sent);
}

/* One write: whole records of several processes follow each other. What fails is lost. */
static void end_record(const struct record *record)
{
	size_t size = record->mad_at + MAD_SIZE + ICRC_SIZE;

	if (write(atomic_load(&tap_fd), record->bytes, size) < 0)
		return;
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

/* 'umad' is a header of the descriptor's kind and 'size' bytes in all. */
static void tap(int fd, const uint8_t *umad, size_t size, bool sent)
{
	struct tapped *port = port_of(fd);
	struct ib_user_mad header = { .status = 0 };
	const uint8_t *mad = umad + port->header_size;
	uint32_t count = 1;
	struct record record;
	bool is_rmpp;
	int err = errno;

	if (size < port->header_size + MAD_HDR_SIZE || atomic_load(&tap_fd) < 0)
		return;
	memcpy(&header, umad, port->header_size);
	size -= port->header_size;
	/* What comes back with a status was not received; other files give what they like. */
	if (!sent && header.status)
		return;
	is_rmpp = header.agent_id < 32 && mad_class_has_rmpp(mad[MAD_CLASS]) &&
		  (atomic_load(&port->rmpp_agents) & UINT32_C(1) << header.agent_id) &&
		  size >= mad_class_header_size(mad[MAD_CLASS]) &&
		  (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE);
	if (is_rmpp) {
		size_t head = mad_class_header_size(mad[MAD_CLASS]), room = MAD_SIZE - head;

		count = (uint32_t)((size - head + room - 1) / room);
	}
	for (uint32_t number = 1; number <= count || number == 1; number++) {
		uint8_t *to;

		begin_record(&record, &header, port, mad[MAD_CLASS], sent);
		to = record.bytes + record.mad_at;
		if (is_rmpp)
			put_segment(to, mad, size, number, count ? count : 1);
		else
			memcpy(to, mad, size < MAD_SIZE ? size : MAD_SIZE);
		clear_agent(to, sent);
		end_record(&record);
	}
	errno = err;
}

/* ---- the backend ---- */

static int tap_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	int fd = umad_backend_ib_umad.open(ca_name, portnum, ret_header_size);
	uint64_t prefix = 0, guid = 0;
	struct tapped *port;

	if (fd < 0 || fd >= PORTS_MAX)
		return fd;
	port = &ports[fd];
	port->header_size = 0;
	if (sysfs_path(port->dir, sizeof(port->dir), "%s/%s/ports/%u", umad_roots.infiniband,
		       ca_name, portnum) < 0)
		port->dir[0] = '\0';
	sysfs_read_gid(port->dir, "gids/0", &prefix, &guid);
	put_be64(port->gid, prefix);
	put_be64(port->gid + 8, guid);
	atomic_store(&port->lid, 0);
	atomic_store(&port->lid_read_ns, INT64_MIN / 2);
	atomic_store(&port->rmpp_agents, 0);
	port->header_size = *ret_header_size;
	return fd;
}

static int tap_close(int fd)
{
	if (fd >= 0 && fd < PORTS_MAX)
		ports[fd].header_size = 0;
	return umad_backend_ib_umad.close(fd);
}

static int tap_register_agent(int fd, struct umad_backend_reg *reg)
{
	int r = umad_backend_ib_umad.register_agent(fd, reg);
	uint32_t bit = r == 0 && reg->id < 32 ? UINT32_C(1) << reg->id : 0;

	/* With the flag, the program has RMPP of its own (linux-mad: IB_USER_MAD_USER_RMPP). */
	if (reg->rmpp_version && !(reg->request == 2 && (reg->flags & 1)))
		atomic_fetch_or(&port_of(fd)->rmpp_agents, bit);
	else
		atomic_fetch_and(&port_of(fd)->rmpp_agents, ~bit);
	return r;
}

static long tap_send(int fd, const void *umad, size_t size)
{
	long n = umad_backend_ib_umad.send(fd, umad, size);

	if (n == (long)size)
		tap(fd, umad, size, true);
	return n;
}

static long tap_recv(int fd, void *umad, size_t size)
{
	long n = umad_backend_ib_umad.recv(fd, umad, size);

	if (n > 0)
		tap(fd, umad, (size_t)n, false);
	return n;
}

static int say(char *reterr, size_t size, const char *path, const char *why)
{
	snprintf(reterr, size, "UMAD_TAP=%s: %s", path, why);
	return -1;
}

/* Nothing that a program could have to wait for: a pipe or a device has no header of a capture. */
static int open_file(const char *path, char *reterr, size_t reterr_size)
{
	int fd = open(path, O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint8_t header[FILE_HEADER_SIZE];

	if (fd < 0)
		return say(reterr, reterr_size, path, strerror(errno));
	if (read(fd, header, sizeof(header)) == sizeof(header) &&
	    get_be32(header) == PCAP_MAGIC && header[LINK_TYPE_AT] == LINK_TYPE_ERF)
		return fd;
	close(fd);
	return say(reterr, reterr_size, path, "not a capture that umadrig record has begun");
}

const struct umad_backend *umad_tap(const char *path, char *reterr, size_t reterr_size)
{
	static struct umad_backend tapped;
	int fd = open_file(path, reterr, reterr_size);

	if (fd < 0)
		return NULL;
	tapped = umad_backend_ib_umad;
	tapped.open = tap_open;
	tapped.close = tap_close;
	tapped.register_agent = tap_register_agent;
	tapped.send = tap_send;
	tapped.recv = tap_recv;
	umad_tap_close();
	atomic_store(&tap_fd, fd);
	return &tapped;
}

void umad_tap_close(void)
{
	int fd = atomic_exchange(&tap_fd, -1);

	if (fd >= 0)
		close(fd);
}
