/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lies: which fields of which MADs each kind is about, that nothing else of a MAD changes, and that
 * what a MAD needs on its way never does. What rules do with them is in tests/sim/fault.c.
 */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/lie.h"
#include "tests/rig/leak.h"

enum { DRAWS = 400, RECORD = 112, IN_SEGMENT = MAD_SIZE - SA_DATA };

/* ---- answers ---- */

enum answer { SMA, SMA_TABLE, SMA_LID, PMA, SA, SA_SEGMENT, CM, ANSWERS };

static void begin(uint8_t *mad, uint8_t mgmt_class, uint8_t method, uint16_t attribute)
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, 7);
	put_be16(mad + MAD_ATTR_ID, attribute);
}

/* Back from two hops away. */
static void make_directed(uint8_t *mad)
{
	put_be16(mad + MAD_STATUS, SMP_DIRECTION);
	mad[SMP_HOP_CNT] = mad[SMP_HOP_PTR] = 2;
	mad[SMP_INITIAL_PATH + 1] = mad[SMP_INITIAL_PATH + 2] = 1;
	mad[SMP_RETURN_PATH + 1] = mad[SMP_RETURN_PATH + 2] = 3;
	put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
}

static void make_segment(uint8_t *mad, uint32_t number, uint8_t flags, uint32_t payload)
{
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | flags;
	put_be32(mad + RMPP_SEGMENT, number);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, payload);
	put_be16(mad + SA_ATTR_OFFSET, RECORD / 8);
}

static void make(enum answer answer, uint8_t *mad)
{
	switch (answer) {
	case SMA:
		begin(mad, MAD_CLASS_SUBN_DR, 0x81, 0x0011);
		make_directed(mad);
		mad[SMP_DATA + 36] = 1;		/* LocalPort */
		return;
	case SMA_TABLE:
		begin(mad, MAD_CLASS_SUBN_DR, 0x81, 0x0019);
		make_directed(mad);
		return;
	case SMA_LID:
		begin(mad, MAD_CLASS_SUBN_LID, 0x81, 0x0015);
		return;
	case PMA:
		begin(mad, MAD_CLASS_PERF, 0x81, 0x0012);
		return;
	case SA:
		begin(mad, MAD_CLASS_SUBN_ADM, 0x81, 0x0035);
		return;
	case SA_SEGMENT:	/* the second, of NodeRecords */
		begin(mad, MAD_CLASS_SUBN_ADM, 0x92, 0x0011);
		make_segment(mad, 2, 0, 0);
		return;
	case CM:
		begin(mad, MAD_CLASS_CM, 0x03, 0x0013);
		return;
	case ANSWERS:
		break;
	}
}

/* ---- telling ---- */

/* Tells a lie of 'mad'; what was said, to be freed. */
static char *tell(const char *text, uint8_t *mad, struct chance *chance)
{
	struct lie lie;
	char message[256] = "";
	GString *said = g_string_new(NULL);

	g_assert_cmpint(lie_parse(text, &lie, message, sizeof(message)), ==, 0);
	g_assert_true(lie_fits(&lie, mad));
	lie_tell(&lie, chance, mad, said);
	return g_string_free(said, false);
}

/* Given an answer, when the lie is told, then that is said, and it is written. */
static const struct told {
	enum answer answer;
	const char *text, *said;
	unsigned int at, size;		/* of the bytes that differ */
	uint8_t bytes[2];		/* the first of them */
} rows[] = {
	{ SMA, "NodeInfo.LocalPort=255", "lie NodeInfo.LocalPort 1 -> 255", SMP_DATA + 36, 1,
	  { 0xff } },
	{ SMA, "nodeinfo.localportnum=0", "lie NodeInfo.LocalPort 1 -> 0", SMP_DATA + 36, 1,
	  { 0 } },
	{ SMA, "NodeInfo.LocalPort=+1", "lie NodeInfo.LocalPort 1 -> 2", SMP_DATA + 36, 1, { 2 } },
	{ SMA, "NodeInfo.LocalPort=-2", "lie NodeInfo.LocalPort 1 -> 255", SMP_DATA + 36, 1,
	  { 0xff } },
	{ SMA, "NodeInfo.NodeType=Switch", "lie NodeInfo.NodeType 0 -> Switch", SMP_DATA + 2, 1,
	  { 2 } },
	{ SMA, "MAD.AttributeModifier=1", "lie MAD.AttributeModifier 0x00000000 -> 0x00000001",
	  MAD_ATTR_MOD + 3, 1, { 1 } },
	/* D, the first bit of the status, stays. */
	{ SMA, "MAD.Status=0x1c", "lie DirectedRoute.SMPStatus 0x0000 -> 0x001c", MAD_STATUS + 1, 1,
	  { 0x1c } },
	{ SMA_LID, "MAD.Status=0x8000", "lie MAD.Status 0x0000 -> 0x8000", MAD_STATUS, 1,
	  { 0x80 } },
	{ SMA_LID, "PortInfo.LMC=7", "lie PortInfo.LMC 0 -> 7", SMP_DATA + 34, 1, { 7 } },
	{ PMA, "PortCounters.PortRcvErrors=0x102", "lie PortCounters.PortRcvErrors 0 -> 258",
	  64 + 8, 2, { 1, 2 } },
	{ SA, "PathRecord.DLID=0x0304", "lie PathRecord.DLID 0 -> 772", SA_DATA + 40, 2, { 3, 4 } },
	{ SA, "SA.ComponentMask=1", "lie SA.ComponentMask 0x0000000000000000 -> 0x0000000000000001",
	  SA_COMP_MASK + 7, 1, { 1 } },
	{ SA_SEGMENT, "RMPP.SegmentNumber=3", "lie RMPP.SegmentNumber 2 -> 3", RMPP_SEGMENT + 3, 1,
	  { 3 } },
	{ CM, "ConnectReply.RemoteCommunicationID=1",
	  "lie ConnectReply.RemoteCommunicationID 0x00000000 -> 0x00000001", MAD_HDR_SIZE + 7, 1,
	  { 1 } },
};

static void test_told(const void *data)
{
	const struct told *row = data;
	uint8_t before[MAD_SIZE], mad[MAD_SIZE];
	g_autofree char *said = NULL;
	struct chance chance;

	chance_init(&chance, 1, "lie");
	make(row->answer, before);
	memcpy(mad, before, MAD_SIZE);
	said = tell(row->text, mad, &chance);
	g_assert_cmpstr(said, ==, row->said);
	g_assert_cmpmem(mad + row->at, row->size, row->bytes, row->size);
	memcpy(mad + row->at, before + row->at, row->size);
	g_assert_cmpmem(mad, MAD_SIZE, before, MAD_SIZE);
}

/* A field of records is one of a record that is in the segment. */
static void test_records(void)
{
	bool seen[5] = { false };
	struct chance chance;

	chance_init(&chance, 1, "lie");
	for (unsigned int i = 0; i < DRAWS; i++) {
		uint8_t mad[MAD_SIZE];
		unsigned int record;
		size_t at;
		g_autofree char *said = NULL, *wanted = NULL;

		make(SA_SEGMENT, mad);
		said = tell("NodeRecord.Lid=9", mad, &chance);
		for (record = 0; record < G_N_ELEMENTS(seen); record++) {
			g_free(wanted);
			wanted = g_strdup_printf("lie NodeRecord[%u].Lid 0 -> 9", record);
			if (strcmp(said, wanted) == 0)
				break;
		}
		g_assert_cmpuint(record, <, G_N_ELEMENTS(seen));
		at = SA_DATA + (size_t)record * RECORD - IN_SEGMENT;
		g_assert_cmpuint(get_be16(mad + at), ==, 9);
		seen[record] = true;
	}
	/* The second segment has the bytes from 200 to 400: records begin there at 224 and 336. */
	g_assert_true(!seen[0] && !seen[1] && seen[2] && seen[3] && !seen[4]);
}

/* What has been sent of the last segment is all that counts. */
static void test_last(void)
{
	struct lie lie;
	uint8_t mad[MAD_SIZE];
	char message[256];

	g_assert_cmpint(lie_parse("NodeRecord.Lid=9", &lie, message, sizeof(message)), ==, 0);
	make(SA_SEGMENT, mad);
	make_segment(mad, 2, RMPP_FLAG_LAST, SA_DATA - RMPP_END + 24);
	g_assert_false(lie_fits(&lie, mad));
	make_segment(mad, 2, RMPP_FLAG_LAST, SA_DATA - RMPP_END + 26);
	g_assert_true(lie_fits(&lie, mad));
	mad[RMPP_TYPE] = RMPP_TYPE_ACK;
	g_assert_false(lie_fits(&lie, mad));
}

/* ---- kinds ---- */

/* Which fields a kind is about, in each answer: what is drawn in many tries, sorted. */
static const struct kind_row {
	enum answer answer;
	const char *kind, *fields;	/* "": it does not fit */
} kinds[] = {
	{ SMA, "status", "DirectedRoute.SMPStatus" },
	{ SMA_LID, "status", "MAD.Status" },
	{ SMA, "modifier", "MAD.AttributeModifier" },
	{ SMA, "tid", "MAD.TransactionID" },
	{ SMA, "port", "NodeInfo.LocalPort NodeInfo.NumPorts" },
	{ SMA, "guid", "NodeInfo.Guid NodeInfo.PortGuid NodeInfo.SystemGuid" },
	{ SMA, "lid", "" },
	{ SMA_LID, "lid", "PortInfo.Lid PortInfo.SMLid" },
	{ SMA, "path", "DirectedRoute.InitialPath[1] DirectedRoute.InitialPath[2]" },
	{ SMA_LID, "path", "" },
	{ SMA, "rmpp", "" },
	{ SA, "rmpp", "" },
	{ SA_SEGMENT, "rmpp", "RMPP.NewWindowLast RMPP.PayloadLength RMPP.RMPPFlags "
	  "RMPP.RMPPStatus RMPP.RMPPType RMPP.RMPPVersion RMPP.RRespTime RMPP.SegmentNumber" },
	{ SA, "mask", "SA.ComponentMask" },
	{ PMA, "mask", "" },
	{ SA, "lid", "PathRecord.DLID PathRecord.SLID" },
	{ PMA, "port", "PortCounters.PortSelect" },
	{ PMA, "block", "" },
	{ SMA, "block", "" },
	{ CM, "guid", "ConnectReply.LocalCAGUID" },
};

static void test_kind(const void *data)
{
	const struct kind_row *row = data;
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) fields = g_string_new(NULL);
	g_autoptr(GList) keys = NULL;
	struct chance chance;
	struct lie lie;
	char message[256];
	uint8_t mad[MAD_SIZE];

	chance_init(&chance, 1, "lie");
	g_assert_cmpint(lie_parse(row->kind, &lie, message, sizeof(message)), ==, 0);
	make(row->answer, mad);
	g_assert_cmpint(lie_fits(&lie, mad), ==, *row->fields != '\0');
	for (unsigned int i = 0; i < DRAWS && *row->fields; i++) {
		g_autofree char *said = NULL;

		make(row->answer, mad);
		said = tell(row->kind, mad, &chance);
		g_hash_table_add(seen, g_strndup(said + strlen("lie "),
						 strcspn(said + strlen("lie "), " ")));
	}
	keys = g_list_sort(g_hash_table_get_keys(seen), (GCompareFunc)strcmp);
	for (GList *key = keys; key; key = key->next)
		g_string_append_printf(fields, "%s%s", fields->len ? " " : "", (char *)key->data);
	g_assert_cmpstr(fields->str, ==, row->fields);
}

/* Any octet of a table's block. */
static void test_block(void)
{
	struct chance chance;
	unsigned int first = 64, last = 0;

	chance_init(&chance, 1, "lie");
	for (unsigned int i = 0; i < DRAWS * 4; i++) {
		uint8_t before[MAD_SIZE], mad[MAD_SIZE];
		g_autofree char *said = NULL;
		unsigned int at = 0;

		make(SMA_TABLE, before);
		memcpy(mad, before, MAD_SIZE);
		said = tell("block", mad, &chance);
		g_assert_true(g_str_has_prefix(said, "lie LinearForwardingTable.LinearForwTbl["));
		while (mad[SMP_DATA + at] == 0)
			at++;
		mad[SMP_DATA + at] = 0;
		g_assert_cmpmem(mad, MAD_SIZE, before, MAD_SIZE);
		first = MIN(first, at);
		last = MAX(last, at);
	}
	g_assert_cmpuint(first, ==, 0);
	g_assert_cmpuint(last, ==, 63);
}

/* ---- any ---- */

static bool is_needed(const uint8_t *mad, unsigned int byte)
{
	if (byte < MAD_STATUS || (byte >= MAD_TID && byte < MAD_TID + 8))
		return true;
	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		return mad_class_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_FLAGS] &&
		       byte >= RMPP_VERSION && byte < RMPP_END;
	return byte == SMP_HOP_PTR || byte == SMP_HOP_CNT ||
	       (byte >= SMP_DR_SLID && byte < SMP_DR_SLID + 4) || byte >= SMP_RETURN_PATH;
}

/* Whatever is drawn: something changes, nothing that is needed, and what it says is so. */
static void test_any(void)
{
	struct chance chance;

	chance_init(&chance, 1, "lie");
	for (unsigned int i = 0; i < DRAWS * ANSWERS; i++) {
		uint8_t before[MAD_SIZE], mad[MAD_SIZE];
		g_autofree char *said = NULL;
		unsigned int first = MAD_SIZE, last = 0;

		make((enum answer)(i % ANSWERS), before);
		memcpy(mad, before, MAD_SIZE);
		said = tell("any", mad, &chance);
		for (unsigned int at = 0; at < MAD_SIZE; at++) {
			if (mad[at] == before[at])
				continue;
			if (is_needed(before, at))
				g_error("%s: byte %u", said, at);
			first = MIN(first, at);
			last = at;
		}
		g_assert_cmpuint(first, <=, last);
		g_assert_cmpuint(last - first, <, 8);
		if (before[MAD_CLASS] == MAD_CLASS_SUBN_DR)
			g_assert_true(mad[MAD_STATUS] & 0x80);
		g_assert_nonnull(strstr(said, " -> "));
	}
}

/* The same stream, the same lies. */
static void test_same(void)
{
	g_autofree char *first = NULL;

	for (unsigned int round = 0; round < 2; round++) {
		g_autoptr(GString) all = g_string_new(NULL);
		struct chance chance;

		chance_init(&chance, 5, "lie");
		for (unsigned int i = 0; i < DRAWS; i++) {
			uint8_t mad[MAD_SIZE];
			g_autofree char *said = NULL;

			make((enum answer)(i % ANSWERS), mad);
			said = tell("any", mad, &chance);
			g_string_append(all, said);
		}
		if (first)
			g_assert_cmpstr(all->str, ==, first);
		g_free(first);
		first = g_strdup(all->str);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/lie/told/%zu %s", i, rows[i].text);

		g_test_add_data_func(path, &rows[i], test_told);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autofree char *path = g_strdup_printf("/lie/kind/%zu %s", i, kinds[i].kind);

		g_test_add_data_func(path, &kinds[i], test_kind);
	}
	g_test_add_func("/lie/records", test_records);
	g_test_add_func("/lie/last segment", test_last);
	g_test_add_func("/lie/block", test_block);
	g_test_add_func("/lie/any", test_any);
	g_test_add_func("/lie/same", test_same);
	return leak_end(g_test_run());
}
