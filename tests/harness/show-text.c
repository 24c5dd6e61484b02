/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What `umadrig show` prints of one MAD, in a line and in full.
 */
#include <glib.h>
#include <string.h>

#include "harness/show/mad-detail.h"
#include "harness/show/mad-text.h"
#include "harness/show/rail-name.h"
#include "lib/base/wire.h"
#include "tests/harness/show-row.h"

/* Compares, and empties. */
static void expect_text(struct text *text, const char *expected)
{
	text_char(text, '\0');
	g_assert_cmpstr(text->bytes, ==, expected);
	text_clear(text);
}

void test_line(void)
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
		struct text line = { NULL, 0, 0 };

		show_row_fill(&mad, &row, 1);
		if (rows[i].at)
			mad.mad[rows[i].at] = rows[i].byte;
		mad_text_line(&line, mad.mad);
		expect_text(&line, rows[i].line);
	}
}

/* A notice says in its line what it is about. */
void test_traps(void)
{
	enum { GENERIC = 0x80, NUMBER = 4, DETAILS = 10 };
	static const struct {
		uint8_t mgmt_class, method, type;
		uint16_t number;
		uint8_t at, byte;	/* in the details */
		const char *line;
	} rows[] = {
		{ 0x01, 0x05, GENERIC, 128, 1, 3,
		  "SubnTrap(Notice) tid=0x0000000000000000 trap=128 LIDADDR=3" },
		{ 0x01, 0x07, GENERIC | 1, 128, 0, 1,
		  "SubnTrapRepress(Notice) tid=0x0000000000000000 trap=128 LIDADDR=256" },
		{ 0x81, 0x05, GENERIC, 131, 4, 7,
		  "SubnTrap(Notice) tid=0x0000000000000000 path=0 hop=0/0 trap=131 LIDADDR=0 "
		  "PORTNO=7" },
		{ 0x03, 0x06, GENERIC, 64, 21, 1,
		  "SubnAdmReport(Notice) tid=0x0000000000000000 trap=64 GIDADDR=::1" },
		{ 0x01, 0x05, GENERIC, 256, 3, 9,
		  "SubnTrap(Notice) tid=0x0000000000000000 trap=256 LIDADDR=9 DRSLID=0 METHOD=0x00 "
		  "ATTRIBUTEID=0x0000 ATTRIBUTEMODIFIER=0x00000000 MKEY=0x0000000000000000 "
		  "DRNotice=false DRPathTruncated=false DRHopCount=0" },
		/* One that is not known, and a vendor's own. */
		{ 0x01, 0x05, GENERIC, 999, 1, 3,
		  "SubnTrap(Notice) tid=0x0000000000000000 trap=999" },
		{ 0x01, 0x05, 0, 128, 1, 3, "SubnTrap(Notice) tid=0x0000000000000000" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct capture_mad mad = { 0 };
		struct row row = { .mgmt_class = rows[i].mgmt_class, .method = rows[i].method,
				   .attr = 0x02 };
		uint8_t *data = mad.mad + mad_class_find(row.mgmt_class)->data_at;
		struct text line = { NULL, 0, 0 };

		show_row_fill(&mad, &row, 1);
		data[0] = rows[i].type;
		put_be16(data + NUMBER, rows[i].number);
		data[DETAILS + rows[i].at] = rows[i].byte;
		mad_text_line(&line, mad.mad);
		expect_text(&line, rows[i].line);
		rail_label(&line, &mad);
		text_char(&line, '\0');
		g_assert_true(g_str_has_prefix(line.bytes, "Subn"));
		g_assert_cmpint(strstr(line.bytes, " trap=") != NULL, ==, rows[i].type != 0);
		text_clear(&line);
	}
}

/* The pieces that texts are made of. */
void test_text(void)
{
	struct text text = { NULL, 0, 0 };

	text_hex(&text, 0, 0);
	text_hex(&text, UINT64_C(0x123456789abcdef0), 16);
	text_hex(&text, 0xa9, 2);
	text_hex(&text, 0xfff, 6);
	text_hex(&text, 0x1f, 0);
	expect_text(&text, "0x00x123456789abcdef00xa90x000fff0x1f");
	text_number(&text, UINT64_MAX);
	text_number_right(&text, 7, 3);
	expect_text(&text, "18446744073709551615  7");
	text_time_ms(&text, 1500000, 12);
	text_time_ms(&text, -1500000, 12);
	text_time_ms(&text, INT64_MIN, 0);
	expect_text(&text, "    1.500000   -1.500000-9223372036854.775808");
	text_clean(&text, "a\nb\tc");
	expect_text(&text, "a b c");
}

void test_rmpp(void)
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
		struct text line = { NULL, 0, 0 };

		show_row_fill(&mad, &row, 1);
		mad.mad[RMPP_TYPE] = rows[i].type;
		mad.mad[RMPP_FLAGS] = rows[i].flags;
		mad.mad[RMPP_STATUS] = rows[i].status;
		put_be32(mad.mad + RMPP_SEGMENT, rows[i].first);
		put_be32(mad.mad + RMPP_PAYLEN_NEWWIN, rows[i].second);
		mad_text_line(&line, mad.mad);
		expect_text(&line, expected);
	}
}

/* A header that claims more hops than a path has room for. */
void test_long_path(void)
{
	struct capture_mad mad = { 0 };
	struct row row = { .mgmt_class = 0x81, .method = 1, .attr = 0x11 };
	struct text line = { NULL, 0, 0 };

	show_row_fill(&mad, &row, 1);
	mad.mad[SMP_HOP_CNT] = 255;
	mad_text_line(&line, mad.mad);
	text_char(&line, '\0');
	g_assert_true(g_str_has_suffix(line.bytes, " hop=0/255"));
	g_assert_cmpuint(line.length, <, 256);
	text_clear(&line);
}

/* The line of a field in the text, without its indent; NULL: it has none. To be freed. */
static char *line_of(const char *text, const char *field)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_strstrip(*line);
		if (g_str_has_prefix(*line, field) && (*line)[strlen(field)] == ' ')
			return g_strdup(*line);
	}
	return NULL;
}

/* What a MAD of class and attribute says of a field when 'bytes' are at 'at'. */
static const struct detail_row {
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint16_t at;
	const char *bytes;		/* in hex */
	const char *field, *line;	/* NULL: the field is not there */
} details[] = {
	{ 0x01, 0x01, 0x15, MAD_CLASS, "01", "MgmtClass",
	  "MgmtClass                    0x01 (SUBN_LID)" },
	{ 0x01, 0x81, 0x15, MAD_CLASS, "01", "Method",
	  "Method                       0x81 (SubnGetResp)" },
	{ 0x01, 0x81, 0x15, MAD_CLASS, "01", "AttributeID",
	  "AttributeID                  0x0015 (PortInfo)" },
	{ 0x01, 0x81, 0x15, MAD_STATUS, "001c", "Status",
	  "Status                       0x001c (bad field or modifier)" },
	{ 0x01, 0x01, 0x15, SMP_MKEY, "0123456789abcdef", "M_Key",
	  "M_Key                        0x0123456789abcdef" },
	/* directed route */
	{ 0x81, 0x81, 0x15, MAD_STATUS, "8000", "D", "D                            true" },
	{ 0x81, 0x81, 0x15, SMP_HOP_PTR, "0203", "HopPointer", "HopPointer                   2" },
	{ 0x81, 0x81, 0x15, SMP_HOP_PTR, "0203", "HopCount", "HopCount                     3" },
	{ 0x81, 0x81, 0x15, SMP_DR_SLID, "0005ffff", "DrSLID", "DrSLID                       5" },
	{ 0x81, 0x81, 0x15, SMP_DR_SLID, "0005ffff", "DrDLID",
	  "DrDLID                       65535" },
	{ 0x81, 0x81, 0x15, SMP_INITIAL_PATH, "000107", "InitialPath",
	  "InitialPath                  0,1,7" },
	{ 0x81, 0x81, 0x15, SMP_RETURN_PATH, "000209", "ReturnPath",
	  "ReturnPath                   0,2,9" },
	{ 0x01, 0x81, 0x15, SMP_RETURN_PATH, "000209", "ReturnPath", NULL },
	/* RMPP, SA, vendor, BM */
	{ 0x03, 0x92, 0x35, RMPP_VERSION, "01010700", "RMPPType",
	  "RMPPType                     DATA" },
	{ 0x03, 0x92, 0x35, RMPP_VERSION, "01010700", "RMPPFlags",
	  "RMPPFlags                    ACTIVE|FIRST|LAST" },
	{ 0x03, 0x92, 0x35, RMPP_VERSION, "01010700", "NewWindowLast", NULL },
	{ 0x03, 0x92, 0x35, RMPP_VERSION, "01020100", "PayloadLength", NULL },
	{ 0x03, 0x01, 0x35, RMPP_VERSION, "00", "RMPPType", NULL },
	{ 0x03, 0x01, 0x35, SA_SM_KEY, "0123456789abcdef", "SM_Key",
	  "SM_Key                       0x0123456789abcdef" },
	{ 0x03, 0x01, 0x35, SA_ATTR_OFFSET, "0008", "AttributeOffset",
	  "AttributeOffset              8" },
	{ 0x32, 0x01, 0x35, VENDOR2_OUI, "0002c9", "OUI",
	  "OUI                          0x0002c9" },
	{ 0x05, 0x01, 0x20, MAD_HDR_SIZE, "0123456789abcdef", "B_Key",
	  "B_Key                        0x0123456789abcdef" },
	/* enumerations */
	{ 0x01, 0x81, 0x15, SMP_DATA + 32, "04", "LinkState",
	  "LinkState                    Active" },
	{ 0x03, 0x81, 0x35, SA_DATA + 54, "84", "MTU", "MTU                          2048" },
	{ 0x03, 0x81, 0x35, SA_DATA + 54, "84", "MTUSelector",
	  "MTUSelector                  Exactly" },
	{ 0x03, 0x81, 0x35, SA_DATA + 55, "83", "Rate", "Rate                         10 Gb/s" },
	{ 0x07, 0x03, 0x12, MAD_HDR_SIZE + 10, "001c", "Reason",
	  "Reason                       ConsumerReject" },
	/* what the fields of a generic notice's details are depends on its number */
	{ 0x01, 0x05, 0x02, SMP_DATA, "81000002008000050000004d", "LIDADDR",
	  "LIDADDR                      77" },
	{ 0x01, 0x05, 0x02, SMP_DATA, "01000002008000050000004d", "LIDADDR", NULL },
};

void test_details(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(details); i++) {
		const struct detail_row *row = &details[i];
		struct capture_mad mad = { 0 };
		struct row filled = { .mgmt_class = row->mgmt_class, .method = row->method,
				      .attr = row->attr };
		struct text text = { NULL, 0, 0 };
		g_autofree char *line = NULL;

		show_row_fill(&mad, &filled, 1);
		for (size_t n = 0; row->bytes[2 * n]; n++)
			mad.mad[row->at + n] =
				(uint8_t)(g_ascii_xdigit_value(row->bytes[2 * n]) << 4 |
					  g_ascii_xdigit_value(row->bytes[2 * n + 1]));
		mad_detail(&text, &mad, NULL);
		text_char(&text, '\0');
		line = line_of(text.bytes, row->field);
		if (g_strcmp0(line, row->line) != 0)
			g_error("row %zu: '%s' where '%s' was expected, in\n%s", i, line,
				row->line, text.bytes);
		text_clear(&text);
	}
}

/* Headers of the packet, bits and components by name, an attribute in which nothing is set. */
void test_detail_names(void)
{
	struct capture_mad mad = { 0 };
	struct row row = { .mgmt_class = 0x03, .method = 0x01, .attr = 0x35, .slid = 3,
			   .dlid = 5 };
	struct capture_headers headers;
	struct text text = { NULL, 0, 0 };

	show_row_fill(&mad, &row, 1);
	put_be64(mad.mad + SA_COMP_MASK, 1 << 2 | 1 << 4 | 1 << 7);
	headers = (struct capture_headers){
		.lrh = { 0x01, 0x04 }, .lrh_length = { 0x10, 0x48 }, .bth_flags = 0xc7,
		.bth_reserved = 9, .bth_ack = 0x82, .deth_reserved = 3,
	};
	mad_detail_packet(&text, &mad, &headers);
	expect_text(&text, "        LRH\n"
			   "          VL                           0\n"
			   "          LVer                         1\n"
			   "          SL                           0\n"
			   "          Reserved2                    1\n"
			   "          LNH                          2\n"
			   "          DLID                         5\n"
			   "          Reserved5                    2\n"
			   "          PktLen                       72 (words of 4 bytes)\n"
			   "          SLID                         3\n"
			   "        BTH\n"
			   "          OpCode                       100\n"
			   "          SE                           true\n"
			   "          MigReq                       true\n"
			   "          PadCnt                       0\n"
			   "          TVer                         7\n"
			   "          P_Key                        0xffff\n"
			   "          Reserved8                    9\n"
			   "          DestQP                       0x000001\n"
			   "          AckReq                       true\n"
			   "          Reserved7                    2\n"
			   "          PSN                          0x000000\n"
			   "        DETH\n"
			   "          Q_Key                        0x80010000\n"
			   "          Reserved8                    3\n"
			   "          SrcQP                        0x000001\n");
	mad_detail(&text, &mad, NULL);
	text_char(&text, '\0');
	g_assert_nonnull(strstr(text.bytes,
		"          ComponentMask                0x0000000000000094\n"
		"                                       DGID\n"
		"                                       DLID\n"
		"                                       reserved (component 7)\n"
		"        PathRecord (all zero)\n"));
	text_clear(&text);

	row = (struct row){ .mgmt_class = 0x01, .method = 0x81, .attr = 0x15 };
	show_row_fill(&mad, &row, 1);
	put_be32(mad.mad + SMP_DATA + 20, 0x00108002);
	mad_detail(&text, &mad, NULL);
	text_char(&text, '\0');
	g_assert_nonnull(strstr(text.bytes,
		"          CapMask                      0x00108002\n"
		"                                       IsSM\n"
		"                                       IsCapabilityMask2Supported\n"
		"                                       IsVendorClassSupported\n"
		"          DiagCode "));
	text_clear(&text);
}

/* Tables entry by entry, and bytes that nothing is known of. */
void test_detail_tables(void)
{
	struct capture_mad mad = { 0 };
	struct row row = { .mgmt_class = 0x01, .method = 0x81, .attr = 0x19 };
	struct text text = { NULL, 0, 0 };
	const uint8_t *data = mad.mad + SMP_DATA;

	show_row_fill(&mad, &row, 1);
	put_be32(mad.mad + MAD_ATTR_MOD, 2);
	memset(mad.mad + SMP_DATA, 0xff, 64);
	mad.mad[SMP_DATA + 1] = 7;
	mad_detail_record(&text, mad.mad, data, 64, 1, 1);
	text_char(&text, '\0');
	g_assert_true(g_str_has_prefix(text.bytes,
		"        LinearForwardingTable 1 of 1\n"
		"          LinearForwTbl                the port for each LID; 255: none\n"
		"              128: 255   7 255 255 255 255 255 255 255 255 255 255 255 255 255 "
		"255\n"
		"              144: 255 "));
	text_clear(&text);

	put_be16(mad.mad + MAD_ATTR_ID, 0x1b);
	put_be32(mad.mad + MAD_ATTR_MOD, 0x10000001);
	mad_detail_record(&text, mad.mad, data, 64, 1, 1);
	text_char(&text, '\0');
	g_assert_true(g_str_has_prefix(text.bytes,
		"        MulticastForwardingTable 1 of 1\n"
		"          MulticastForwTbl             ports for each MLID, a bit each: ports 16 "
		"to 31\n"
		"            0xc020: 0xff07 0xffff 0xffff 0xffff 0xffff 0xffff 0xffff 0xffff\n"
		"            0xc028: "));
	text_clear(&text);

	row.mgmt_class = 0x32;
	row.attr = 0x99;
	show_row_fill(&mad, &row, 1);
	memset(mad.mad + VENDOR2_DATA, 0, MAD_SIZE - VENDOR2_DATA);
	mad.mad[VENDOR2_DATA] = 0xab;
	mad.mad[VENDOR2_DATA + 17] = 0xcd;
	mad_detail(&text, &mad, NULL);
	text_char(&text, '\0');
	g_assert_true(g_str_has_suffix(text.bytes,
		"        Data\n"
		"          0x0028  ab 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00\n"
		"          0x0038  00 cd 00 00 00 00 00 00  00 00 00 00 00 00 00 00\n"
		"          0x0048  184 bytes, all zero\n"));
	text_clear(&text);
}

/* No class, attribute or method makes it look outside of the MAD. */
void test_detail_everything(void)
{
	struct capture_mad mad = { 0 };
	struct text text = { NULL, 0, 0 };

	memset(mad.mad, 0xff, sizeof(mad.mad));
	for (unsigned int mgmt_class = 0; mgmt_class < 256; mgmt_class++) {
		for (unsigned int attr = 0; attr < 0x101; attr++) {
			mad.mad[MAD_CLASS] = (uint8_t)mgmt_class;
			mad.mad[RMPP_FLAGS] = attr & 1 ? 0xff : 0xfe;
			put_be16(mad.mad + MAD_ATTR_ID, (uint16_t)attr);
			mad_detail(&text, &mad, NULL);
			mad_text_line(&text, mad.mad);
			g_assert_cmpuint(text.length, >, 0);
			text.length = 0;
		}
	}
	text_clear(&text);
}
