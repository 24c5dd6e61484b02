/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Directed-route SMPs in kmod-stub: hop pointers and paths, and what never leaves the node. Rows
 * name the statements of doc/linux-mad.md that they show.
 */
#include <errno.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"
#include "kmod-stub/smi.h"

enum {
	ATTR_NODE_INFO = 0x0011,	/* the driver answers */
	ATTR_SM_INFO = 0x0020,		/* the driver does not take it */
	ATTR_EATEN = 0xff01,		/* the driver consumes it */
	ATTR_FAILED = 0xff02,		/* the driver fails it */
	ATTR_ODD = 0xff03,		/* the driver's reply is a request */
};

static const struct rig_registration dr_client = { .mgmt_class = MAD_CLASS_SUBN_DR,
						   .class_version = 1 };
static const struct rig_registration dr_server = { .mgmt_class = MAD_CLASS_SUBN_DR,
						   .class_version = 1, .methods = RIG_GET };

/* ---- the hop pointer ---- */

enum { OUT, BACK };
enum { CA, SWITCH };
enum { DIRECTED = LID_PERMISSIVE, ROUTED = 5 };

/* The port is number 1 of a CA, or any of the 8 of a switch; each path entry is 'entry'. */
struct hop_row {
	const char *why;
	int node;
	int direction;
	uint8_t hop_cnt, hop_ptr;
	uint8_t entry;
	uint16_t dr_slid, dr_dlid;
	bool keep;
	uint8_t hop_ptr_after;
};

static void hop_smp(const struct hop_row *row, uint8_t smp[MAD_SIZE])
{
	rig_mad_bytes(&(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR }, smp);
	put_be16(smp + MAD_STATUS, row->direction == BACK ? SMP_DIRECTION : 0);
	smp[SMP_HOP_PTR] = row->hop_ptr;
	smp[SMP_HOP_CNT] = row->hop_cnt;
	put_be16(smp + SMP_DR_SLID, row->dr_slid);
	put_be16(smp + SMP_DR_DLID, row->dr_dlid);
	memset(smp + SMP_INITIAL_PATH, row->entry, SMP_PATH_SIZE);
	memset(smp + SMP_RETURN_PATH, row->entry, SMP_PATH_SIZE);
}

static struct kmod_port_attr hop_attr(const struct hop_row *row)
{
	return (struct kmod_port_attr){
		.has_smi = true,
		.is_switch = row->node == SWITCH,
		.port_num = row->node == SWITCH ? 0 : 1,
		.port_count = row->node == SWITCH ? 8 : 1,
	};
}

static void test_send_hops(void)
{
	static const struct hop_row rows[] = {
		{ "64 hops", CA, OUT, 64, 0, 1, DIRECTED, DIRECTED, false, 0 },
		{ "63 hops", CA, OUT, 63, 0, 1, DIRECTED, DIRECTED, true, 1 },
		{ "first hop", CA, OUT, 1, 0, 1, DIRECTED, DIRECTED, true, 1 },
		{ "first hop by another port", CA, OUT, 1, 0, 2, DIRECTED, DIRECTED, false, 1 },
		{ "first hop by any port", SWITCH, OUT, 1, 0, 8, DIRECTED, DIRECTED, true, 1 },
		{ "first hop by no port", SWITCH, OUT, 1, 0, 9, DIRECTED, DIRECTED, false, 1 },
		{ "first hop by port 0", SWITCH, OUT, 1, 0, 0, DIRECTED, DIRECTED, false, 1 },
		{ "in the middle", CA, OUT, 3, 1, 1, DIRECTED, DIRECTED, false, 1 },
		{ "in the middle", SWITCH, OUT, 3, 1, 1, DIRECTED, DIRECTED, true, 2 },
		{ "to itself", CA, OUT, 0, 0, 1, DIRECTED, DIRECTED, true, 1 },
		{ "to itself, then by LID", CA, OUT, 0, 0, 1, DIRECTED, ROUTED, false, 1 },
		{ "to itself, then by LID", SWITCH, OUT, 0, 0, 1, DIRECTED, ROUTED, true, 1 },
		{ "behind the end", CA, OUT, 1, 2, 1, DIRECTED, DIRECTED, true, 2 },
		{ "far behind the end", CA, OUT, 2, 5, 1, DIRECTED, DIRECTED, false, 5 },
		{ "start back", CA, BACK, 1, 2, 1, DIRECTED, DIRECTED, true, 1 },
		{ "start back by another port", CA, BACK, 1, 2, 2, DIRECTED, DIRECTED, false, 1 },
		{ "start a long way back", CA, BACK, 3, 4, 1, DIRECTED, DIRECTED, true, 3 },
		{ "on the way back", CA, BACK, 3, 2, 1, DIRECTED, DIRECTED, false, 2 },
		{ "on the way back", SWITCH, BACK, 3, 2, 1, DIRECTED, DIRECTED, true, 1 },
		{ "back at the start", CA, BACK, 1, 1, 1, DIRECTED, DIRECTED, true, 0 },
		{ "back at the start, then by LID", CA, BACK, 1, 1, 1, ROUTED, DIRECTED, false, 0 },
		{ "back at the start, then by LID", SWITCH, BACK, 1, 1, 1, ROUTED, DIRECTED, true,
		  0 },
		{ "back", CA, BACK, 1, 0, 1, DIRECTED, DIRECTED, true, 0 },
		{ "never there", CA, BACK, 1, 7, 1, DIRECTED, DIRECTED, false, 7 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct kmod_port_attr attr = hop_attr(&rows[i]);
		uint8_t smp[MAD_SIZE];

		g_test_message("%zu: %s", i, rows[i].why);
		hop_smp(&rows[i], smp);
		g_assert_cmpint(smi_fix_up_send(&attr, smp), ==, rows[i].keep);
		if (rows[i].keep)
			g_assert_cmpuint(smp[SMP_HOP_PTR], ==, rows[i].hop_ptr_after);
	}
}

static void test_receive_hops(void)
{
	static const struct hop_row rows[] = {
		{ "64 hops", CA, OUT, 64, 64, 9, DIRECTED, DIRECTED, false, 0 },
		{ "not begun", CA, OUT, 1, 0, 9, DIRECTED, DIRECTED, false, 0 },
		{ "in the middle", CA, OUT, 2, 1, 9, DIRECTED, DIRECTED, false, 0 },
		{ "in the middle", SWITCH, OUT, 2, 1, 1, DIRECTED, DIRECTED, false, 0 },
		{ "at the end", CA, OUT, 1, 1, 9, DIRECTED, DIRECTED, true, 2 },
		{ "at the end", SWITCH, OUT, 1, 1, 9, DIRECTED, DIRECTED, true, 2 },
		{ "at the end, then by LID", CA, OUT, 1, 1, 9, DIRECTED, ROUTED, false, 0 },
		{ "at the end, then by LID", SWITCH, OUT, 1, 1, 9, DIRECTED, ROUTED, true, 1 },
		{ "no hops", CA, OUT, 0, 0, 9, ROUTED, DIRECTED, true, 1 },
		{ "behind the end", CA, OUT, 1, 2, 9, DIRECTED, DIRECTED, true, 2 },
		{ "far behind the end", CA, OUT, 1, 3, 9, DIRECTED, DIRECTED, false, 0 },
		{ "back by LID", CA, BACK, 1, 2, 1, DIRECTED, DIRECTED, true, 1 },
		{ "back by LID, not by this port", CA, BACK, 1, 2, 2, DIRECTED, DIRECTED, false,
		  0 },
		{ "back by LID, and on by LID", CA, BACK, 1, 2, 1, ROUTED, DIRECTED, false, 0 },
		{ "back by LID, a long way to go", CA, BACK, 3, 4, 1, DIRECTED, DIRECTED, true, 3 },
		{ "back by LID, a long way to go", SWITCH, BACK, 3, 4, 1, DIRECTED, DIRECTED, false,
		  0 },
		{ "on the way back", CA, BACK, 3, 2, 1, DIRECTED, DIRECTED, false, 0 },
		{ "back at the start", CA, BACK, 1, 1, 1, DIRECTED, DIRECTED, true, 0 },
		{ "back at the start, then by LID", CA, BACK, 1, 1, 1, ROUTED, DIRECTED, false, 0 },
		{ "back", CA, BACK, 1, 0, 1, DIRECTED, DIRECTED, true, 0 },
		{ "never there", CA, BACK, 1, 5, 1, DIRECTED, DIRECTED, false, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct kmod_port_attr attr = hop_attr(&rows[i]);
		uint8_t smp[MAD_SIZE], path[SMP_PATH_SIZE];

		g_test_message("%zu: %s", i, rows[i].why);
		hop_smp(&rows[i], smp);
		memcpy(path, smp + SMP_RETURN_PATH, sizeof(path));
		/* A CA enters its port at the end of the path; on a switch the wire has done so. */
		if (rows[i].direction == OUT && rows[i].node == CA && rows[i].keep &&
		    rows[i].hop_cnt > 0 && rows[i].hop_ptr == rows[i].hop_cnt)
			path[rows[i].hop_ptr] = 1;
		g_assert_cmpint(smi_fix_up_receive(&attr, true, smp), ==, rows[i].keep);
		if (!rows[i].keep)
			continue;
		g_assert_cmpuint(smp[SMP_HOP_PTR], ==, rows[i].hop_ptr_after);
		g_assert_cmpmem(smp + SMP_RETURN_PATH, sizeof(path), path, sizeof(path));
	}
}

/* ---- through the port ---- */

static uint8_t driver_saw[MAD_SIZE];

/* A driver that answers NodeInfo: the direction bit set, everything else as it came. */
static unsigned int driver(const uint8_t *in, uint8_t *out)
{
	memcpy(driver_saw, in, MAD_SIZE);
	if (mad_is_response(in))
		return KMOD_MAD_SUCCESS;
	switch (get_be16(in + MAD_ATTR_ID)) {
	case ATTR_NODE_INFO:
		memcpy(out, in, MAD_SIZE);
		out[MAD_METHOD] = MAD_METHOD_GET_RESP;
		put_be16(out + MAD_STATUS, SMP_DIRECTION);
		return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
	case ATTR_ODD:
		memcpy(out, in, MAD_SIZE);
		return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
	case ATTR_EATEN:
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	case ATTR_FAILED:
		return KMOD_MAD_FAILURE;
	default:
		return KMOD_MAD_SUCCESS;
	}
}

struct smp_words {
	uint16_t attr_id;
	uint8_t hop_cnt, hop_ptr;
	uint8_t first_port;	/* initial path [1] */
	uint16_t dr_slid;	/* 0: permissive */
};

static long write_smp(struct rig_file *file, const struct smp_words *words,
		      const struct rig_route *route)
{
	uint8_t smp[MAD_SIZE];

	rig_mad_bytes(&(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR, .tid = 1,
					 .attr_id = words->attr_id }, smp);
	smp[SMP_HOP_CNT] = words->hop_cnt;
	smp[SMP_HOP_PTR] = words->hop_ptr;
	put_be16(smp + SMP_DR_SLID, words->dr_slid ? words->dr_slid : LID_PERMISSIVE);
	put_be16(smp + SMP_DR_DLID, LID_PERMISSIVE);
	smp[SMP_INITIAL_PATH + 1] = words->first_port;
	return rig_write_bytes(file, file->agent_id, route, smp, MAD_SIZE);
}

struct statement_row {
	int statement;
	const char *why;
	struct smp_words words;
	struct rig_route route;
	bool deaf;		/* the peer */
	int expected;		/* of write: 0 or -errno */
	const char *happens;
	uint16_t status;	/* of the MAD read, and its hop pointer */
	uint8_t hop_ptr;
	const char *drop;
};

static void check_statement(const struct statement_row *row)
{
	static const struct smp_words eaten = { ATTR_EATEN, 0, 0, 0, 0 };
	g_autofree char *name = g_strdup_printf("statement %d: %s", row->statement, row->why);
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const uint8_t *mad = file->last + RIG_HEADER_SIZE;
	long result;

	g_test_message("%s", name);
	rig->a.driver = driver;
	rig->a.loops = true;
	rig->b.driver = driver;
	rig->b.deaf = row->deaf;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	result = write_smp(file, &row->words, &row->route);
	g_assert_cmpint(MIN(result, 0), ==, row->expected);
	g_assert_cmpstr(strchr(rig->log->str, '<'), ==, NULL);
	rig_run(rig, 2000);
	rig_expect(rig, name, row->happens);
	if (row->drop)
		rig_expect_drop(rig, row->drop);
	g_assert_cmpstr(rig->dropped->str, ==, "");
	/* A report has the hop pointer as it was written. */
	if (file->last_size >= RIG_HEADER_SIZE + MAD_HDR_SIZE) {
		g_assert_cmphex(get_be16(mad + MAD_STATUS), ==, row->status);
		g_assert_cmpuint(mad[SMP_HOP_PTR], ==, row->hop_ptr);
	}
	/* A refused write leaves nothing behind: the same TID may be used again. */
	if (row->expected)
		g_assert_cmpint(write_smp(file, &eaten, &row->route), >, 0);
	rig_free(rig);
}

static void test_statements(void)
{
	static const struct statement_row rows[] = {
		{ 61, "to itself: answered in the same instant, after the write",
		  { ATTR_NODE_INFO, 0, 0, 0, 0 }, { .lid = LID_PERMISSIVE, .timeout_ms = 100 },
		  false, 0, "0:a<1", SMP_DIRECTION, 1, NULL },
		{ 62, "to itself, consumed", { ATTR_EATEN, 0, 0, 0, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100, .retries = 2 }, false, 0, "", 0, 0,
		  NULL },
		{ 62, "to itself, nobody's", { ATTR_SM_INFO, 0, 0, 0, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100, .retries = 2 }, false, 0, "", 0, 0,
		  "to the node itself" },
		{ 62, "to itself, answered with a request", { ATTR_ODD, 0, 0, 0, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100 }, false, 0, "", 0, 0,
		  "to the node itself" },
		{ 63, "to itself, failed", { ATTR_FAILED, 0, 0, 0, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100 }, false, -EINVAL, "", 0, 0, NULL },
		{ 64, "by another port", { ATTR_NODE_INFO, 1, 0, 2, 0 },
		  { .lid = LID_PERMISSIVE }, false, -EINVAL, "", 0, 0, NULL },
		{ 64, "64 hops", { ATTR_NODE_INFO, 64, 0, 1, 0 },
		  { .lid = LID_PERMISSIVE }, false, -EINVAL, "", 0, 0, NULL },
		{ 64, "far behind the end", { ATTR_NODE_INFO, 2, 5, 1, 0 },
		  { .lid = LID_PERMISSIVE }, false, -EINVAL, "", 0, 0, NULL },
		{ 65, "one hop", { ATTR_NODE_INFO, 1, 0, 1, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100 }, false, 0, "0:A>1 1:B>1 2:a<1",
		  SMP_DIRECTION, 0, NULL },
		{ 54, "one hop, nobody's", { ATTR_SM_INFO, 1, 0, 1, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100 }, false, 0, "0:A>1 1:B>1 2:a<1",
		  0x800c, 0, NULL },
		{ 66, "one hop, silence", { ATTR_NODE_INFO, 1, 0, 1, 0 },
		  { .lid = LID_PERMISSIVE, .timeout_ms = 100, .retries = 2 }, true, 0,
		  "0:A>1 100:A>1 200:A>1 300:a!1", 0, 0, NULL },
		{ 67, "no hops, but sent by LID: to the wire, and the answer goes nowhere",
		  { ATTR_NODE_INFO, 0, 0, 0, 1 }, { .lid = 1, .timeout_ms = 100 }, false, 0,
		  "0:A>1 100:a!1", 0, 0, "answer was refused" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		check_statement(&rows[i]);
}

/* Statement 61: the header of a node's SMP to itself. */
static void test_local_header(void)
{
	static const uint8_t expected[RIG_HEADER_SIZE] = { [16] = 0x40, [17] = 1, [28] = 0xff,
							   [29] = 0xff, [56] = 1 };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];

	rig->a.driver = driver;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	rig_header_bytes(file, 0, &(struct rig_route){ .lid = LID_PERMISSIVE }, MAD_CLASS_SUBN_DR,
			 buf);
	buf[56] = 1;	/* the P_Key index comes back as it was sent */
	rig_mad_bytes(&(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR, .tid = 1,
					 .attr_id = ATTR_NODE_INFO }, buf + RIG_HEADER_SIZE);
	put_be16(buf + RIG_HEADER_SIZE + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(buf + RIG_HEADER_SIZE + SMP_DR_DLID, LID_PERMISSIVE);
	g_assert_cmpint(kmod_file_write(file->file, buf, sizeof(buf)), >, 0);
	rig_run(rig, 0);
	g_assert_cmpmem(file->last, RIG_HEADER_SIZE, expected, RIG_HEADER_SIZE);
	g_assert_cmpuint(rig->driver_source.pkey_index, ==, 1);
	g_assert_cmphex(rig->driver_source.slid, ==, LID_PERMISSIVE);
	rig_free(rig);
}

/* Statements 65 and 66: the hop pointer on the wire and at the peer. */
static void test_wire_hops(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_route route = { .lid = LID_PERMISSIVE, .timeout_ms = 100, .retries = 2 };
	const struct smp_words words = { ATTR_NODE_INFO, 1, 0, 1, 0 };

	rig->b.driver = driver;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	g_assert_cmpint(write_smp(file, &words, &route), >, 0);
	g_assert_cmpuint(rig->wire_mad[SMP_HOP_PTR], ==, 1);
	g_assert_cmphex(rig->wire_addr.slid, ==, LID_PERMISSIVE);
	rig_run(rig, 1);
	g_assert_cmpuint(driver_saw[SMP_HOP_PTR], ==, 2);
	g_assert_cmpuint(driver_saw[SMP_RETURN_PATH + 1], ==, 1);
	g_assert_cmphex(get_be16(rig->wire_mad + MAD_STATUS), ==, SMP_DIRECTION);
	g_assert_cmpuint(rig->wire_mad[SMP_HOP_PTR], ==, 1);
	g_assert_cmphex(rig->wire_addr.dlid, ==, LID_PERMISSIVE);
	rig_run(rig, 1000);

	rig->b.deaf = true;
	g_assert_cmpint(write_smp(file, &words, &route), >, 0);
	g_assert_cmpuint(rig->wire_mad[SMP_HOP_PTR], ==, 1);
	for (int64_t at_ms = 1100; at_ms <= 1200; at_ms += 100) {
		rig->wire_mad[SMP_HOP_PTR] = 0xee;
		rig_run(rig, at_ms);
		g_assert_cmpuint(rig->wire_mad[SMP_HOP_PTR], ==, 1);
	}
	rig_run(rig, 2000);
	rig_expect(rig, "hops", "0:A>1 1:B>1 2:a<1 1000:A>1 1100:A>1 1200:A>1 1300:a!1");
	rig_free(rig);
}

/* A driver that leaves everything to the kernel: an SMP to itself then goes to the wire. */
static void test_no_driver(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig_needs_stub("its driver loses a function while its port is there");
	rig->ops.process_mad = NULL;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	g_assert_cmpint(write_smp(file, &(struct smp_words){ ATTR_NODE_INFO, 0, 0, 0, 0 },
				  &(struct rig_route){ .lid = LID_PERMISSIVE, .timeout_ms = 100 }),
			>, 0);
	g_assert_cmpuint(rig->wire_mad[SMP_HOP_PTR], ==, 1);
	rig_run(rig, 1000);
	rig_expect(rig, "no driver", "0:A>1 1:B>1 2:a<1");
	rig_free(rig);
}

/*
 * A port without a driver drops SMPs at the end of their path, although an agent would take them:
 * Linux asks whether there is a driver when it has moved their hop pointer.
 */
static void test_no_driver_at_end(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *a = rig_open(rig, &rig->a, 'a');
	struct rig_file *b = rig_open(rig, &rig->b, 'b');

	rig_needs_stub("its driver loses a function while its port is there");
	rig->ops.process_mad = NULL;
	g_assert_cmpint(rig_register(a, &dr_client), ==, 0);
	g_assert_cmpint(rig_register(b, &dr_server), ==, 0);
	g_assert_cmpint(write_smp(a, &(struct smp_words){ ATTR_NODE_INFO, 1, 0, 1, 0 },
				  &(struct rig_route){ .lid = LID_PERMISSIVE, .timeout_ms = 100 }),
			>, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "no driver, one hop", "0:A>1 100:a!1");
	rig_expect_drop(rig, "does not end here");
	rig_free(rig);
}

/* Directed routes have neither path bits nor P_Keys: neither is compared, and both read as 0. */
static void test_no_path_bits(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_route route = { .lid = LID_PERMISSIVE, .path_bits = 2, .timeout_ms = 100 };
	uint8_t smp[MAD_SIZE];

	rig->a.attr.lid = 4;
	rig->a.attr.lmc = 2;
	rig->b.driver = driver;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	g_assert_cmpint(write_smp(file, &(struct smp_words){ ATTR_NODE_INFO, 1, 0, 1, 0 }, &route),
			>, 0);
	rig_run(rig, 10);
	g_assert_cmpuint(file->last[31], ==, 0);
	/* The same response, but with a P_Key that is in the table. */
	memcpy(smp, file->last + RIG_HEADER_SIZE, MAD_SIZE);
	g_assert_cmpint(write_smp(file, &(struct smp_words){ ATTR_NODE_INFO, 1, 0, 1, 0 }, &route),
			>, 0);
	rig_inject_bytes(&rig->a, smp, &(struct rig_route){ .pkey = 0x8001, .path_bits = 1 });
	rig_run(rig, 11);
	rig_expect(rig, "no path bits", "0:A>1 1:B>1 2:a<1 10:A>1 10:a<1 11:B>1");
	g_assert_cmpuint(file->last[56], ==, 0);
	rig_free(rig);
}

/* Linux: along a directed route, another response answers a response that waits. */
static void test_response_to_response(void)
{
	static const struct {
		uint8_t mgmt_class;
		const char *happens;
	} rows[] = {
		{ MAD_CLASS_SUBN_DR, "0:A>1 10:a<1" },
		{ MAD_CLASS_SUBN_LID, "0:A>1 100:a!1" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		const struct rig_route route = { .lid = 2, .timeout_ms = 100 };
		const struct rig_mad words = { .mgmt_class = rows[i].mgmt_class,
					       .method = MAD_METHOD_GET_RESP,
					       .status = SMP_DIRECTION,
					       .tid = UINT64_C(9) << 32 | 1 };
		uint8_t smp[MAD_SIZE];

		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
		rig_mad_bytes(&words, smp);
		put_be16(smp + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(smp + SMP_DR_DLID, 2);
		smp[SMP_HOP_CNT] = 1;
		smp[SMP_HOP_PTR] = 1;
		g_assert_cmpint(rig_write_bytes(file, 0, &route, smp, MAD_SIZE), >, 0);
		rig_run(rig, 10);
		rig_inject_bytes(&rig->a, smp, &(struct rig_route){ 0 });
		rig_run(rig, 1000);
		rig_expect(rig, "response to response", rows[i].happens);
		rig_free(rig);
	}
}

/* An SM asks itself: both directions are short, and no timer runs. */
static void test_local_sm(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *asks = rig_open(rig, &rig->a, 'a');
	struct rig_file *sm = rig_open(rig, &rig->a, 's');
	const struct rig_route route = { .lid = LID_PERMISSIVE, .timeout_ms = 100 };
	uint8_t smp[MAD_SIZE];

	rig->a.driver = driver;
	g_assert_cmpint(rig_register(asks, &dr_client), ==, 0);
	g_assert_cmpint(rig_register(sm, &dr_server), ==, 0);
	g_assert_cmpint(write_smp(asks, &(struct smp_words){ ATTR_SM_INFO, 0, 0, 0, 0 }, &route),
			>, 0);
	rig_run(rig, 200);
	rig_expect(rig, "the SM is asked", "0:s<1");
	memcpy(smp, sm->last + RIG_HEADER_SIZE, MAD_SIZE);
	g_assert_cmpuint(smp[SMP_HOP_PTR], ==, 1);
	smp[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(smp + MAD_STATUS, SMP_DIRECTION);
	g_assert_cmpint(rig_write_bytes(sm, 0, &(struct rig_route){ .lid = LID_PERMISSIVE }, smp,
					MAD_SIZE), >, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "and answers", "200:a<1");
	g_assert_cmpuint(asks->last[RIG_HEADER_SIZE + SMP_HOP_PTR], ==, 0);
	rig_free(rig);
}

/* What an agent has sent later comes before what another one has sent in between. */
static void test_local_order(void)
{
	static const struct { unsigned int file; uint32_t tid; } sends[] = {
		{ 0, 1 }, { 1, 2 }, { 0, 3 }, { 1, 4 },
	};
	struct rig *rig = rig_new(9);
	struct rig_file *asks[] = { rig_open(rig, &rig->a, 'a'), rig_open(rig, &rig->a, 'b') };
	struct rig_file *sm = rig_open(rig, &rig->a, 's');
	uint8_t smp[MAD_SIZE];

	rig->a.driver = driver;
	g_assert_cmpint(rig_register(asks[0], &dr_client), ==, 0);
	g_assert_cmpint(rig_register(asks[1], &dr_client), ==, 0);
	g_assert_cmpint(rig_register(sm, &dr_server), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(sends); i++) {
		rig_mad_bytes(&(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR,
						 .tid = sends[i].tid,
						 .attr_id = ATTR_SM_INFO }, smp);
		put_be16(smp + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(smp + SMP_DR_DLID, LID_PERMISSIVE);
		g_assert_cmpint(rig_write_bytes(asks[sends[i].file], 0,
						&(struct rig_route){ .lid = LID_PERMISSIVE }, smp,
						MAD_SIZE), >, 0);
	}
	rig_run(rig, 10);
	rig_expect(rig, "by agent", "0:s<1 0:s<3 0:s<2 0:s<4");
	rig_free(rig);
}

/* The requesting agent, or the whole device, is removed before the response is delivered. */
static void test_local_too_late(void)
{
	const struct rig_route route = { .lid = LID_PERMISSIVE, .timeout_ms = 100 };
	const struct smp_words words = { ATTR_NODE_INFO, 0, 0, 0, 0 };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct kmod_port *port = rig->a.port;

	rig->a.driver = driver;
	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	g_assert_cmpint(write_smp(file, &words, &route), >, 0);
	/* An SMP that does not leave the node gets no response from outside. */
	rig_inject(&rig->a, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_DR,
					       .method = MAD_METHOD_GET_RESP,
					       .status = SMP_DIRECTION,
					       .tid = UINT64_C(9) << 32 | 1 },
		   &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no request");
	g_assert_cmpint(rig_unregister(file, file->agent_id), ==, 0);
	rig_run(rig, 10);
	rig_expect_drop(rig, "no agent");

	g_assert_cmpint(rig_register(file, &dr_client), ==, 0);
	g_assert_cmpint(write_smp(file, &words, &route), >, 0);
	rig->a.port = NULL;
	kmod_port_remove(port);
	rig_expect_drop(rig, "the device was removed");
	rig_run(rig, 20);
	rig_expect(rig, "too late", "");
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/smi/send-hops", test_send_hops);
	g_test_add_func("/kmod/smi/receive-hops", test_receive_hops);
	g_test_add_func("/kmod/smi/statements", test_statements);
	g_test_add_func("/kmod/smi/local-header", test_local_header);
	g_test_add_func("/kmod/smi/wire-hops", test_wire_hops);
	g_test_add_func("/kmod/smi/no-driver", test_no_driver);
	g_test_add_func("/kmod/smi/no-driver-at-end", test_no_driver_at_end);
	g_test_add_func("/kmod/smi/no-path-bits", test_no_path_bits);
	g_test_add_func("/kmod/smi/response-to-response", test_response_to_response);
	g_test_add_func("/kmod/smi/local-sm", test_local_sm);
	g_test_add_func("/kmod/smi/local-order", test_local_order);
	g_test_add_func("/kmod/smi/local-too-late", test_local_too_late);
	return leak_end(g_test_run());
}
