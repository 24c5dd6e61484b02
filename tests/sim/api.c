/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h: a fabric is made from a text, walked by name, run until idle, and watched.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <glib/gstdio.h>

#include "sim/capture/capture.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

static const char net[] =
	"Hca 1 \"A\"\n[1] \"S\"[1]\n\nHca 1 \"B\"\n[1] \"S\"[2]\n\n"
	"Switch 4 \"S\"\n[1] \"A\"[1]\n[2] \"B\"[1]\n";

static void test_parse(void)
{
	static const struct {
		const char *text, *options, *error;	/* NULL: it is a fabric */
	} cases[] = {
		{ net, "clock=virtual", NULL },
		{ net, "clock=virtual,state=cold,seed=9,latency=2us", NULL },
		{ net, "", NULL },
		{ net, NULL, NULL },
		{ net, "clock=sometimes", "clock=" },
		{ net, "colour=red", "colour" },
		{ net, "clock=virtual,fault=drop all on C", "there is no node 'C'" },
		{ net, "clock=virtual,capture=/nowhere/x", "/nowhere/x" },
		{ "", "clock=virtual", "text" },
		{ "nothing of that kind", "clock=virtual", "text" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char message[512] = "";
		struct umadrig_fabric *fabric = umadrig_fabric_parse(cases[i].text,
								     cases[i].options, message,
								     sizeof(message));

		g_assert_true(!fabric == !!cases[i].error);
		if (fabric)
			g_assert_nonnull(umadrig_port(fabric, "A", 1));
		else if (!strstr(message, cases[i].error))
			g_error("case %zu: '%s'", i, message);
		umadrig_fabric_close(fabric);
	}
}

static struct umadrig_fabric *parse(const char *options)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_parse(net, options, message,
							     sizeof(message));

	if (!fabric)
		g_error("%s", message);
	return fabric;
}

static void test_nodes(void)
{
	static const struct {
		const char *node;
		unsigned int port;
		int active, cold;	/* its state */
	} ports[] = {
		{ "A", 1, 4, 2 }, { "A", 0, -ENOENT, -ENOENT }, { "A", 2, -ENOENT, -ENOENT },
		{ "S", 0, 4, 4 }, { "S", 2, 4, 2 }, { "S", 3, 1, 1 }, { "S", 5, -ENOENT, -ENOENT },
		{ "Z", 1, -ENOENT, -ENOENT },
	};
	struct umadrig_fabric *active = parse("clock=virtual");
	struct umadrig_fabric *cold = parse("clock=virtual,state=cold");
	struct umadrig_port *a;

	g_assert_cmpstr(umadrig_node(active, 0), ==, "A");
	g_assert_cmpstr(umadrig_node(active, 2), ==, "S");
	g_assert_null(umadrig_node(active, 3));
	g_assert_cmpint(umadrig_node_ports(active, "S"), ==, 4);
	g_assert_cmpint(umadrig_node_ports(active, "B"), ==, 1);
	g_assert_cmpint(umadrig_node_ports(active, "Z"), ==, -ENOENT);
	a = umadrig_port(active, "A", 1);
	g_assert_true(umadrig_port(active, umadrig_port_device(a), 1) == a);
	g_assert_cmpint(umadrig_port_set_lid(a, 8, 3), ==, 0);
	g_assert_cmpuint(umadrig_port_lid(a), ==, 8);
	g_assert_cmpuint(umadrig_port_lmc(a), ==, 3);
	for (size_t i = 0; i < G_N_ELEMENTS(ports); i++) {
		g_assert_cmpint(umadrig_port_state(active, ports[i].node, ports[i].port), ==,
				ports[i].active);
		g_assert_cmpint(umadrig_port_state(cold, ports[i].node, ports[i].port), ==,
				ports[i].cold);
	}
	umadrig_fabric_close(active);
	umadrig_fabric_close(cold);
}

/* What the SMA would answer: of a CA's port, a switch and its ports, and what they do not have. */
static void test_attributes(void)
{
	struct umadrig_fabric *fabric = parse("clock=virtual");
	const struct mad_field *state = mad_field_must(MAD_CLASS_SUBN_LID, 0x0015, "LinkState");
	const struct mad_field *type = mad_field_must(MAD_CLASS_SUBN_LID, 0x0011, "NodeType");
	uint8_t data[64];

	memset(data, 0xff, sizeof(data));
	g_assert_cmpint(umadrig_attribute(fabric, "A", 1, 0x0015, data), ==, 0);
	g_assert_cmpuint(mad_field_get(state, data), ==, 4);
	g_assert_cmpint(umadrig_link_set(fabric, "A", 1, false), ==, 0);
	g_assert_cmpint(umadrig_attribute(fabric, "A", 0, 0x0015, data), ==, 0);
	g_assert_cmpuint(mad_field_get(state, data), ==, 1);
	g_assert_cmpint(umadrig_attribute(fabric, "A", 1, 0x0011, data), ==, 0);
	g_assert_cmpuint(mad_field_get(type, data), ==, 1);
	g_assert_cmpint(umadrig_attribute(fabric, "S", 3, 0x0011, data), ==, 0);
	g_assert_cmpuint(mad_field_get(type, data), ==, 2);
	g_assert_cmpint(umadrig_attribute(fabric, "S", 0, 0x0012, data), ==, 0);
	g_assert_cmpint(umadrig_attribute(fabric, "A", 1, 0x0012, data), ==, -EOPNOTSUPP);
	g_assert_cmpint(umadrig_attribute(fabric, "A", 1, 0x10015, data), ==, -EOPNOTSUPP);
	g_assert_cmpint(umadrig_attribute(fabric, "A", 2, 0x0015, data), ==, -ENOENT);
	g_assert_cmpint(umadrig_attribute(fabric, "Z", 1, 0x0015, data), ==, -ENOENT);
	umadrig_fabric_close(fabric);
}

/* A link takes time to train, and then nothing more happens. */
static void test_idle(void)
{
	struct umadrig_fabric *fabric = parse("clock=virtual,state=cold");
	int64_t up_ns;

	g_assert_true(umadrig_step_idle(fabric, NS_PER_S));
	g_assert_cmpint(umadrig_link_set(fabric, "A", 1, false), ==, 0);
	g_assert_cmpint(umadrig_link_set(fabric, "A", 1, true), ==, 0);
	up_ns = umadrig_next(fabric);
	g_assert_cmpint(up_ns, >, umadrig_now(fabric));
	g_assert_false(umadrig_step_idle(fabric, up_ns - 1));
	g_assert_cmpint(umadrig_port_state(fabric, "A", 1), ==, 1);
	g_assert_true(umadrig_step_idle(fabric, 100 * NS_PER_S));
	g_assert_cmpint(umadrig_now(fabric), ==, up_ns);
	g_assert_cmpint(umadrig_port_state(fabric, "A", 1), ==, 2);
	umadrig_fabric_close(fabric);
}

/* ---- watched ---- */

struct seen {
	GString *lines;		/* "A[1] out 1->3 ;" */
	unsigned int most;	/* stop after this many */
	unsigned int count;
};

/* umadrig_mad_fn */
static bool look(void *ctx, const struct umadrig_mad *mad)
{
	struct seen *seen = ctx;

	g_string_append_printf(seen->lines, "%s%s %s %u->%u tid %u at %" G_GINT64_FORMAT "%s%s",
			       seen->count ? "; " : "", mad->port, mad->outbound ? "out" : "in",
			       mad->slid, mad->dlid, mad->mad[15], mad->at_ns,
			       mad->comment ? " " : "", mad->comment ? mad->comment : "");
	return ++seen->count < seen->most;
}

static void send_mad(struct umadrig_fabric *fabric, uint8_t tid)
{
	struct packet_addr addr = {
		.slid = umadrig_port_lid(umadrig_port(fabric, "A", 1)),
		.dlid = umadrig_port_lid(umadrig_port(fabric, "B", 1)),
		.pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet packet = { 0 };
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = 0x12;
	mad[15] = tid;
	g_assert_cmpint(umadrig_inject(umadrig_port(fabric, "A", 1), packet.bytes,
				       packet_size(&packet)), ==, 0);
}

static void test_watch(void)
{
	struct umadrig_fabric *fabric = parse("clock=virtual,latency=5us");
	struct seen seen = { g_string_new(NULL), 4, 0 };
	char message[256];

	umadrig_watch(fabric, look, &seen);
	send_mad(fabric, 7);
	umadrig_step(fabric, NS_PER_MS);
	g_assert_cmpint(umadrig_fault_add_text(fabric, "drop all on B[1]", message,
					       sizeof(message)), ==, 1);
	send_mad(fabric, 8);
	g_assert_cmpstr(seen.lines->str, ==,
			"A[1] out 1->2 tid 7 at 0; "
			"B[1] in 1->2 tid 7 at 5000 dropped: no agent for class 0x03 method 0x12; "
			"A[1] out 1->2 tid 8 at 1000000; "
			"B[1] in 1->2 tid 8 at 1000000 dropped: fault drop all on B[1]");
	/* Returning false stops it. */
	send_mad(fabric, 9);
	g_assert_cmpuint(seen.count, ==, 4);
	umadrig_watch(fabric, look, &seen);
	umadrig_watch(fabric, NULL, NULL);
	send_mad(fabric, 10);
	g_assert_cmpuint(seen.count, ==, 4);
	g_string_free(seen.lines, true);
	umadrig_fabric_close(fabric);
}

/* ---- a capture is replayed ---- */

/* umadrig_tap_fn: ctx is a GString of "TID at TIME;". */
static void arrived(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	if (!outbound && size >= LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE)
		g_string_append_printf(ctx, "%u at %" G_GINT64_FORMAT ";",
				       bytes[LRH_SIZE + BTH_SIZE + DETH_SIZE + 15], at_ns);
}

/* umadrig_mad_fn: all except TID 2. */
static bool not_second(void *ctx, const struct umadrig_mad *mad)
{
	(void)ctx;
	return mad->mad[15] != 2;
}

/* umadrig_mad_fn: notes each that leaves a port, up to TID 2. */
static bool until_second(void *ctx, const struct umadrig_mad *mad)
{
	if (mad->outbound)
		g_string_append_printf(ctx, "%u at %" PRId64 " from %s;", mad->mad[15], mad->at_ns,
				       mad->port);
	return mad->mad[15] != 2;
}

/* What A sent to B arrives at B of another fabric at the same times, except what is left out. */
static void test_replay(void)
{
	struct umadrig_fabric *fabric = parse("clock=virtual,latency=5us");
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "umadrig-api-XXXXXX", NULL);
	struct umadrig_replay replay = { .capture = path, .keep = not_second };
	GString *seen = g_string_new(NULL);
	char message[256] = "";
	int fd = g_mkstemp(path);
	int64_t shown;

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	g_assert_cmpint(umadrig_capture_start(fabric, path, NULL, message, sizeof(message)), ==, 0);
	for (uint8_t tid = 1; tid <= 3; tid++) {
		send_mad(fabric, tid);
		umadrig_step(fabric, tid * 3 * NS_PER_MS);
	}
	g_assert_cmpint(umadrig_capture_stop(fabric), ==, 0);
	umadrig_fabric_close(fabric);
	/* The first one has another record where it was dropped. */
	shown = umadrig_capture_each(path, until_second, seen, message, sizeof(message));
	g_assert_cmpint(shown, ==, 3);
	g_assert_cmpstr(seen->str, ==, "1 at 0 from A[1];2 at 3000000 from A[1];");
	g_string_truncate(seen, 0);

	fabric = parse("clock=virtual,latency=5us");
	replay.timed_at = umadrig_port(fabric, "B", 1);
	umadrig_tap(replay.timed_at, arrived, seen);
	umadrig_step(fabric, NS_PER_MS);
	g_assert_cmpint(umadrig_replay(fabric, &replay, message, sizeof(message)), ==, 0);
	umadrig_step(fabric, NS_PER_S);
	g_assert_cmpstr(seen->str, ==, "1 at 1005000;3 at 7005000;");

	g_unlink(path);
	g_assert_cmpint(umadrig_replay(fabric, &replay, message, sizeof(message)), <, 0);
	g_assert_nonnull(strstr(message, path));
	shown = umadrig_capture_each(path, until_second, seen, message, sizeof(message));
	g_assert_cmpint(shown, <, 0);
	g_assert_nonnull(strstr(message, path));
	g_string_free(seen, true);
	umadrig_fabric_close(fabric);
}

/* ---- notes ---- */

/*
 * A note is in the capture at its time; one that is made while nothing is recorded is in no
 * capture.
 */
static void test_note(void)
{
	struct umadrig_fabric *fabric = parse("clock=virtual,latency=5us");
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "umadrig-api-XXXXXX", NULL);
	char message[256] = "";
	struct capture *capture;
	int fd = g_mkstemp(path);

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	umadrig_capture_note(fabric, "too early");
	g_assert_cmpint(umadrig_capture_start(fabric, path, NULL, message, sizeof(message)), ==, 0);
	umadrig_step(fabric, 3 * NS_PER_MS);
	umadrig_capture_note(fabric, "three");
	umadrig_step(fabric, 5 * NS_PER_MS);
	umadrig_capture_note(fabric, "five");
	g_assert_cmpint(umadrig_capture_stop(fabric), ==, 0);
	umadrig_capture_note(fabric, "too late");
	umadrig_fabric_close(fabric);

	capture = capture_read(path, message, sizeof(message));
	g_assert_nonnull(capture);
	/* When a capture is read, its time begins with its first record. */
	g_assert_cmpuint(capture->note_count, ==, 2);
	g_assert_cmpstr(capture->notes[0].text, ==, "three");
	g_assert_cmpstr(capture->notes[1].text, ==, "five");
	g_assert_cmpint(capture->notes[1].time_ns - capture->notes[0].time_ns, ==, 2 * NS_PER_MS);
	capture_free(capture);
	g_unlink(path);
}

/* ---- an alias GUID ---- */

static void inject(struct umadrig_fabric *fabric, struct packet_addr *addr, const uint8_t *mad)
{
	struct umadrig_port *a = umadrig_port(fabric, "A", 1), *b = umadrig_port(fabric, "B", 1);
	struct packet packet = { 0 };

	addr->slid = umadrig_port_lid(a);
	addr->dlid = umadrig_port_lid(b);
	packet_build(&packet, addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	g_assert_cmpint(umadrig_inject(a, packet.bytes, packet_size(&packet)), ==, 0);
	g_assert_true(umadrig_step_idle(fabric, NS_PER_S));
}

struct answer {
	unsigned int count;
	uint8_t sgid[16], dgid[16];
};

/* umadrig_tap_fn */
static void take_answer(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct answer *answer = ctx;

	(void)at_ns;
	if (outbound || size < LRH_SIZE + GRH_SIZE + MAD_SIZE)
		return;
	answer->count++;
	memcpy(answer->sgid, bytes + LRH_SIZE + GRH_SGID, 16);
	memcpy(answer->dgid, bytes + LRH_SIZE + GRH_SGID + 16, 16);
}

/* An SM gives B a second GUID: a request to B's PMA by that GID is answered from that GID. */
static void test_alias_guid(void)
{
	static const uint64_t alias = UINT64_C(0x1122334455667788);
	struct umadrig_fabric *fabric = parse("clock=virtual");
	struct umadrig_port *a = umadrig_port(fabric, "A", 1), *b = umadrig_port(fabric, "B", 1);
	struct packet_addr smp = { .vl = 15 };
	struct packet_addr gsi = {
		.pkey = 0xffff, .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI, .has_grh = true,
		.hop_limit = 1,
	};
	uint8_t set[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, MAD_METHOD_SET };
	uint8_t get[MAD_SIZE] = { 1, MAD_CLASS_PERF, 1, MAD_METHOD_GET };
	struct answer answer = { 0 };
	uint8_t gid[16];

	put_be16(set + MAD_ATTR_ID, 0x14);
	put_be64(set + SMP_DATA + 8, alias);
	inject(fabric, &smp, set);
	g_assert_cmpint(umadrig_port_gid(b, 1, gid), ==, 0);
	g_assert_cmphex(get_be64(gid), ==, UINT64_C(0xfe80000000000000));
	g_assert_cmphex(get_be64(gid + 8), ==, alias);
	g_assert_cmpint(umadrig_port_gid(b, 8, gid), ==, -EINVAL);

	umadrig_tap(a, take_answer, &answer);
	put_be16(get + MAD_ATTR_ID, 0x01);
	for (unsigned int i = 0; i < 2; i++) {
		umadrig_port_gid(a, 0, gsi.sgid);
		umadrig_port_gid(b, i, gsi.dgid);
		get[15] = (uint8_t)(i + 1);
		inject(fabric, &gsi, get);
		g_assert_cmpuint(answer.count, ==, i + 1);
		g_assert_cmpmem(answer.sgid, 16, gsi.dgid, 16);
		g_assert_cmpmem(answer.dgid, 16, gsi.sgid, 16);
	}
	umadrig_fabric_close(fabric);
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
	g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	return fd;
}

/* Another process's way in lasts as long as the fabric; tests/python has programs that use it. */
static void test_serve(void)
{
	struct umadrig_fabric *virtual = umadrig_fabric_open(",clock=virtual", NULL, 0);
	struct umadrig_fabric *fabric = umadrig_fabric_open("", NULL, 0);
	struct umadrig_fabric *other = umadrig_fabric_open("", NULL, 0);
	g_autofree char *path = NULL;
	char message[512] = "", byte;
	int fd;

	g_assert_null(umadrig_socket(fabric));
	g_assert_cmpint(umadrig_serve(virtual, NULL, message, sizeof(message)), ==, -EOPNOTSUPP);
	g_assert_nonnull(strstr(message, "umadrig_program_start()"));
	g_assert_null(umadrig_socket(virtual));
	g_assert_cmpint(umadrig_serve(fabric, NULL, message, sizeof(message)), ==, 0);
	path = g_strdup(umadrig_socket(fabric));
	g_assert_true(g_path_is_absolute(path));
	g_assert_cmpint(umadrig_serve(fabric, NULL, message, sizeof(message)), ==, -EALREADY);
	/* A socket that another server has. */
	g_assert_cmpint(umadrig_serve(other, path, message, sizeof(message)), <, 0);
	g_assert_nonnull(strstr(message, path));
	fd = connect_to(path);
	/* This process goes on as before. */
	g_assert_cmpint(umadrig_link_set(fabric, "H1", 1, false), ==, 0);
	g_assert_cmpint(umadrig_port_state(fabric, "H1", 1), ==, 1);
	umadrig_fabric_close(fabric);
	g_assert_cmpint(recv(fd, &byte, 1, 0), ==, 0);
	close(fd);
	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	umadrig_fabric_close(other);
	umadrig_fabric_close(virtual);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/api/parse", test_parse);
	g_test_add_func("/api/nodes", test_nodes);
	g_test_add_func("/api/attributes", test_attributes);
	g_test_add_func("/api/idle", test_idle);
	g_test_add_func("/api/watch", test_watch);
	g_test_add_func("/api/replay", test_replay);
	g_test_add_func("/api/note", test_note);
	g_test_add_func("/api/serve", test_serve);
	g_test_add_func("/api/alias-guid", test_alias_guid);
	return leak_end(g_test_run());
}
