/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What `umadrig show` prints: lines, fields and ladders of captures made by hand; and
 * of one MAD, in a file of its own.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show/columns.h"
#include "harness/show/ladder-plan.h"
#include "harness/show/ladder.h"
#include "harness/show/lines.h"
#include "lib/base/wire.h"
#include "tests/harness/show-row.h"
#include "tests/rig/leak.h"

void show_row_fill(struct capture_mad *mad, const struct row *row, unsigned int frame)
{
	bool smp = mad_class_is_smp(row->mgmt_class);

	mad->frame = frame;
	mad->time_ns = row->time_ns;
	mad->direction = row->direction;
	mad->interface_name = (char *)row->port;
	mad->comment = (char *)row->comment;
	mad->addr.slid = row->slid ? row->slid : LID_PERMISSIVE;
	mad->addr.dlid = row->dlid ? row->dlid : LID_PERMISSIVE;
	mad->addr.src_qp = mad->addr.dest_qp = smp ? 0 : 1;
	mad->addr.qkey = smp ? 0 : QKEY_GSI;
	mad->addr.pkey = PKEY_DEFAULT;
	mad->mad[MAD_BASE_VERSION] = 1;
	mad->mad[MAD_CLASS] = row->mgmt_class;
	mad->mad[MAD_CLASS_VERSION] = row->mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad->mad[MAD_METHOD] = row->method;
	put_be16(mad->mad + MAD_STATUS, row->status);
	put_be64(mad->mad + MAD_TID, row->tid);
	put_be16(mad->mad + MAD_ATTR_ID, row->attr);
	if (row->mgmt_class != MAD_CLASS_SUBN_DR)
		return;
	put_be16(mad->mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(mad->mad + SMP_DR_DLID, LID_PERMISSIVE);
	mad->mad[SMP_HOP_CNT] = row->hops;
	for (unsigned int hop = 1; hop <= row->hops; hop++)
		mad->mad[SMP_INITIAL_PATH + hop] = (uint8_t)(hop + 1);
}

typedef void print_fn(const struct capture *capture, FILE *stream);

static void print_view(const struct view_kind *kind, const struct capture *capture, FILE *stream)
{
	struct show_clock clock = { .form = SHOW_RELATIVE };
	struct view_setup setup = { .stream = stream, .clock = &clock };
	struct view *view = view_new(kind, &setup);

	for (size_t i = 0; i < capture->mad_count; i++)
		kind->mad(view, &capture->mads[i]);
	kind->end(view, &capture->counts, capture->mad_count);
}

/* As wide as it takes. */
static void print_ladder(const struct capture *capture, FILE *stream)
{
	struct show_clock clock = { .form = SHOW_RELATIVE };
	struct view_setup setup = { .stream = stream, .clock = &clock, .ends = mad_ends_new(),
				    .plan = ladder_plan_new(NULL, true) };
	struct view *view;

	for (size_t i = 0; i < capture->mad_count; i++)
		mad_ends_learn(setup.ends, &capture->mads[i]);
	for (size_t i = 0; i < capture->mad_count; i++)
		ladder_plan_take(setup.plan, setup.ends, &capture->mads[i]);
	ladder_plan_end(setup.plan, 0);
	view = view_new(&ladder_view, &setup);
	for (size_t i = 0; i < capture->mad_count; i++)
		ladder_view.mad(view, &capture->mads[i]);
	ladder_view.end(view, &capture->counts, capture->mad_count);
	ladder_plan_free(setup.plan);
	mad_ends_free(setup.ends);
}

static void print_lines(const struct capture *capture, FILE *stream)
{
	print_view(&lines_view, capture, stream);
}

static void print_columns(const struct capture *capture, FILE *stream)
{
	print_view(&columns_view, capture, stream);
}

/* What 'print' prints for the rows; to be freed with free(). */
static char *printed(print_fn *print, const struct row *rows, size_t count)
{
	struct capture_mad *mads = g_new0(struct capture_mad, count + 1);
	struct capture capture = { .mads = mads, .mad_count = count,
				   .counts = { .frames = count, .mads = count } };
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	for (size_t i = 0; i < count; i++)
		show_row_fill(&mads[i], &rows[i], (unsigned int)i + 1);
	print(&capture, stream);
	fclose(stream);
	g_free(mads);
	return text;
}

static void expect(print_fn *print, const struct row *rows, size_t count, const char *expected)
{
	char *text = printed(print, rows, count);

	g_assert_cmpstr(text, ==, expected);
	free(text);
}

/* ---- lines and fields ---- */

static void test_lines(void)
{
	static const struct row rows[] = {
		{ .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .slid = 1, .dlid = 2,
		  .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 7,
		  .comment = "a.mad:3\nx" },
		{ .time_ns = 1500000, .direction = CAPTURE_INBOUND, .port = "Edge[10]", .slid = 1,
		  .dlid = 0x4000, .mgmt_class = 0x04, .method = 0x81, .attr = 0x12, .tid = 7 },
	};

	expect(print_lines, rows, G_N_ELEMENTS(rows),
	       "     1         0.000000ms  H1[1] >  LID 1 QP1   -> LID 2 QP1    "
	       "PerfGet(PortCounters) tid=0x0000000000000007  # a.mad:3 x\n"
	       "     2         1.500000ms  Edge[10] <  LID 1 QP1   -> LID 16384 QP1  "
	       "PerfGetResp(PortCounters) tid=0x0000000000000007\n"
	       "# 2 frames: 2 MADs, 0 others, 0 damaged\n");
}

static void test_fields(void)
{
	static const struct row rows[] = {
		{ .mgmt_class = 0x81, .method = 0x81, .attr = 0xff90, .status = 0x801c,
		  .tid = UINT64_C(0x123456789abcdef0) },
	};

	expect(print_columns, rows, G_N_ELEMENTS(rows),
	       "frame\tslid\tdlid\tsqp\tdqp\tclass\tmethod\tattr\ttid\tstatus\tmodifier\n"
	       "1\t65535\t65535\t0x00000000\t0x000000\t0x81\t0x81\t0xff90\t0x123456789abcdef0\t"
	       "0x801c\t0x00000000\n");
}

/* ---- ladders ---- */

/*
 * A port that sends with a LID has that LID: the first arrow ends at H2[1] although only the second
 * shows it.
 */
static void test_ladder_lids(void)
{
	static const struct row rows[] = {
		{ .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .slid = 1, .dlid = 2,
		  .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 7 },
		{ .time_ns = 2000, .direction = CAPTURE_OUTBOUND, .port = "H2[1]", .slid = 2,
		  .dlid = 1, .mgmt_class = 0x04, .method = 0x81, .attr = 0x12, .tid = 7,
		  .status = 0x000c, .comment = "no agent" },
		{ .time_ns = 5000000, .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .slid = 1,
		  .dlid = 1, .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 8 },
	};

	expect(print_ladder, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                                 H2[1]\n"
	       "       0.000ms    |--------PerfGet(PortCounters)------->|  tid=0x7\n"
	       "       0.002ms    |<-PerfGetResp(PortCounters) 0x000c---|  tid=0x7  # no agent\n"
	       "       5.000ms    |o PerfGet(PortCounters)              |  tid=0x8\n");
}

/*
 * Ports of two subnets have the LIDs 1 and 2. A response goes to the port that has asked; where
 * requests go, the capture does not say.
 */
static void test_ladder_subnets(void)
{
	static const char *const ports[][2] = { { "A1[1]", "A2[1]" }, { "B1[1]", "B2[1]" } };
	struct row rows[6];

	for (unsigned int i = 0; i < G_N_ELEMENTS(rows); i++) {
		bool is_answer = i % 2;

		rows[i] = (struct row){
			.time_ns = i * 1000000, .direction = CAPTURE_OUTBOUND,
			.port = ports[i / 2 % 2][is_answer], .slid = is_answer ? 2 : 1,
			.dlid = is_answer ? 1 : 2, .mgmt_class = 0x04,
			.method = is_answer ? 0x81 : 1, .attr = 0x12, .tid = 7 + i / 2,
		};
	}
	expect(print_ladder, rows, G_N_ELEMENTS(rows),
	       "                A1[1]                      LID 2          A2[1]        B1[1]"
	       "                          B2[1]\n"
	       "       0.000ms    |--PerfGet(PortCounters)-->|              |            |"
	       "                              |  tid=0x7\n"
	       "       1.000ms    |<-------PerfGetResp(PortCounters)--------|            |"
	       "                              |  tid=0x7\n"
	       "       2.000ms    |                          |<--PerfGet(PortCounters)---|"
	       "                              |  tid=0x8\n"
	       "       3.000ms    |                          |              |            |"
	       "<-PerfGetResp(PortCounters)---|  tid=0x8\n"
	       "       4.000ms    |--PerfGet(PortCounters)-->|              |            |"
	       "                              |  tid=0x9\n"
	       "       5.000ms    |<-------PerfGetResp(PortCounters)--------|            |"
	       "                              |  tid=0x9\n");
}

/*
 * The response shows which port the route leads to; without one the rail is named after the route.
 */
static void test_ladder_routes(void)
{
	static const struct row rows[] = {
		{ .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .mgmt_class = 0x81, .method = 1,
		  .attr = 0x11, .tid = 1, .hops = 1 },
		{ .direction = CAPTURE_OUTBOUND, .port = "S1[1]", .mgmt_class = 0x81,
		  .method = 0x81, .attr = 0x11, .tid = 1, .hops = 1, .status = 0x8000 },
		{ .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .mgmt_class = 0x81, .method = 1,
		  .attr = 0x11, .tid = 2, .hops = 2 },
	};

	expect(print_ladder, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                      S1[1]    DR 0,2,3\n"
	       "       0.000ms    |----SubnGet(NodeInfo)---->|          |  tid=0x1\n"
	       "       0.000ms    |<-SubnGetResp(NodeInfo)---|          |  tid=0x1\n"
	       "       0.000ms    |----------SubnGet(NodeInfo)--------->|  tid=0x2\n");
}

/* Both records of a dropped MAD are one arrow; a retry is another. */
static void test_ladder_death(void)
{
	static const struct row rows[] = {
		{ .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .slid = 1, .dlid = 9,
		  .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 7, .comment = "a.mad:3" },
		{ .direction = CAPTURE_INBOUND, .port = "S1[1]", .slid = 1, .dlid = 9,
		  .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 7,
		  .comment = "a.mad:3; dropped: no route" },
		{ .time_ns = 100000000, .direction = CAPTURE_OUTBOUND, .port = "H1[1]", .slid = 1,
		  .dlid = 9, .mgmt_class = 0x04, .method = 1, .attr = 0x12, .tid = 7 },
		{ .time_ns = 200000000, .direction = CAPTURE_INBOUND, .port = "S1[1]", .slid = 3,
		  .dlid = 9, .mgmt_class = 0x04, .method = 5, .attr = 0x02, .tid = 8,
		  .comment = "dropped: link down" },
	};

	expect(print_ladder, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                      LID 9"
	       "        S1[1]                 LID 3\n"
	       "       0.000ms    |---------PerfGet(PortCounters)-"
	       "-------x|                     |"
	       "  tid=0x7  # a.mad:3  x no route\n"
	       "     100.000ms    |--PerfGet(PortCounters)-->|"
	       "            |                     |"
	       "  tid=0x7\n"
	       "     200.000ms    |                          |"
	       "            |x-PerfTrap(Notice)---|"
	       "  tid=0x8  # dropped: link down\n");
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/show/line", test_line);
	g_test_add_func("/show/traps", test_traps);
	g_test_add_func("/show/text", test_text);
	g_test_add_func("/show/rmpp", test_rmpp);
	g_test_add_func("/show/long-path", test_long_path);
	g_test_add_func("/show/details", test_details);
	g_test_add_func("/show/detail-names", test_detail_names);
	g_test_add_func("/show/detail-tables", test_detail_tables);
	g_test_add_func("/show/detail-everything", test_detail_everything);
	g_test_add_func("/show/lines", test_lines);
	g_test_add_func("/show/fields", test_fields);
	g_test_add_func("/show/ladder-lids", test_ladder_lids);
	g_test_add_func("/show/ladder-subnets", test_ladder_subnets);
	g_test_add_func("/show/ladder-routes", test_ladder_routes);
	g_test_add_func("/show/ladder-death", test_ladder_death);
	return leak_end(g_test_run());
}
