/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer", on a fabric: what the sender of a request sees of the response, and what
 * is reported if there is none.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"
#include "tests/rig/replay-rig.h"
#include "tests/rig/trees.h"

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

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay/sample-fabric", test_sample_fabric);
	g_test_add_func("/replay/sample-on-default-fabric", test_sample_on_default_fabric);
	g_test_add_func("/replay/unmatched", test_unmatched);
	g_test_add_func("/replay/identical", test_identical);
	g_test_add_func("/replay/order", test_order);
	return leak_end(g_test_run());
}
