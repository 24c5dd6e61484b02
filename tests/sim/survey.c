/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Surveys: what MADs say of a fabric. A row is a list of MADs (given) and the fabric that they show
 * (then), with what they do not say; tests/stock/survey.sh has whole sweeps.
 */
#include "config.h"

#include <string.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/survey/survey.h"
#include "tests/rig/topology-dump.h"

enum { MADS_MAX = 16, GAPS_MAX = 6, ROUTE_MAX = 4 };

enum what {
	END,
	NODE_INFO,
	DESCRIPTION,
	SWITCH_INFO,
	PORT_INFO,
	FDR10,
	NODE_RECORD,
	PORT_INFO_RECORD,
	LINK_RECORD,
};

/* One answer, and its request before it unless 'unasked'. */
struct said {
	enum what what;
	uint8_t route[ROUTE_MAX];	/* hops up to a 0; none: by LID */
	uint16_t lid;			/* that answers, or that a record is about */
	unsigned int kind;		/* NodeInfo */
	unsigned int ports;
	uint64_t guid;
	unsigned int local_port;
	unsigned int num;		/* PortInfo, FDR10: of this port */
	unsigned int state;
	unsigned int own_lid;
	unsigned int lmc;
	unsigned int to_lid, to_port;	/* LinkRecord */
	const char *text;
	unsigned int interface;		/* of the request; 0: the capture has no names */
	bool unasked;
	bool foreign;			/* the request came to the captured port */
	bool wrong_crc;
	uint16_t status;
};

static void set(uint8_t *data, uint16_t attribute, const char *name, uint64_t value)
{
	mad_field_set(mad_field_must(MAD_CLASS_SUBN_LID, attribute, name), data, value);
}

static void put_node_info(uint8_t *data, const struct said *said)
{
	set(data, 0x11, "NodeType", said->kind);
	set(data, 0x11, "NumPorts", said->ports);
	set(data, 0x11, "Guid", said->guid);
	set(data, 0x11, "SystemGuid", said->guid);
	set(data, 0x11, "PortGuid", said->kind == 2 ? said->guid : said->guid + said->local_port);
	set(data, 0x11, "LocalPort", said->local_port);
}

static void put_port_info(uint8_t *data, const struct said *said)
{
	set(data, 0x15, "LinkState", said->state);
	set(data, 0x15, "LocalPort", said->local_port);
	set(data, 0x15, "Lid", said->own_lid);
	set(data, 0x15, "LMC", said->lmc);
	set(data, 0x15, "LinkWidthActive", 2);
	set(data, 0x15, "LinkSpeedActive", 4);
}

static void put_smp(uint8_t *mad, const struct said *said)
{
	uint8_t *data = mad + SMP_DATA;

	put_be32(mad + MAD_ATTR_MOD, said->num);
	switch (said->what) {
	case NODE_INFO:
		put_be16(mad + MAD_ATTR_ID, 0x11);
		put_node_info(data, said);
		break;
	case DESCRIPTION:
		put_be16(mad + MAD_ATTR_ID, 0x10);
		memcpy(data, said->text, strlen(said->text));
		break;
	case SWITCH_INFO:
		put_be16(mad + MAD_ATTR_ID, 0x12);
		set(data, 0x12, "EnhancedPort0", 1);
		break;
	case PORT_INFO:
		put_be16(mad + MAD_ATTR_ID, 0x15);
		put_port_info(data, said);
		break;
	case FDR10:
		put_be16(mad + MAD_ATTR_ID, 0xff90);
		data[15] = 1;
		break;
	case END:
	case NODE_RECORD:
	case PORT_INFO_RECORD:
	case LINK_RECORD:
		break;
	}
}

static void put_record(uint8_t *mad, const struct said *said)
{
	uint8_t *record = mad + SA_DATA;

	put_be16(record, said->lid);
	switch (said->what) {
	case NODE_RECORD:
		put_be16(mad + MAD_ATTR_ID, 0x11);
		put_node_info(record + 4, said);
		memcpy(record + 44, said->text, strlen(said->text));
		break;
	case PORT_INFO_RECORD:
		put_be16(mad + MAD_ATTR_ID, 0x12);
		record[2] = (uint8_t)said->num;
		put_port_info(record + 4, said);
		break;
	case LINK_RECORD:
		put_be16(mad + MAD_ATTR_ID, 0x20);
		record[2] = (uint8_t)said->num;
		record[3] = (uint8_t)said->to_port;
		put_be16(record + 4, (uint16_t)said->to_lid);
		break;
	case END:
	case NODE_INFO:
	case DESCRIPTION:
	case SWITCH_INFO:
	case PORT_INFO:
	case FDR10:
		break;
	}
}

static bool is_record(const struct said *said)
{
	return said->what >= NODE_RECORD;
}

static void put_route(struct capture_mad *mad, const struct said *said, bool answers)
{
	uint8_t hops = 0;

	while (said->route[hops]) {
		mad->mad[SMP_INITIAL_PATH + 1 + hops] = said->route[hops];
		hops++;
	}
	mad->mad[SMP_HOP_CNT] = hops;
	mad->mad[SMP_HOP_PTR] = said->foreign ? hops : 1;
	put_be32(mad->mad + SMP_DR_SLID, UINT32_MAX);
	mad->addr.slid = mad->addr.dlid = LID_PERMISSIVE;
	if (answers)
		put_be16(mad->mad + MAD_STATUS, said->status | SMP_DIRECTION);
}

static void fill(const struct said *said, uint64_t tid, bool answers, struct capture_mad *mad)
{
	bool directed = said->route[0] && !is_record(said);

	memset(mad, 0, sizeof(*mad));
	mad->mad[MAD_BASE_VERSION] = 1;
	mad->mad[MAD_CLASS] = is_record(said) ? MAD_CLASS_SUBN_ADM :
			      directed ? MAD_CLASS_SUBN_DR : MAD_CLASS_SUBN_LID;
	mad->mad[MAD_METHOD] = answers ? MAD_METHOD_GET_RESP : MAD_METHOD_GET;
	put_be64(mad->mad + MAD_TID, tid);
	put_be16(mad->mad + MAD_STATUS, answers ? said->status : 0);
	mad->addr.slid = is_record(said) ? 1 : said->lid;
	if (said->interface) {
		mad->interface = answers ? 99 : said->interface;
		mad->interface_name = (char *)(answers ? "S[0]" : "H[1]");
		mad->direction = CAPTURE_OUTBOUND;
	}
	mad->icrc_wrong = answers && said->wrong_crc;
	if (is_record(said))
		put_record(mad->mad, said);
	else
		put_smp(mad->mad, said);
	if (directed)
		put_route(mad, said, answers);
}

static void tell(struct survey *survey, const struct said *said, uint64_t tid)
{
	struct capture_mad mad;

	fill(said, tid, false, &mad);
	if (!said->unasked)
		survey_take(survey, &mad, NULL);
	fill(said, tid, true, &mad);
	survey_take(survey, &mad, NULL);
}

#define SWITCH(...) { .what = NODE_INFO, .kind = 2, __VA_ARGS__ }
#define CA(...) { .what = NODE_INFO, .kind = 1, __VA_ARGS__ }
#define ASKER "ca H-0000000000100000/1 100000"

static const struct row {
	const char *name;
	struct said said[MADS_MAX];
	const char *fabric;		/* NULL: none */
	const char *gaps[GAPS_MAX];	/* parts of some of them, in order */
} rows[] = {
	{ "nothing", { { .what = END } }, NULL, { NULL } },
	{ "no node", { { DESCRIPTION, { 1 }, .text = "x" } }, NULL,
	  { "that answered along a directed route: NodeInfo was not asked" } },
	{ "a switch and two adapters",
	  { SWITCH(.route = { 1 }, .ports = 8, .guid = 0xa1, .local_port = 3),
	    { DESCRIPTION, { 1 }, .text = "leaf \"1\"\nx" }, { SWITCH_INFO, .route = { 1 } },
	    { PORT_INFO, { 1 }, .state = 4, .own_lid = 7 },
	    { PORT_INFO, { 1 }, .num = 3, .state = 4, .local_port = 3 },
	    { PORT_INFO, { 1 }, .num = 5, .state = 4, .local_port = 3 }, { FDR10, { 1 }, .num = 5 },
	    { PORT_INFO, { 1 }, .num = 6, .state = 2, .local_port = 3 },
	    CA(.route = { 1, 5 }, .ports = 2, .guid = 0xc0, .local_port = 2),
	    { PORT_INFO, { 1, 5 }, .local_port = 2, .state = 4, .own_lid = 12, .lmc = 2 } },
	  ASKER ": 1>S-00000000000000a1.3@4xQDR(100001)\n"
	  "switch S-00000000000000a1/8 a1 'leaf \"1\" x' enhanced ids 0,0,a1 lid 7:"
	  " 3>H-0000000000100000.1@4xQDR 5>H-00000000000000c0.2@4xFDR10\n"
	  "ca H-00000000000000c0/2 c0 ids 0,0,c0: 2>S-00000000000000a1.5@4xQDR(c2)=12+2\n",
	  { "its LID and its device ID are not known",
	    "PortInfo was not asked for of ports 1-2, 4, 7-8",
	    "\"S-00000000000000a1\"[6] has a link; what is at its other end",
	    "\"H-00000000000000c0\": NodeDescription", "of port 1" } },
	{ "a cable is moved, without a word from its old port",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 1),
	    CA(.route = { 1, 2 }, .ports = 1, .guid = 0xc0, .local_port = 1),
	    CA(.route = { 1, 3 }, .ports = 1, .guid = 0xc0, .local_port = 1) },
	  ASKER ": 1>S-00000000000000a1.1(100001)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-0000000000100000.1"
	  " 3>H-00000000000000c0.1\n"
	  "ca H-00000000000000c0/1 c0 ids 0,0,c0: 1>S-00000000000000a1.3(c1)\n", { NULL } },
	{ "a port goes down, and what was behind it is gone",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 1),
	    SWITCH(.route = { 1, 2 }, .ports = 4, .guid = 0xa2, .local_port = 1),
	    CA(.route = { 1, 2, 4 }, .ports = 1, .guid = 0xc0, .local_port = 1),
	    { PORT_INFO, { 1 }, .num = 2, .state = 1 } },
	  ASKER ": 1>S-00000000000000a1.1(100001)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-0000000000100000.1\n",
	  { "GUID 0xa2 could not be reached", "GUID 0xc0 could not be reached" } },
	{ "another node at the same place",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 1),
	    CA(.route = { 1, 2 }, .ports = 1, .guid = 0xc0, .local_port = 1),
	    CA(.route = { 1, 2 }, .ports = 1, .guid = 0xd0, .local_port = 1),
	    { DESCRIPTION, { 1, 2 }, .text = "new" } },
	  ASKER ": 1>S-00000000000000a1.1(100001)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-0000000000100000.1"
	  " 2>H-00000000000000d0.1\n"
	  "ca H-00000000000000d0/1 d0 'new' ids 0,0,d0: 1>S-00000000000000a1.2(d1)\n",
	  { "GUID 0xc0 could not be reached" } },
	{ "who asked is found behind the switch",
	  { SWITCH(.route = { 2 }, .ports = 4, .guid = 0xa1, .local_port = 1),
	    CA(.route = { 2, 1 }, .ports = 2, .guid = 0xc0, .local_port = 2) },
	  "ca H-00000000000000c0/2 c0 ids 0,0,c0: 2>S-00000000000000a1.1(c2)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-00000000000000c0.2\n", { NULL } },
	{ "an SM elsewhere asks the captured node itself",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 3),
	    CA(.route = { 5, 3 }, .ports = 1, .guid = 0xc0, .local_port = 1, .foreign = true),
	    { DESCRIPTION, { 5, 3 }, .text = "me", .foreign = true } },
	  "ca H-00000000000000c0/1 c0 'me' ids 0,0,c0: 1>S-00000000000000a1.3(c1)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 3>H-00000000000000c0.1\n", { NULL } },
	{ "two who ask, with the same TIDs",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 1, .interface = 1),
	    SWITCH(.route = { 2 }, .ports = 4, .guid = 0xa1, .local_port = 3, .interface = 2),
	    CA(.route = { 1, 3 }, .ports = 2, .guid = 0xc0, .local_port = 2, .interface = 1),
	    CA(.route = { 2, 1 }, .ports = 1, .guid = 0xd0, .local_port = 1, .interface = 2),
	    CA(.route = { 1, 4 }, .ports = 1, .guid = 0xe0, .local_port = 1, .interface = 1,
	       .unasked = true) },
	  "ca H-00000000000000d0/1 d0 ids 0,0,d0: 1>S-00000000000000a1.1(d1)\n"
	  "ca H-00000000000000c0/2 c0 ids 0,0,c0: 2>S-00000000000000a1.3(c2)\n"
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-00000000000000d0.1"
	  " 3>H-00000000000000c0.2\n",
	  { "1 answers came along routes of which no request" } },
	{ "one who asks, and requests are missing",
	  { SWITCH(.route = { 1 }, .ports = 4, .guid = 0xa1, .local_port = 1, .unasked = true),
	    CA(.route = { 1, 2 }, .ports = 1, .guid = 0xc0, .local_port = 1, .unasked = true) },
	  "switch S-00000000000000a1/4 a1 ids 0,0,a1: 2>H-00000000000000c0.1\n"
	  "ca H-00000000000000c0/1 c0 ids 0,0,c0: 1>S-00000000000000a1.2(c1)\n", { NULL } },
	{ "by LID",
	  { { PORT_INFO, .lid = 5, .num = 1, .state = 4, .own_lid = 5 },
	    { DESCRIPTION, .lid = 5, .text = "five" },
	    CA(.lid = 5, .ports = 1, .guid = 0xc0, .local_port = 1),
	    { PORT_INFO, .lid = 6, .num = 1, .state = 4, .own_lid = 4, .lmc = 2 },
	    CA(.lid = 9, .ports = 1, .guid = 0xd0, .local_port = 1),
	    { PORT_INFO, .lid = 9, .num = 1, .state = 4, .own_lid = 8, .lmc = 1 },
	    CA(.lid = 9, .ports = 1, .guid = 0xd0, .local_port = 1) },
	  "ca H-00000000000000c0/1 c0 'five' ids 0,0,c0: 1(c1)=5\n"
	  "ca H-00000000000000d0/1 d0 ids 0,0,d0: 1(d1)=8+1\n",
	  { "LID 6: no NodeInfo" } },
	{ "a LID that another port gets",
	  { CA(.lid = 5, .ports = 1, .guid = 0xc0, .local_port = 1),
	    CA(.lid = 6, .ports = 1, .guid = 0xd0, .local_port = 1),
	    CA(.lid = 5, .ports = 1, .guid = 0xd0, .local_port = 1) },
	  "ca H-00000000000000c0/1 c0 ids 0,0,c0: 1(c1)\n"
	  "ca H-00000000000000d0/1 d0 ids 0,0,d0: 1(d1)=5\n", { NULL } },
	{ "records, links before nodes",
	  { { LINK_RECORD, .lid = 3, .num = 4, .to_lid = 5, .to_port = 1 },
	    { PORT_INFO_RECORD, .lid = 3, .num = 4, .state = 4 },
	    { NODE_RECORD, .lid = 5, .kind = 1, .ports = 1, .guid = 0xc0, .local_port = 1,
	      .text = "five" },
	    { NODE_RECORD, .lid = 3, .kind = 2, .ports = 4, .guid = 0xa1, .text = "three" },
	    { LINK_RECORD, .lid = 3, .num = 2, .to_lid = 8, .to_port = 1 } },
	  "switch S-00000000000000a1/4 a1 'three' ids 0,0,a1 lid 3:"
	  " 4>H-00000000000000c0.1@4xQDR\n"
	  "ca H-00000000000000c0/1 c0 'five' ids 0,0,c0: 1>S-00000000000000a1.4@4xQDR(c1)=5\n",
	  { "LID 8: no NodeInfo", "port 2 of 0xa1 leads to" } },
	{ "what cannot be used",
	  { CA(.route = { 1 }, .ports = 1, .guid = 0, .local_port = 1),
	    CA(.route = { 1 }, .ports = 0, .guid = 0xc0, .local_port = 1),
	    { NODE_INFO, { 1 }, .kind = 7, .ports = 1, .guid = 0xc0, .local_port = 1 },
	    CA(.route = { 1 }, .ports = 1, .guid = 0xc0, .local_port = 1, .wrong_crc = true),
	    CA(.route = { 1 }, .ports = 1, .guid = 0xc0, .local_port = 1,
	       .status = MAD_STATUS_BAD_FIELD),
	    CA(.route = { 1 }, .ports = 1, .guid = 0xd0, .local_port = 1) },
	  ASKER ": 1>H-00000000000000d0.1(100001)\n"
	  "ca H-00000000000000d0/1 d0 ids 0,0,d0: 1>H-0000000000100000.1(d1)\n",
	  { "1 MADs have a wrong CRC", "3 NodeInfos have GUID 0" } },
	{ "a GUID like one that is made up",
	  { CA(.route = { 1 }, .ports = 1, .guid = 0x100000, .local_port = 1) },
	  "ca H-00000000001000ff/1 1000ff: 1>H-0000000000100000.1(100100)\n"
	  "ca H-0000000000100000/1 100000 ids 0,0,100000: 1>H-00000000001000ff.1(100001)\n",
	  { NULL } },
	{ "a switch that asks for itself",
	  { CA(.route = { 30 }, .ports = 1, .guid = 0xc0, .local_port = 1),
	    CA(.route = { 4 }, .ports = 1, .guid = 0xd0, .local_port = 1) },
	  "switch S-0000000000100000/30 100000: 4>H-00000000000000d0.1 30>H-00000000000000c0.1\n"
	  "ca H-00000000000000c0/1 c0 ids 0,0,c0: 1>S-0000000000100000.30(c1)\n"
	  "ca H-00000000000000d0/1 d0 ids 0,0,d0: 1>S-0000000000100000.4(d1)\n", { NULL } },
};

static void check_gaps(const struct row *row, const GPtrArray *gaps)
{
	guint at = 0;

	for (size_t i = 0; i < GAPS_MAX && row->gaps[i]; i++) {
		while (at < gaps->len && !strstr(gaps->pdata[at], row->gaps[i]))
			at++;
		if (at < gaps->len)
			continue;
		g_test_message("nothing says '%s'", row->gaps[i]);
		for (guint k = 0; k < gaps->len; k++)
			g_test_message("said: %s", (char *)gaps->pdata[k]);
		g_test_fail();
		return;
	}
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct survey *survey = survey_new();
	GPtrArray *gaps = g_ptr_array_new_with_free_func(g_free);
	struct topology *topology;

	for (size_t i = 0; i < MADS_MAX && row->said[i].what != END; i++)
		tell(survey, &row->said[i], i);
	topology = survey_topology(survey, "given", gaps);
	if (topology) {
		g_autofree char *got = topology_dump(topology);

		g_assert_cmpstr(got, ==, row->fabric);
	} else {
		g_assert_null(row->fabric);
	}
	check_gaps(row, gaps);
	topology_free(topology);
	g_ptr_array_unref(gaps);
	survey_free(survey);
}

/* NodeRecords of 5 nodes in 3 segments, 108 bytes and 4 of padding each. */
static void put_segment(struct capture_mad *mad, uint32_t number, bool last)
{
	uint8_t bytes[5 * 112 + 40] = { 0 };

	for (unsigned int i = 0; i < 5; i++) {
		const struct said said = { NODE_RECORD, .kind = 1, .ports = 1,
					   .guid = 0xc0 + 16 * i, .local_port = 1 };

		put_be16(bytes + 112 * i, (uint16_t)(10 + i));
		put_node_info(bytes + 112 * i + 4, &said);
		bytes[112 * i + 44] = (uint8_t)('a' + i);
	}
	memset(mad, 0, sizeof(*mad));
	mad->addr.slid = 1;
	mad->mad[MAD_BASE_VERSION] = 1;
	mad->mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad->mad[MAD_METHOD] = MAD_METHOD_GET_TABLE | MAD_METHOD_RESPONSE;
	put_be64(mad->mad + MAD_TID, 1);
	put_be16(mad->mad + MAD_ATTR_ID, 0x11);
	mad->mad[RMPP_VERSION] = 1;
	mad->mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad->mad[RMPP_FLAGS] = (uint8_t)(RMPP_FLAG_ACTIVE | (number == 1 ? RMPP_FLAG_FIRST : 0) |
					 (last ? RMPP_FLAG_LAST : 0));
	put_be32(mad->mad + RMPP_SEGMENT, number);
	put_be32(mad->mad + RMPP_PAYLEN_NEWWIN, last ? 5 * 112 - 400 + 20 : 0);
	put_be16(mad->mad + SA_ATTR_OFFSET, 112 / 8);
	memcpy(mad->mad + SA_DATA, bytes + 200 * (number - 1), 200);
}

/* The comment of an interface says what the port is that asks; what is asked later counts more. */
static void test_identity(void)
{
	static const struct said said[] = {
		SWITCH(.route = { 2 }, .ports = 4, .guid = 0xa1, .local_port = 3, .interface = 1),
		CA(.route = { 2, 1 }, .ports = 1, .guid = 0xc0, .local_port = 1, .interface = 1),
	};
	static const struct capture_interface interface = { "H[2]", "asker",
		"NodeType 1, NumPorts 2, SystemGuid 0x0000000000000d00, Guid 0x0000000000000d01, "
		"PortGuid 0x0000000000000d03, DevId 4123, Revision 1, LocalPort 2, VendorId 713, "
		"Lid 8, LMC 1" };
	struct survey *survey = survey_new();
	g_autoptr(GPtrArray) gaps = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *got = NULL;
	struct topology *topology;
	bool listed = false;

	for (size_t i = 0; i < G_N_ELEMENTS(said); i++) {
		struct capture_mad mad;

		fill(&said[i], i, false, &mad);
		survey_take(survey, &mad, &interface);
		fill(&said[i], i, true, &mad);
		survey_take(survey, &mad, NULL);
	}
	topology = survey_topology(survey, "given", gaps);
	got = topology_dump(topology);
	g_assert_cmpstr(got, ==,
			"ca H-0000000000000d01/2 d01 'asker' ids 2c9,101b,d00:"
			" 2>S-00000000000000a1.3(d03)=8+1\n"
			"switch S-00000000000000a1/4 a1 ids 0,0,a1: 1>H-00000000000000c0.1"
			" 3>H-0000000000000d01.2\n"
			"ca H-00000000000000c0/1 c0 ids 0,0,c0: 1>S-00000000000000a1.1(c1)\n");
	/* The comment has LID and device ID; speed and state of the port are nowhere. */
	for (guint i = 0; i < gaps->len; i++) {
		listed |= g_str_equal(gaps->pdata[i], "\"H-0000000000000d01\": PortInfo was not "
				      "asked for of ports 1-2");
		g_assert_null(strstr(gaps->pdata[i], "made up"));
	}
	g_assert_true(listed);
	topology_free(topology);
	survey_free(survey);
}

static unsigned int count_nodes(const char *order, GPtrArray *gaps)
{
	struct survey *survey = survey_new();
	struct topology *topology;
	unsigned int count;

	for (; *order; order++) {
		struct capture_mad mad;

		put_segment(&mad, (uint32_t)(*order - '0'), *order == '3');
		survey_take(survey, &mad, NULL);
	}
	topology = survey_topology(survey, "given", gaps);
	count = topology ? topology->nodes->len : 0;
	topology_free(topology);
	survey_free(survey);
	return count;
}

static void test_segments(void)
{
	static const struct {
		const char *order;
		unsigned int nodes;
		bool incomplete;
	} orders[] = {
		{ "123", 5, false }, { "321", 5, false }, { "1123233", 5, false },
		{ "12", 3, true }, { "13", 1, true }, { "23", 0, true }, { "1231", 5, true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		GPtrArray *gaps = g_ptr_array_new_with_free_func(g_free);
		bool incomplete = false;

		g_test_message("%s", orders[i].order);
		g_assert_cmpuint(count_nodes(orders[i].order, gaps), ==, orders[i].nodes);
		for (guint k = 0; k < gaps->len; k++)
			incomplete |= strstr(gaps->pdata[k], "lack segments") != NULL;
		g_assert_cmpint(incomplete, ==, orders[i].incomplete);
		g_ptr_array_unref(gaps);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/survey/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/survey/segments", test_segments);
	g_test_add_func("/survey/identity", test_identity);
	return g_test_run();
}
