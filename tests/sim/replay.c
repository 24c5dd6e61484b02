/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": which captured response a request gets, what its sender sees of it, and
 * what is reported if there is none. On captures that the test itself writes, and on a real one.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay-question.h"
#include "sim/capture/replay.h"
#include "sim/capture/sa-mask.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"
#include "tests/rig/peak-memory.h"
#include "tests/rig/rig.h"
#include "tests/rig/trees.h"

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

static void make_mad(const struct mad_row *row, struct packet *packet)
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

static char *write_capture(const struct mad_row *rows, size_t count)
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

static struct replay *open_replay(const struct mad_row *rows, size_t count)
{
	char message[512] = "", *path = write_capture(rows, count);
	struct replay *replay = replay_new(path, &in_order, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(replay);
	g_unlink(path);
	g_free(path);
	return replay;
}

/* ---- which answer ---- */

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

enum { ROWS = 8, ASKS = 5, FIRST_MARK = 0xa0 };

/* A capture, the request, and the mark of the response, or a verdict if there is none. */
static const struct {
	const char *name;
	struct mad_row capture[ROWS];
	struct { struct mad_row ask; int want; const char *why; } asks[ASKS];
} lookups[] = {
	{ "one answer, whoever asks, again and again",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1) },
	  { { GET(4, 7, 0x12, 99), 0xa1, "frame 2 answers" },
	    { GET(5, 7, 0x12, UINT64_C(0x8877665544332211)), 0xa1, NULL } } },
	{ "two answers to one question: in order, then the last",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1), GET(4, 7, 0x12, 2),
	    RESP(7, 4, 0x12, 2, 0xa2) },
	  { { GET(4, 7, 0x12, 5), 0xa1, NULL }, { GET(4, 7, 0x12, 6), 0xa2, NULL },
	    { GET(4, 7, 0x12, 7), 0xa2, "frame 4 answers" } } },
	{ "answers that overtake each other belong to their requests",
	  { GET(4, 7, 0x12, 1), GET(4, 8, 0x12, 2), RESP(8, 4, 0x12, 2, 0xa2),
	    RESP(7, 4, 0x12, 1, 0xa1) },
	  { { GET(4, 7, 0x12, 5), 0xa1, NULL }, { GET(4, 8, 0x12, 6), 0xa2, NULL } } },
	{ "the same TID at two places",
	  { GET(4, 7, 0x12, 1), GET(4, 8, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa7),
	    RESP(8, 4, 0x12, 1, 0xa8) },
	  { { GET(4, 7, 0x12, 5), 0xa7, NULL }, { GET(4, 8, 0x12, 6), 0xa8, NULL } } },
	{ "the same TID from two places",
	  { GET(4, 7, 0x12, 1), GET(5, 8, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa7),
	    RESP(8, 5, 0x12, 1, 0xa8) },
	  { { GET(4, 7, 0x12, 5), 0xa7, NULL }, { GET(4, 8, 0x12, 6), 0xa8, NULL } } },
	{ "the same TID again, later",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1), GET(4, 7, 0x12, 1),
	    RESP(7, 4, 0x12, 1, 0xa2) },
	  { { GET(4, 7, 0x12, 5), 0xa1, NULL }, { GET(4, 7, 0x12, 6), 0xa2, NULL } } },
	{ "an answer from another LID than asked, as Linux takes it",
	  { GET(4, 7, 0x12, 1), RESP(9, 4, 0x12, 1, 0xa9) },
	  { { GET(4, 7, 0x12, 5), 0xa9, NULL } } },
	{ "a retry is one question; an answer seen twice is one answer",
	  { GET(4, 7, 0x12, 1), GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1),
	    RESP(7, 4, 0x12, 1, 0xa1), GET(4, 7, 0x12, 2), RESP(7, 4, 0x12, 2, 0xa2) },
	  { { GET(4, 7, 0x12, 5), 0xa1, NULL }, { GET(4, 7, 0x12, 5), 0xa2, NULL },
	    { GET(4, 7, 0x12, 5), 0xa2, NULL } } },
	{ "no answer then, none now",
	  { GET(4, 7, 0x12, 1), GET(4, 7, 0x12, 1) },
	  { { GET(4, 7, 0x12, 5), REPLAY_SILENT,
	      "frame 1 asked the same and got no answer either" } } },
	{ "an answer with a wrong CRC was none",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1, .damaged = true) },
	  { { GET(4, 7, 0x12, 5), REPLAY_SILENT, NULL } } },
	{ "an answer nobody asked for is nobody's",
	  { RESP(7, 4, 0x12, 1, 0xa1), GET(4, 7, 0x12, 2), RESP(7, 4, 0x12, 3, 0xa3),
	    RESP(7, 4, 0x13, 2, 0xa3), RESP(7, 5, 0x12, 2, 0xa3) },
	  { { GET(4, 7, 0x12, 5), REPLAY_SILENT, NULL } } },
	{ "a file out of order is put in order",
	  { RESP(7, 4, 0x12, 1, 0xa1, .at_ns = 50), GET(4, 7, 0x12, 1, .at_ns = 40) },
	  { { GET(4, 7, 0x12, 5), 0xa1, NULL } } },
	{ "Get and Set are two questions with one kind of answer",
	  { MAD(4, 7, MAD_CLASS_PERF, MAD_METHOD_SET, 0x12, 0, 1, 0), RESP(7, 4, 0x12, 1, 0xa1) },
	  { { MAD(4, 7, MAD_CLASS_PERF, MAD_METHOD_SET, 0x12, 0, 9, 0), 0xa1, NULL },
	    { GET(4, 7, 0x12, 5), REPLAY_UNMATCHED,
	      "the capture does not have PerfGet(PortCounters) to LID 7; closest is frame 1: "
	      "method PerfSet, not PerfGet" } } },
	{ "a trap and who ends it",
	  { MAD(4, 1, MAD_CLASS_SUBN_LID, MAD_METHOD_TRAP, 0x02, 0, 1, 0),
	    MAD(1, 4, MAD_CLASS_SUBN_LID, MAD_METHOD_TRAP_REPRESS, 0x02, 0, 1, 0xa1) },
	  { { MAD(4, 1, MAD_CLASS_SUBN_LID, MAD_METHOD_TRAP, 0x02, 0, 9, 0), 0xa1, NULL } } },
	{ "attribute, modifier and LID make a question",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1) },
	  { { GET(4, 8, 0x12, 5), REPLAY_UNMATCHED,
	      "the capture does not have PerfGet(PortCounters) to LID 8; closest is frame 1: "
	      "LID 7, not 8" },
	    { GET(4, 7, 0x1d, 5), REPLAY_UNMATCHED,
	      "the capture does not have PerfGet(PortCountersExtended) to LID 7; "
	      "closest is frame 1: attribute PortCounters, not PortCountersExtended" },
	    { MAD(4, 7, MAD_CLASS_PERF, MAD_METHOD_GET, 0x12, 3, 5, 0), REPLAY_UNMATCHED,
	      "the capture does not have PerfGet(PortCounters) modifier 0x3 to LID 7; closest is "
	      "frame 1: modifier 0x0, not 0x3" },
	    { RESP(4, 7, 0x12, 1, 0), REPLAY_NOT_ASKED, NULL },
	    { MAD(4, 7, MAD_CLASS_CM, MAD_METHOD_SEND, 0x14, 0, 1, 0), REPLAY_NOT_ASKED, NULL } } },
	{ "the closest of several",
	  { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1), DR(MAD_METHOD_GET, "\1\2", 2, 0),
	    DR(MAD_METHOD_GET_RESP, "\1\2", 2, 0xa2), GET(4, 9, 0x1d, 3) },
	  { { GET(4, 7, 0x1d, 5), REPLAY_UNMATCHED,
	      "the capture does not have PerfGet(PortCountersExtended) to LID 7; "
	      "closest is frame 5: LID 9, not 7" },
	    { MAD(4, 7, MAD_CLASS_SUBN_LID, MAD_METHOD_GET, 0x11, 0, 1, 0), REPLAY_UNMATCHED,
	      "the capture does not have SubnGet(NodeInfo) to LID 7; closest is frame 3: "
	      "class 0x81, not 0x1" } } },
	{ "a directed route, its first port being merely the asker's own",
	  { DR(MAD_METHOD_GET, "\2\3", 1, 0), DR(MAD_METHOD_GET_RESP, "\2\3", 1, 0xa1) },
	  { { DR(MAD_METHOD_GET, "\2\3", 9, 0), 0xa1, NULL },
	    { DR(MAD_METHOD_GET, "\1\3", 9, 0), 0xa1, NULL },
	    { DR(MAD_METHOD_GET, "\2\3\4", 9, 0), REPLAY_UNMATCHED,
	      "the capture does not have SubnGet(NodeInfo) by route 0,own,3,4; closest is frame 1: "
	      "route 0,own,3, not 0,own,3,4" },
	    { DR(MAD_METHOD_GET, "\2", 9, 0), REPLAY_UNMATCHED, NULL } } },
	{ "directed routes from two ports stay two",
	  { DR(MAD_METHOD_GET, "\1\3", 1, 0), DR(MAD_METHOD_GET_RESP, "\1\3", 1, 0xa1),
	    DR(MAD_METHOD_GET, "\2\3", 2, 0), DR(MAD_METHOD_GET_RESP, "\2\3", 2, 0xa2) },
	  { { DR(MAD_METHOD_GET, "\2\3", 9, 0), 0xa2, NULL },
	    { DR(MAD_METHOD_GET, "\1\3", 9, 0), 0xa1, NULL } } },
	{ "an SA query: what its mask selects",
	  /* PathRecord: DGID and DLID, bits 2 and 4. */
	  { SA(MAD_METHOD_GET, 0x14, 0x55, 1), SA_RESP(MAD_METHOD_GET_RESP, 0, 0, 0xa1, 1) },
	  { { SA(MAD_METHOD_GET, 0x14, 0x55, 9), 0xa1, NULL },
	    { SA(MAD_METHOD_GET, 0x04, 0x55, 9), REPLAY_UNMATCHED,
	      "the capture does not have SubnAdmGet(PathRecord) to LID 1; closest is frame 1: "
	      "component mask 0x14, not 0x4" },
	    { SA(MAD_METHOD_GET, 0x14, 0x56, 9), REPLAY_UNMATCHED,
	      "the capture does not have SubnAdmGet(PathRecord) to LID 1; closest is frame 1: "
	      "data, from byte 64 of the MAD" } } },
	{ "a table in one segment",
	  { SA(0x12, 0x14, 0x55, 1), SA_RESP(0x92, 7, 1, 0xa1, 1) },
	  { { SA(0x12, 0x14, 0x55, 9), 0xa1, NULL } } },
	{ "a table in several segments (replay-rmpp has more of them)",
	  { SA(0x12, 0x14, 0x55, 1), SA_RESP(0x92, 3, 1, 0xa1, 1), SA_RESP(0x92, 5, 2, 0xa2, 1) },
	  { { SA(0x12, 0x14, 0x55, 9), 0xa1, "frame 2 answers" } } },
	{ "of which one is missing",
	  { SA(0x12, 0x14, 0x55, 1), SA_RESP(0x92, 3, 1, 0xa1, 1), SA_RESP(0x92, 5, 3, 0xa2, 1) },
	  { { SA(0x12, 0x14, 0x55, 9), REPLAY_SILENT,
	      "the answer, from frame 2 on, lacks segments in the capture" } } },
	{ "first with a gap, then whole: the gap is no answer",
	  { SA(0x12, 0x14, 0x55, 1), SA_RESP(0x92, 3, 1, 0xa1, 1), SA_RESP(0x92, 5, 3, 0xa2, 1),
	    SA(0x12, 0x14, 0x55, 2), SA_RESP(0x92, 3, 1, 0xa3, 2), SA_RESP(0x92, 5, 2, 0xa4, 2) },
	  { { SA(0x12, 0x14, 0x55, 9), 0xa3, "frame 5 answers" } } },
};

static void check_answer(const struct mad_row *ask, const struct packet *request,
			 struct packet *answer, int mark)
{
	struct packet_addr addr;
	const uint8_t *mad;

	g_assert_true(packet_parse(answer, packet_size(answer), &addr));
	mad = packet_mad_const(answer);
	g_assert_cmphex(get_be64(mad + MAD_TID), ==, ask->tid);
	g_assert_cmpuint(addr.slid, ==, packet_dlid(request));
	g_assert_cmpuint(addr.dlid, ==, packet_slid(request));
	g_assert_cmpuint(addr.sl, ==, mad_class_is_smp(ask->mgmt_class) ? 0 : 3);
	g_assert_cmpuint(addr.dest_qp, ==, packet_src_qp(request));
	g_assert_cmphex(addr.qkey, ==, addr.dest_qp ? QKEY_GSI : 0);
	if (ask->mgmt_class == MAD_CLASS_SUBN_DR) {
		g_assert_cmpuint(mad[SMP_HOP_PTR], ==, 1);
		g_assert_cmpuint(mad[SMP_RETURN_PATH + 1], ==, 9);
		g_assert_cmphex(mad[SMP_DATA], ==, mark);
	} else {
		g_assert_cmphex(mad[DATA_AT], ==, mark);
	}
}

static void test_lookups(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(lookups); i++) {
		struct replay *replay = open_replay(lookups[i].capture, ROWS);

		g_test_message("%s", lookups[i].name);
		for (unsigned int n = 0; n < ASKS && lookups[i].asks[n].ask.method; n++) {
			const struct mad_row *ask = &lookups[i].asks[n].ask;
			int want = lookups[i].asks[n].want;
			struct packet request, answer;
			char why[REPLAY_WHY_SIZE];
			enum replay_verdict verdict;

			make_mad(ask, &request);
			verdict = replay_answer(replay, &request, &answer, why);
			g_test_message("  %s", why);
			if (lookups[i].asks[n].why)
				g_assert_cmpstr(why, ==, lookups[i].asks[n].why);
			if (want >= FIRST_MARK) {
				bool table = ask->method == 0x12;

				g_assert_cmpint(verdict, ==, table ? REPLAY_ANSWERED_BY_RMPP :
								     REPLAY_ANSWERED);
				check_answer(ask, &request, &answer, want);
			} else {
				g_assert_cmpint(verdict, ==, want);
			}
		}
		replay_free(replay);
	}
}

/* With a GRH the GIDs are swapped; without one it is nearly the same request. */
static void test_grh(void)
{
	struct packet_addr addr = {
		.slid = 4, .dlid = 7, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .pkey = 0x8001,
		.has_grh = true, .hop_limit = 255, .sgid = { 0xfe, 0x80, [15] = 4 },
		.dgid = { 0xfe, 0x80, [15] = 7 },
	}, got;
	struct umadrig_replay_counts counts;
	struct packet packet, answer;
	char message[512], why[REPLAY_WHY_SIZE], *path;
	struct capture_writer *writer;
	struct replay *replay;
	unsigned int port;

	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
	writer = capture_writer_open(path, NULL, true, message, sizeof(message));
	port = capture_writer_interface(writer, "H1[1]", NULL);
	for (unsigned int response = 0; response < 2; response++) {
		struct packet_addr there = addr;

		if (response) {
			there.slid = 7;
			there.dlid = 4;
			there.sgid[15] = 7;
			there.dgid[15] = 4;
		}
		packet_build(&packet, &there);
		memset(packet_mad(&packet), 0, MAD_SIZE);
		memcpy(packet_mad(&packet), response ? "\1\4\1\x81" : "\1\4\1\1", 4);
		capture_writer_packet(writer, port, response, true, &packet, NULL);
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	replay = replay_new(path, &in_order, message, sizeof(message));
	g_assert_nonnull(replay);

	packet_build(&packet, &addr);
	memset(packet_mad(&packet), 0, MAD_SIZE);
	memcpy(packet_mad(&packet), "\1\4\1\1", 4);
	g_assert_cmpint(replay_answer(replay, &packet, &answer, why), ==, REPLAY_ANSWERED);
	g_assert_true(packet_parse(&answer, packet_size(&answer), &got));
	g_assert_true(got.has_grh);
	g_assert_cmpmem(got.sgid, 16, addr.dgid, 16);
	g_assert_cmpmem(got.dgid, 16, addr.sgid, 16);
	g_assert_cmphex(got.pkey, ==, 0x8001);
	addr.has_grh = false;
	packet_build(&packet, &addr);
	memset(packet_mad(&packet), 0, MAD_SIZE);
	memcpy(packet_mad(&packet), "\1\4\1\1", 4);
	g_assert_cmpint(replay_answer(replay, &packet, &answer, why), ==, REPLAY_ANSWERED);
	g_assert_true(packet_parse(&answer, packet_size(&answer), &got));
	g_assert_false(got.has_grh);
	replay_count(replay, &counts);
	g_assert_cmpuint(counts.exact, ==, 1);
	g_assert_cmpuint(counts.near, ==, 1);
	g_assert_cmphex(replay_get_asker(replay)->pkeys[0], ==, 0x8001);
	g_assert_cmpuint(replay_get_asker(replay)->pkey_count, ==, 1);
	replay_free(replay);
	g_unlink(path);
	g_free(path);
}

/* What no packet says of a port that only asks along routes, the comment of its interface says. */
static void test_identity(void)
{
	static const struct { const char *comment; uint16_t lid; const char *unknown; } rows[] = {
		{ NULL, 1, "LID, node GUID, port GUID, vendor ID, device ID, description" },
		{ "NodeType 1, NumPorts 2, SystemGuid 0x0000000000000012, Guid 0x0000000000000010, "
		  "PortGuid 0x0000000000000011, DevId 4115, Revision 1, LocalPort 1, VendorId 713, "
		  "Lid 33, LMC 0", 33, "description" },
		{ "NodeType 1, NumPorts 2, SystemGuid 0x0000000000000012, Guid 0x0000000000000010, "
		  "PortGuid 0x0000000000000011, DevId 4115, Revision 1, LocalPort 1, VendorId 713, "
		  "Lid 0, LMC 0", 1, "LID, description" },
	};
	static const struct mad_row asks = DR(MAD_METHOD_GET, "\1\2", 2, 0);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[512] = "", unknown[128], *path;
		struct capture_writer *writer;
		const struct replay_asker *asker;
		struct replay *replay;
		struct packet packet;
		unsigned int port;

		close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
		writer = capture_writer_open(path, NULL, true, message, sizeof(message));
		port = capture_writer_interface(writer, "H1[1]", NULL);
		if (rows[i].comment)
			capture_writer_interface_comment(writer, port, rows[i].comment);
		make_mad(&asks, &packet);
		capture_writer_packet(writer, port, 0, true, &packet, NULL);
		g_assert_cmpint(capture_writer_close(writer), ==, 0);
		replay = replay_new(path, &in_order, message, sizeof(message));
		g_assert_cmpstr(message, ==, "");
		asker = replay_get_asker(replay);
		g_assert_cmpuint(asker->lid, ==, rows[i].lid);
		g_assert_cmphex(asker->port_guid, ==, rows[i].comment ? 0x11 : 0);
		replay_asker_format_unknown(asker, unknown, sizeof(unknown));
		g_assert_cmpstr(unknown, ==, rows[i].unknown);
		replay_free(replay);
		g_unlink(path);
		g_free(path);
	}
}

static void test_refused(void)
{
	static const struct mad_row responses[] = { RESP(7, 4, 0x12, 1, 0xa1) };
	char message[512] = "", *path = write_capture(responses, 1);

	g_assert_null(replay_new(path, &in_order, message, sizeof(message)));
	g_assert_nonnull(strstr(message, "nothing to replay: of its 1 MADs none is a request"));
	g_assert_null(umadrig_fabric_open(path, message, sizeof(message)));
	g_unlink(path);
	g_assert_null(replay_new(path, &in_order, message, sizeof(message)));
	g_assert_nonnull(strstr(message, "No such file"));
	g_free(path);
}

/* Every bit of data under each mask: it counts if it belongs to a selected component. */
static void test_sa_mask(void)
{
	static const struct { uint16_t attr; uint64_t mask; unsigned int first, last; } rows[] = {
		{ 0x0035, UINT64_C(1) << 2, 64, 191 },		/* PathRecord.DGID */
		{ 0x0035, UINT64_C(1) << 4, 320, 335 },		/* .DLID */
		{ 0x0035, UINT64_C(1) << 12, 393, 399 },	/* .NumbPath */
		{ 0x0035, UINT64_C(1) << 13, 400, 415 },	/* .P_Key */
		{ 0x0035, UINT64_C(1) << 17, 434, 439 },	/* .MTU */
		{ 0x0011, UINT64_C(1) << 7, 128, 191 },		/* NodeRecord.NodeGUID */
		{ 0x0011, UINT64_C(1) << 14, 352, 863 },	/* .NodeDescription */
		{ 0x0012, UINT64_C(1) << 15, 292, 295 },	/* PortInfoRecord.PortState */
		{ 0x0038, UINT64_C(1) << 7, 320, 335 },		/* MCMemberRecord.P_Key */
		{ 0x0038, UINT64_C(1) << 16, 388, 391 },	/* .JoinState */
		{ 0x0020, UINT64_C(1) << 3, 32, 47 },		/* LinkRecord.ToLID */
		{ 0x7777, 1, 0, 1599 },				/* unknown: all of it */
		{ 0x0020, UINT64_C(1) << 63, 48, 1599 },	/* beyond the last known */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t data[SA_DATA_SIZE], out[SA_DATA_SIZE];

		memset(data, 0xff, sizeof(data));
		sa_mask_data(rows[i].attr, rows[i].mask, data, out);
		for (unsigned int bit = 0; bit < SA_DATA_SIZE * 8; bit++) {
			bool kept = out[bit / 8] & (0x80 >> bit % 8);

			if (kept != (bit >= rows[i].first && bit <= rows[i].last))
				g_error("row %zu: bit %u is %s", i, bit, kept ? "kept" : "lost");
		}
	}
}

/* ---- through a fabric ---- */

static char *sample_path(void)
{
	char *path = source_path("../shared/captures/infiniband-erf-wireshark-sample.pcap");

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	g_test_skip("../shared/captures is not there");
	g_free(path);
	return NULL;
}

static const uint8_t *frame_mad(const struct capture *capture, unsigned int frame)
{
	for (size_t i = 0; i < capture->mad_count; i++) {
		if (capture->mads[i].frame == frame)
			return capture->mads[i].mad;
	}
	g_error("no frame %u", frame);
}

static void check_frame(const uint8_t *umad, const uint8_t *captured, const uint8_t *sent,
			const uint8_t *route)
{
	uint8_t want[MAD_SIZE];

	memcpy(want, captured, MAD_SIZE);
	memcpy(want + MAD_TID + 4, sent + RIG_HEADER + MAD_TID + 4, 4);
	/* The upper half belongs to the kernel, in the response as in the request. */
	memcpy(want + MAD_TID, umad + RIG_HEADER + MAD_TID, 4);
	g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID), !=, 0);
	if (want[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		want[SMP_HOP_PTR] = 0;
		memcpy(want + SMP_INITIAL_PATH, route, SMP_PATH_SIZE);
	}
	g_assert_cmpmem(umad + RIG_HEADER, MAD_SIZE, want, MAD_SIZE);
}

/*
 * The PathRecord of frame 32 and the SMInfo of frames 1, 12 and 41 of a real capture are asked on a
 * fabric: one that the capture makes, or another that is told to answer from it.
 */
static void ask_sample(struct rig *rig, const char *path, unsigned int port)
{
	static const unsigned int frames[] = { 2, 13, 42, 42 };
	uint8_t umad[RIG_UMAD], reply[RIG_UMAD];
	char message[512];
	struct capture *capture = capture_read(path, message, sizeof(message));
	int fd = rig_open_port(rig, NULL, "H1", port);
	uint32_t sa = rig_register(rig, fd, MAD_CLASS_SUBN_ADM, 0);
	uint32_t dr = rig_register(rig, fd, MAD_CLASS_SUBN_DR, 0);
	struct rig_get get = { .mgmt_class = MAD_CLASS_SUBN_ADM, .attr = 0x35, .dlid = 1,
			       .tid = 0x1001, .timeout_ms = 1000 };

	g_assert_nonnull(capture);
	rig_fill(umad, sa, &get);
	memcpy(umad + RIG_HEADER + MAD_HDR_SIZE, frame_mad(capture, 32) + MAD_HDR_SIZE,
	       MAD_SIZE - MAD_HDR_SIZE);
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(rig_recv(rig, fd, reply, 1000), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(reply, RIG_ID), ==, sa);
	g_assert_cmpuint(get_be16(reply + RIG_LID), ==, 1);
	check_frame(reply, frame_mad(capture, 33), umad, NULL);

	for (unsigned int i = 0; i < G_N_ELEMENTS(frames); i++) {
		get = (struct rig_get){ .mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x20,
					.tid = 0x2000 + i, .timeout_ms = 1000,
					.path = { 2, (uint8_t)port, 3 } };
		rig_fill(umad, dr, &get);
		g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
		g_assert_cmpint(rig_recv(rig, fd, reply, 1000), ==, RIG_UMAD);
		g_assert_cmpuint(rig_get_u32(reply, RIG_ID), ==, dr);
		check_frame(reply, frame_mad(capture, frames[i]), umad,
			    umad + RIG_HEADER + SMP_INITIAL_PATH);
	}
	g_assert_cmpuint(umadrig_replay_unmatched(rig->fabric), ==, 0);
	rig->backend->close(fd);
	capture_free(capture);
}

static void test_sample_fabric(void)
{
	char *path = sample_path(), *spec;
	struct umad_backend_port port;
	struct umad_backend_ca ca;
	struct rig rig;

	if (!path)
		return;
	spec = g_strdup_printf("%s,clock=virtual,latency=1us", path);
	rig = rig_open(spec);
	g_assert_cmpint(rig.backend->get_ca("H1", &ca), ==, 0);
	g_assert_cmphex(ca.node_guid, ==, UINT64_C(0x0002c9020024f634));
	g_assert_cmpint(rig.backend->get_port("H1", 2, UMAD_BACKEND_PORT_STATE, &port), ==, 0);
	g_assert_cmpuint(port.attr.lid, ==, 4);
	g_assert_cmpuint(port.attr.sm_lid, ==, 1);
	g_assert_cmphex(port.attr.port_guid, ==, UINT64_C(0x0002c9020024f636));
	ask_sample(&rig, path, 2);
	/* Five requests, each with one latency there and one back. */
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 5 * 2 * 1000);
	free(ca.port_nums);
	rig_close(&rig);
	g_free(spec);
	g_free(path);
}

static void test_sample_on_default_fabric(void)
{
	char *path = sample_path(), message[512];
	struct rig rig;

	if (!path)
		return;
	rig = rig_open(",clock=virtual");
	g_assert_cmpint(umadrig_replay_answer(rig.fabric, path, message, sizeof(message)), ==, 0);
	ask_sample(&rig, path, 1);
	rig_close(&rig);
	g_free(path);
}

static char *capture_of_one(void)
{
	static const struct mad_row rows[] = { GET(4, 7, 0x12, 1), RESP(7, 4, 0x12, 1, 0xa1) };

	return write_capture(rows, G_N_ELEMENTS(rows));
}

/*
 * A request that is not in the capture times out, is counted, reported once, and recorded in the
 * new capture.
 */
static void unmatched_process(void)
{
	char *path = capture_of_one(), *written = g_strdup_printf("%s.out", path);
	char *spec = g_strdup_printf("%s,clock=virtual,capture=%s", path, written), err[512];
	struct rig rig = rig_open(spec);
	int fd = rig_open_port(&rig, NULL, "H1", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_PERF, 0);
	struct rig_get get = { .mgmt_class = MAD_CLASS_PERF, .attr = 0x12, .dlid = 8, .tid = 1,
			       .timeout_ms = 100, .retries = 2 };
	struct capture *capture;
	uint8_t reply[RIG_UMAD];

	rig_send(&rig, fd, agent, &get);
	g_assert_cmpint(rig_recv(&rig, fd, reply, -1), ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_cmpuint(rig_get_u32(reply, RIG_STATUS), ==, ETIMEDOUT);
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 300000000);
	g_assert_cmpuint(umadrig_replay_unmatched(rig.fabric), ==, 3);
	get.dlid = 7;
	get.tid = 2;
	rig_send(&rig, fd, agent, &get);
	g_assert_cmpint(rig_recv(&rig, fd, reply, -1), ==, RIG_UMAD);
	g_assert_cmphex(reply[RIG_HEADER + DATA_AT], ==, 0xa1);
	g_assert_cmpuint(umadrig_replay_unmatched(rig.fabric), ==, 3);
	/* A requester's requests to itself were never on the wire: its own kernel answers them. */
	get.mgmt_class = MAD_CLASS_DEV_MGT;
	get.dlid = 4;
	get.tid = 3;
	rig_send(&rig, fd, rig_register(&rig, fd, MAD_CLASS_DEV_MGT, 0), &get);
	g_assert_cmpint(rig_recv(&rig, fd, reply, -1), ==, RIG_UMAD);
	g_assert_cmphex(get_be16(reply + RIG_HEADER + MAD_STATUS), ==, MAD_STATUS_BAD_METHOD_ATTR);
	g_assert_cmpuint(umadrig_replay_unmatched(rig.fabric), ==, 3);
	rig.backend->close(fd);
	rig_close(&rig);

	/*
	 * Three lost requests twice each, where they left and where they were dropped; then two
	 * exchanges.
	 */
	capture = capture_read(written, err, sizeof(err));
	g_assert_nonnull(capture);
	g_assert_cmpuint(capture->mad_count, ==, 10);
	g_assert_null(capture->mads[0].comment);
	g_assert_cmpstr(capture->mads[1].comment, ==,
			"dropped: the capture does not have PerfGet(PortCounters) to LID 8; "
			"closest is frame 1: LID 7, not 8");
	g_assert_cmpstr(capture->mads[7].interface_name, ==, "captured[1]");
	capture_free(capture);
	g_unlink(written);
	g_unlink(path);
	g_free(spec);
	g_free(written);
	g_free(path);
}

static void test_unmatched(void)
{
	if (g_test_subprocess()) {
		unmatched_process();
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("*not answered: the capture does not have PerfGet(PortCounters) "
				  "to LID 8; closest is frame 1: LID 7, not 8\n*");
	g_test_trap_assert_stderr_unmatched("*not answered*not answered*");
}

/* The same capture and the same requests give the same bytes. */
static void test_identical(void)
{
	char *path = capture_of_one(), *bytes[2];
	gsize sizes[2];

	for (unsigned int run = 0; run < 2; run++) {
		char *written = g_strdup_printf("%s.%u", path, run);
		char *spec = g_strdup_printf("%s,clock=virtual,latency=1ms,capture=%s", path,
					     written);
		struct rig rig = rig_open(spec);
		int fd = rig_open_port(&rig, NULL, "H1", 1);
		uint32_t agent = rig_register(&rig, fd, MAD_CLASS_PERF, 0);
		uint8_t reply[RIG_UMAD];

		for (uint32_t i = 0; i < 10; i++) {
			struct rig_get get = { .mgmt_class = MAD_CLASS_PERF, .attr = 0x12,
					       .dlid = 7, .tid = i, .timeout_ms = 100 };

			rig_send(&rig, fd, agent, &get);
			if (i % 3 == 2)
				g_assert_cmpint(rig_recv(&rig, fd, reply, -1), ==, RIG_UMAD);
		}
		rig.backend->close(fd);
		rig_close(&rig);
		g_assert_true(g_file_get_contents(written, &bytes[run], &sizes[run], NULL));
		g_unlink(written);
		g_free(written);
		g_free(spec);
	}
	g_assert_cmpmem(bytes[0], sizes[0], bytes[1], sizes[1]);
	g_free(bytes[0]);
	g_free(bytes[1]);
	g_unlink(path);
	g_free(path);
}

/* umadrig_tap_fn: ctx is a GString of "TID at TIME;". */
static void arrived(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	if (!outbound && size >= LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE)
		g_string_append_printf(ctx, "%u at %" G_GINT64_FORMAT ";",
				       bytes[LRH_SIZE + BTH_SIZE + DETH_SIZE + 15], at_ns);
}

/* Two requests from LID 1 to 2, at 2 s and at 1 s: refused, or put in order. */
static void test_order(void)
{
	struct umadrig_fabric *fabric = umadrig_fabric_open(",clock=virtual,latency=5us", NULL, 0);
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "umadrig-replay-XXXXXX", NULL);
	struct umadrig_replay replay = { .capture = path };
	GByteArray *file = g_byte_array_new(), *packet = vector_bytes(NATIVE);
	GString *seen = g_string_new(NULL);
	char message[512] = "";
	int fd = g_mkstemp(path);

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	build_pcap(file, 0xa1b23c4d, 247, false);
	for (uint32_t second = 2; second >= 1; second--)
		build_pcap_record(file, second, 0, packet->data, packet->len, packet->len, false);
	g_assert_true(g_file_set_contents(path, (char *)file->data, file->len, NULL));
	replay.timed_at = umadrig_port(fabric, "H2", 1);
	umadrig_tap(replay.timed_at, arrived, seen);
	g_assert_cmpint(umadrig_replay(fabric, &replay, message, sizeof(message)), ==, -EINVAL);
	g_assert_nonnull(strstr(message, "time goes backwards at frame 2"));
	replay.any_order = true;
	g_assert_cmpint(umadrig_replay(fabric, &replay, message, sizeof(message)), ==, 0);
	umadrig_step(fabric, INT64_C(10000000000));
	g_assert_cmpstr(seen->str, ==, "52 at 0;52 at 1000000000;");

	g_unlink(path);
	g_string_free(seen, true);
	g_byte_array_free(file, true);
	g_byte_array_free(packet, true);
	umadrig_fabric_close(fabric);
}

/* ---- memory ---- */

enum { LARGE = 100000 };	/* questions, and as many answers */

/* Different questions with different answers. */
static char *write_large(void)
{
	char message[512] = "", *path;
	struct capture_writer *writer;
	unsigned int port;

	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
	writer = capture_writer_open(path, NULL, true, message, sizeof(message));
	g_assert_nonnull(writer);
	port = capture_writer_interface(writer, "H1[1]", NULL);
	for (uint32_t i = 0; i < LARGE; i++) {
		const struct mad_row rows[] = {
			MAD(4, 7, MAD_CLASS_PERF, MAD_METHOD_GET, 0x12, i, i + 1, 0),
			MAD(7, 4, MAD_CLASS_PERF, MAD_METHOD_GET_RESP, 0x12, i, i + 1, (uint8_t)i),
		};

		for (unsigned int n = 0; n < G_N_ELEMENTS(rows); n++) {
			int64_t at_ns = (int64_t)i * 10000 + n * 1000;
			struct packet packet;

			make_mad(&rows[n], &packet);
			capture_writer_packet(writer, port, at_ns, true, &packet, NULL);
			capture_writer_advance(writer, at_ns);
		}
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	return path;
}

/*
 * 200,000 MADs, none like another: at most 100 bytes for each beside its own. While they are read,
 * the conversations that may go on add a window of 16 MiB at most, and the reader and the counts of
 * LIDs a little.
 */
static void memory_process(void)
{
	const size_t window = 20u << 20;
	char *path = write_large(), message[512] = "";
	size_t before = peak_memory(), used;
	struct replay *replay = replay_new(path, &in_order, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	used = peak_memory() - before;
	g_test_message("%zu bytes for each MAD at the peak, %zu kept", used / (2 * LARGE),
		       replay_size(replay) / (2 * LARGE));
	g_assert_cmpuint(replay_size(replay), <=, 2 * LARGE * (MAD_SIZE + 100));
	g_assert_cmpuint(replay_size(replay), >, 2 * LARGE * MAD_SIZE);
	g_assert_cmpuint(used, <=, 2 * LARGE * (MAD_SIZE + 100) + window);
	replay_free(replay);
	g_unlink(path);
	g_free(path);
}

static void test_memory(void)
{
	peak_memory_test(memory_process);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay/lookups", test_lookups);
	g_test_add_func("/replay/grh", test_grh);
	g_test_add_func("/replay/refused", test_refused);
	g_test_add_func("/replay/identity", test_identity);
	g_test_add_func("/replay/sa-mask", test_sa_mask);
	g_test_add_func("/replay/sample-fabric", test_sample_fabric);
	g_test_add_func("/replay/sample-on-default-fabric", test_sample_on_default_fabric);
	g_test_add_func("/replay/unmatched", test_unmatched);
	g_test_add_func("/replay/memory", test_memory);
	g_test_add_func("/replay/identical", test_identical);
	g_test_add_func("/replay/order", test_order);
	return leak_end(g_test_run());
}
