/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What `umadrig show` prints: lines, fields and ladders of captures made by hand.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show/ladder.h"
#include "harness/show/mad-text.h"
#include "harness/show/show.h"
#include "tests/rig/leak.h"
#include "lib/base/wire.h"

/* One MAD of a capture; fields that are not given are 0. */
struct row {
	int64_t time_ns;
	enum capture_direction direction;
	const char *port;
	uint16_t slid, dlid;	/* 0: permissive */
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint16_t status;
	uint64_t tid;
	const char *comment;
	uint8_t hops;
};

static void fill(struct capture_mad *mad, const struct row *row, unsigned int frame)
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

static void print_lines(const struct capture *capture, FILE *stream)
{
	show_lines(capture, false, stream);
}

/* What 'print' prints for the rows; to be freed with free(). */
static char *printed(print_fn *print, const struct row *rows, size_t count)
{
	struct capture_mad *mads = g_new0(struct capture_mad, count + 1);
	struct capture capture = { .mads = mads, .mad_count = count,
				   .counts.frames = count };
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	for (size_t i = 0; i < count; i++)
		fill(&mads[i], &rows[i], (unsigned int)i + 1);
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

/* ---- a MAD as text ---- */

static void test_line(void)
{
	static const struct {
		uint8_t mgmt_class, method;
		uint16_t attr;
		uint8_t at, byte;	/* one byte more, 0: none */
		const char *line;
	} rows[] = {
		{ 0x01, 0x01, 0x11, 0, 0, "SubnGet(NodeInfo) tid=0x0000000000000000" },
		{ 0x01, 0x81, 0x11, MAD_STATUS + 1, 0x0c,
		  "SubnGetResp(NodeInfo) tid=0x0000000000000000 status=0x000c "
		  "(method and attribute not supported)" },
		{ 0x81, 0x81, 0x11, MAD_STATUS, 0x80,
		  "SubnGetResp(NodeInfo) tid=0x0000000000000000 path=0 hop=0/0" },
		{ 0x04, 0x01, 0x12, MAD_ATTR_MOD + 3, 5,
		  "PerfGet(PortCounters) tid=0x0000000000000000 modifier=0x5" },
		{ 0x04, 0x01, 0x12, MAD_CLASS_VERSION, 2,
		  "PerfGet(PortCounters) version=2 tid=0x0000000000000000" },
		{ 0x32, 0x01, 0x10, VENDOR2_OUI + 2, 5,
		  "VendGet(0x0010) class=0x32 oui=0x000005 tid=0x0000000000000000" },
		{ 0x50, 0x01, 0x10, 0, 0, "Class(0x50)Get(0x0010) tid=0x0000000000000000" },
		{ 0x04, 0x81, 0x12, MAD_STATUS + 1, 1,
		  "PerfGetResp(PortCounters) tid=0x0000000000000000 status=0x0001 (busy)" },
		{ 0x06, 0x01, 0x10, RMPP_FLAGS, 1,
		  "DevMgtGet(IOUnitInfo) tid=0x0000000000000000 rmpp=0" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct capture_mad mad = { 0 };
		struct row row = { .mgmt_class = rows[i].mgmt_class, .method = rows[i].method,
				   .attr = rows[i].attr };
		GString *line = g_string_new(NULL);

		fill(&mad, &row, 1);
		if (rows[i].at)
			mad.mad[rows[i].at] = rows[i].byte;
		mad_text_line(line, mad.mad);
		g_assert_cmpstr(line->str, ==, rows[i].line);
		g_string_free(line, true);
	}
}

static void test_rmpp(void)
{
	static const struct {
		uint8_t type, flags, status;
		uint32_t first, second;
		const char *words;	/* after the TID */
	} rows[] = {
		{ 1, 7, 0, 1, 52, " rmpp=DATA seg=1 paylen=52 flags=FIRST|LAST" },
		{ 1, 3, 0, 1, 888, " rmpp=DATA seg=1 paylen=888 flags=FIRST" },
		{ 1, 1, 0, 2, 0, " rmpp=DATA seg=2 paylen=0" },
		{ 2, 1, 0, 5, 65, " rmpp=ACK seg=5 newwin=65" },
		{ 4, 1, 118, 0, 0, " rmpp=ABORT rmppstatus=118" },
		{ 1, 0, 0, 1, 52, "" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct capture_mad mad = { 0 };
		struct row row = { .mgmt_class = 0x03, .method = 0x92, .attr = 0x35 };
		g_autofree char *expected = g_strdup_printf(
			"SubnAdmGetTableResp(PathRecord) tid=0x0000000000000000%s", rows[i].words);
		GString *line = g_string_new(NULL);

		fill(&mad, &row, 1);
		mad.mad[RMPP_TYPE] = rows[i].type;
		mad.mad[RMPP_FLAGS] = rows[i].flags;
		mad.mad[RMPP_STATUS] = rows[i].status;
		put_be32(mad.mad + RMPP_SEGMENT, rows[i].first);
		put_be32(mad.mad + RMPP_PAYLEN_NEWWIN, rows[i].second);
		mad_text_line(line, mad.mad);
		g_assert_cmpstr(line->str, ==, expected);
		g_string_free(line, true);
	}
}

/* A header that claims more hops than a path has room for. */
static void test_long_path(void)
{
	struct capture_mad mad = { 0 };
	struct row row = { .mgmt_class = 0x81, .method = 1, .attr = 0x11 };
	GString *line = g_string_new(NULL);

	fill(&mad, &row, 1);
	mad.mad[SMP_HOP_CNT] = 255;
	mad_text_line(line, mad.mad);
	g_assert_true(g_str_has_suffix(line->str, " hop=0/255"));
	g_assert_cmpuint(strlen(line->str), <, 256);
	g_string_free(line, true);
}

static void test_details(void)
{
	struct capture_mad mad = { 0 };
	struct row row = { .mgmt_class = 0x03, .method = 0x81, .attr = 0x20 };
	GString *text = g_string_new(NULL);

	fill(&mad, &row, 1);
	put_be64(mad.mad + SA_COMP_MASK, 3);
	mad_text_fields(text, mad.mad, 2);
	g_assert_cmpstr(text->str, ==, "  ComponentMask                0x0000000000000003\n"
				       "  (LinkRecord all zero)\n");
	g_string_truncate(text, 0);
	put_be16(mad.mad + SA_DATA, 9);
	put_be64(mad.mad + SA_COMP_MASK, 0);
	mad_text_fields(text, mad.mad, 2);
	g_assert_cmpstr(text->str, ==, "  FromLID                      9\n"
				       "  FromPort                     0\n"
				       "  ToPort                       0\n"
				       "  ToLID                        0\n");
	/* Long fields of zeros are counted, not printed. */
	g_string_truncate(text, 0);
	put_be16(mad.mad + MAD_ATTR_ID, 0x0015);
	mad_text_fields(text, mad.mad, 2);
	g_assert_cmpstr(text->str, ==, "  LID                          9\n"
				       "  BlockNum                     0\n"
				       "  LinearForwTbl                (64 bytes, all zero)\n");
	/* The second segment begins in the middle of some record. */
	g_string_truncate(text, 0);
	mad.mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	mad.mad[RMPP_TYPE] = 1;
	put_be32(mad.mad + RMPP_SEGMENT, 2);
	mad_text_fields(text, mad.mad, 2);
	g_assert_cmpstr(text->str, ==, "");
	g_string_free(text, true);
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
	       "     1         0.000000ms  H1[1]    >  LID 1 QP1 -> LID 2 QP1      "
	       "PerfGet(PortCounters) tid=0x0000000000000007  # a.mad:3 x\n"
	       "     2         1.500000ms  Edge[10] <  LID 1 QP1 -> LID 16384 QP1  "
	       "PerfGetResp(PortCounters) tid=0x0000000000000007\n"
	       "# 2 frames: 2 MADs, 0 others, 0 damaged\n");
}

static void test_fields(void)
{
	static const struct row rows[] = {
		{ .mgmt_class = 0x81, .method = 0x81, .attr = 0xff90, .status = 0x801c,
		  .tid = UINT64_C(0x123456789abcdef0) },
	};

	expect(show_fields, rows, G_N_ELEMENTS(rows),
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

	expect(ladder_print, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                                 H2[1]\n"
	       "       0.000ms    |--------PerfGet(PortCounters)------->|  tid=0x7\n"
	       "       0.002ms    |<-PerfGetResp(PortCounters) 0x000c---|  tid=0x7  # no agent\n"
	       "       5.000ms    |o PerfGet(PortCounters)              |  tid=0x8\n");
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

	expect(ladder_print, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                      S1[1]   DR 0,2,3\n"
	       "       0.000ms    |----SubnGet(NodeInfo)---->|         |  tid=0x1\n"
	       "       0.000ms    |<-SubnGetResp(NodeInfo)---|         |  tid=0x1\n"
	       "       0.000ms    |---------SubnGet(NodeInfo)--------->|  tid=0x2\n");
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

	expect(ladder_print, rows, G_N_ELEMENTS(rows),
	       "                H1[1]                      LID 9"
	       "              S1[1]                 LID 3\n"
	       "       0.000ms    |------------PerfGet(PortCounters)-"
	       "----------x|                     |"
	       "  tid=0x7  # a.mad:3  x no route\n"
	       "     100.000ms    |--PerfGet(PortCounters)-->|"
	       "                  |                     |"
	       "  tid=0x7\n"
	       "     200.000ms    |                          |"
	       "                  |x-PerfTrap(Notice)---|"
	       "  tid=0x8  # dropped: link down\n");
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/show/line", test_line);
	g_test_add_func("/show/rmpp", test_rmpp);
	g_test_add_func("/show/long-path", test_long_path);
	g_test_add_func("/show/details", test_details);
	g_test_add_func("/show/lines", test_lines);
	g_test_add_func("/show/fields", test_fields);
	g_test_add_func("/show/ladder-lids", test_ladder_lids);
	g_test_add_func("/show/ladder-routes", test_ladder_routes);
	g_test_add_func("/show/ladder-death", test_ladder_death);
	return leak_end(g_test_run());
}
