/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Writing captures: what is written is read back by our reader, libpcap and Wireshark; the bytes
 * depend only on the records; errors are reported.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <unistd.h>

#include "tests/rig/capture-build.h"
#include "sim/capture/capture.h"
#include "kmod-stub/event.h"
#include "tests/rig/leak.h"

static char *dir;

static char *path_of(const char *name)
{
	return g_build_filename(dir, name, NULL);
}

static GByteArray *bytes_of(const char *path)
{
	char *data;
	gsize size;

	g_assert_true(g_file_get_contents(path, &data, &size, NULL));
	return g_byte_array_new_take((guint8 *)data, size);
}

static struct capture_writer *must_open(const char *path, const char *comment)
{
	char message[512] = "";
	struct capture_writer *writer = capture_writer_open(path, comment, true, message,
							    sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(writer);
	return writer;
}

/* A MAD of a class and method with TID 'tid', to LID 2 from LID 1. */
static void make_packet(struct packet *packet, unsigned int mgmt_class, unsigned int method,
			uint64_t tid)
{
	bool smp = mad_class_is_smp(mgmt_class);
	struct packet_addr addr = {
		.slid = 1, .dlid = 2, .vl = smp ? 15 : 0, .pkey = PKEY_DEFAULT,
		.src_qp = !smp, .dest_qp = !smp, .qkey = smp ? 0 : QKEY_GSI,
	};
	uint8_t *mad;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = (uint8_t)mgmt_class;
	mad[MAD_CLASS_VERSION] = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad[MAD_METHOD] = (uint8_t)method;
	put_be64(mad + MAD_TID, tid);
	put_be16(mad + MAD_ATTR_ID, mgmt_class == MAD_CLASS_CM ? 0x10 : 0x01);
}

/* The whole file, byte by byte, as derived from the specifications of pcapng and ERF. */
static void test_bytes(void)
{
	char *path = path_of("bytes.pcapng");
	struct capture_writer *writer = must_open(path, "seed 1");
	GByteArray *want = g_byte_array_new(), *got;
	struct packet packet;

	make_packet(&packet, MAD_CLASS_SUBN_DR, MAD_METHOD_GET, 0x1234);
	capture_writer_packet(writer, capture_writer_interface(writer, "H1[1]", NULL), 1500000000,
			      true, &packet, "a:7");
	g_assert_true(packet.sealed);
	g_assert_cmpint(capture_writer_close(writer), ==, 0);

	build_hex(want, "0a0d0d0a 38000000 4d3c2b1a 0100 0000 ffffffffffffffff"
		  "0100 0600 736565642031 0000" "0400 0700 756d6164726967 00" "0000 0000 38000000");
	build_hex(want, "01000000 2c000000 c500 0000 00000000"
		  "0200 0500 48315b315d 000000" "0900 0100 09 000000" "0000 0000 2c000000");
	build_hex(want, "06000000 68010000 00000000");
	/* 1700000001.5 s: as nanoseconds in two halves, then as ERF's 32.32 seconds. */
	build_number(want, UINT64_C(1700000001500000000) >> 32, 4, false);
	build_number(want, UINT64_C(1700000001500000000) & UINT32_MAX, 4, false);
	build_hex(want, "32010000 32010000" "00000080 01f15365" "15 05 0132 0000 0122");
	g_byte_array_append(want, packet.bytes, 290);
	build_hex(want, "0000" "0100 0300 613a37 00" "0200 0400 02000000" "0000 0000 68010000");

	got = bytes_of(path);
	g_assert_cmpmem(got->data, got->len, want->data, want->len);
	g_unlink(path);
	g_free(path);
	g_byte_array_free(got, true);
	g_byte_array_free(want, true);
}

/* Records in the order of their arrival, and their places in the file. */
static const struct record {
	int64_t at_ns;
	unsigned int port;
	bool outbound;
	const char *comment;
	unsigned int want_place;
} records[] = {
	{ 3000, 0, true, "first to come", 4 },
	{ 1000, 1, false, NULL, 1 },
	{ 3000, 2, true, "same time, later", 5 },
	{ -500, 1, true, "before the fabric began", 0 },
	{ 1000, 0, true, "same time as the second", 2 },
	{ 2000, 2, false, "caf\xc3\xa9 \xff", 3 },
	{ 86400 * NS_PER_S + 1, 0, false, "a day later", 6 },
};

/* 'advance_after': bit i is set if time moves after record i. */
static void write_records(const char *path, unsigned int advance_after, bool flush)
{
	struct capture_writer *writer = must_open(path, NULL);
	unsigned int ports[3];

	ports[0] = capture_writer_interface(writer, "H1[1]", "0x0002c90300000001");
	capture_writer_interface_comment(writer, ports[0], "replaced");
	capture_writer_interface_comment(writer, ports[0], "what H1 is");
	ports[1] = capture_writer_interface(writer, "H2[1]", NULL);
	capture_writer_interface(writer, "unused[1]", NULL);
	ports[2] = capture_writer_interface(writer, "S\xff[36]", "a switch");
	for (size_t i = 0; i < G_N_ELEMENTS(records); i++) {
		struct packet packet;
		int64_t safe_ns = TIME_NEVER;

		make_packet(&packet, MAD_CLASS_SUBN_LID, MAD_METHOD_GET, i);
		capture_writer_packet(writer, ports[records[i].port], records[i].at_ns,
				      records[i].outbound, &packet, records[i].comment);
		for (size_t later = i + 1; later < G_N_ELEMENTS(records); later++)
			safe_ns = MIN(safe_ns, records[later].at_ns);
		if (advance_after >> i & 1)
			capture_writer_advance(writer, safe_ns);
		if (flush)
			g_assert_cmpint(capture_writer_flush(writer), ==, 0);
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
}

static void test_round_trip(void)
{
	static const char *const names[] = { "H1[1]", "H2[1]", "S\xef\xbf\xbd[36]" };
	char *path = path_of("round.pcapng"), message[512] = "";
	struct capture *capture;

	write_records(path, 0, false);
	capture = capture_read(path, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpuint(capture->mad_count, ==, G_N_ELEMENTS(records));
	g_assert_cmpuint(capture->counts.frames, ==, G_N_ELEMENTS(records));
	g_assert_null(capture->warnings[0]);
	for (size_t i = 0; i < G_N_ELEMENTS(records); i++) {
		const struct capture_mad *mad = &capture->mads[records[i].want_place];

		g_test_message("record %zu", i);
		g_assert_cmphex(get_be64(mad->mad + MAD_TID), ==, i);
		g_assert_cmpint(capture->first_ns + mad->time_ns, ==,
				CAPTURE_EPOCH_S * NS_PER_S + records[i].at_ns);
		g_assert_cmpint(mad->direction, ==,
				records[i].outbound ? CAPTURE_OUTBOUND : CAPTURE_INBOUND);
		g_assert_cmpstr(mad->interface_name, ==, names[records[i].port]);
		g_assert_true(mad->icrc_ok && mad->vcrc_ok);
		if (records[i].comment && strchr(records[i].comment, '\xff'))
			g_assert_cmpstr(mad->comment, ==, "caf\xc3\xa9 \xef\xbf\xbd");
		else
			g_assert_cmpstr(mad->comment, ==, records[i].comment);
	}
	/*
	 * Interfaces are numbered in the order of their first packets: H2, H1, S. An unused one has
	 * no number.
	 */
	g_assert_cmpint(capture->mads[0].interface, ==, 0);
	g_assert_cmpint(capture->mads[2].interface, ==, 1);
	g_assert_cmpint(capture->mads[3].interface, ==, 2);
	g_assert_cmpstr(capture_interface(capture, 1)->comment, ==, "what H1 is");
	g_assert_null(capture_interface(capture, 0)->comment);
	capture_free(capture);
	g_unlink(path);
	g_free(path);
}

/* When and how often records are flushed makes no difference. */
static void test_identical(void)
{
	char *path = path_of("one.pcapng"), *other = path_of("other.pcapng");
	GByteArray *one, *two;

	write_records(path, 0, false);
	one = bytes_of(path);
	for (unsigned int advance = 1; advance < 1u << G_N_ELEMENTS(records); advance++) {
		write_records(other, advance, advance & 1);
		two = bytes_of(other);
		g_assert_cmpmem(one->data, one->len, two->data, two->len);
		g_byte_array_free(two, true);
	}
	g_byte_array_free(one, true);
	g_unlink(path);
	g_unlink(other);
	g_free(path);
	g_free(other);
}

/* Many records in a pseudo-random order come out sorted, through several buffers. */
static void test_many(void)
{
	enum { COUNT = 2000 };
	char *path = path_of("many.pcapng"), message[512];
	struct capture_writer *writer = must_open(path, NULL);
	unsigned int port = capture_writer_interface(writer, "H1[1]", NULL);
	struct capture *capture;

	for (unsigned int i = 0; i < COUNT; i++) {
		struct packet packet;

		make_packet(&packet, MAD_CLASS_PERF, MAD_METHOD_GET, i);
		capture_writer_packet(writer, port, (i * 7919) % COUNT / 3, true, &packet, NULL);
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	capture = capture_read(path, message, sizeof(message));
	g_assert_cmpuint(capture->mad_count, ==, COUNT);
	for (unsigned int i = 1; i < COUNT; i++) {
		const struct capture_mad *a = &capture->mads[i - 1], *b = &capture->mads[i];

		g_assert_true(a->time_ns < b->time_ns ||
			      (a->time_ns == b->time_ns &&
			       get_be64(a->mad + MAD_TID) < get_be64(b->mad + MAD_TID)));
	}
	capture_free(capture);
	g_unlink(path);
	g_free(path);
}

static void test_long_comment(void)
{
	char *path = path_of("long.pcapng"), *comment = g_malloc(70001), message[512];
	struct capture_writer *writer = must_open(path, NULL);
	struct packet packet;
	struct capture *capture;

	/* Characters of two bytes: 65535 falls in the middle of one. */
	for (unsigned int i = 0; i < 70000; i += 2)
		memcpy(comment + i, "\xc3\xa9", 2);
	comment[70000] = '\0';
	make_packet(&packet, MAD_CLASS_PERF, MAD_METHOD_GET, 1);
	capture_writer_packet(writer, capture_writer_interface(writer, "H1[1]", comment), 0, true,
			      &packet, comment);
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	capture = capture_read(path, message, sizeof(message));
	g_assert_nonnull(capture);
	g_assert_cmpuint(strlen(capture->mads[0].comment), ==, 65534);
	g_assert_true(g_utf8_validate(capture->mads[0].comment, -1, NULL));
	capture_free(capture);
	g_unlink(path);
	g_free(path);
	g_free(comment);
}

static void test_errors(void)
{
	static const struct { const char *path, *message; } rows[] = {
		{ "/no/such/directory/x.pcapng",
		  "cannot write the capture /no/such/directory/x.pcapng: "
		  "No such file or directory" },
		{ "/dev/full", "cannot write the capture /dev/full: No space left on device" },
		{ "/", "cannot write the capture /: Is a directory" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[512] = "";

		g_assert_null(capture_writer_open(rows[i].path, NULL, true, message,
						  sizeof(message)));
		g_assert_cmpstr(message, ==, rows[i].message);
	}
}

/* A pipe whose reader has gone ends the capture with an error, and does not end this process. */
static void test_pipe(void)
{
	struct capture_writer *writer;
	struct packet packet;
	unsigned int port;
	char path[32];
	int fds[2];

	g_assert_cmpint(pipe(fds), ==, 0);
	g_snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
	writer = must_open(path, NULL);
	close(fds[1]);
	close(fds[0]);
	port = capture_writer_interface(writer, "H1[1]", NULL);
	signal(SIGPIPE, SIG_DFL);
	for (unsigned int i = 0; i < 3; i++) {
		make_packet(&packet, MAD_CLASS_PERF, MAD_METHOD_GET, i);
		capture_writer_packet(writer, port, 0, true, &packet, NULL);
		capture_writer_advance(writer, 0);
		g_assert_cmpint(capture_writer_flush(writer), ==, -EPIPE);
	}
	g_assert_cmpint(capture_writer_close(writer), ==, -EPIPE);
}

/* ---- other readers ---- */

static const unsigned int classes[] = {
	MAD_CLASS_SUBN_LID, MAD_CLASS_SUBN_DR, MAD_CLASS_SUBN_ADM, MAD_CLASS_PERF, MAD_CLASS_BM,
	MAD_CLASS_DEV_MGT, MAD_CLASS_CM, MAD_CLASS_SNMP, 0x09, 0x0a, MAD_CLASS_DEV_ADM,
	MAD_CLASS_BIS, MAD_CLASS_CONG_MGT, 0x30, 0x4f,
};

static void write_classes(const char *path)
{
	struct capture_writer *writer = must_open(path, "one MAD of each class");
	unsigned int ports[2];

	ports[0] = capture_writer_interface(writer, "H1[1]", "0x0002c90300000001");
	ports[1] = capture_writer_interface(writer, "H2[1]", NULL);
	for (unsigned int i = 0; i < G_N_ELEMENTS(classes); i++) {
		struct packet packet;

		make_packet(&packet, classes[i],
			    classes[i] == MAD_CLASS_CM ? MAD_METHOD_SEND : MAD_METHOD_GET,
			    UINT64_C(0x100000000) * (i + 1));
		capture_writer_packet(writer, ports[i & 1], i * NS_PER_MS, true, &packet,
				      "a comment");
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
}

static void test_libpcap(void)
{
	char *path = path_of("pcap.pcapng"), errbuf[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *header;
	unsigned int count = 0;
	const u_char *bytes;
	pcap_t *pcap;

	write_classes(path);
	pcap = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, errbuf);
	g_assert_nonnull(pcap);
	g_assert_cmpint(pcap_datalink(pcap), ==, 197);
	while (pcap_next_ex(pcap, &header, &bytes) == 1) {
		g_assert_cmpuint(header->caplen, ==, 306);
		g_assert_cmpuint(header->len, ==, 306);
		g_assert_cmpint(header->ts.tv_usec, ==, count * NS_PER_MS);
		count++;
	}
	g_assert_cmpuint(count, ==, G_N_ELEMENTS(classes));
	pcap_close(pcap);
	g_unlink(path);
	g_free(path);
}

/*
 * What tshark prints about 'path' with these arguments; NULL, and the test is skipped, if it is
 * absent.
 */
static char *tshark(const char *path, const char *arguments)
{
	char *line = g_strdup_printf("tshark -n -r %s %s", path, arguments);
	char *out = NULL, *err = NULL;
	GError *error = NULL;
	int status;

	if (!g_spawn_command_line_sync(line, &out, &err, &status, &error)) {
		g_test_skip("tshark is not installed");
		g_error_free(error);
	} else if (status) {
		g_test_message("%s: %s", line, err);
		g_test_fail();
	}
	g_free(line);
	g_free(err);
	return out;
}

static void test_wireshark(void)
{
	char *path = path_of("shark.pcapng"), *out;
	GString *want = g_string_new(NULL);

	write_classes(path);
	for (unsigned int i = 0; i < G_N_ELEMENTS(classes); i++)
		g_string_append_printf(want, "0x%02x|0x%016" G_GINT64_MODIFIER "x|1|2|H%u[1]|"
				       "%u.%09u|290|a comment\n", classes[i],
				       UINT64_C(0x100000000) * (i + 1),
				       (i & 1) + 1, 1700000000, i * 1000000);
	out = tshark(path, "-T fields -E separator=| -e infiniband.mad.mgmtclass "
		     "-e infiniband.mad.transactionid "
		     "-e infiniband.lrh.slid -e infiniband.lrh.dlid "
		     "-e frame.interface_name -e frame.time_epoch -e frame.len -e frame.comment");
	if (out) {
		g_assert_cmpstr(out, ==, want->str);
		g_free(out);
		out = tshark(path, "-Y _ws.malformed");
		g_assert_cmpstr(out, ==, "");
		g_free(out);
	}
	g_unlink(path);
	g_free(path);
	g_string_free(want, true);
}

/* Before all packets, between two of one time, and after the last one. */
static void write_notes(const char *path)
{
	struct capture_writer *writer = must_open(path, NULL);
	unsigned int port = capture_writer_interface(writer, "H1[1]", NULL);
	struct packet packet;

	make_packet(&packet, MAD_CLASS_SUBN_LID, MAD_METHOD_GET, 1);
	capture_writer_note(writer, 1001, "first");
	capture_writer_packet(writer, port, 2000, true, &packet, NULL);
	capture_writer_note(writer, 2000, "line\nends \xff");
	capture_writer_packet(writer, port, 2000, true, &packet, NULL);
	capture_writer_note(writer, NS_PER_S, "");
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
}

static void test_notes(void)
{
	static const struct capture_note want[] = {
		{ 1, 0, (char *)"first" },
		{ 3, 999, (char *)"line ends \xef\xbf\xbd" },
		{ 5, NS_PER_S - 1001, (char *)"" },
	};
	char *path = path_of("notes.pcapng"), message[512] = "", *out;
	struct capture *capture;

	write_notes(path);
	capture = capture_read(path, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpuint(capture->note_count, ==, G_N_ELEMENTS(want));
	g_assert_cmpuint(capture->counts.frames, ==, 5);
	g_assert_cmpuint(capture->counts.skipped, ==, 0);
	g_assert_cmpuint(capture->mads[1].frame, ==, 4);
	for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
		g_assert_cmpuint(capture->notes[i].frame, ==, want[i].frame);
		g_assert_cmpint(capture->notes[i].time_ns, ==, want[i].time_ns);
		g_assert_cmpstr(capture->notes[i].text, ==, want[i].text);
	}
	capture_free(capture);
	out = tshark(path, "-T fields -E separator=| -e frame.number -e frame.time_epoch "
		     "-e systemd_journal.message -e infiniband.mad.method");
	if (out)
		g_assert_cmpstr(out, ==, "1|1700000000.000001000|first|\n"
				"2|1700000000.000002000||0x01\n"
				"3|1700000000.000002000|line ends \xef\xbf\xbd|\n"
				"4|1700000000.000002000||0x01\n"
				"5|1700000001.000000000||\n");
	g_free(out);
	g_unlink(path);
	g_free(path);
}

/* To a name that ends in .pcap: pcap's header and the same ERF records, and nothing besides. */
static void test_pcap(void)
{
	char *path = path_of("bytes.pcap"), message[512] = "";
	struct capture_writer *writer = must_open(path, "seed 1");
	GByteArray *want = g_byte_array_new(), *got;
	struct capture *capture;
	struct packet packet;

	make_packet(&packet, MAD_CLASS_SUBN_DR, MAD_METHOD_GET, 0x1234);
	g_assert_false(capture_writer_has_comments(writer));
	capture_writer_note(writer, 0, "left out");
	capture_writer_packet(writer, capture_writer_interface(writer, "H1[1]", "a host"),
			      1500000001, true, &packet, "left out");
	/* Behind the last second that pcap can say: it stays there. */
	capture_writer_packet(writer, capture_writer_interface(writer, "H2[1]", NULL),
			      (UINT32_MAX - CAPTURE_EPOCH_S + 1) * NS_PER_S + 7, false, &packet,
			      NULL);
	g_assert_cmpint(capture_writer_close(writer), ==, 0);

	build_hex(want, "4d3cb2a1 0200 0400 00000000 00000000 ffff0000 c5000000");
	build_hex(want, "01f15365 0165cd1d 32010000 32010000");
	build_hex(want, "04000080 01f15365" "15 05 0132 0000 0122");
	g_byte_array_append(want, packet.bytes, 290);
	build_hex(want, "ffffffff 07000000 32010000 32010000");
	build_hex(want, "1e000000 00000000" "15 04 0132 0000 0122");
	g_byte_array_append(want, packet.bytes, 290);
	got = bytes_of(path);
	g_assert_cmpmem(got->data, got->len, want->data, want->len);

	capture = capture_read(path, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpuint(capture->mad_count, ==, 2);
	g_assert_cmpuint(capture->note_count, ==, 0);
	g_assert_cmpint(capture->first_ns, ==,
			CAPTURE_EPOCH_S * NS_PER_S + 1500000001);
	g_assert_null(capture->mads[0].interface_name);
	g_assert_null(capture->mads[0].comment);
	g_assert_true(capture->mads[0].icrc_ok && capture->mads[0].vcrc_ok);
	capture_free(capture);

	/* Whatever else a file is called, it is a pcapng. */
	writer = must_open("/dev/null", NULL);
	g_assert_true(capture_writer_has_comments(writer));
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	g_unlink(path);
	g_free(path);
	g_byte_array_free(got, true);
	g_byte_array_free(want, true);
}

int main(int argc, char **argv)
{
	int status;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	dir = g_dir_make_tmp("umadrig-XXXXXX", NULL);
	g_test_add_func("/capture-writer/bytes", test_bytes);
	g_test_add_func("/capture-writer/round-trip", test_round_trip);
	g_test_add_func("/capture-writer/identical", test_identical);
	g_test_add_func("/capture-writer/many", test_many);
	g_test_add_func("/capture-writer/long-comment", test_long_comment);
	g_test_add_func("/capture-writer/errors", test_errors);
	g_test_add_func("/capture-writer/pipe", test_pipe);
	g_test_add_func("/capture-writer/libpcap", test_libpcap);
	g_test_add_func("/capture-writer/wireshark", test_wireshark);
	g_test_add_func("/capture-writer/notes", test_notes);
	g_test_add_func("/capture-writer/pcap", test_pcap);
	status = g_test_run();
	g_rmdir(dir);
	g_free(dir);
	return leak_end(status);
}
