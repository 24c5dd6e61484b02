/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": which captured response a request gets, on captures that the test itself
 * writes.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/capture/replay-question.h"
#include "sim/capture/sa-mask.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"
#include "tests/rig/replay-rig.h"

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

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay/lookups", test_lookups);
	g_test_add_func("/replay/grh", test_grh);
	g_test_add_func("/replay/refused", test_refused);
	g_test_add_func("/replay/identity", test_identity);
	g_test_add_func("/replay/sa-mask", test_sa_mask);
	return leak_end(g_test_run());
}
