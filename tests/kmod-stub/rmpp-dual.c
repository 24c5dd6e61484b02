/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP in kmod-stub, dual-sided: requests in segments, the turn to the other side, and answers in
 * segments that themselves wait for an answer.
 */
#include "tests/rig/kmod-rmpp-rig.h"
#include "tests/rig/leak.h"

#define MULTI_FROM_A .method = RMPP_METHOD_GET_MULTI, .rmpp_flags = RMPP_FLAG_ACTIVE
/* b answers a's request in segments. */
#define ANSWERS_MULTI(AT, SIZE, T, R) \
	{ RMPP_MESSAGE, (AT), 'b', { .method = RMPP_METHOD_GET_MULTI | MAD_METHOD_RESPONSE }, \
	  (SIZE), { .timeout_ms = (T), .retries = (R) }, 0 }

#define REQUEST "0:A>D1F/560 1:B>K1/65 2:A>D2/0 2:A>D3L/120 3:B>K3/65 3:b<556 4:A>K0/1"

static const struct rmpp_row rows[] = {
	{ 101, "request and answer", .steps = { ASKS_MULTI(0, 500, 1000, 0),
						ANSWERS_MULTI(10, 400, 0, 3) },
	  .happens = REQUEST " 10:B>D1F/440 11:A>K1/65 12:B>D2L/220 13:A>K2/65 13:a<456" },
	{ 101, "the answer before the turn is given", .steps = { ASKS_MULTI(0, 500, 1000, 0),
								 ANSWERS_MULTI(3, 200, 0, 3) },
	  .happens = "0:A>D1F/560 1:B>K1/65 2:A>D2/0 2:A>D3L/120 3:B>K3/65 3:b<556 3:B>D1FL/220 "
		     "4:A>K0/1 4:A>K1/1 4:a<256" },
	{ 101, "a plain answer",
	  .steps = { ASKS_MULTI(0, 500, 1000, 0),
		     { RMPP_PLAIN, 10, 'b', { .method = RMPP_METHOD_GET_MULTI | 0x80 }, 0, { 0 },
		       0 } },
	  .happens = REQUEST " 10:B>1 11:a<256" },
	{ 101, "one before the final ACK, which is lost", .loses = "B>K3",
	  .steps = { ASKS_MULTI(0, 500, 5000, 3),
		     { RMPP_PLAIN, 10, 'b', { .method = RMPP_METHOD_GET_MULTI | 0x80 }, 0, { 0 },
		       0 } },
	  .happens = "0:A>D1F/560 1:B>K1/65 2:A>D2/0 2:A>D3L/120 3:B>K3/65~ 3:b<556 10:B>1 "
		     "11:a<256" },
	{ 101, "the final ACK is lost", .loses = "B>K3",
	  .steps = { ASKS_MULTI(0, 500, 5000, 3) }, .until_ms = 5000,
	  .happens = "0:A>D1F/560 1:B>K1/65 2:A>D2/0 2:A>D3L/120 3:B>K3/65~ 3:b<556 2002:A>D2/0 "
		     "2002:A>D3L/120 2003:B>K3/65 2003:B>K3/65 2004:A>K0/1 2004:A>K0/1" },
	{ 102, "no answer: no retry", .steps = { ASKS_MULTI(0, 500, 1000, 2) },
	  .happens = REQUEST " 1004:a!24" },
	{ 103, "never acknowledged", .loses = "B>K1*", .steps = { ASKS_MULTI(0, 500, 5000, 1) },
	  .happens = "0:A>D1F/560 1:B>K1/65~ 2000:A>D1F/560 2001:B>K1/65~ 4000:a!24 40001:B>X118" },
	{ 104, "an answer that waits for one", .until_ms = 10000,
	  .steps = { ASKS_MULTI(0, 500, 1000, 0), ANSWERS_MULTI(10, 400, 3000, 1),
		     ARRIVES(100, 'b', MULTI_FROM_A, ACK(2, 65)),
		     ARRIVES(200, 'b', MULTI_FROM_A, ACK(2, 65)) },
	  .happens = REQUEST " 10:B>D1F/440 11:A>K1/65 12:B>D2L/220 13:A>K2/65 13:a<456 14:B>K0/1 "
		     "100:B>K0/1 200:B>K0/1 3014:b!24" },
	{ 104, "that is one segment long", .until_ms = 10000,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 100, 3000, 1) },
	  .happens = "0:A>1 1:b<256 1:B>D1FL/120 2:A>K1/1 2:a<156 3:B>K0/1 3003:b!24" },
	{ 105, "no timeout: silently done", .steps = { ASKS_MULTI(0, 500, 0, 3) },
	  .happens = "0:A>D1F/560 1:B>K1/65 2:A>D2/0 2:A>D3L/120 3:B>K3/65 3:b<556" },
	{ 0, "C.5: a larger window for the answer's beginning", .until_ms = 1000,
	  .steps = { ASKS_MULTI(0, 500, 60000, 0),
		     ARRIVES(5, 'b', MULTI_FROM_A, ACK(0, 3)), ANSWERS_MULTI(10, 800, 0, 3) },
	  .happens = REQUEST " 10:B>D1F/880 10:B>D2/0 10:B>D3/0 11:A>K1/65 12:B>D4L/220 "
		     "13:A>K4/65 13:a<856" },
	{ 0, "C.5: no window at all is never reached", .until_ms = 1000,
	  .steps = { ASKS_MULTI(0, 500, 60000, 0),
		     ARRIVES(5, 'b', MULTI_FROM_A, ACK(0, 0)), ANSWERS_MULTI(10, 600, 0, 3) },
	  .happens = REQUEST " 10:B>D1F/660 10:B>D2/0 10:B>D3L/220 11:A>K1/65 11:A>K3/65 11:a<656 "
		     "12:B>X123" },
	{ 0, "C.5: not for another's answer", .until_ms = 1000, .loses = "B>D1F*",
	  .steps = { ASKS_MULTI(0, 500, 60000, 0),
		     ARRIVES(5, 'b', MULTI_FROM_A, ACK(0, 3)),
		     { RMPP_MESSAGE, 10, 'b', { .method = RMPP_METHOD_GET_MULTI | 0x80 }, 800,
		       { .lid = 7 }, 0 },
		     { RMPP_MESSAGE, 10, 'b', { .method = RMPP_METHOD_GET_MULTI | 0x80,
						.tid = UINT64_C(9) << 32 | 2 }, 800, { 0 }, 0 } },
	  .happens = REQUEST " 10:B>D1F/880~ 10:B>D1F/880~" },
	{ 0, "C.5: of two requests with one TID the older one's", .until_ms = 1000,
	  .steps = { ARRIVES(0, 'b', FROM_A, ONLY, DATA(1, 20)),
		     ARRIVES(1, 'b', MULTI_FROM_A, ONLY, DATA(1, 20)),
		     ARRIVES(2, 'b', MULTI_FROM_A, ACK(0, 3)), ARRIVES(3, 'b', FROM_A, ACK(0, 2)),
		     ANSWERS_MULTI(10, 800, 0, 3) },
	  .loses = "B>D1F* B>D2* B>D3*",
	  .happens = "0:B>K1/1 0:b<56 1:B>K1/1 1:b<56 10:B>D1F/880~ 10:B>D2/0~" },
	{ 0, "C.5: nor before the request is complete", .until_ms = 1000, .loses = "A>D2",
	  .steps = { ASKS_MULTI(0, 500, 60000, 0),
		     ARRIVES(5, 'b', MULTI_FROM_A, ACK(0, 3)), ANSWERS_MULTI(10, 800, 0, 3) },
	  .happens = "0:A>D1F/560 1:B>K1/65 2:A>D2/0~ 2:A>D3L/120 10:B>D1F/880 11:A>K1/65 "
		     "12:B>D2/0 12:B>D3/0 12:B>D4L/220 13:A>K4/65 13:a<856" },
};

static void test_rows(void)
{
	rmpp_rows_run(rows, G_N_ELEMENTS(rows));
}

/* The older of two requests with the same TID counts, even if many others have followed. */
static void test_older_of_many(void)
{
	enum { OTHERS = 20 };	/* the table grows once, which reverses its chains */
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);
	struct rig_mad request = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				   .tid = UINT64_C(9) << 32 | 1, FROM_A, ONLY, DATA(1, 20) };
	struct rig_mad turn = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				.tid = UINT64_C(9) << 32 | 1, FROM_A, ACK(0, 2) };
	const struct rig_mad answers = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
					 .tid = UINT64_C(9) << 32 | 1,
					 .method = RMPP_METHOD_GET_MULTI | 0x80 };

	rig_lose(rig, "B>D1F* B>D2* B>D3*");
	rig_inject(&rig->b, &request, &(struct rig_route){ 0 });
	rig_inject(&rig->b, &turn, &(struct rig_route){ 0 });
	request.method = RMPP_METHOD_GET_MULTI;
	turn.method = RMPP_METHOD_GET_MULTI;
	turn.length = 3;
	rig_inject(&rig->b, &request, &(struct rig_route){ 0 });
	rig_inject(&rig->b, &turn, &(struct rig_route){ 0 });
	for (unsigned int i = 0; i < OTHERS; i++) {
		request.tid++;
		rig_inject(&rig->b, &request, &(struct rig_route){ 0 });
	}
	rig_run(rig, 1);
	g_string_truncate(rig->log, 0);
	g_assert_cmpint(rig_write_message(b, &answers, &(struct rig_route){ 0 }, 800), >, 0);
	rig_run(rig, 100);
	rig_expect(rig, "among many", "1:B>D1F/880~ 1:B>D2/0~");
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/rmpp-dual/statements", test_rows);
	g_test_add_func("/kmod/rmpp-dual/older-of-many", test_older_of_many);
	return leak_end(g_test_run());
}
