/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Timeouts, retries and matching of kmod-stub. Each row names the statement of
 * doc/linux-mad.md that it shows: given these steps, this is what happens.
 */
#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"

enum what {
	STEP_END,
	STEP_WRITE,		/* file a writes 'mad' along 'route' */
	STEP_ARRIVES,		/* 'mad' arrives at A along 'route' */
	STEP_UNREGISTER,	/* a's agent */
	STEP_LMC,		/* A's LMC is 1 from here on */
};

struct step {
	enum what what;
	int at_ms;
	struct rig_mad mad;
	struct rig_route route;
};

/* The response to a's only agent, number 9. */
#define ANSWER(low) .method = MAD_METHOD_GET_RESP, .tid = UINT64_C(9) << 32 | (low)

static const struct {
	int statement;
	const char *why;
	struct step steps[6];
	int64_t until_ms;
	const char *happens;
} rows[] = {
	{ 1, "no answer: retries + 1 transmissions, then the report",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100, .retries = 3 } } }, 2000,
	  "0:A>1 100:A>1 200:A>1 300:A>1 400:a!1" },
	{ 2, "no retries",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } } }, 2000, "0:A>1 100:a!1" },
	{ 5, "no timeout: nothing comes back, and the TID is free at once",
	  { { STEP_WRITE, 0, { .tid = 1 }, { 0 } }, { STEP_WRITE, 1, { .tid = 1 }, { 0 } } },
	  2000, "0:A>1 1:A>1" },
	{ 6, "no timeout: an answer is dropped",
	  { { STEP_WRITE, 0, { .tid = 1 }, { 0 } }, { STEP_ARRIVES, 2, { ANSWER(1) }, { 0 } } },
	  2000, "0:A>1" },
	{ 7, "equal deadlines: the newest first",
	  { { STEP_WRITE, 0, { .tid = 0xa }, { .timeout_ms = 100 } },
	    { STEP_WRITE, 0, { .tid = 0xb }, { .timeout_ms = 100 } },
	    { STEP_WRITE, 0, { .tid = 0xc }, { .timeout_ms = 100 } } },
	  2000, "0:A>a 0:A>b 0:A>c 100:a!c 100:a!b 100:a!a" },
	{ 8, "each round of retransmissions turns the order round",
	  { { STEP_WRITE, 0, { .tid = 0xa }, { .timeout_ms = 100, .retries = 1 } },
	    { STEP_WRITE, 0, { .tid = 0xb }, { .timeout_ms = 100, .retries = 1 } },
	    { STEP_WRITE, 0, { .tid = 0xc }, { .timeout_ms = 100, .retries = 1 } } },
	  2000, "0:A>a 0:A>b 0:A>c 100:A>c 100:A>b 100:A>a 200:a!a 200:a!b 200:a!c" },
	{ 9, "the earlier deadline first",
	  { { STEP_WRITE, 0, { .tid = 0xa }, { .timeout_ms = 200 } },
	    { STEP_WRITE, 0, { .tid = 0xb }, { .timeout_ms = 100 } } },
	  2000, "0:A>a 0:A>b 100:a!b 200:a!a" },
	{ 10, "the longest timeout that ends",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 0x7fffffff } } },
	  INT64_C(3000000000), "0:A>1 2147483647:a!1" },
	{ 10, "the shortest that never does",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 0x80000000 } } },
	  INT64_C(9000000000), "0:A>1" },
	{ 10, "and its answer",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = UINT32_MAX } },
	    { STEP_ARRIVES, 5000000, { ANSWER(1) }, { 0 } } }, 6000000, "0:A>1 5000000:a<1" },
	{ 11, "an answer in time is all that comes",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { 0 } } }, 2000, "0:A>1 2:a<1" },
	{ 12, "a second answer is dropped",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { 0 } }, { STEP_ARRIVES, 5, { ANSWER(1) }, { 0 } } },
	  2000, "0:A>1 2:a<1" },
	{ 13, "BUSY is an answer like any other",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100, .retries = 3 } },
	    { STEP_ARRIVES, 2, { ANSWER(1), .status = MAD_STATUS_BUSY }, { 0 } } },
	  2000, "0:A>1 2:a<1" },
	{ 14, "a response may be sent with a timeout, which nothing can stop",
	  { { STEP_WRITE, 0, { ANSWER(1) }, { .timeout_ms = 100, .retries = 2 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { 0 } } },
	  2000, "0:A>1 100:A>1 200:A>1 300:a!1" },
	{ 15, "unregistered: no report, and a late answer is dropped",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 1000 } },
	    { STEP_UNREGISTER, 50, { 0 }, { 0 } }, { STEP_ARRIVES, 60, { ANSWER(1) }, { 0 } } },
	  2000, "0:A>1" },
	{ 17, "an answer to the third transmission ends it",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100, .retries = 3 } },
	    { STEP_ARRIVES, 250, { ANSWER(1) }, { 0 } } },
	  2000, "0:A>1 100:A>1 200:A>1 250:a<1" },
	{ 18, "anybody may answer",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { .lid = 7 } } }, 2000, "0:A>1 2:a<1" },
	{ 19, "an answer with GRH to a request without is none",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { .grh = true } } }, 2000, "0:A>1 100:a!1" },
	{ 19, "nor one without to a request with",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100, .grh = true } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { 0 } } }, 2000, "0:A>1 100:a!1" },
	{ 19, "with GRH in both the answer must come to the GID that was sent from",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100, .grh = true } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { .grh = true, .gid_index = 2 } },
	    { STEP_ARRIVES, 3, { ANSWER(1) }, { .grh = true } } }, 2000, "0:A>1 3:a<1" },
	{ 20, "an answer of another class is none",
	  { { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1), .mgmt_class = MAD_CLASS_SUBN_ADM }, { 0 } } },
	  2000, "0:A>1 100:a!1" },
	{ 21, "LMC: an answer to other path bits is none",
	  { { STEP_LMC, 0, { 0 }, { 0 } },
	    { STEP_WRITE, 0, { .tid = 1 }, { .timeout_ms = 100 } },
	    { STEP_ARRIVES, 2, { ANSWER(1) }, { .path_bits = 1 } },
	    { STEP_ARRIVES, 3, { ANSWER(1) }, { .path_bits = 0 } } }, 2000, "0:A>1 3:a<1" },
};

static void take_step(struct rig *rig, struct rig_file *file, const struct step *step)
{
	rig_run(rig, step->at_ms);
	switch (step->what) {
	case STEP_WRITE:
		g_assert_cmpint(rig_write(file, &step->mad, &step->route), ==,
				RIG_HEADER_SIZE + MAD_SIZE);
		break;
	case STEP_ARRIVES:
		rig_inject(&rig->a, &step->mad, &step->route);
		break;
	case STEP_UNREGISTER:
		g_assert_cmpint(rig_unregister(file, file->agent_id), ==, 0);
		break;
	case STEP_LMC:
		rig->a.attr.lid = 4;
		rig->a.attr.lmc = 1;
		break;
	case STEP_END:
		break;
	}
}

static void test_rows(void)
{
	const struct rig_registration client = { .qpn = 1, .mgmt_class = MAD_CLASS_PERF,
						 .class_version = 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *name = g_strdup_printf("statement %d: %s", rows[i].statement,
							rows[i].why);
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');

		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &client), ==, 0);
		for (const struct step *step = rows[i].steps; step->what != STEP_END; step++)
			take_step(rig, file, step);
		rig_run(rig, rows[i].until_ms);
		rig_expect(rig, name, rows[i].happens);
		rig_free(rig);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/timeout/statements", test_rows);
	return leak_end(g_test_run());
}
