/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/sim/diff-made.h"

#include <string.h>

/* ---- captures in memory ---- */

static const struct capture_mad *next(void *ctx)
{
	struct mads *mads = ctx;

	return mads->at < mads->count ? &mads->list[mads->at++] : NULL;
}

static bool begin_again(void *ctx)
{
	((struct mads *)ctx)->at = 0;
	return true;
}

/* A byte that depends on where it is, and is nowhere the same as beside it. */
static uint8_t noise(size_t mad, size_t byte)
{
	return (uint8_t)((mad * 251 + byte * 37 + byte / 7) ^ mad << 3);
}

uint8_t *mads_add(struct mads *mads, bool answer, uint8_t mgmt_class, uint8_t method,
		  uint16_t attr, uint64_t tid)
{
	struct capture_mad *to = &mads->list[mads->count++];
	bool smp = mad_class_is_smp(mgmt_class), directed = mgmt_class == MAD_CLASS_SUBN_DR;

	*to = (struct capture_mad){
		.frame = (unsigned int)mads->count, .time_ns = (int64_t)mads->count * 1000,
		.addr = { .slid = directed ? LID_PERMISSIVE : answer ? 2 : 1,
			  .dlid = directed ? LID_PERMISSIVE : answer ? 1 : 2,
			  .src_qp = !smp, .dest_qp = !smp, .pkey = PKEY_DEFAULT,
			  .qkey = smp ? 0 : QKEY_GSI },
	};
	to->mad[MAD_BASE_VERSION] = 1;
	to->mad[MAD_CLASS] = mgmt_class;
	to->mad[MAD_CLASS_VERSION] = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	to->mad[MAD_METHOD] = method;
	put_be64(to->mad + MAD_TID, tid);
	put_be16(to->mad + MAD_ATTR_ID, attr);
	for (size_t i = mad_class_header_size(mgmt_class); answer && i < MAD_SIZE; i++)
		to->mad[i] = noise(mads->count, i);
	return to->mad;
}

static void add_directed(struct mads *mads, bool answer, uint16_t attr, uint64_t tid)
{
	uint8_t *mad = mads_add(mads, answer, MAD_CLASS_SUBN_DR, answer ? 0x81 : 1, attr, tid);

	put_be16(mad + MAD_STATUS, answer ? SMP_DIRECTION : 0);
	mad[SMP_HOP_PTR] = 1;
	mad[SMP_HOP_CNT] = 2;
	put_be32(mad + SMP_DR_SLID, UINT32_MAX);
	memset(mad + SMP_INITIAL_PATH, 0, SMP_PATH_SIZE);
	mad[SMP_INITIAL_PATH + 1] = 1;
	mad[SMP_INITIAL_PATH + 2] = 3;
}

void mads_add_segment(struct mads *mads, uint32_t number, uint8_t flags, uint32_t paylen)
{
	uint8_t *mad = mads_add(mads, true, MAD_CLASS_SUBN_ADM, 0x92, 0x0035, 50);

	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad[RMPP_FLAGS] = flags | RMPP_FLAG_ACTIVE;
	put_be32(mad + RMPP_SEGMENT, number);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, paylen);
	memset(mad + RMPP_END, 0, SA_DATA - RMPP_END);
	put_be16(mad + SA_ATTR_OFFSET, 8);
}

static void add_cm(struct mads *mads, bool answer, uint16_t attr, uint32_t local, uint32_t remote)
{
	uint8_t *mad = mads_add(mads, answer, MAD_CLASS_CM, MAD_METHOD_SEND, attr, 60);

	put_be32(mad + MAD_HDR_SIZE, local);
	put_be32(mad + MAD_HDR_SIZE + 4, remote);
}

static void add_gids(struct mads *mads, bool answer)
{
	struct packet_addr *addr = &mads->list[mads->count - 1].addr;

	addr->has_grh = true;
	addr->sgid[15] = answer ? 2 : 1;
	addr->dgid[15] = answer ? 1 : 2;
}

void mads_make(struct mads *mads)
{
	static const struct {
		uint8_t mgmt_class, method, answer;
		uint16_t attr;
	} plain[] = {
		{ MAD_CLASS_SUBN_LID, 1, 0x81, 0x0015 }, { MAD_CLASS_SUBN_LID, 2, 0x81, 0x0016 },
		{ MAD_CLASS_SUBN_ADM, 1, 0x81, 0x0011 }, { MAD_CLASS_PERF, 1, 0x81, 0x0012 },
		{ 0x32, 1, 0x81, 0x0010 }, { MAD_CLASS_SUBN_LID, 5, 7, 0x0002 },
		{ MAD_CLASS_SUBN_ADM, 6, 0x86, 0x0002 }, { MAD_CLASS_DEV_MGT, 1, 0x81, 0x0010 },
	};

	*mads = (struct mads){ .count = 0 };
	add_directed(mads, false, 0x0011, 1);
	add_directed(mads, true, 0x0011, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
		uint8_t *mad = mads_add(mads, false, plain[i].mgmt_class, plain[i].method,
					plain[i].attr, 10 + i);

		if (mad_class_is_vendor2(mad[MAD_CLASS]))
			put_be24(mad + VENDOR2_OUI, 0x001405);
		mads_add(mads, true, plain[i].mgmt_class, plain[i].answer, plain[i].attr, 10 + i);
	}
	mads_add(mads, false, MAD_CLASS_SUBN_ADM, 0x12, 0x0035, 50);
	mads_add_segment(mads, 1, RMPP_FLAG_FIRST, 500);
	mads_add_segment(mads, 2, 0, 0);
	mads_add_segment(mads, 3, RMPP_FLAG_LAST, 20 + 112);
	add_cm(mads, false, 0x0010, 77, 0);
	add_gids(mads, false);
	add_cm(mads, true, 0x0013, 88, 77);
	add_gids(mads, true);
	add_cm(mads, false, 0x0014, 77, 88);
	add_gids(mads, false);
}

/* ---- what is reported ---- */

static void note_field(void *ctx, enum diff_part part, const char *name, const char *a,
		       const char *b)
{
	struct seen *seen = ctx;

	(void)part;
	g_assert_true(g_utf8_validate(a, -1, NULL) && g_utf8_validate(b, -1, NULL));
	g_ptr_array_add(seen->names, g_strdup(name));
}

static void note_event(void *ctx, const struct diff_event *event)
{
	const struct diff_item *a = event->a ? event->a : event->closest;
	const struct diff_item *b = event->b ? event->b : event->closest;
	struct seen *seen = ctx;

	g_string_append_c(seen->kinds, "cme"[event->kind]);
	seen->a_frame = event->a ? event->a->frames[DIFF_REQUEST] : 0;
	seen->b_frame = event->b ? event->b->frames[DIFF_REQUEST] : 0;
	if (a && b)
		diff_item_differences(a, b, note_field, seen);
}

struct seen seen_new(void)
{
	return (struct seen){ g_ptr_array_new_with_free_func(g_free), g_string_new(NULL), 0, 0 };
}

void seen_free(struct seen *seen)
{
	g_ptr_array_unref(seen->names);
	g_string_free(seen->kinds, true);
}

struct diff_counts seen_run(struct diff_options *options, struct mads *a, struct mads *b,
			    struct seen *seen)
{
	const struct diff_source one = { a, next, begin_again }, other = { b, next, begin_again };
	struct diff_counts counts;

	a->at = b->at = 0;
	options->details_max = 100;
	g_assert_true(diff_run(options, &one, &other, note_event, seen, &counts));
	g_assert_cmpuint(counts.a, ==, counts.same + counts.changed + counts.missing);
	g_assert_cmpuint(counts.b, ==, counts.same + counts.changed + counts.extra);
	return counts;
}

bool seen_differs(struct diff_options *options, struct mads *a, struct mads *b,
		  struct seen *seen)
{
	struct diff_counts counts = seen_run(options, a, b, seen);

	return diff_found(&counts);
}
