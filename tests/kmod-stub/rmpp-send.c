/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP in kmod-stub, the sending side: segments and their lengths, windows, retries, what ACK, STOP
 * and ABORT do.
 */
#include <errno.h>

#include "tests/rig/kmod-rmpp-rig.h"
#include "tests/rig/leak.h"

static const struct rmpp_row sizes[] = {
	{ 68, "three segments", .steps = { ASKS(1000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65 4:a<556" },
	{ 69, "nothing", .steps = { ASKS(1000, 0), ANSWERS(1, 0, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1FL/20 2:A>K1/1 2:a<56" },
	{ 70, "one segment", .steps = { ASKS(1000, 0), ANSWERS(1, 200, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1FL/220 2:A>K1/1 2:a<256" },
	{ 70, "half a segment", .steps = { ASKS(1000, 0), ANSWERS(1, 100, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1FL/120 2:A>K1/1 2:a<156" },
	{ 70, "two full segments", .steps = { ASKS(1000, 0), ANSWERS(1, 400, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/440 2:A>K1/65 3:B>D2L/220 4:A>K2/65 4:a<456" },
	{ 72, "vendor range 2", .mgmt_class = 0x30,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 433, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/445 2:A>K1/65 3:B>D2/0 3:B>D3L/5 4:A>K3/65 4:a<473" },
	{ 72, "device management", .mgmt_class = MAD_CLASS_DEV_MGT,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 193, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/249 2:A>K1/65 3:B>D2L/29 4:A>K2/65 4:a<257" },
	{ 72, "device administration", .mgmt_class = MAD_CLASS_DEV_ADM,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 193, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/249 2:A>K1/65 3:B>D2L/29 4:A>K2/65 4:a<257" },
	{ 72, "BIS", .mgmt_class = MAD_CLASS_BIS,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 193, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/249 2:A>K1/65 3:B>D2L/29 4:A>K2/65 4:a<257" },
};

static const struct rmpp_row losses[] = {
	{ 73, "the first segment", .loses = "B>D1F",
	  .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560~ 2001:B>D1F/560 2002:A>K1/65 2003:B>D2/0 "
		     "2003:B>D3L/120 2004:A>K3/65 2004:a<556" },
	{ 74, "one in the middle: those behind it are held, and come once more", .loses = "B>D2",
	  .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120 2003:B>D2/0 "
		     "2003:B>D3L/120 2004:A>K3/65 2004:a<556" },
	{ 75, "the final ACK: what comes again finds nobody", .loses = "A>K3",
	  .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65~ 4:a<556 "
		     "2003:B>D2/0 2003:B>D3L/120 4003:B>D2/0 4003:B>D3L/120 6003:B>D2/0 "
		     "6003:B>D3L/120 8003:b!24" },
	{ 77, "all ACKs, no retries", .loses = "A>K1*",
	  .steps = { ASKS(1000, 0), ANSWERS(1, 500, 0, 0) }, .until_ms = 30000,
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65~ 1000:a!24 2001:b!24" },
	{ 77, "all ACKs", .loses = "A>K1*",
	  .steps = { ASKS(60000, 0), ANSWERS(1, 500, 0, 3) }, .until_ms = 30000,
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65~ 2001:B>D1F/560 2002:A>K1/65~ "
		     "4001:B>D1F/560 4002:A>K1/65~ 6001:B>D1F/560 6002:A>K1/65~ 8001:b!24" },
	{ 86, "a timeout of at most 2 s: after the first window no timer runs", .loses = "B>D2",
	  .steps = { ASKS(60000, 0), ANSWERS(1, 500, 1000, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120 40002:A>X118 "
		     "60000:a!24" },
	{ 86, "of 2 s", .loses = "B>D2",
	  .steps = { ASKS(60000, 0), ANSWERS(1, 500, 2000, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120 40002:A>X118 "
		     "60000:a!24" },
	{ 86, "of more than 2 s: it runs", .loses = "B>D2",
	  .steps = { ASKS(60000, 0), ANSWERS(1, 500, 2001, 3) }, .until_ms = 10000,
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0~ 3:B>D3L/120 2003:B>D2/0 "
		     "2003:B>D3L/120 2004:A>K3/65 2004:a<556 2005:B>K0/1 4006:b!24" },
	{ 86, "the first window is not concerned", .loses = "B>D1F B>D1F",
	  .steps = { ASKS(60000, 0), ANSWERS(1, 400, 1000, 3) }, .until_ms = 10000,
	  .happens = "0:A>1 1:b<256 1:B>D1F/440~ 1001:B>D1F/440~ 2001:B>D1F/440 2002:A>K1/65 "
		     "2003:B>D2L/220 2004:A>K2/65 2004:a<456 2005:B>K0/1 3005:b!24" },
};

/* b sends, and A's packets are written by hand here. */
#define SENDS(SIZE, T, R) ANSWERS(0, SIZE, T, R)
#define HEARS(AT, ...) ARRIVES(AT, 'b', FROM_A, __VA_ARGS__)
#define MULTI_FROM_B \
	.method = RMPP_METHOD_GET_MULTI | MAD_METHOD_RESPONSE, .rmpp_flags = RMPP_FLAG_ACTIVE

static const struct rmpp_row acks[] = {
	{ 78, "progress brings the retries back", .loses = "B>D1F* B>D2* B>D3L*",
	  .steps = { SENDS(500, 0, 1), HEARS(1991, ACK(1, 65)) },
	  .happens = "0:B>D1F/560~ 1991:B>D2/0~ 1991:B>D3L/120~ 3991:B>D2/0~ 3991:B>D3L/120~ "
		     "5991:b!24" },
	{ 78, "also those that were used", .loses = "B>D1F* B>D2* B>D3L*",
	  .steps = { SENDS(500, 0, 1), HEARS(2500, ACK(1, 65)) },
	  .happens = "0:B>D1F/560~ 2000:B>D1F/560~ 2500:B>D2/0~ 2500:B>D3L/120~ 4500:B>D2/0~ "
		     "4500:B>D3L/120~ 6500:b!24" },
	{ 78, "the same ACK once more does not", .loses = "B>D1F* B>D2* B>D3L*",
	  .steps = { SENDS(500, 0, 1), HEARS(10, ACK(1, 65)), HEARS(2500, ACK(1, 65)) },
	  .happens = "0:B>D1F/560~ 10:B>D2/0~ 10:B>D3L/120~ 2010:B>D2/0~ 2010:B>D3L/120~ "
		     "4010:b!24" },
	{ 79, "part of a window", .loses = "B>D1F* B>D2* B>D3* B>D4* B>D5L*",
	  .steps = { SENDS(1000, 0, 1), HEARS(11, ACK(1, 65)), HEARS(500, ACK(2, 65)) },
	  .until_ms = 2500,
	  .happens = "0:B>D1F/1100~ 11:B>D2/0~ 11:B>D3/0~ 11:B>D4/0~ 11:B>D5L/220~ 2011:B>D3/0~ "
		     "2011:B>D4/0~ 2011:B>D5L/220~" },
	{ 80, "a small window", .loses = "B>D1F* B>D2* B>D3*",
	  .steps = { SENDS(1000, 0, 0), HEARS(10, ACK(1, 3)), HEARS(20, ACK(3, 3)),
		     HEARS(30, ACK(5, 5)) },
	  .happens = "0:B>D1F/1100~ 10:B>D2/0~ 10:B>D3/0~ 30:B>X123" },
	{ 80, "of a segment that was not sent, beyond the window",
	  .loses = "B>D1F* B>D2* B>D3*",
	  .steps = { SENDS(1000, 0, 0), HEARS(10, ACK(1, 3)), HEARS(20, ACK(4, 65)) },
	  .happens = "0:B>D1F/1100~ 10:B>D2/0~ 10:B>D3/0~ 20:B>X123" },
	{ 80, "beyond the message", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 0), HEARS(10, ACK(3, 65)) },
	  .happens = "0:B>D1F/440~ 10:B>X123" },
	{ 81, "a window without progress", .loses = "B>D1F* B>D2* B>D3* B>D4* B>D5L*",
	  .steps = { SENDS(1000, 0, 0), HEARS(10, ACK(0, 5)) },
	  .happens = "0:B>D1F/1100~ 10:B>D2/0~ 10:B>D3/0~ 10:B>D4/0~ 10:B>D5L/220~ 2010:b!24" },
	{ 81, "no window, no progress: nothing", .loses = "B>D1F*",
	  .steps = { SENDS(1000, 0, 0), HEARS(10, ACK(0, 1)) },
	  .happens = "0:B>D1F/1100~ 2000:b!24" },
	{ 82, "a window that ends before its segment", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, ACK(5, 4)) },
	  .happens = "0:B>D1F/440~ 10:B>X122" },
	{ 82, "a status", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, ACK(1, 65), .rmpp_status = 7) },
	  .happens = "0:B>D1F/440~ 10:B>X124" },
	{ 83, "from somebody else", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 1),
		     { RMPP_ARRIVES, 10, 'b', { FROM_A, ACK(1, 65) }, 0, { .lid = 7 }, 0 } },
	  .happens = "0:B>D1F/440~ 2000:B>D1F/440~ 4000:b!24" },
	{ 83, "with a GRH to a send without", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 0),
		     { RMPP_ARRIVES, 10, 'b', { FROM_A, ACK(1, 65) }, 0, { .grh = true }, 0 } },
	  .happens = "0:B>D1F/440~ 2000:b!24" },
	{ 83, "with a GRH in both", .loses = "B>D1F* B>D2L*",
	  .steps = { { RMPP_MESSAGE, 0, 'b', { .method = MAD_METHOD_GET_TABLE | 0x80 }, 400,
		       { .grh = true }, 0 },
		     { RMPP_ARRIVES, 10, 'b', { FROM_A, ACK(1, 65) }, 0, { .grh = true }, 0 } },
	  .happens = "0:B>D1F/440~ 10:B>D2L/220~ 2010:b!24" },
	{ 84, "ABORT", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3),
		     HEARS(10, .rmpp_type = RMPP_TYPE_ABORT, .rmpp_status = 127) },
	  .happens = "0:B>D1F/440~" },
	{ 84, "ABORT for no reason that there is", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, .rmpp_type = RMPP_TYPE_ABORT, .rmpp_status = 5) },
	  .happens = "0:B>D1F/440~ 10:B>X124" },
	{ 84, "ABORT for a reason too large", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3),
		     HEARS(10, .rmpp_type = RMPP_TYPE_ABORT, .rmpp_status = 128) },
	  .happens = "0:B>D1F/440~ 10:B>X124" },
	{ 84, "STOP", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, .rmpp_type = RMPP_TYPE_STOP, .rmpp_status = 1) },
	  .happens = "0:B>D1F/440~" },
	{ 84, "STOP for no reason that there is", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, .rmpp_type = RMPP_TYPE_STOP, .rmpp_status = 2) },
	  .happens = "0:B>D1F/440~ 10:B>X124" },
	{ 84, "ABORT in a later window", .loses = "B>D1F* B>D2* B>D3L*",
	  .steps = { SENDS(500, 0, 3), HEARS(10, ACK(1, 65)),
		     HEARS(20, .rmpp_type = RMPP_TYPE_ABORT, .rmpp_status = 118) },
	  .happens = "0:B>D1F/560~ 10:B>D2/0~ 10:B>D3L/120~" },
	{ 84, "ABORT from somebody else", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 0),
		     { RMPP_ARRIVES, 10, 'b', { FROM_A, .rmpp_type = RMPP_TYPE_ABORT,
						.rmpp_status = 118 }, 0, { .lid = 7 }, 0 } },
	  .happens = "0:B>D1F/440~ 2000:b!24" },
	{ 84, "ABORT and STOP when all is acknowledged", .loses = "A>D1F* A>D2L*",
	  .steps = { ASKS_MULTI(0, 400, 5000, 0), ARRIVES(1, 'a', MULTI_FROM_B, ACK(1, 65)),
		     ARRIVES(2, 'a', MULTI_FROM_B, ACK(2, 65)),
		     ARRIVES(10, 'a', MULTI_FROM_B, .rmpp_type = RMPP_TYPE_ABORT,
			     .rmpp_status = 118),
		     ARRIVES(11, 'a', MULTI_FROM_B, .rmpp_type = RMPP_TYPE_STOP,
			     .rmpp_status = 1) },
	  .happens = "0:A>D1F/440~ 1:A>D2L/220~ 2:A>K0/1 5002:a!24" },
	{ 85, "STOP, for a reason that there is and for one that there is not", .loses = "A>1",
	  .steps = { ASKS(2000, 0),
		     ARRIVES(10, 'a', FROM_B, .rmpp_type = RMPP_TYPE_STOP, .rmpp_status = 1),
		     ARRIVES(20, 'a', FROM_B, .rmpp_type = RMPP_TYPE_STOP, .rmpp_status = 2) },
	  .happens = "0:A>1~ 20:A>X124 2000:a!24" },
	{ 85, "ACK: taken for one that comes again", .loses = "A>1",
	  .steps = { ASKS(2000, 0), ARRIVES(10, 'a', FROM_B, ACK(1, 65)),
		     ARRIVES(20, 'a', FROM_B, ACK(5, 4)) },
	  .happens = "0:A>1~ 10:A>K0/1 20:A>X122 2000:a!24" },
	{ 85, "another version, another type", .loses = "A>1",
	  .steps = { ASKS(2000, 0), ARRIVES(10, 'a', FROM_B, ACK(1, 65), .rmpp_version = 2),
		     ARRIVES(20, 'a', FROM_B, .rmpp_type = 5) },
	  .happens = "0:A>1~ 10:A>X125 20:A>X121 2000:a!24" },
	{ 85, "ABORT of a request that is no transfer", .loses = "A>1",
	  .steps = { ASKS(2000, 0), ARRIVES(10, 'a', FROM_B, .rmpp_type = RMPP_TYPE_ABORT,
					    .rmpp_status = 120) },
	  .happens = "0:A>1~ 2000:a!24" },
	{ 87, "unknown type ends it", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, .rmpp_type = 5) },
	  .happens = "0:B>D1F/440~ 10:B>X121" },
	{ 87, "unknown version ends it", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 3), HEARS(10, ACK(1, 65), .rmpp_version = 2) },
	  .happens = "0:B>D1F/440~ 10:B>X125" },
	{ 0, "an old ACK does not count", .loses = "B>D1F* B>D2* B>D3* B>D4* B>D5L*",
	  .steps = { SENDS(1000, 0, 0), HEARS(10, ACK(1, 3)), HEARS(20, ACK(3, 4)),
		     HEARS(30, ACK(2, 65)), HEARS(40, ACK(3, 3)), HEARS(50, ACK(4, 5)),
		     HEARS(60, ACK(5, 5)) },
	  .happens = "0:B>D1F/1100~ 10:B>D2/0~ 10:B>D3/0~ 20:B>D4/0~ 50:B>D5L/220~" },
	{ 0, "negative numbers are old", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 0), HEARS(10, ACK(0x80000000, 65)),
		     HEARS(20, ACK(0xffffffff, 0xffffffff)) },
	  .happens = "0:B>D1F/440~ 2000:b!24" },
	{ 0, "retries without end", .loses = "B>D1F*", .until_ms = 8500,
	  .steps = { SENDS(400, 0, UINT32_MAX) },
	  .happens = "0:B>D1F/440~ 2000:B>D1F/440~ 4000:B>D1F/440~ 6000:B>D1F/440~ "
		     "8000:B>D1F/440~" },
	{ 0, "ACKs when all is over", .loses = "B>D1FL*",
	  .steps = { SENDS(200, 0, 3), HEARS(10, ACK(1, 1)), HEARS(20, ACK(1, 1)),
		     HEARS(30, ACK(0, 1)) },
	  .happens = "0:B>D1FL/220~" },
	{ 0, "a timeout that never ends", .loses = "B>D1F*",
	  .steps = { SENDS(400, UINT32_MAX, 3) }, .happens = "0:B>D1F/440~" },
};

static const struct rmpp_row writes[] = {
	{ 30, "a response may not be doubled to the same place", .loses = "B>D1F*",
	  .steps = { SENDS(400, 0, 0),
		     { RMPP_MESSAGE, 1, 'b', { .method = MAD_METHOD_GET_TABLE | 0x80 }, 400, { 0 },
		       -EINVAL },
		     { RMPP_MESSAGE, 2, 'b', { .method = MAD_METHOD_GET_TABLE | 0x80 }, 400,
		       { .lid = 3 }, 0 } },
	  .happens = "0:B>D1F/440~ 2:B>D1F/440~ 2000:b!24 2002:b!24" },
	{ 0, "nor a request", .loses = "A>D1F*",
	  .steps = { ASKS_MULTI(0, 400, 0, 0),
		     { RMPP_MESSAGE, 1, 'a', { .method = RMPP_METHOD_GET_MULTI }, 400, { .lid = 3 },
		       -EINVAL } },
	  .happens = "0:A>D1F/440~ 2000:a!24" },
	{ 0, "C.2: a TrapRepress begins with one segment, whatever the requester has said",
	  .loses = "B>D1F*",
	  .steps = { ARRIVES(0, 'b', FROM_A, ONLY, DATA(1, 20)), ARRIVES(1, 'b', FROM_A, ACK(0, 3)),
		     { RMPP_MESSAGE, 2, 'b', { .method = MAD_METHOD_TRAP_REPRESS }, 500, { 0 },
		       0 } },
	  .happens = "0:B>K1/1 0:b<56 2:B>D1F/560~ 2002:b!24" },
	{ 15, "unregistered in the middle: what is under way goes out", .loses = "B>D1F*",
	  .steps = { SENDS(1000, 0, 3), { RMPP_UNREGISTER, 100, 'b', { 0 }, 0, { 0 }, 0 } },
	  .happens = "0:B>D1F/1100~" },
};

static void test_sizes(void)
{
	rmpp_rows_run(sizes, G_N_ELEMENTS(sizes));
}

static void test_losses(void)
{
	rmpp_rows_run(losses, G_N_ELEMENTS(losses));
}

static void test_acks(void)
{
	rmpp_rows_run(acks, G_N_ELEMENTS(acks));
}

static void test_writes(void)
{
	rmpp_rows_run(writes, G_N_ELEMENTS(writes));
}

/*
 * ACKs before the completion of the segments they acknowledge; the transfer then continues, waits,
 * or ends.
 */
static void test_early_acks(void)
{
	static const struct {
		const char *why;
		uint32_t timeout_ms;
		size_t size;
		uint32_t segment, window;
		const char *happens;
	} rows[] = {
		{ "the first of three", 0, 500, 1, 65,
		  "0:B>D1F/560~ 0:B>D2/0~ 0:B>D3L/120~ 2000:b!24" },
		{ "a window for all of it", 0, 500, 0, 3,
		  "0:B>D1F/560~ 0:B>D2/0~ 0:B>D3L/120~ 2000:b!24" },
		{ "all", 0, 200, 1, 1, "0:B>D1FL/220~" },
		{ "all, and it waits for an answer", 500, 200, 1, 1,
		  "0:B>D1FL/220~ 0:B>K0/1 500:b!24" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct rig_mad answers = { .mgmt_class = MAD_CLASS_SUBN_ADM,
						 .class_version = 2, .tid = UINT64_C(9) << 32 | 1,
						 .method = MAD_METHOD_GET_TABLE | 0x80 };
		const struct rig_mad ack = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
					     .tid = UINT64_C(9) << 32 | 1, FROM_A,
					     ACK(rows[i].segment, rows[i].window) };
		struct rig_file *a, *b;
		struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);

		g_test_message("%s", rows[i].why);
		rig_lose(rig, "B>D1F* B>D1FL* B>D2* B>D3L*");
		g_assert_cmpint(rig_write_message(b, &answers, &(struct rig_route){
						  .timeout_ms = rows[i].timeout_ms }, rows[i].size),
				>, 0);
		rig_inject(&rig->b, &ack, &(struct rig_route){ 0 });
		rig_run(rig, 100000);
		rig_expect(rig, rows[i].why, rows[i].happens);
		rig_free(rig);
	}
}

/* Statement 71: windows of 64, after a first one of 1. */
static void test_windows(void)
{
	g_autoptr(GString) happens = g_string_new("0:A>1 1:b<256 1:B>D1F/15400 2:A>K1/65");
	const struct rig_mad asks = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				      .method = MAD_METHOD_GET_TABLE, .tid = 1 };
	struct rig_mad answers = asks;
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);

	answers.method |= MAD_METHOD_RESPONSE;
	answers.tid |= UINT64_C(9) << 32;
	g_assert_cmpint(rig_write(a, &asks, &(struct rig_route){ .timeout_ms = 1000 }), >, 0);
	rig_run(rig, 1);
	g_assert_cmpint(rig_write_message(b, &answers, &(struct rig_route){ 0 }, 14000), >, 0);
	rig_run(rig, 1000);
	for (unsigned int i = 2; i <= 65; i++)
		g_string_append_printf(happens, " 3:B>D%u/0", i);
	g_string_append(happens, " 4:A>K65/129");
	for (unsigned int i = 66; i <= 69; i++)
		g_string_append_printf(happens, " 5:B>D%u/0", i);
	g_string_append(happens, " 5:B>D70L/220 6:A>K70/129 6:a<14056");
	rig_expect(rig, "statement 71", happens->str);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/rmpp-send/sizes", test_sizes);
	g_test_add_func("/kmod/rmpp-send/windows", test_windows);
	g_test_add_func("/kmod/rmpp-send/losses", test_losses);
	g_test_add_func("/kmod/rmpp-send/acks", test_acks);
	g_test_add_func("/kmod/rmpp-send/early-acks", test_early_acks);
	g_test_add_func("/kmod/rmpp-send/writes", test_writes);
	return leak_end(g_test_run());
}
