/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures made of rows, and their replay in mode "answer".
 */
#ifndef UMADRIG_TESTS_RIG_REPLAY_RIG_H
#define UMADRIG_TESTS_RIG_REPLAY_RIG_H

#include <glib/gstdio.h>
#include <unistd.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay.h"
#include "sim/capture/sa-mask.h"
#include "tests/rig/rig.h"

static const struct replay_options in_order;

#define DATA_AT 200		/* a byte beyond all headers and masks of the tests */

/* One MAD, in a capture or as a request. LIDs of 0 mean a directed route. */
struct mad_row {
	uint16_t slid, dlid;
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint32_t modifier;
	uint64_t tid;
	uint8_t mark;		/* data that distinguishes the responses */
	const char *path;	/* directed routes: ports after the leading 0 */
	uint8_t rmpp_flags;	/* not 0: a data segment; its number follows */
	uint32_t segment;
	uint64_t mask;		/* of an SA query, whose component data is 'mark' repeated */
	bool damaged;		/* its ICRC is wrong */
	int64_t at_ns;		/* 0: after the row before */
};

static inline void make_mad(const struct mad_row *row, struct packet *packet)
{
	bool smp = mad_class_is_smp(row->mgmt_class);
	bool directed = row->mgmt_class == MAD_CLASS_SUBN_DR;
	struct packet_addr addr = {
		.slid = directed && !row->slid ? LID_PERMISSIVE : row->slid,
		.dlid = directed && !row->dlid ? LID_PERMISSIVE : row->dlid,
		.vl = smp ? 15 : 0, .sl = smp ? 0 : 3, .pkey = PKEY_DEFAULT,
		.src_qp = !smp, .dest_qp = !smp, .qkey = smp ? 0 : QKEY_GSI,
	};
	uint8_t *mad;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = row->mgmt_class;
	mad[MAD_CLASS_VERSION] = row->mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad[MAD_METHOD] = row->method;
	put_be64(mad + MAD_TID, row->tid);
	put_be16(mad + MAD_ATTR_ID, row->attr);
	put_be32(mad + MAD_ATTR_MOD, row->modifier);
	if (directed) {
		bool response = row->method & MAD_METHOD_RESPONSE;

		put_be16(mad + MAD_STATUS, response ? SMP_DIRECTION : 0);
		mad[SMP_HOP_PTR] = 1;
		mad[SMP_HOP_CNT] = (uint8_t)strlen(row->path);
		put_be32(mad + SMP_DR_SLID, UINT32_MAX);
		memcpy(mad + SMP_INITIAL_PATH + 1, row->path, strlen(row->path));
		if (response)
			mad[SMP_RETURN_PATH + 1] = 9;
		mad[SMP_DATA] = row->mark;
		return;
	}
	if (row->rmpp_flags) {
		mad[RMPP_VERSION] = mad[RMPP_TYPE] = 1;
		mad[RMPP_FLAGS] = row->rmpp_flags;
		put_be32(mad + RMPP_SEGMENT, row->segment);
		if (row->rmpp_flags & RMPP_FLAG_LAST)
			put_be32(mad + RMPP_PAYLEN_NEWWIN, RMPP_PAYLOAD_SIZE);
	}
	if (row->mgmt_class == MAD_CLASS_SUBN_ADM && !(row->method & MAD_METHOD_RESPONSE)) {
		put_be64(mad + SA_COMP_MASK, row->mask);
		memset(mad + SA_DATA, row->mark, SA_DATA_SIZE);
	}
	mad[DATA_AT] = row->mark;
}

static inline char *write_capture(const struct mad_row *rows, size_t count)
{
	char message[512] = "", *path;
	struct capture_writer *writer;
	unsigned int port;
	int fd = g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL);

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	writer = capture_writer_open(path, NULL, true, message, sizeof(message));
	g_assert_nonnull(writer);
	port = capture_writer_interface(writer, "H1[1]", NULL);
	for (size_t i = 0; i < count && rows[i].method; i++) {
		struct packet packet;

		make_mad(&rows[i], &packet);
		if (rows[i].damaged) {
			packet_seal(&packet);
			packet_mad(&packet)[DATA_AT] ^= 1;
		}
		capture_writer_packet(writer, port, rows[i].at_ns ? rows[i].at_ns :
				      (int64_t)(i + 1) * 1000, true, &packet, NULL);
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	return path;
}

static inline struct replay *open_replay(const struct mad_row *rows, size_t count)
{
	char message[512] = "", *path = write_capture(rows, count);
	struct replay *replay = replay_new(path, &in_order, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(replay);
	g_unlink(path);
	g_free(path);
	return replay;
}

#define MAD(from, to, of_class, with_method, about, with_modifier, with_tid, marked, ...) \
	{ .slid = from, .dlid = to, .mgmt_class = of_class, .method = with_method, .attr = about, \
	  .modifier = with_modifier, .tid = with_tid, .mark = marked, __VA_ARGS__ }
#define GET(from, to, about, tid, ...) \
	MAD(from, to, MAD_CLASS_PERF, MAD_METHOD_GET, about, 0, tid, 0, __VA_ARGS__)
#define RESP(from, to, about, tid, mark, ...) \
	MAD(from, to, MAD_CLASS_PERF, MAD_METHOD_GET_RESP, about, 0, tid, mark, __VA_ARGS__)
#define DR(method, route, tid, mark) \
	MAD(0, 0, MAD_CLASS_SUBN_DR, method, 0x11, 0, tid, mark, .path = route)
#define SA(method, selecting, mark, tid) \
	MAD(4, 1, MAD_CLASS_SUBN_ADM, method, 0x35, 0, tid, mark, .mask = selecting)
#define SA_RESP(method, flags, number, mark, tid) \
	MAD(1, 4, MAD_CLASS_SUBN_ADM, method, 0x35, 0, tid, mark, .rmpp_flags = flags, \
	    .segment = number)

static inline char *capture_of_one(void)
{
	static const struct mad_row rows[] = { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1) };

	return write_capture(rows, G_N_ELEMENTS(rows));
}

#endif
