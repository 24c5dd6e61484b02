/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What "replay ask" sends, on a device that is made up here: nothing that could change a fabric,
 * unless it is allowed; and what it makes of the answers.
 */
#include <errno.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

#include "harness/replay/ask-umad.h"
#include "lib/base/wire.h"
#include "sim/ask/ask.h"
#include "tests/rig/leak.h"

/* ---- the device ---- */

enum { SENT_MAX = 64 };

static struct {
	uint8_t sent[SENT_MAX][MAD_SIZE];
	unsigned int count;
	unsigned int silent;	/* this one gets no answer, counted from 1; 0: all do */
} device;

int umad_get_port(const char *ca_name, int portnum, umad_port_t *port)
{
	(void)ca_name;
	*port = (umad_port_t){ .portnum = portnum ? portnum : 2 };
	g_strlcpy(port->ca_name, "mlx5_0", sizeof(port->ca_name));
	return 0;
}

int umad_release_port(umad_port_t *port)
{
	(void)port;
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	g_assert_cmpstr(ca_name, ==, "mlx5_0");
	g_assert_cmpint(portnum, ==, 2);
	return 99;
}

int umad_close_port(int portid)
{
	g_assert_cmpint(portid, ==, 99);
	return 0;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	(void)mgmt_version;
	g_assert_cmpint(portid, ==, 99);
	g_assert_cmpint(rmpp_version, ==, mad_class_has_rmpp((unsigned int)mgmt_class));
	/* It takes no requests from anybody; the CM answers by Send. */
	if (mgmt_class == MAD_CLASS_CM)
		g_assert_cmpint(method_mask[0], ==, 1 << MAD_METHOD_SEND);
	else
		g_assert_null(method_mask);
	return mgmt_class;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	uint8_t *mad = umad_get_mad(umad);

	g_assert_cmpint(portid, ==, 99);
	g_assert_cmpint(agentid, ==, mad[MAD_CLASS]);
	g_assert_cmpint(length, ==, MAD_SIZE);
	/* To the kernel, a Send expects no answer. */
	g_assert_cmpint(timeout_ms != 0, ==, mad[MAD_CLASS] != MAD_CLASS_CM);
	g_assert_cmpint(retries, ==, 0);
	g_assert_cmpuint(device.count, <, SENT_MAX);
	memcpy(device.sent[device.count++], mad, MAD_SIZE);
	return 0;
}

/* The answer to the last one, under a TID whose upper half is the kernel's. */
int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	const uint8_t *sent = device.sent[device.count - 1];
	uint8_t *mad = umad_get_mad(umad);

	(void)portid;
	(void)timeout_ms;
	g_assert_cmpint(*length, >=, MAD_SIZE);
	*length = MAD_SIZE;
	memcpy(mad, sent, MAD_SIZE);
	put_be32(mad + MAD_TID, 0x77);
	((ib_user_mad_t *)umad)->status = device.count == device.silent ? ETIMEDOUT : 0;
	if (device.count == device.silent)
		return sent[MAD_CLASS];
	mad[MAD_METHOD] = sent[MAD_METHOD] | MAD_METHOD_RESPONSE;
	mad[200] = 5;
	umad_get_mad_addr(umad)->lid = GUINT16_TO_BE(9);
	umad_get_mad_addr(umad)->qpn = GUINT32_TO_BE(mad[MAD_CLASS] != MAD_CLASS_SUBN_LID);
	return sent[MAD_CLASS];
}

/* ---- captures ---- */

static const struct row {
	uint8_t mgmt_class, method;
	uint16_t attr;
	bool changes;
} rows[] = {
	{ MAD_CLASS_SUBN_LID, MAD_METHOD_GET, 0x0011, false },
	{ MAD_CLASS_SUBN_LID, MAD_METHOD_SET, 0x0015, true },
	{ MAD_CLASS_SUBN_LID, MAD_METHOD_TRAP, 0x0002, true },
	{ MAD_CLASS_SUBN_ADM, MAD_METHOD_GET, 0x0035, false },
	{ MAD_CLASS_SUBN_ADM, MAD_METHOD_GET_TABLE, 0x0011, false },
	{ MAD_CLASS_SUBN_ADM, MAD_METHOD_SET, 0x0038, true },	/* joins a multicast group */
	{ MAD_CLASS_SUBN_ADM, 0x15, 0x0038, true },		/* Delete: leaves it */
	{ MAD_CLASS_SUBN_ADM, MAD_METHOD_REPORT, 0x0002, true },
	{ MAD_CLASS_SUBN_ADM, 0x14, 0x003a, false },		/* GetMulti */
	{ MAD_CLASS_PERF, MAD_METHOD_GET, 0x0012, false },
	{ MAD_CLASS_PERF, MAD_METHOD_SET, 0x0012, true },	/* clears counters */
	{ MAD_CLASS_CM, MAD_METHOD_SEND, 0x0010, true },
	{ MAD_CLASS_BM, 0x04, 0x0001, true },			/* a method of the class's own */
};

static void make(struct capture_mad *mad, const struct row *row, unsigned int number, bool answer)
{
	bool smp = mad_class_is_smp(row->mgmt_class);

	*mad = (struct capture_mad){
		.frame = 2 * number + 1 + answer, .time_ns = number,
		.addr = { .slid = answer ? 9 : 4, .dlid = answer ? 4 : 9, .src_qp = !smp,
			  .dest_qp = !smp, .pkey = PKEY_DEFAULT, .qkey = smp ? 0 : QKEY_GSI },
	};
	mad->mad[MAD_BASE_VERSION] = 1;
	mad->mad[MAD_CLASS] = row->mgmt_class;
	mad->mad[MAD_CLASS_VERSION] = 1;
	mad->mad[MAD_METHOD] = row->method | (answer ? MAD_METHOD_RESPONSE : 0);
	put_be16(mad->mad + MAD_ATTR_ID, row->attr);
	put_be64(mad->mad + MAD_TID, 100 + number);
	if (answer)
		mad->mad[200] = 5;
}

/* All rows as requests, with their answers where those are GetResp and the like. */
static size_t make_capture(struct capture_mad *mads)
{
	size_t count = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		make(&mads[count++], &rows[i], i, false);
		if (!rows[i].changes)
			make(&mads[count++], &rows[i], i, true);
	}
	return count;
}

static void note(void *ctx, const struct diff_event *event)
{
	g_string_append_printf(ctx, "%u ", event->a->frames[DIFF_REQUEST]);
}

static struct ask_counts ask(bool allow_writes, unsigned int silent, const char *expected)
{
	struct capture_mad mads[2 * G_N_ELEMENTS(rows)];
	struct capture capture = { .mads = mads, .mad_count = make_capture(mads) };
	struct ask_options options = {
		.allow_writes = allow_writes, .timeout_ms = 10, .details_max = 100,
	};
	struct ask_port *port = ask_umad_open(NULL, 0, NULL);
	GString *changed = g_string_new(NULL);
	struct ask_counts counts;

	g_assert_cmpstr(ask_port_name(port), ==, "mlx5_0/2");
	device.count = 0;
	device.silent = silent;
	counts = ask_run(&options, &capture, port, note, changed, "ask", NULL);
	if (expected)
		g_assert_cmpstr(changed->str, ==, expected);
	g_string_free(changed, true);
	ignored_fields_clear(&options.ignored);
	ask_port_close(port);
	return counts;
}

static void test_reads_only(void)
{
	struct ask_counts counts = ask(false, 0, "");
	unsigned int reads = 0;

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t mad[MAD_SIZE] = { [MAD_METHOD] = rows[i].method };

		g_assert_true(ask_would_change(mad) == rows[i].changes);
		if (rows[i].changes)
			continue;
		g_assert_cmpuint(device.sent[reads][MAD_CLASS], ==, rows[i].mgmt_class);
		g_assert_cmpuint(device.sent[reads][MAD_METHOD], ==, rows[i].method);
		g_assert_cmpuint(get_be16(device.sent[reads++] + MAD_ATTR_ID), ==, rows[i].attr);
	}
	g_assert_cmpuint(device.count, ==, reads);
	g_assert_cmpuint(counts.diff.same, ==, reads);
	g_assert_cmpuint(counts.skipped, ==, G_N_ELEMENTS(rows) - reads);
	g_assert_cmpuint(counts.failed + counts.others + counts.unanswered, ==, 0);
}

static void test_unknown_methods(void)
{
	unsigned int reads = 0;

	for (unsigned int method = 0; method < 256; method++) {
		uint8_t mad[MAD_SIZE] = { [MAD_METHOD] = (uint8_t)method };

		reads += !ask_would_change(mad);
	}
	g_assert_cmpuint(reads, ==, 4);
}

static void test_writes(void)
{
	struct ask_counts counts = ask(true, 0, NULL);

	g_assert_cmpuint(device.count, ==, G_N_ELEMENTS(rows));
	g_assert_cmpuint(counts.skipped, ==, 0);
}

/* Of a capture with several ports that ask, the one that asks most. */
static void test_others(void)
{
	static const struct row row = { MAD_CLASS_SUBN_LID, MAD_METHOD_GET, 0x0011, false };
	struct capture_mad mads[5];
	struct capture capture = { .mads = mads, .mad_count = G_N_ELEMENTS(mads) };
	struct ask_options options = { .timeout_ms = 10 };
	struct ask_port *port = ask_umad_open(NULL, 0, NULL);
	struct ask_counts counts;

	for (unsigned int i = 0; i < G_N_ELEMENTS(mads); i++) {
		make(&mads[i], &row, i, false);
		mads[i].direction = CAPTURE_OUTBOUND;
		mads[i].interface_name = i == 1 || i == 2 ? "H2[1]" : "H1[1]";
	}
	device.count = device.silent = 0;
	counts = ask_run(&options, &capture, port, note, NULL, "ask", NULL);
	g_assert_cmpuint(counts.others, ==, 2);
	g_assert_cmpuint(device.count, ==, 3);
	ignored_fields_clear(&options.ignored);
	ask_port_close(port);
}

/* The second one that is sent is row 3, in frame 7: it gets no answer any more. */
static void test_lost(void)
{
	struct ask_counts counts = ask(false, 2, "7 ");

	g_assert_cmpuint(counts.unanswered, ==, 1);
	g_assert_cmpuint(counts.diff.changed, ==, 1);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ask/reads-only", test_reads_only);
	g_test_add_func("/ask/unknown-methods", test_unknown_methods);
	g_test_add_func("/ask/writes", test_writes);
	g_test_add_func("/ask/lost", test_lost);
	g_test_add_func("/ask/others", test_others);
	return leak_end(g_test_run());
}
