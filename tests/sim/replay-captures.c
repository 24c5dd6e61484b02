/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures in all three modes of replay: what of them is answered, what arrives and when, and what
 * is asked. All real captures in ../shared/captures have a row here; of those that the test writes
 * itself, RoCE and the CM on InfiniBand, nothing is skipped.
 */
#include <glib/gstdio.h>
#include <stdlib.h>

#include "kmod-stub/event.h"
#include "sim/capture/capture.h"
#include "sim/capture/mad-role.h"
#include "sim/capture/replay.h"
#include "tests/rig/cm-capture.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "tests/rig/trees.h"

/* What is expected of a capture. */
struct row {
	const char *name;
	const char *refused;	/* part of the message of a replay; NULL: it can be replayed */
	/* answer: all its requests, from their own port, in their order */
	size_t exact, near, silent, unmatched;
	/* timed */
	size_t arrived, others;
	int64_t last_us;
	/* ask: on the fabric that the capture is; without writes, then with them */
	struct umadrig_ask_counts reads, all;
};

#define CM_ROW(file, after_us, others_asked) \
	{ .name = file, .exact = 2, .arrived = 2, .others = 3, .last_us = after_us, \
	  .reads = { .skipped = 2 - (others_asked), .others = (others_asked) }, \
	  .all = { .asked = 2 - (others_asked), .same = 2 - (others_asked), \
		   .others = (others_asked) } }

static const struct row real_rows[] = {
	/*
	 * LID 4 asks for SMInfo three times, for a path, and connects to LID 1 and LID 2; LID 2
	 * connects to LID 4.
	 */
	{ .name = "infiniband-erf-wireshark-sample.pcap", .exact = 7,
	  .arrived = 8, .others = 9, .last_us = 250051432,
	  .reads = { .asked = 4, .same = 4, .skipped = 2, .others = 1 },
	  .all = { .asked = 6, .same = 6, .others = 1 } },
	CM_ROW("rocev2-Frame_req_and_response.pcapng", 4015665, 0),
	CM_ROW("rocev2-Frame_req_and_response_5000_bytes.pcapng", 7483786, 0),
	/* The side that was connected to ends the connection. */
	CM_ROW("rocev2-capture_S10000_C1.pcapng", 3007, 1),
	CM_ROW("rocev2-filtered-FirstSuccesfullRping.pcapng", 31336, 0),
	CM_ROW("rocev2-filtered-RoCE_capture_1_packet.pcapng", 5998, 0),
	CM_ROW("rocev2-filtered-Roce_PacketSize_1400.pcapng", 203535, 0),
	CM_ROW("rocev2-filtered-Roce_PacketSize_5000_bytes.pcapng", 14863, 0),
	{ .name = "rocev2-without-mads-roce.pcap", .refused = "nothing to replay" },
};

static const struct row written_rows[] = {
	CM_ROW("RoCE v1", 4000000, 0), CM_ROW("RoCE v2", 4000000, 0),
	CM_ROW("the CM on InfiniBand", 4000000, 0),
};

/* ---- answer ---- */

static void check_answers(const struct row *row, const char *path, const struct capture *capture)
{
	char message[512] = "", why[REPLAY_WHY_SIZE];
	const struct replay_options plain = { .host = NULL };
	struct replay *replay = replay_new(path, &plain, message, sizeof(message));
	struct umadrig_replay_counts counts;

	if (row->refused) {
		g_assert_null(replay);
		g_assert_nonnull(strstr(message, row->refused));
		return;
	}
	g_assert_cmpstr(message, ==, "");
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		struct packet request, answer;

		if (mad_role(mad->mad) != MAD_ROLE_ASKS)
			continue;
		packet_build(&request, &mad->addr);
		memcpy(packet_mad(&request), mad->mad, MAD_SIZE);
		replay_answer(replay, &request, &answer, why);
	}
	replay_count(replay, &counts);
	g_test_message("answer: %zu exact, %zu near, %zu silent, %zu unmatched", counts.exact,
		       counts.near, counts.silent, counts.unmatched);
	g_assert_cmpuint(counts.exact, ==, row->exact);
	g_assert_cmpuint(counts.near, ==, row->near);
	g_assert_cmpuint(counts.silent, ==, row->silent);
	g_assert_cmpuint(counts.unmatched, ==, row->unmatched);
	replay_free(replay);
}

/* ---- timed ---- */

static void note_last(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	if (!outbound)
		*(int64_t *)ctx = at_ns;
}

static void check_timed(const struct row *row, const char *path)
{
	g_autofree char *spec = g_strdup_printf("%s,clock=virtual,mode=timed,speed=0.5", path);
	struct umadrig_fabric *fabric;
	struct umadrig_replay_progress progress;
	struct umadrig_port *port = NULL;
	char message[512] = "";
	int64_t last_ns = -1;
	struct rig rig;

	if (row->refused) {
		fabric = umadrig_fabric_open(spec, message, sizeof(message));
		g_assert_null(fabric);
		g_assert_nonnull(strstr(message, "nothing in it arrives at H1[1]"));
		return;
	}
	rig = rig_open(spec);
	for (unsigned int num = 1; num < 255 && umadrig_port(rig.fabric, "H1", num); num++)
		port = umadrig_port(rig.fabric, "H1", num);
	umadrig_tap(port, note_last, &last_ns);
	rig.backend->close(rig_open_port(&rig, NULL, "H1",
					 (unsigned int)umadrig_node_ports(rig.fabric, "H1")));
	umadrig_step(rig.fabric, INT64_C(1000000) * NS_PER_S);
	umadrig_replay_progress(rig.fabric, &progress);
	g_test_message("timed: %zu arrived, %zu others, last after %" G_GINT64_FORMAT " ns",
		       progress.arrived, progress.others, last_ns);
	g_assert_cmpuint(progress.arrived, ==, row->arrived);
	g_assert_cmpuint(progress.left, ==, 0);
	g_assert_cmpuint(progress.others, ==, row->others);
	g_assert_cmpint(last_ns / 2 / NS_PER_US, ==, row->last_us);
	umadrig_tap(port, NULL, NULL);
	rig_close(&rig);
}

/* ---- ask ---- */

static void print_difference(void *ctx, const struct umadrig_difference *difference)
{
	(void)ctx;
	g_test_message("frame %u: %s: %s: %s -> %s", difference->frame, difference->request,
		       difference->field, difference->captured, difference->actual);
}

static void check_asked(const char *path, struct umadrig_fabric *fabric, bool allow_writes,
			const struct umadrig_ask_counts *want)
{
	unsigned int num = (unsigned int)umadrig_node_ports(fabric, "H1");
	const struct umadrig_replay_ask ask = {
		.capture = path, .port = umadrig_port(fabric, "H1", num),
		.allow_writes = allow_writes, .differs = print_difference,
	};
	struct umadrig_ask_counts counts;
	char message[512] = "";

	umadrig_replay_ask(&ask, &counts, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_test_message("ask: %zu asked, %zu same, %zu changed, %zu unanswered, %zu skipped, "
		       "%zu others, %zu failed", counts.asked, counts.same, counts.changed,
		       counts.unanswered, counts.skipped, counts.others, counts.failed);
	g_assert_cmpuint(counts.asked, ==, want->asked);
	g_assert_cmpuint(counts.same, ==, want->same);
	g_assert_cmpuint(counts.changed, ==, want->changed);
	g_assert_cmpuint(counts.unanswered, ==, want->unanswered);
	g_assert_cmpuint(counts.skipped, ==, want->skipped);
	g_assert_cmpuint(counts.others, ==, want->others);
	g_assert_cmpuint(counts.failed, ==, want->failed);
}

static void check_ask(const struct row *row, const char *path)
{
	g_autofree char *spec = g_strdup_printf("%s,clock=virtual", path);
	static const struct umadrig_ask_counts none;

	for (unsigned int allow = 0; allow < 2; allow++) {
		struct rig rig = rig_open(row->refused ? ",clock=virtual" : spec);

		check_asked(path, rig.fabric, allow, row->refused ? &none :
						     allow ? &row->all : &row->reads);
		rig_close(&rig);
	}
}

/* ---- all of it ---- */

static void check_row(const struct row *row, const char *path)
{
	char message[512] = "";
	struct capture *capture = capture_read(path, message, sizeof(message));

	g_test_message("%s", row->name);
	g_assert_cmpstr(message, ==, "");
	check_answers(row, path, capture);
	check_timed(row, path);
	check_ask(row, path);
	capture_free(capture);
}

static const struct row *find_row(const char *name)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(real_rows); i++) {
		if (strcmp(real_rows[i].name, name) == 0)
			return &real_rows[i];
	}
	return NULL;
}

static void test_real(void)
{
	g_autofree char *folder = source_path("../shared/captures");
	GDir *directory = g_dir_open(folder, 0, NULL);
	unsigned int count = 0;
	const char *name;

	if (!directory) {
		g_test_skip("../shared/captures is not there");
		return;
	}
	while ((name = g_dir_read_name(directory))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (!capture_is_capture(path))
			continue;
		if (!find_row(name))
			g_error("%s has no row in this test", name);
		check_row(find_row(name), path);
		count++;
	}
	g_dir_close(directory);
	g_assert_cmpuint(count, ==, G_N_ELEMENTS(real_rows));
}

static void test_written(void)
{
	static const struct cm_row connection[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REP, 0x99, 0x11, 0xa1 },
		{ false, CM_RTU, 0x11, 0x99, 0 }, { false, CM_DREQ, 0x11, 0x99, 0 },
		{ true, CM_DREP, 0x99, 0x11, 0xa2 },
	};

	for (unsigned int form = RIG_ROCE_V1; form <= RIG_NATIVE; form++) {
		char *path = cm_capture((enum rig_form)form, connection);

		check_row(&written_rows[form], path);
		g_unlink(path);
		g_free(path);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay-captures/written", test_written);
	g_test_add_func("/replay-captures/real", test_real);
	return leak_end(g_test_run());
}
