/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_replay_ask(): the questions of a capture asked again, of the fabric that was captured and
 * of others. What differs is said, and nothing else.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "tests/rig/roce-capture.h"

/* ---- three hosts on a switch ---- */

static struct rig open_three(unsigned int second, unsigned int third)
{
	g_autofree char *text = g_strdup_printf(
		"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[%u] \"H2\"[1]\n[%u] \"H3\"[1]\n\n"
		"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[%u]\n\n"
		"Hca 1 \"H3\"\n[1] \"S1\"[%u]\n", second, third, second, third);

	return rig_open_text(text, ",clock=virtual,latency=1us");
}

static const struct rig_get gets[] = {
	{ .mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x11, .path = { 1, 1 } },
	{ .mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x10, .path = { 2, 1, 2 } },
	{ .mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x11, .path = { 2, 1, 3 } },
	{ .mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x15, .modifier = 1, .path = { 2, 1, 2 } },
	{ .mgmt_class = MAD_CLASS_PERF, .attr = 0x01, .dlid = 2 },
	{ .mgmt_class = MAD_CLASS_SUBN_DR, .method = MAD_METHOD_SET, .attr = 0x15, .modifier = 1,
	  .path = { 2, 1, 2 } },
	{ .mgmt_class = MAD_CLASS_PERF, .attr = 0x01, .dlid = 77 },
};

/* H1 asks all of it; the last has no answer. The capture's path, to be unlinked and freed. */
static char *capture_three(void)
{
	struct rig rig = open_three(2, 3);
	int fd = rig_open_port(&rig, NULL, "sim0", 1);
	char message[512] = "", *path;

	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
	umadrig_capture_start(rig.fabric, path, NULL, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	for (unsigned int i = 0; i < G_N_ELEMENTS(gets); i++) {
		struct rig_get get = gets[i];
		uint32_t agent = rig_register(&rig, fd, get.mgmt_class, 0);
		uint8_t reply[RIG_UMAD];

		get.tid = 100 + i;
		get.timeout_ms = 10;
		rig_send(&rig, fd, agent, &get);
		g_assert_cmpint(rig_recv(&rig, fd, reply, 1000), >, 0);
		g_assert_cmpint(rig.backend->unregister_agent(fd, agent), ==, 0);
	}
	rig.backend->close(fd);
	g_assert_cmpint(umadrig_capture_stop(rig.fabric), ==, 0);
	rig_close(&rig);
	return path;
}

/* umadrig_difference_fn */
static void note(void *ctx, const struct umadrig_difference *difference)
{
	g_string_append_printf(ctx, "%s %s: %s -> %s\n", difference->request, difference->field,
			       difference->captured, difference->actual);
}

static struct umadrig_ask_counts ask(struct rig *rig, const char *node,
				     const struct umadrig_replay_ask *with, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct umadrig_replay_ask how = *with;
	struct umadrig_ask_counts counts;
	char message[512] = "";

	how.port = umadrig_port(rig->fabric, node, 1);
	how.differs = note;
	how.ctx = text;
	umadrig_replay_ask(&how, &counts, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpstr(text->str, ==, expected);
	g_assert_cmpuint(counts.asked, ==, counts.same + counts.changed + counts.unanswered);
	g_assert_cmpuint(counts.failed, ==, 0);
	return counts;
}

enum change { NOTHING, CABLE, FIRMWARE, LOSS };

static void test_fabrics(void)
{
	static const struct {
		enum change change;
		const char *ignoring, *differences;
		size_t changed, unanswered;
	} rows[] = {
		{ NOTHING, NULL, "", 0, 0 },
		{ CABLE, NULL,
		  "SubnGet(NodeDescription) NodeDescription.NodeDesc: H2 -> H3\n"
		  "SubnGet(NodeInfo) NodeInfo.SystemGuid: "
		  "0x0000000000100004 -> 0x0000000000100002\n"
		  "SubnGet(NodeInfo) NodeInfo.Guid: 0x0000000000100004 -> 0x0000000000100002\n"
		  "SubnGet(NodeInfo) NodeInfo.PortGuid: 0x0000000000100005 -> 0x0000000000100003\n"
		  "SubnGet(PortInfo) PortInfo.Lid: 3 -> 4\n", 3, 0 },
		{ FIRMWARE, NULL,
		  "SubnGet(PortInfo) PortInfo.CapMask: 0xa6618a48 -> 0xa6698a48\n", 1, 0 },
		{ FIRMWARE, "PortInfo.CapMask", "", 0, 0 },
		{ LOSS, NULL, "SubnGet(PortInfo) there: yes -> no\n", 0, 1 },
	};
	char *path = capture_three();

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig rig = open_three(rows[i].change == CABLE ? 3 : 2,
					    rows[i].change == CABLE ? 2 : 3);
		const struct umadrig_replay_ask how = {
			.capture = path, .ignoring = rows[i].ignoring, .timeout_ms = 10,
		};
		struct umadrig_ask_counts counts;

		if (rows[i].change == FIRMWARE)
			umadrig_port_set_capability(rig.fabric, "H2", 1, 0x80000, true);
		if (rows[i].change == LOSS)
			g_assert_cmpint(umadrig_fault_add_text(
				rig.fabric, "drop 1 attr=0x15 method=0x81", NULL, 0), >, 0);
		counts = ask(&rig, "H1", &how, rows[i].differences);
		g_assert_cmpuint(counts.asked, ==, 6);
		g_assert_cmpuint(counts.changed, ==, rows[i].changed);
		g_assert_cmpuint(counts.unanswered, ==, rows[i].unanswered);
		g_assert_cmpuint(counts.skipped, ==, 1);
		rig_close(&rig);
	}
	g_unlink(path);
	g_free(path);
}

/* ---- messages by RMPP, from a captured fabric ---- */

enum {
	GET_TABLE = 0x12, GET_MULTI = 0x14, NODE_RECORD = 0x11, MULTI_PATH_RECORD = 0x3a,
	HEADER = 56, ROOM = MAD_SIZE - HEADER, LAST_BYTES = 77,
};

struct message {
	uint8_t method;
	uint16_t attr;
	uint32_t segments;	/* 0: one MAD without RMPP */
	uint32_t changed;	/* the segment whose data is another; 0: none */
};

static void add_message(struct rig_capture *capture, const struct message *message, int64_t at_ns)
{
	bool back = message->method & MAD_METHOD_RESPONSE;
	struct packet_addr addr = {
		.src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .pkey = PKEY_DEFAULT, .has_grh = true,
		.hop_limit = 64,
		.sgid = { [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 2 : 1 },
		.dgid = { [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 1 : 2 },
	};

	for (uint32_t i = 1; i <= MAX(message->segments, 1); i++) {
		struct packet packet;
		uint8_t *mad;

		packet_build(&packet, &addr);
		mad = packet_mad(&packet);
		memset(mad, 0, MAD_SIZE);
		mad[MAD_BASE_VERSION] = 1;
		mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
		mad[MAD_CLASS_VERSION] = 2;
		mad[MAD_METHOD] = message->method;
		put_be64(mad + MAD_TID, 0x1234);
		put_be16(mad + MAD_ATTR_ID, message->attr);
		put_be16(mad + 44, 14);			/* AttributeOffset */
		if (message->segments) {
			mad[RMPP_VERSION] = mad[RMPP_TYPE] = 1;
			mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | (i == 1 ? RMPP_FLAG_FIRST : 0) |
					  (i == message->segments ? RMPP_FLAG_LAST : 0);
			put_be32(mad + RMPP_SEGMENT, i);
			if (i == message->segments)
				put_be32(mad + RMPP_PAYLEN_NEWWIN, LAST_BYTES + HEADER - RMPP_END);
			memset(mad + HEADER, (int)i, i < message->segments ? ROOM : LAST_BYTES);
			mad[HEADER] ^= i == message->changed ? 0xff : 0;
		}
		rig_capture_add(capture, at_ns + i * NS_PER_US, !back, &packet);
	}
}

static char *write_exchange(enum rig_form form, const struct message *request,
			    const struct message *answer)
{
	struct rig_capture capture = rig_capture_begin(form, "H1[1]");

	add_message(&capture, request, NS_PER_S);
	add_message(&capture, answer, 2 * NS_PER_S);
	return rig_capture_end(&capture);
}

/* Asks what is in a capture of the fabric that another capture is. */
static void check_rmpp(enum rig_form form, struct message request, struct message answer,
		       uint32_t changed)
{
	char *asked = write_exchange(form, &request, &answer), *there;
	const struct umadrig_replay_ask how = { .capture = asked };
	g_autofree char *spec = NULL;
	char message[512] = "";
	struct umadrig_ask_counts counts;
	g_autoptr(GString) text = g_string_new(NULL);
	struct umadrig_replay_ask all = how;
	struct rig rig;

	answer.changed = changed;
	there = write_exchange(form, &request, &answer);
	spec = g_strdup_printf("%s,clock=virtual,latency=1us", there);
	rig = rig_open(spec);
	all.port = umadrig_port(rig.fabric, "H1", 1);
	all.differs = note;
	all.ctx = text;
	umadrig_replay_ask(&all, &counts, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_test_message("form %d: %u segments asked, %u answered: %zu same, %zu changed, %zu "
		       "unanswered, %zu failed", (int)form, request.segments, answer.segments,
		       counts.same, counts.changed, counts.unanswered, counts.failed);
	/* One byte is another: one line. */
	g_assert_cmpstr(strchr(text->str, '\n'), ==, changed ? "\n" : NULL);
	g_assert_cmpuint(counts.asked, ==, 1);
	g_assert_cmpuint(counts.same, ==, !changed);
	g_assert_cmpuint(counts.changed, ==, changed != 0);
	rig_close(&rig);
	g_unlink(asked);
	g_unlink(there);
	g_free(asked);
	g_free(there);
}

static void test_rmpp(void)
{
	static const struct message table = { .method = GET_TABLE, .attr = NODE_RECORD },
				    paths = { .method = GET_MULTI, .attr = MULTI_PATH_RECORD };
	static const uint32_t sizes[] = { 1, 2, 65, 300 };

	for (unsigned int form = RIG_ROCE_V1; form <= RIG_NATIVE; form++) {
		for (unsigned int i = 0; i < G_N_ELEMENTS(sizes); i++) {
			const struct message records = {
				.method = GET_TABLE | MAD_METHOD_RESPONSE, .attr = NODE_RECORD,
				.segments = sizes[i],
			};

			check_rmpp((enum rig_form)form, table, records, 0);
			check_rmpp((enum rig_form)form, table, records, sizes[i]);
		}
	}
	/* The request itself is a message of several segments. */
	for (uint32_t segments = 1; segments <= 3; segments += 2) {
		struct message request = paths, answer = paths;

		request.segments = segments;
		answer.method |= MAD_METHOD_RESPONSE;
		answer.segments = 2;
		check_rmpp(RIG_NATIVE, request, answer, 0);
		check_rmpp(RIG_NATIVE, request, answer, 2);
	}
}

/* ---- what cannot be asked ---- */

static bool is_perf(void *ctx, const struct umadrig_mad *mad)
{
	(void)ctx;
	return mad->mad[MAD_CLASS] == MAD_CLASS_PERF;
}

static void test_options(void)
{
	char *path = capture_three(), message[512] = "";
	struct umadrig_ask_counts counts = { .asked = 77 };
	struct umadrig_replay_ask how = { .capture = path, .timeout_ms = 10 };
	struct rig rig = open_three(2, 3);

	how.keep = is_perf;
	counts = ask(&rig, "H1", &how, "");
	g_assert_cmpuint(counts.asked, ==, 2);
	g_assert_cmpuint(counts.skipped, ==, 0);
	how.keep = NULL;
	how.allow_writes = true;
	how.ignoring = "bytes[0..255]";
	counts = ask(&rig, "H1", &how, "");
	g_assert_cmpuint(counts.asked, ==, 7);
	g_assert_cmpuint(counts.skipped, ==, 0);

	how.port = umadrig_port(rig.fabric, "H1", 1);
	counts = (struct umadrig_ask_counts){ .asked = 77 };
	how.ignoring = "tid,statu";
	g_assert_cmpint(umadrig_replay_ask(&how, &counts, message, sizeof(message)), ==, -EINVAL);
	g_assert_cmpstr(message, ==, "ignoring: there is no field 'statu': did you mean 'status'?");
	how.ignoring = NULL;
	how.capture = "/nonexistent.pcap";
	g_assert_cmpint(umadrig_replay_ask(&how, &counts, message, sizeof(message)), ==, -EINVAL);
	g_assert_nonnull(strstr(message, "nonexistent.pcap"));
	how.capture = path;
	umadrig_port_remove(how.port);
	g_assert_cmpint(umadrig_replay_ask(&how, &counts, message, sizeof(message)), ==, -EINVAL);
	g_assert_cmpstr(message, ==, "H1[1] cannot be opened: No such device or address");
	g_assert_cmpuint(counts.asked, ==, 77);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay-ask/fabrics", test_fabrics);
	g_test_add_func("/replay-ask/rmpp", test_rmpp);
	g_test_add_func("/replay-ask/options", test_options);
	return leak_end(g_test_run());
}
