/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replays of RoCE and of the CM: captures that the test writes, and all real ones.
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/capture/capture.h"
#include "sim/capture/mad-role.h"
#include "sim/capture/replay.h"
#include "sim/capture/replay-store.h"
#include "tests/rig/cm-capture.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "tests/rig/trees.h"

enum { GRH_IN_UMAD = 32, GID_IN_UMAD = 36 };

static const struct cm_row connection[CM_FRAMES] = {
	{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REP, 0x99, 0x11, 0xa1 },
	{ false, CM_RTU, 0x11, 0x99, 0 }, { false, CM_DREQ, 0x11, 0x99, 0 },
	{ true, CM_DREP, 0x99, 0x11, 0xa2 },
};

static struct replay *open_replay(enum rig_form form, const struct cm_row *rows,
				  const struct replay_options *options)
{
	char *path = cm_capture(form, rows), message[512] = "";
	struct replay *replay = replay_new(path, options, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(replay);
	g_unlink(path);
	g_free(path);
	return replay;
}

static const struct replay_options plain;

/* Asks, and expects an answer with this attribute and mark, or a verdict other than an answer. */
static void ask(struct replay *replay, const struct cm_row *row, uint16_t attr, uint8_t mark,
		enum replay_verdict want)
{
	struct packet request, answer;
	char why[REPLAY_WHY_SIZE];
	struct packet_addr addr, there = cm_addr(false);
	const uint8_t *mad;

	cm_packet(row, 0xabcd, &request);
	g_assert_cmpint(replay_answer(replay, &request, &answer, why), ==, want);
	if (want != REPLAY_ANSWERED)
		return;
	g_assert_true(packet_parse(&answer, packet_size(&answer), &addr));
	g_assert_cmpmem(addr.sgid, 16, there.dgid, 16);
	g_assert_cmpmem(addr.dgid, 16, there.sgid, 16);
	mad = packet_mad(&answer);
	g_assert_cmphex(get_be64(mad + MAD_TID), ==, 0xabcd);
	g_assert_cmphex(get_be16(mad + MAD_ATTR_ID), ==, attr);
	g_assert_cmphex(get_be32(mad + REMOTE), ==, row->local);
	if (mark)
		g_assert_cmphex(mad[200], ==, mark);
}

/* What asks with its own IDs gets the captured answers with these IDs. */
static void test_connection(void)
{
	static const struct cm_row other = { false, CM_REQ, 0x77, 0, 5 };
	static const struct cm_row elsewhere = { false, CM_REQ, 0x77, 0, 6 };
	static const struct cm_row end = { false, CM_DREQ, 0x77, 0x99, 0 };
	static const struct cm_row unknown = { false, CM_DREQ, 0x77, 0x98, 0 };

	for (unsigned int form = RIG_ROCE_V1; form <= RIG_ROCE_V2_IPV4; form++) {
		struct replay *replay = open_replay(form, connection, &plain);
		const struct replay_asker *asker = replay_get_asker(replay);
		struct umadrig_replay_counts counts;

		g_assert_true(asker->is_roce);
		g_assert_cmphex(get_be32(asker->gid + 12), ==, 0x0a000001);
		g_assert_cmphex(asker->node_guid, ==, 0x1234567800abcdef);
		ask(replay, &other, CM_REP, 0xa1, REPLAY_ANSWERED);
		ask(replay, &connection[2], 0, 0, REPLAY_NOT_ASKED);
		ask(replay, &elsewhere, 0, 0, REPLAY_UNMATCHED);
		ask(replay, &end, CM_DREP, 0xa2, REPLAY_ANSWERED);
		ask(replay, &unknown, 0, 0, REPLAY_UNMATCHED);
		replay_count(replay, &counts);
		g_assert_cmpuint(counts.exact, ==, 2);
		g_assert_cmpuint(counts.near, ==, 0);
		replay_free(replay);
	}
}

static void test_other_answers(void)
{
	static const struct cm_row receipt[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_MRA, 0x99, 0x11, 0 },
	}, reject[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REJ, 0, 0x11, 0 },
	};
	struct replay *replay = open_replay(RIG_ROCE_V2_IPV4, receipt, &plain);

	ask(replay, &receipt[0], CM_MRA, 0, REPLAY_ANSWERED);
	replay_free(replay);
	replay = open_replay(RIG_ROCE_V2_IPV4, reject, &plain);
	ask(replay, &reject[0], CM_REJ, 0, REPLAY_ANSWERED);
	replay_free(replay);
}

/* One question, three states: rejected at 2 s, answered at 4 s, and silence from 5 s on. */
static void test_as_of(void)
{
	static const struct cm_row rows[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REJ, 0, 0x11, 0 },
		{ false, CM_REQ, 0x12, 0, 5 }, { true, CM_REP, 0x99, 0x12, 0xa1 },
		{ false, CM_REQ, 0x13, 0, 5 }, { false, CM_DREQ, 0x12, 0x99, 0 },
		{ true, CM_DREP, 0x99, 0x12, 0 },
	};
	static const struct {
		struct replay_options options;
		uint16_t attrs[3];
	} cases[] = {
		{ { .as_of = REPLAY_IN_ORDER }, { CM_REJ, CM_REP, CM_REP } },
		{ { .as_of = REPLAY_FIRST }, { CM_REJ, CM_REJ, CM_REJ } },
		{ { .as_of = REPLAY_LAST }, { 0, 0, 0 } },
		{ { .as_of = REPLAY_AT, .at_ns = 0 }, { CM_REJ, CM_REJ, CM_REJ } },
		{ { .as_of = REPLAY_AT, .at_ns = 2999999999 }, { CM_REJ, CM_REJ, CM_REJ } },
		{ { .as_of = REPLAY_AT, .at_ns = 3000000000 }, { CM_REP, CM_REP, CM_REP } },
		{ { .as_of = REPLAY_AT, .at_ns = 4000000000 }, { 0, 0, 0 } },
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct replay *replay = open_replay(RIG_ROCE_V2_IPV4, rows, &cases[i].options);

		for (unsigned int n = 0; n < 3; n++)
			ask(replay, &rows[0], cases[i].attrs[n], 0,
			    cases[i].attrs[n] ? REPLAY_ANSWERED : REPLAY_SILENT);
		replay_free(replay);
	}
}

static void test_host(void)
{
	static const struct { const char *host; uint32_t address; } cases[] = {
		{ "10.0.0.2", 0x0a000002 }, { "::ffff:10.0.0.1", 0x0a000001 },
		{ "0xffff0a000002", 0x0a000002 },
	};
	char *path = cm_capture(RIG_ROCE_V1, connection), message[512] = "";
	struct replay_options options = { .host = "10.0.0.3" };

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct replay_options of = { .host = cases[i].host };
		struct replay *replay = open_replay(RIG_ROCE_V1, connection, &of);

		g_assert_cmphex(get_be32(replay_get_asker(replay)->gid + 12), ==,
				cases[i].address);
		replay_free(replay);
	}
	g_assert_null(replay_new(path, &options, message, sizeof(message)));
	g_assert_nonnull(strstr(message, "host '10.0.0.3' sent nothing in the capture; requests "
				"came from ::ffff:10.0.0.1"));
	g_unlink(path);
	g_free(path);
}

/* ---- a whole fabric ---- */

static void count_arrivals(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			   size_t size)
{
	GArray *times = ctx;

	(void)bytes;
	(void)size;
	if (!outbound)
		g_array_append_val(times, at_ns);
}

/* How many of its MADs go to the requester. */
static unsigned int count_to(const struct capture *capture, const struct replay_asker *asker)
{
	unsigned int count = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (asker->is_roce)
			count += memcmp(mad->addr.dgid, asker->gid, 16) == 0;
		else if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
			count += mad_is_response(mad->mad);
		else
			count += mad->addr.dlid == asker->lid;
	}
	return count;
}

/* In mode timed, at twice the speed, all that the requester received arrives again. */
static void check_timed(const char *path, const struct capture *capture)
{
	g_autofree char *spec = g_strdup_printf("%s,clock=virtual", path);
	GArray *times = g_array_new(false, false, sizeof(int64_t));
	struct umadrig_replay how = { .capture = path, .speed_milli = 2000 };
	struct rig rig = rig_open(spec);
	struct replay_asker asker;
	char message[512] = "";
	int64_t last_ns = 0;

	replay_asker_find(capture, &asker);
	how.timed_at = umadrig_port(rig.fabric, "H1", asker.port_num);
	umadrig_tap(how.timed_at, count_arrivals, times);
	umadrig_replay(rig.fabric, &how, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	umadrig_step(rig.fabric, INT64_C(1000000000000));
	g_assert_cmpuint(times->len, ==, count_to(capture, &asker));
	for (size_t i = 0; i < capture->mad_count; i++) {
		if (memcmp(capture->mads[i].addr.dgid, asker.gid, 16) == 0)
			last_ns = capture->mads[i].time_ns / 2;
	}
	if (asker.is_roce)
		g_assert_cmpint(g_array_index(times, int64_t, times->len - 1), ==, last_ns);
	umadrig_tap(how.timed_at, NULL, NULL);
	g_array_unref(times);
	rig_close(&rig);
}

/* What is asked as it was then, in the same order, is answered with the same bytes. */
static void check_answers(const char *path, const struct capture *capture)
{
	char message[512] = "", why[REPLAY_WHY_SIZE];
	struct replay *replay = replay_new(path, &plain, message, sizeof(message));
	struct umadrig_replay_counts counts;
	unsigned int answers = 0;

	g_assert_cmpstr(message, ==, "");
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i], *next = mad + 1;
		struct packet request, answer;
		uint8_t *got;

		if (mad_role(mad->mad) != MAD_ROLE_ASKS)
			continue;
		packet_build(&request, &mad->addr);
		memcpy(packet_mad(&request), mad->mad, MAD_SIZE);
		g_assert_cmpint(replay_answer(replay, &request, &answer, why), ==, REPLAY_ANSWERED);
		got = packet_mad(&answer);
		if (mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR)
			got[SMP_HOP_PTR] = next->mad[SMP_HOP_PTR];
		g_assert_cmpmem(got, MAD_SIZE, next->mad, MAD_SIZE);
		answers++;
	}
	replay_count(replay, &counts);
	g_assert_cmpuint(counts.exact, ==, answers);
	g_assert_cmpuint(answers, >, 0);
	replay_free(replay);
}

static void check_file(const char *path)
{
	char message[512] = "";
	struct capture *capture = capture_read(path, message, sizeof(message));

	g_test_message("%s", path);
	g_assert_nonnull(capture);
	if (capture->mad_count) {
		check_answers(path, capture);
		check_timed(path, capture);
	} else {
		g_assert_null(replay_new(path, &plain, message, sizeof(message)));
		g_assert_nonnull(strstr(message, "nothing to replay"));
	}
	capture_free(capture);
}

static void test_real_captures(void)
{
	g_autofree char *folder = source_path("../shared/captures");
	GDir *directory = g_dir_open(folder, 0, NULL);
	const char *name;

	if (!directory) {
		g_test_skip("../shared/captures is not there");
		return;
	}
	while ((name = g_dir_read_name(directory))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (capture_is_capture(path))
			check_file(path);
	}
	g_dir_close(directory);
}

static void test_own_captures(void)
{
	for (unsigned int form = RIG_ROCE_V1; form <= RIG_ROCE_V2_IPV4; form++) {
		char *path = cm_capture(form, connection);
		char message[512];
		struct capture *capture = capture_read(path, message, sizeof(message));

		check_timed(path, capture);
		capture_free(capture);
		g_unlink(path);
		g_free(path);
	}
}

/* A program at the captured RoCE port, which has no LID and no QP0, connects. */
static void test_program(void)
{
	static const struct cm_row request = { false, CM_REQ, 0x77, 0, 5 };
	char *path = cm_capture(RIG_ROCE_V2_IPV4, connection);
	char *spec = g_strdup_printf("%s,clock=virtual", path);
	struct rig rig = rig_open(spec);
	struct packet_addr there = cm_addr(false);
	struct umad_backend_port port;
	int fd = rig_open_port(&rig, NULL, "H1", 1);
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .mgmt_class = MAD_CLASS_CM,
		.mgmt_class_version = 2, .method_mask = { 1 << MAD_METHOD_SEND },
	};
	uint8_t umad[RIG_UMAD] = { 0 }, reply[RIG_UMAD];
	struct umadrig_replay_counts counts;
	struct packet packet;

	g_assert_cmpint(rig.backend->get_port("H1", 1, UMAD_BACKEND_PORT_STATE, &port), ==, 0);
	g_assert_cmpstr(port.attr.link_layer, ==, "Ethernet");
	g_assert_cmpuint(port.attr.lid, ==, 0);
	g_assert_cmphex(port.attr.port_guid, ==, 0xffff0a000001);
	g_assert_cmpint(rig.backend->register_agent(fd, &reg), ==, 0);
	cm_packet(&request, 0x5, &packet);
	memcpy(umad + RIG_HEADER, packet_mad(&packet), MAD_SIZE);
	rig_put_u32(umad, RIG_ID, reg.id);
	put_be32(umad + RIG_QPN, 1);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	umad[GRH_IN_UMAD] = 1;
	memcpy(umad + GID_IN_UMAD, there.dgid, 16);
	g_assert_cmpint(rig.backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(rig_recv(&rig, fd, reply, 1000), ==, RIG_UMAD);
	g_assert_cmphex(get_be16(reply + RIG_HEADER + MAD_ATTR_ID), ==, CM_REP);
	g_assert_cmphex(get_be32(reply + RIG_HEADER + REMOTE), ==, 0x77);
	g_assert_cmpmem(reply + GID_IN_UMAD, 16, there.dgid, 16);
	umadrig_replay_count(rig.fabric, &counts);
	g_assert_cmpuint(counts.exact, ==, 1);
	rig.backend->close(fd);
	rig_close(&rig);
	g_unlink(path);
	g_free(spec);
	g_free(path);
}

/* ---- the index ---- */

/*
 * 100,000 questions without an answer, then as many with one: at most 100 bytes for each MAD beside
 * its own 256.
 */
static void test_size(void)
{
	enum { QUESTIONS = 100000 };
	struct replay_store *store = replay_store_new(false);
	struct packet_addr addr = { .dlid = 7 };
	uint8_t mad[MAD_SIZE] = { 1, MAD_CLASS_PERF, 1, MAD_METHOD_GET };
	struct replay_event event = { .frame = 1, .answer = REPLAY_NONE };
	size_t size;

	for (uint32_t i = 0; i < QUESTIONS; i++) {
		put_be32(mad + MAD_ATTR_MOD, i);
		replay_store_event(store, replay_store_ask(store, &addr, mad, i), &event, NULL,
				   0);
	}
	size = replay_store_size(store);
	g_test_message("without answers: %zu bytes for each MAD", size / QUESTIONS - MAD_SIZE);
	g_assert_cmpuint(size / QUESTIONS, <=, MAD_SIZE + 100);
	for (uint32_t i = 0; i < QUESTIONS; i++) {
		put_be32(mad + MAD_ATTR_MOD, i);
		replay_store_event(store, replay_store_ask(store, &addr, mad, i), &event, mad,
				   0);
	}
	g_assert_cmpuint(replay_store_count(store), ==, QUESTIONS);
	size = replay_store_size(store);
	g_test_message("each asked again, and answered: %zu bytes for each MAD, with its own",
		       size / 3 / QUESTIONS);
	g_assert_cmpuint(size / 3 / QUESTIONS, <=, MAD_SIZE + 100);
	replay_store_free(store);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay-roce/connection", test_connection);
	g_test_add_func("/replay-roce/other-answers", test_other_answers);
	g_test_add_func("/replay-roce/as-of", test_as_of);
	g_test_add_func("/replay-roce/host", test_host);
	g_test_add_func("/replay-roce/program", test_program);
	g_test_add_func("/replay-roce/own-captures", test_own_captures);
	g_test_add_func("/replay-roce/real-captures", test_real_captures);
	g_test_add_func("/replay-roce/size", test_size);
	return leak_end(g_test_run());
}
