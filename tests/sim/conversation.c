/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations: which MADs belong together. Each row of MADs has its lines of output.
 */
#include <glib.h>
#include <string.h>

#include "sim/capture/conversation.h"
#include "tests/rig/leak.h"

#define MS INT64_C(1000000)

enum { ROWS_MAX = 10 };

/* One MAD. 'method' 0 ends a list. */
struct row {
	int64_t at_ms;
	uint16_t slid, dlid;
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint64_t tid;
	uint32_t modifier;
	uint32_t local, remote;	/* IDs of the CM */
	uint8_t about;		/* MRA, REJ: which message */
	uint8_t mark;		/* data */
	uint8_t rmpp;		/* 0: none, else the type */
	uint8_t flags;
	uint32_t segment, paylen;
	const char *path;	/* of a directed route */
	const char *comment;
	int interface;
	enum capture_direction direction;
};

static void make(const struct row *row, unsigned int frame, struct capture_mad *ret)
{
	bool directed = row->mgmt_class == MAD_CLASS_SUBN_DR;
	bool smp = mad_class_is_smp(row->mgmt_class);
	uint8_t *mad = ret->mad;

	*ret = (struct capture_mad){
		.frame = frame, .time_ns = row->at_ms * MS, .interface = row->interface,
		.direction = row->direction, .comment = (char *)row->comment,
		.addr = { .slid = directed ? LID_PERMISSIVE : row->slid,
			  .dlid = directed ? LID_PERMISSIVE : row->dlid,
			  .src_qp = !smp, .dest_qp = !smp },
	};
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = row->mgmt_class;
	mad[MAD_METHOD] = row->method;
	put_be16(mad + MAD_ATTR_ID, row->attr);
	put_be64(mad + MAD_TID, row->tid);
	put_be32(mad + MAD_ATTR_MOD, row->modifier);
	if (directed) {
		mad[SMP_HOP_CNT] = (uint8_t)strlen(row->path);
		mad[SMP_HOP_PTR] = (uint8_t)row->interface;
		memcpy(mad + SMP_INITIAL_PATH + 1, row->path, strlen(row->path));
	}
	if (row->mgmt_class == MAD_CLASS_CM) {
		put_be32(mad + 24, row->local);
		put_be32(mad + 28, row->remote);
		mad[32] = (uint8_t)(row->about << 6);
	}
	if (row->rmpp) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = row->rmpp;
		mad[RMPP_FLAGS] = row->flags | RMPP_FLAG_ACTIVE;
		mad[RMPP_STATUS] = row->rmpp == RMPP_TYPE_ABORT ? 118 : 0;
		put_be32(mad + RMPP_SEGMENT, row->segment);
		put_be32(mad + RMPP_PAYLEN_NEWWIN, row->paylen);
	}
	mad[100] = row->mark;
}

static void append_message(GString *out, const char *name,
			   const struct conversation_message *message)
{
	if (!message->frame)
		return;
	g_string_append_printf(out, " %s=%u", name, message->frame);
	if (message->segments)
		g_string_append_printf(out, "..%u(%u segments, %zu bytes)", message->last_frame,
				       message->segments, message->size);
	if (message->is_broken)
		g_string_append(out, " broken");
	if (message->rmpp_status)
		g_string_append_printf(out, " stopped by %u", message->rmpp_status);
}

static void note(void *ctx, const struct conversation *conversation)
{
	static const char *const kinds[] = { "answered", "unanswered", "one-way", "orphan" };
	GString *out = ctx;

	/* What identifies it is always there. */
	g_assert_nonnull(conversation_head(conversation)->bytes);
	g_string_append(out, kinds[conversation->kind]);
	append_message(out, "request", &conversation->request);
	append_message(out, "answer", &conversation->answer);
	append_message(out, "close", &conversation->close);
	if (conversation_round_trip_ns(conversation) >= 0)
		g_string_append_printf(out, " rtt=%dms",
				       (int)(conversation_round_trip_ns(conversation) / MS));
	if (conversation->retries)
		g_string_append_printf(out, " retries=%u", conversation->retries);
	if (conversation->repeats)
		g_string_append_printf(out, " repeats=%u", conversation->repeats);
	if (conversation->delays)
		g_string_append_printf(out, " delays=%u", conversation->delays);
	if (conversation->losses)
		g_string_append_printf(out, " losses=%u", conversation->losses);
	if (conversation->ran_out)
		g_string_append(out, " ran out");
	g_string_append_c(out, '\n');
}

#define GET(at, tid_) { .at_ms = at, .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 1, \
	.attr = 0x11, .tid = tid_ }
#define GOT(at, tid_, mark_) { .at_ms = at, .slid = 2, .dlid = 1, .mgmt_class = 1, \
	.method = 0x81, .attr = 0x11, .tid = tid_, .mark = mark_ }
#define TABLE(at) { .at_ms = at, .slid = 1, .dlid = 2, .mgmt_class = 3, .method = 0x12, \
	.attr = 0x35, .tid = 7 }
#define SEGMENT(at, number, flags_, paylen_) { .at_ms = at, .slid = 2, .dlid = 1, \
	.mgmt_class = 3, .method = 0x92, .attr = 0x35, .tid = 7, .rmpp = 1, .segment = number, \
	.flags = flags_, .paylen = paylen_ }
#define CONTROL(at, type, number) { .at_ms = at, .slid = 1, .dlid = 2, .mgmt_class = 3, \
	.method = 0x12, .attr = 0x35, .tid = 7, .rmpp = type, .segment = number }
#define CM(at, from, to, attr_, local_, remote_, about_) { .at_ms = at, .slid = from, \
	.dlid = to, .mgmt_class = 7, .method = 3, .attr = attr_, .tid = at, .local = local_, \
	.remote = remote_, .about = about_ }
#define DIRECTED(at, method_, path_, interface_) { .at_ms = at, .mgmt_class = 0x81, \
	.method = method_, .attr = 0x11, .tid = 3, .path = path_, .interface = interface_ }

static const struct {
	const char *name;
	struct row rows[ROWS_MAX];
	const char *expected;
} cases[] = {
	{ "a request and its answer", { GET(0, 5), GOT(3, 5, 0) },
	  "answered request=1 answer=2 rtt=3ms\n" },
	{ "two at a time, answered the other way round",
	  { GET(0, 5), GET(1, 6), GOT(3, 6, 0), GOT(7, 5, 0) },
	  "answered request=1 answer=4 rtt=7ms\nanswered request=2 answer=3 rtt=2ms\n" },
	{ "a retry: the round trip is the last one's", { GET(0, 5), GET(100, 5), GOT(103, 5, 0) },
	  "answered request=1 answer=3 rtt=3ms retries=1 losses=1\n" },
	{ "no answer", { GET(0, 5), GET(100, 5) },
	  "unanswered request=1 retries=1 losses=2\n" },
	{ "the same question, asked once more",
	  { GET(0, 5), GOT(1, 5, 0), GET(2, 5), GOT(3, 5, 1) },
	  "answered request=1 answer=2 rtt=1ms\nanswered request=3 answer=4 rtt=1ms\n" },
	{ "an answer that came twice", { GET(0, 5), GOT(1, 5, 0), GOT(2, 5, 0) },
	  "answered request=1 answer=2 rtt=1ms repeats=1\n" },
	{ "another answer is nobody's", { GET(0, 5), GOT(1, 5, 0), GOT(2, 5, 1) },
	  "answered request=1 answer=2 rtt=1ms\norphan answer=3\n" },
	{ "an answer without a request", { GOT(1, 5, 0) }, "orphan answer=1\n" },
	{ "an answer to another TID", { GET(0, 5), GOT(1, 6, 0) },
	  "unanswered request=1 losses=1\norphan answer=2\n" },
	{ "an answer after more than the time that one may take",
	  { GET(0, 5), GOT(60001, 5, 0) },
	  "unanswered request=1 losses=1\norphan answer=2\n" },
	{ "an answer from another LID, as Linux takes it",
	  { GET(0, 5), { .at_ms = 1, .slid = 3, .dlid = 1, .mgmt_class = 1, .method = 0x81,
			 .attr = 0x11, .tid = 5 } },
	  "answered request=1 answer=2 rtt=1ms\n" },
	{ "an answer to another port",
	  { GET(0, 5), { .at_ms = 1, .slid = 2, .dlid = 9, .mgmt_class = 1, .method = 0x81,
			 .attr = 0x11, .tid = 5 } },
	  "unanswered request=1 losses=1\norphan answer=2\n" },
	{ "Set and GetResp; Trap and TrapRepress; Report and ReportResp",
	  { { .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 2, .attr = 0x15, .tid = 1 },
	    { .slid = 2, .dlid = 1, .mgmt_class = 1, .method = 0x81, .attr = 0x15, .tid = 1 },
	    { .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 5, .attr = 2, .tid = 2 },
	    { .slid = 2, .dlid = 1, .mgmt_class = 1, .method = 7, .attr = 2, .tid = 2 },
	    { .slid = 1, .dlid = 2, .mgmt_class = 3, .method = 6, .attr = 2, .tid = 3 },
	    { .slid = 2, .dlid = 1, .mgmt_class = 3, .method = 0x86, .attr = 2, .tid = 3 } },
	  "answered request=1 answer=2 rtt=0ms\nanswered request=3 answer=4 rtt=0ms\n"
	  "answered request=5 answer=6 rtt=0ms\n" },
	{ "BM: the modifier says which is the answer",
	  { { .slid = 1, .dlid = 2, .mgmt_class = 5, .method = 3, .attr = 9, .tid = 1 },
	    { .slid = 2, .dlid = 1, .mgmt_class = 5, .method = 3, .attr = 9, .tid = 1,
	      .modifier = 1 } },
	  "answered request=1 answer=2 rtt=0ms\n" },
	{ "a Send, and one that comes back",
	  { { .slid = 1, .dlid = 2, .mgmt_class = 8, .method = 3, .attr = 0x11, .tid = 1 },
	    { .at_ms = 2, .slid = 2, .dlid = 1, .mgmt_class = 8, .method = 3, .attr = 0x11,
	      .tid = 1 },
	    { .slid = 1, .dlid = 2, .mgmt_class = 8, .method = 3, .attr = 0x11, .tid = 2 } },
	  "answered request=1 answer=2 rtt=2ms\none-way request=3\n" },
	{ "directed routes: one TID, two ways",
	  { DIRECTED(0, 1, "\1\2", 0), DIRECTED(1, 1, "\1\3", 0), DIRECTED(2, 0x81, "\1\3", 0),
	    DIRECTED(3, 0x81, "\1\2", 0) },
	  "answered request=1 answer=4 rtt=3ms\nanswered request=2 answer=3 rtt=1ms\n" },
	{ "a packet that is recorded at two ports is one",
	  { DIRECTED(0, 1, "\1\2", 0), DIRECTED(0, 1, "\1\2", 1), DIRECTED(1, 0x81, "\1\2", 1),
	    DIRECTED(1, 0x81, "\1\2", 0) },
	  "answered request=1 answer=3 rtt=1ms\n" },
	{ "a request that was dropped on its way",
	  { { .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 1, .attr = 0x11, .tid = 5,
	      .direction = CAPTURE_OUTBOUND },
	    { .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 1, .attr = 0x11, .tid = 5,
	      .direction = CAPTURE_INBOUND, .interface = 1, .comment = "dropped: by a rule" },
	    { .at_ms = 9, .slid = 1, .dlid = 2, .mgmt_class = 1, .method = 1, .attr = 0x11,
	      .tid = 5, .direction = CAPTURE_OUTBOUND }, GOT(10, 5, 0) },
	  "answered request=1 answer=4 rtt=1ms retries=1 losses=1\n" },
	{ "an answer that was dropped on its way",
	  { GET(0, 5), GOT(1, 5, 0),
	    { .at_ms = 2, .slid = 2, .dlid = 1, .mgmt_class = 1, .method = 0x81, .attr = 0x11,
	      .tid = 5, .direction = CAPTURE_INBOUND, .interface = 1, .comment = "dropped: x" },
	    GET(100, 5), GOT(104, 5, 0) },
	  "answered request=1 answer=5 rtt=4ms retries=1 losses=1\n" },
	{ "an answer without its request, dropped on its way",
	  { GOT(1, 5, 0),
	    { .at_ms = 2, .slid = 2, .dlid = 1, .mgmt_class = 1, .method = 0x81, .attr = 0x11,
	      .tid = 5, .direction = CAPTURE_INBOUND, .interface = 1, .comment = "dropped: x" } },
	  "orphan answer=1 losses=1\n" },
	{ "a table in three segments is one answer",
	  { TABLE(0), SEGMENT(1, 1, 2, 500), CONTROL(2, 2, 1), SEGMENT(3, 2, 0, 0),
	    SEGMENT(4, 3, 4, 60), CONTROL(5, 2, 3) },
	  "answered request=1 answer=2..5(3 segments, 496 bytes) rtt=4ms\n" },
	{ "segments in another order, and one twice",
	  { TABLE(0), SEGMENT(1, 1, 2, 500), SEGMENT(2, 3, 4, 60), SEGMENT(3, 3, 4, 60),
	    SEGMENT(4, 2, 0, 0) },
	  "answered request=1 answer=2..5(3 segments, 496 bytes) rtt=4ms repeats=1\n" },
	{ "a segment is missing, and the transfer is given up",
	  { TABLE(0), SEGMENT(1, 1, 2, 500), SEGMENT(2, 3, 4, 60), CONTROL(9, 4, 0) },
	  "answered request=1 answer=2..3(2 segments, 256 bytes) broken stopped by 118 rtt=2ms\n" },
	{ "an answer in one segment",
	  { TABLE(0), SEGMENT(1, 1, 6, 20 + 64) },
	  "answered request=1 answer=2..2(1 segments, 120 bytes) rtt=1ms\n" },
	{ "segments without their request", { SEGMENT(1, 1, 2, 500), SEGMENT(4, 2, 4, 60) },
	  "orphan answer=1..2(2 segments, 296 bytes)\n" },
	{ "a connection: asked, delayed, answered, confirmed",
	  { CM(0, 1, 2, 0x10, 77, 0, 0), CM(1, 2, 1, 0x11, 88, 77, 0),
	    CM(2, 2, 1, 0x13, 88, 77, 0), CM(3, 1, 2, 0x14, 77, 88, 0),
	    CM(4, 2, 1, 0x15, 88, 77, 0), CM(5, 1, 2, 0x16, 77, 88, 0) },
	  "answered request=1 answer=3 close=4 rtt=2ms delays=1\n"
	  "answered request=5 answer=6 rtt=1ms\n" },
	{ "connections by their IDs, whatever the order",
	  { CM(0, 1, 2, 0x10, 77, 0, 0), CM(1, 1, 2, 0x10, 78, 0, 0),
	    CM(2, 2, 1, 0x12, 0, 78, 0), CM(3, 2, 1, 0x13, 88, 77, 0),
	    CM(4, 1, 2, 0x12, 77, 88, 1) },
	  "answered request=1 answer=4 close=5 rtt=3ms\nanswered request=2 answer=3 rtt=1ms\n" },
	{ "a service ID resolved; a path loaded",
	  { CM(0, 1, 2, 0x17, 5, 0, 0), CM(1, 2, 1, 0x18, 5, 0, 0), CM(2, 1, 2, 0x19, 7, 8, 0),
	    CM(3, 2, 1, 0x1a, 8, 7, 0) },
	  "answered request=1 answer=2 rtt=1ms\nanswered request=3 answer=4 rtt=1ms\n" },
};

static void test_pairs(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		GString *out = g_string_new(NULL);
		struct conversations *all = conversations_new(note, out);

		g_test_message("%s", cases[i].name);
		for (unsigned int row = 0; row < ROWS_MAX && cases[i].rows[row].method; row++) {
			struct capture_mad mad;

			make(&cases[i].rows[row], row + 1, &mad);
			conversations_take(all, &mad);
		}
		conversations_end(all);
		conversations_free(all);
		g_assert_cmpstr(out->str, ==, cases[i].expected);
		g_string_free(out, true);
	}
}

/*
 * The data of a transfer is what a program gets: without anything between the segments or after
 * them.
 */
static void look_at_bytes(void *ctx, const struct conversation *conversation)
{
	const struct conversation_message *answer = &conversation->answer;
	bool *seen = ctx;

	g_assert_cmpuint(answer->size, ==, 56 + 200 + 40);
	g_assert_cmpuint(answer->bytes[100], ==, 1);
	g_assert_cmpuint(answer->bytes[RMPP_SEGMENT + 3], ==, 1);
	*seen = true;
}

static void test_transfer_bytes(void)
{
	const struct row rows[] = { TABLE(0), SEGMENT(1, 1, 2, 260), SEGMENT(2, 2, 4, 60) };
	bool seen = false;
	struct conversations *all = conversations_new(look_at_bytes, &seen);

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct row row = rows[i];
		struct capture_mad mad;

		row.mark = (uint8_t)i;
		make(&row, i + 1, &mad);
		conversations_take(all, &mad);
	}
	conversations_end(all);
	conversations_free(all);
	g_assert_true(seen);
}

struct totals {
	size_t count, answered, frames_in_order;
	unsigned int last_frame;
};

static void count(void *ctx, const struct conversation *conversation)
{
	struct totals *totals = ctx;
	unsigned int frame = conversation_head(conversation)->frame;

	totals->count++;
	totals->answered += conversation->kind == CONVERSATION_ANSWERED;
	totals->frames_in_order += frame > totals->last_frame;
	totals->last_frame = frame;
}

/* At most CONVERSATIONS_MAX are held, and they are reported in the order of their requests. */
static void test_bounds(void)
{
	struct totals totals = { 0 };
	struct conversations *all = conversations_new(count, &totals);
	const unsigned int requests = 3 * CONVERSATIONS_MAX;
	struct capture_mad mad;

	for (unsigned int i = 0; i < requests; i++) {
		make(&(struct row)GET(0, i), i + 1, &mad);
		conversations_take(all, &mad);
		g_assert_cmpuint(i + 1 - totals.count, <=, CONVERSATIONS_MAX);
	}
	g_assert_cmpuint(conversations_ran_out(all), ==, requests - CONVERSATIONS_MAX);
	make(&(struct row)GOT(1, requests - 1, 0), requests + 1, &mad);
	conversations_take(all, &mad);
	conversations_end(all);
	conversations_free(all);
	g_assert_cmpuint(totals.count, ==, requests);
	g_assert_cmpuint(totals.answered, ==, 1);
	g_assert_cmpuint(totals.frames_in_order, ==, requests);
}

/* The same TID for everything, the worst case for hash tables. */
static void test_same_key(void)
{
	struct totals totals = { 0 };
	struct conversations *all = conversations_new(count, &totals);
	int64_t began_us = g_get_monotonic_time();
	struct capture_mad mad;

	for (unsigned int i = 0; i < 50000; i++) {
		make(&(struct row)GET(0, 1), i + 1, &mad);
		mad.addr.slid = (uint16_t)i;
		conversations_take(all, &mad);
	}
	conversations_free(all);
	g_assert_cmpint(g_get_monotonic_time() - began_us, <, 20 * G_USEC_PER_SEC);
}

/* Transfers that never end hold a limited number of bytes. */
static void test_bytes_bound(void)
{
	struct totals totals = { 0 };
	struct conversations *all = conversations_new(count, &totals);
	unsigned int frame = 0;

	for (uint64_t tid = 0; tid < 400; tid++) {
		for (unsigned int segment = 1; segment <= 2000; segment++) {
			struct row row = SEGMENT(0, segment, 0, 0);
			struct capture_mad mad;

			row.tid = tid;
			make(&row, ++frame, &mad);
			conversations_take(all, &mad);
		}
	}
	/* 400,000 bytes each, or twice that as allocated. */
	g_assert_cmpuint(400 - totals.count, <=, CONVERSATION_BYTES_MAX / 400000);
	g_assert_cmpuint(totals.count, >, 0);
	conversations_end(all);
	conversations_free(all);
	g_assert_cmpuint(totals.count, ==, 400);
}

/* One of 20 MB is whole, and one that is longer than is held is still one conversation. */
static void test_long_transfer(void)
{
	static const unsigned int counts[] = { 100000, TRANSFER_SEGMENTS_MAX + 1000 };

	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		struct totals totals = { 0 };
		struct conversations *all = conversations_new(count, &totals);
		unsigned int frame = 0;

		for (unsigned int segment = 1; segment <= counts[i]; segment++) {
			struct row row = SEGMENT(0, segment, segment == counts[i] ?
						 RMPP_FLAG_LAST : 0, 0);
			struct capture_mad mad;

			make(&row, ++frame, &mad);
			conversations_take(all, &mad);
		}
		conversations_end(all);
		g_assert_cmpuint(totals.count, ==, 1);
		g_assert_cmpuint(conversations_ran_out(all), ==, 0);
		conversations_free(all);
	}
}

static void test_damaged(void)
{
	GString *out = g_string_new(NULL);
	struct conversations *all = conversations_new(note, out);
	struct capture_mad mad;

	make(&(struct row)GET(0, 1), 1, &mad);
	mad.icrc_wrong = true;
	conversations_take(all, &mad);
	conversations_end(all);
	g_assert_cmpuint(conversations_damaged(all), ==, 1);
	g_assert_cmpstr(out->str, ==, "");
	conversations_free(all);
	g_string_free(out, true);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/conversation/pairs", test_pairs);
	g_test_add_func("/conversation/transfer-bytes", test_transfer_bytes);
	g_test_add_func("/conversation/bounds", test_bounds);
	g_test_add_func("/conversation/same-key", test_same_key);
	g_test_add_func("/conversation/bytes-bound", test_bytes_bound);
	g_test_add_func("/conversation/long-transfer", test_long_transfer);
	g_test_add_func("/conversation/damaged", test_damaged);
	return leak_end(g_test_run());
}
