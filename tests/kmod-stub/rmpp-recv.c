/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP in kmod-stub, the receiving side: which segments are accepted, what is answered to them,
 * when a message is given up, and how it is read.
 */
#include <errno.h>
#include <string.h>

#include "kmod-stub/kmod-host.h"
#include "tests/rig/kmod-rmpp-rig.h"
#include "tests/rig/leak.h"

/*
 * Segments of a's message arrive at B, whose agent takes the method: no request need wait for them.
 */
#define TAKES(AT, ...) ARRIVES(AT, 'b', FROM_A, __VA_ARGS__)

static const struct rmpp_row refused[] = {
	{ 87, "segment 1 that is not First", .steps = { TAKES(0, DATA(1, 220)) },
	  .happens = "0:B>X120" },
	{ 87, "another that is", .steps = { TAKES(0, FIRST, DATA(2, 220)) },
	  .happens = "0:B>X120" },
	{ 87, "status", .steps = { TAKES(0, FIRST, DATA(1, 220), .rmpp_status = 5) },
	  .happens = "0:B>X124" },
	{ 87, "version", .steps = { TAKES(0, FIRST, DATA(1, 220), .rmpp_version = 2) },
	  .happens = "0:B>X125" },
	{ 87, "type", .steps = { TAKES(0, .rmpp_type = 5) }, .happens = "0:B>X121" },
	{ 87, "in a response that is waited for",
	  .steps = { ASKS(1000, 0), ARRIVES(10, 'a', FROM_B, DATA(1, 220)) },
	  .happens = "0:A>1 1:b<256 10:A>X120 1000:a!24" },
	{ 88, "of no transfer", .steps = { TAKES(0, DATA(2, 220)) }, .happens = "" },
	{ 88, "beyond the window", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 220)), TAKES(1, DATA(66, 0)) },
	  .happens = "0:B>K1/65" },
	{ 88, "number 0, of no transfer", .steps = { TAKES(0, DATA(0, 220)) }, .happens = "" },
	{ 88, "number 0 that is First", .steps = { TAKES(0, FIRST, DATA(0, 220)) },
	  .happens = "0:B>X120" },
	{ 90, "number 0 came before", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 220)), TAKES(1, DATA(0, 0)) },
	  .happens = "0:B>K1/65 1:B>K1/65" },
	{ 0, "negative number", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 220)), TAKES(1, DATA(0x80000000, 0)) },
	  .happens = "0:B>K1/65 1:B>K1/65" },
	{ 0, "ABORT and STOP do not end it", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 440)),
		     TAKES(1, .rmpp_type = RMPP_TYPE_ABORT, .rmpp_status = 118),
		     TAKES(1, .rmpp_type = RMPP_TYPE_STOP, .rmpp_status = 1),
		     TAKES(2, LAST, DATA(2, 220)) },
	  .happens = "0:B>K1/65 2:B>K2/65 2:b<456" },
};

static const struct rmpp_row orders[] = {
	{ 89, "the last one early", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, LAST, DATA(3, 120)),
		     TAKES(2, DATA(2, 0)) },
	  .happens = "0:B>K1/65 2:B>K3/65 2:b<556" },
	{ 89, "backwards", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, LAST, DATA(5, 220)),
		     TAKES(2, DATA(4, 0)), TAKES(3, DATA(3, 0)), TAKES(4, DATA(2, 0)) },
	  .happens = "0:B>K1/65 4:B>K5/65 4:b<1056" },
	{ 89, "into gaps, each twice", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, DATA(4, 0)), TAKES(2, DATA(4, 0)),
		     TAKES(3, LAST, DATA(6, 220)), TAKES(4, DATA(5, 0)), TAKES(5, DATA(5, 0)),
		     TAKES(6, LAST, DATA(6, 220)), TAKES(7, DATA(2, 0)), TAKES(8, DATA(2, 0)),
		     TAKES(9, DATA(3, 0)) },
	  .happens = "0:B>K1/65 9:B>K6/65 9:b<1256" },
	{ 0, "a segment behind the last one hides it", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, DATA(3, 0)),
		     TAKES(2, LAST, DATA(2, 220)) },
	  .happens = "0:B>K1/65" },
	{ 90, "duplicates", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, DATA(2, 0)), TAKES(2, DATA(2, 0)),
		     TAKES(3, FIRST, DATA(1, 560)), TAKES(4, DATA(2, 0)) },
	  .happens = "0:B>K1/65 3:B>K2/65 4:B>K2/65" },
	{ 92, "lengths: none", .until_ms = 100, .steps = { TAKES(0, ONLY, DATA(1, 0)) },
	  .happens = "0:B>K1/1 0:b<36" },
	{ 92, "less than the class header", .until_ms = 100,
	  .steps = { TAKES(0, ONLY, DATA(1, 10)) }, .happens = "0:B>K1/1 0:b<46" },
	{ 92, "the class header alone", .until_ms = 100,
	  .steps = { TAKES(0, ONLY, DATA(1, 20)) }, .happens = "0:B>K1/1 0:b<56" },
	{ 92, "more than there is room for", .until_ms = 100,
	  .steps = { TAKES(0, ONLY, DATA(1, 300)) }, .happens = "0:B>K1/1 0:b<256" },
	{ 92, "a message of two that ends in the first", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 220)), TAKES(0, LAST, DATA(2, 0)) },
	  .happens = "0:B>K1/65 0:B>K2/65 0:b<236" },
	{ 93, "the first segment's length does not count", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 99999)), TAKES(1, LAST, DATA(2, 120)) },
	  .happens = "0:B>K1/65 1:B>K2/65 1:b<356" },
};

static const struct rmpp_row times[] = {
	{ 91, "40 s for all of it",
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(15000, DATA(2, 0)),
		     TAKES(30000, DATA(3, 0)), TAKES(39999, DATA(4, 0)), TAKES(40001, DATA(5, 0)) },
	  .happens = "0:B>K1/65 40000:B>X118" },
	{ 91, "the last one at the last moment", .until_ms = 39999 + 20000,
	  .steps = { TAKES(0, FIRST, DATA(1, 440)), TAKES(39999, LAST, DATA(2, 220)) },
	  .happens = "0:B>K1/65 39999:B>K2/65 39999:b<456" },
	{ 95, "complete: acknowledged again for 10 s",
	  .steps = { TAKES(0, FIRST, DATA(1, 440)), TAKES(1, LAST, DATA(2, 220)),
		     TAKES(9901, LAST, DATA(2, 220)), TAKES(9999, FIRST, DATA(1, 440)),
		     TAKES(10101, LAST, DATA(2, 220)) },
	  .happens = "0:B>K1/65 1:B>K2/65 1:b<456 9901:B>K2/65 9999:B>K2/65" },
	{ 95, "the one segment of a message", .until_ms = 20000,
	  .steps = { TAKES(0, ONLY, DATA(1, 220)), TAKES(9999, ONLY, DATA(1, 220)),
		     TAKES(9999, LAST, DATA(2, 220)), TAKES(10000, ONLY, DATA(1, 220)) },
	  .happens = "0:B>K1/1 0:b<256 9999:B>K1/1 10000:B>K1/1 "
		     "10000:b<256" },
	{ 96, "a response is not", .until_ms = 20000,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 400, 0, 0), ARRIVES(10, 'a', FROM_B, LAST,
								   DATA(2, 220)) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/440 2:A>K1/65 3:B>D2L/220 4:A>K2/65 4:a<456" },
	{ 97, "a response that nobody waits for",
	  .steps = { ARRIVES(0, 'a', FROM_B, FIRST, DATA(1, 440)) }, .happens = "" },
	{ 98, "a TID used again within 10 s",
	  .steps = { ASKS(1000, 0), ANSWERS(1, 500, 0, 3),
		     { RMPP_PLAIN, 5000, 'a', { .method = MAD_METHOD_GET_TABLE }, 0,
		       { .timeout_ms = 1000 }, 0 },
		     ANSWERS(5001, 500, 0, 3),
		     { RMPP_PLAIN, 15000, 'a', { .method = MAD_METHOD_GET_TABLE }, 0,
		       { .timeout_ms = 1000 }, 0 },
		     ANSWERS(15001, 200, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65 4:a<556 "
		     "5000:A>1 5001:b<256 5001:B>D1F/560 5002:A>K3/65 5003:B>X123 6000:a!24 "
		     "15000:A>1 15001:b<256 15001:B>D1FL/220 15002:A>K1/1 15002:a<256" },
	{ 99, "the request is given up before its answer is here", .loses = "B>D2*",
	  .steps = { ASKS(1000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120 1000:a!24 "
		     "2003:B>D2/0~ 2003:B>D3L/120 4003:B>D2/0~ 4003:B>D3L/120 6003:B>D2/0~ "
		     "6003:B>D3L/120 8003:b!24 40002:A>X118" },
	{ 100, "and asked once more", .loses = "B>D2* B>D3L*", .until_ms = 2001,
	  .steps = { ASKS(1000, 1), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120~ 1000:A>1 "
		     "1001:b<256 2000:a!24" },
	{ 100, "what has come so far stays", .loses = "B>D2",
	  .steps = { ASKS(1000, 2), ANSWERS(1, 400, 0, 3) }, .until_ms = 30000,
	  .happens = "0:A>1 1:b<256 1:B>D1F/440 2:A>K1/65 3:B>D2L/220 4:A>K2/65 4:a<456" },
	{ 16, "unregistered: nobody hears of it",
	  .steps = { TAKES(0, FIRST, DATA(1, 560)), TAKES(1, DATA(3, 0)),
		     { RMPP_UNREGISTER, 2, 'b', { 0 }, 0, { 0 }, 0 }, TAKES(3, DATA(2, 0)) },
	  .happens = "0:B>K1/65" },
};

static void test_refused(void)
{
	rmpp_rows_run(refused, G_N_ELEMENTS(refused));
}

static void test_orders(void)
{
	rmpp_rows_run(orders, G_N_ELEMENTS(orders));
}

static void test_times(void)
{
	rmpp_rows_run(times, G_N_ELEMENTS(times));
}

/* Of a receive queue of 64: its window has 8 segments. */
static const struct rmpp_row small[] = {
	{ 93, "the window is an eighth of the receive queue", .until_ms = 100,
	  .steps = { TAKES(0, FIRST, DATA(1, 99999)), TAKES(1, DATA(10, 0)) },
	  .happens = "0:B>K1/9" },
};

static void test_window(void)
{
	rig_recv_queue_size = 64;
	rmpp_rows_run(small, G_N_ELEMENTS(small));
	rig_recv_queue_size = 0;
}

/* Statement 94, and what else an ACK copies from the segment that it answers. */
static void test_ack_bytes(void)
{
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
	uint8_t mad[MAD_SIZE], expected[MAD_SIZE] = { 0 };

	for (unsigned int i = 0; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)(i | 1);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = MAD_METHOD_GET_TABLE;
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad[RMPP_FLAGS] = 0xff;
	mad[RMPP_STATUS] = 0;
	put_be32(mad + RMPP_SEGMENT, 1);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, 120);
	memcpy(expected, mad, 56);
	expected[MAD_METHOD] |= MAD_METHOD_RESPONSE;
	expected[RMPP_TYPE] = RMPP_TYPE_ACK;
	expected[RMPP_FLAGS] = 0xf9;
	put_be32(expected + RMPP_PAYLEN_NEWWIN, 1);
	b->reads = false;
	rig_inject_bytes(&rig->b, mad, &(struct rig_route){ .lid = 7 });
	g_assert_cmpmem(rig->wire_mad, MAD_SIZE, expected, MAD_SIZE);
	g_assert_cmpuint(rig->wire_addr.dlid, ==, 7);
	g_assert_cmpuint(rig->wire_addr.src_qp, ==, 1);
	g_assert_cmpuint(rig->wire_addr.dest_qp, ==, 1);

	/* An ABORT has version 1, whatever it answers. */
	mad[RMPP_VERSION] = 9;
	rig_inject_bytes(&rig->b, mad, &(struct rig_route){ .lid = 7 });
	expected[RMPP_TYPE] = RMPP_TYPE_ABORT;
	expected[RMPP_STATUS] = RMPP_STATUS_BAD_VERSION;
	put_be32(expected + RMPP_SEGMENT, 0);
	put_be32(expected + RMPP_PAYLEN_NEWWIN, 0);
	g_assert_cmpmem(rig->wire_mad, MAD_SIZE, expected, MAD_SIZE);

	/* Without a return path nothing is sent. */
	g_string_truncate(rig->log, 0);
	rig_inject_bytes(&rig->b, mad, &(struct rig_route){ .grh = true, .gid_index = 1 });
	mad[RMPP_VERSION] = 1;
	rig_inject_bytes(&rig->b, mad, &(struct rig_route){ .grh = true, .gid_index = 1 });
	rig_expect(rig, "GRH to an unknown GID", "");
	rig_expect_drop(rig, "GRH");
	rig_free(rig);
}

/*
 * All ACKs of a message go where its segment 1 came from. So a repeated segment is acknowledged
 * even if it has a GRH to an unknown GID, to which there is no way back.
 */
static void test_first_address(void)
{
	struct rig *rig = rig_new(RMPP_HI_TID);
	struct rig_file *b = rig_open(rig, &rig->b, 'b');
	const struct rig_registration server = { .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM,
						 .class_version = 2, .rmpp_version = 1,
						 .methods = 1u << MAD_METHOD_GET_TABLE };
	struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
			       .method = MAD_METHOD_GET_TABLE, .tid = 1, .rmpp_flags = 3,
			       .segment = 1, .length = 440 };

	g_assert_cmpint(rig_register(b, &server), ==, 0);
	rig_inject(&rig->b, &mad, &(struct rig_route){ .lid = 7 });
	mad.rmpp_flags = 5;
	mad.segment = 2;
	mad.length = 220;
	rig_inject(&rig->b, &mad, &(struct rig_route){ .lid = 7 });
	g_string_truncate(rig->log, 0);
	rig->wire_addr.dlid = 0;
	rig_inject(&rig->b, &mad, &(struct rig_route){ .grh = true, .gid_index = 1, .lid = 7 });
	g_assert_cmpuint(rig->wire_addr.dlid, ==, 7);
	g_assert_cmpuint(rig->wire_mad[RMPP_TYPE], ==, RMPP_TYPE_ACK);
	g_assert_cmpuint(get_be32(rig->wire_mad + RMPP_SEGMENT), ==, 2);
	rig_free(rig);
}

/* What distinguishes two messages: each of these is a separate one. */
static void test_keys(void)
{
#define RESPONSE_TID (UINT64_C(1) * RMPP_HI_TID << 32 | 1)
	static const struct {
		const char *what;
		struct rig_mad mad;
		struct rig_route route;
	} rows[] = {
		{ "TID", { .tid = 2 }, { 0 } },
		{ "upper half of the TID", { .tid = UINT64_C(1) << 32 | 1 }, { 0 } },
		{ "LID", { .tid = 1 }, { .lid = 7 } },
		{ "QP", { .tid = 1 }, { .qpn_set = true, .qpn = 1, .src_qp = 5 } },
		{ "method", { .tid = 1, .method = RMPP_METHOD_GET_MULTI }, { 0 } },
		{ "class", { .tid = RESPONSE_TID, .mgmt_class = MAD_CLASS_DEV_MGT }, { 0 } },
		{ "class version", { .tid = RESPONSE_TID, .class_version = 1 }, { 0 } },
		{ "a response", { .tid = RESPONSE_TID }, { 0 } },
	};
	struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
			       .method = MAD_METHOD_GET_TABLE, .tid = 1, .rmpp_flags = 3,
			       .segment = 1, .length = 440 };
	struct rig_file *a, *b;
	/* Without the gate of later kernels: a response of any class reaches its agent. */
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_5_10, &a, &b);

	rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig_mad other = mad;

		other.tid = rows[i].mad.tid;
		if (other.tid == RESPONSE_TID)
			other.method |= MAD_METHOD_RESPONSE;
		if (rows[i].mad.mgmt_class)
			other.mgmt_class = rows[i].mad.mgmt_class;
		if (rows[i].mad.class_version)
			other.class_version = rows[i].mad.class_version;
		if (rows[i].mad.method)
			other.method = rows[i].mad.method;
		rig_inject(&rig->b, &other, &rows[i].route);
	}
	mad.attr_id = 0x35;	/* the attribute does not distinguish */
	mad.segment = 2;
	mad.rmpp_flags = 5;
	rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
	rig_run(rig, 100);
	rig_expect(rig, "keys", "0:B>K1/65 0:B>K1/65 0:B>K1/65 0:B>K1/65 0:B>K1/65 0:B>K1/65 "
				"0:B>K1/65 0:B>K1/65 0:B>K1/65 0:B>K2/65 0:b<456");
	rig_free(rig);
}

/* Statements 35 and 36: too little room for a message. */
static void test_read(void)
{
	struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
			       .method = MAD_METHOD_GET_TABLE, .tid = 1, .rmpp_flags = 3,
			       .segment = 1, .length = 560 };
	uint8_t first[MAD_SIZE], buf[620];
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
	uint32_t length;

	b->reads = false;
	rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
	rig_mad_bytes(&mad, first);
	mad.rmpp_flags = 1;
	mad.segment = 2;
	rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
	mad.rmpp_flags = 5;
	mad.segment = 3;
	mad.length = 120;
	rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
	memset(buf, 0xee, sizeof(buf));
	g_assert_cmpint(kmod_file_read(b->file, buf, 64 + 255), ==, -EINVAL);
	for (unsigned int i = 0; i < sizeof(buf); i++)
		g_assert_cmphex(buf[i], ==, 0xee);
	for (unsigned int room = 64 + 256; room < 620; room += 299) {
		memset(buf, 0xee, sizeof(buf));
		g_assert_cmpint(kmod_file_read(b->file, buf, room), ==, -ENOSPC);
		memcpy(&length, buf + 16, 4);
		g_assert_cmpuint(length, ==, 620);
		g_assert_cmpmem(buf + 64, MAD_SIZE, first, MAD_SIZE);
		for (unsigned int i = 64 + MAD_SIZE; i < sizeof(buf); i++)
			g_assert_cmphex(buf[i], ==, 0xee);
	}
	g_assert_cmpint(kmod_file_read(b->file, buf, 620), ==, 620);
	g_assert_cmpmem(buf + 64, MAD_SIZE, first, MAD_SIZE);
	for (unsigned int i = 0; i < 500; i++)
		g_assert_cmphex(buf[64 + 56 + i], ==, rig_data_byte(i));
	g_assert_cmpint(kmod_file_read(b->file, buf, 620), ==, -EAGAIN);
	rig_free(rig);
}

static unsigned int count_reads(const struct rig *rig)
{
	unsigned int count = 0;

	for (const char *at = rig->log->str; (at = strchr(at, '<')); at++)
		count++;
	return count;
}

/* A message of 64 MiB there and back; nothing grows with the square of its size. */
static void test_large(void)
{
	enum { SIZE = 64 << 20 };
	const struct rig_mad asks = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				      .method = RMPP_METHOD_GET_MULTI, .tid = 1 };
	struct rig_mad answers = asks;
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
	int64_t rounds = 1 + (SIZE / 200 + 63) / 64;

	rig->ops.trace = NULL;
	rig_make_room(a, SIZE + 56);
	rig_make_room(b, SIZE + 56);
	g_assert_cmpint(rig_write_message(a, &asks, &(struct rig_route){ .timeout_ms = 60000 },
					  SIZE), >, 0);
	rig_run(rig, 2 * rounds + 10);
	g_assert_true(g_str_has_suffix(rig->log->str, " 10487:b<67108920 10488:A>K0/1"));
	answers.method |= MAD_METHOD_RESPONSE;
	answers.tid |= UINT64_C(9) << 32;
	g_assert_cmpint(rig_write_message(b, &answers, &(struct rig_route){ 0 }, SIZE), >, 0);
	rig_run(rig, 4 * rounds + 30);
	g_assert_true(g_str_has_suffix(rig->log->str, "a<67108920"));
	rig_free(rig);
}

/* Thousands of messages whose keys are still in use, and look-ups among them. */
static void test_many(void)
{
	enum { COUNT = 20000 };
	struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
			       .method = MAD_METHOD_GET_TABLE, .rmpp_flags = 7, .segment = 1,
			       .length = 220 };
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
	unsigned int sent = 0;

	rig_needs_stub("its table of messages");
	rig->ops.trace = NULL;
	rig->tells_segments = false;
	for (unsigned int round = 0; round < 3; round++) {
		/* New, known, and new again at 10 s. */
		rig_run(rig, round * 5000);
		for (mad.tid = 0; mad.tid < COUNT; mad.tid++)
			rig_inject(&rig->b, &mad, &(struct rig_route){ 0 });
		rig_run(rig, rig_now_ms(rig) + 10);
		sent += COUNT;
		g_assert_cmpuint(rig->sent, ==, sent);
		g_assert_cmpuint(count_reads(rig), ==, round == 1 ? 0 : COUNT);
		g_string_truncate(rig->log, 0);
	}
	rig_run(rig, 30000);
	g_assert_cmpuint(rig->b.host->rmpp_contexts.count, ==, 0);
	rig_free(rig);
}

/* Files are closed and devices removed during transfers in both directions. */
static void test_ends(void)
{
	for (unsigned int way = 0; way < 4; way++) {
		for (int at_ms = 0; at_ms < 8; at_ms++) {
			const struct rig_mad asks = { .mgmt_class = MAD_CLASS_SUBN_ADM,
						      .class_version = 2, .tid = 1,
						      .method = RMPP_METHOD_GET_MULTI };
			const struct rig_route nowhere = { 0 };
			struct rig_file *a, *b;
			struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
			struct kmod_port *port = way & 1 ? rig->a.port : rig->b.port;

			b->reads = false;
			rig_lose(rig, "A>D7");
			g_assert_cmpint(rig_write_message(a, &asks, &nowhere, 30000), >, 0);
			rig_run(rig, at_ms);
			if (way & 2) {
				rig_close(way & 1 ? a : b);
			} else {
				*(way & 1 ? &rig->a.port : &rig->b.port) = NULL;
				kmod_port_remove(port);
			}
			rig_run(rig, 100000);
			rig_free(rig);
		}
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/rmpp-recv/refused", test_refused);
	g_test_add_func("/kmod/rmpp-recv/orders", test_orders);
	g_test_add_func("/kmod/rmpp-recv/times", test_times);
	g_test_add_func("/kmod/rmpp-recv/window", test_window);
	g_test_add_func("/kmod/rmpp-recv/ack-bytes", test_ack_bytes);
	g_test_add_func("/kmod/rmpp-recv/first-address", test_first_address);
	g_test_add_func("/kmod/rmpp-recv/keys", test_keys);
	g_test_add_func("/kmod/rmpp-recv/read", test_read);
	g_test_add_func("/kmod/rmpp-recv/large", test_large);
	g_test_add_func("/kmod/rmpp-recv/many", test_many);
	g_test_add_func("/kmod/rmpp-recv/ends", test_ends);
	return leak_end(g_test_run());
}
