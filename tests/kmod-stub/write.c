/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Writing to a umad file of kmod-stub: what is refused, and what is put on the wire. Rows name the
 * statements of doc/linux-mad.md that they show.
 */
#include <errno.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"

#define PERF .qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1
#define SA .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2

static const struct rig_registration perf_client = { PERF };

/* Agent 0 is a plain one of class 4, agent 1 uses the kernel's RMPP, agent 2 does its own. */
static void test_write_errors(void)
{
	static const struct {
		int statement;
		const char *why;
		uint32_t id;
		uint8_t mgmt_class;
		uint8_t rmpp_flags;
		size_t size;		/* of the MAD */
		struct rig_route route;
		int expected;		/* 0 or -errno */
	} rows[] = {
		{ 22, "less than 36 bytes", 0, MAD_CLASS_PERF, 0, 35, { 0 }, -EINVAL },
		{ 22, "36 bytes", 0, MAD_CLASS_PERF, 0, 36, { 0 }, 0 },
		{ 23, "less than the class header", 0, MAD_CLASS_SUBN_ADM, 0, 55, { 0 }, -EINVAL },
		{ 23, "the class header alone", 0, MAD_CLASS_SUBN_ADM, 0, 56, { 0 }, 0 },
		{ 23, "vendor range 2", 0, 0x30, 0, 39, { 0 }, -EINVAL },
		{ 23, "vendor range 2", 0, 0x30, 0, 40, { 0 }, 0 },
		{ 24, "257 bytes", 0, MAD_CLASS_PERF, 0, 257, { 0 }, -EINVAL },
		{ 24, "256 bytes", 0, MAD_CLASS_PERF, 0, 256, { 0 }, 0 },
		{ 25, "257 bytes, not Active", 1, MAD_CLASS_SUBN_ADM, 0, 257, { 0 }, -EINVAL },
		{ 25, "257 bytes, Active", 1, MAD_CLASS_SUBN_ADM, 1, 257, { 0 }, 0 },
		{ 25, "257 bytes, Active, by oneself", 2, MAD_CLASS_SUBN_ADM, 1, 257, { 0 },
		  -EINVAL },
		{ 26, "no such slot", 32, MAD_CLASS_PERF, 0, 256, { 0 }, -EINVAL },
		{ 26, "slot empty", 5, MAD_CLASS_PERF, 0, 256, { 0 }, -EIO },
		{ 32, "RMPP agent, class without", 1, MAD_CLASS_PERF, 0, 256, { 0 }, -EINVAL },
		{ 32, "RMPP agent, SMP", 1, MAD_CLASS_SUBN_LID, 0, 256, { 0 }, -EINVAL },
		{ 109, "own RMPP, class without", 2, MAD_CLASS_PERF, 0, 256, { 0 }, -EINVAL },
		{ 0, "GID index beyond the table", 0, MAD_CLASS_PERF, 0, 256,
		  { .grh = true, .gid_index = 3 }, -EINVAL },
		{ 0, "GID entry empty", 0, MAD_CLASS_PERF, 0, 256,
		  { .grh = true, .gid_index = 1 }, -ENODATA },
		{ 0, "GID entry in use", 0, MAD_CLASS_PERF, 0, 256,
		  { .grh = true, .gid_index = 2 }, 0 },
	};
	const struct rig_registration kernel_rmpp = { SA, .rmpp_version = 1 };
	const struct rig_registration user_rmpp = { SA, .rmpp_version = 1, .flags = 1 };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpint(rig_register(file, &kernel_rmpp), ==, 0);
	g_assert_cmpint(rig_register(file, &user_rmpp), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t mad[MAD_SIZE + 1] = { 1, rows[i].mgmt_class, 1, MAD_METHOD_GET };
		long result;

		g_test_message("statement %d: %s", rows[i].statement, rows[i].why);
		memset(mad + MAD_HDR_SIZE, 0xee, sizeof(mad) - MAD_HDR_SIZE);
		mad[RMPP_FLAGS] = rows[i].rmpp_flags;
		result = rig_write_bytes(file, rows[i].id, &rows[i].route, mad, rows[i].size);
		g_assert_cmpint(result, ==, rows[i].expected ? rows[i].expected :
				(long)(RIG_HEADER_SIZE + rows[i].size));
		rig_run(rig, rig_now_ms(rig) + 1);
		if (rows[i].expected || rows[i].size > MAD_SIZE)
			continue;
		/* Statement 22: what was not written is zero. */
		for (size_t k = MAD_HDR_SIZE; k < MAD_SIZE; k++)
			g_assert_cmphex(rig->wire_mad[k], ==, k >= rows[i].size ? 0 :
					k == RMPP_FLAGS ? rows[i].rmpp_flags : 0xee);
	}
	g_assert_cmpint(kmod_file_write(file->file, NULL, 1), ==, -EINVAL);
	g_assert_cmpint(kmod_file_write(file->file, NULL, 320), ==, -EFAULT);
	rig_free(rig);
}

/* Statement 31: RMPP by the kernel, Active clear. */
static void test_write_rmpp_header(void)
{
	static const struct {
		const char *why;
		struct rig_registration client;
		uint8_t expected;	/* all bytes of the RMPP header except the flags */
	} rows[] = {
		{ "statement 31", { SA, .rmpp_version = 1 }, 0 },
		{ "not for other agents", { SA }, 0xff },
		{ "nor where the user does it", { SA, .rmpp_version = 1, .flags = 1 }, 0xff },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		uint8_t mad[MAD_SIZE] = { 1, MAD_CLASS_SUBN_ADM, 2, MAD_METHOD_GET };

		g_test_message("%s", rows[i].why);
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &rows[i].client), ==, 0);
		memset(mad + RMPP_VERSION, 0xff, MAD_SIZE - RMPP_VERSION);
		mad[RMPP_FLAGS] = 0xfe;
		g_assert_cmpint(rig_write_bytes(file, 0, &(struct rig_route){ 0 }, mad, MAD_SIZE),
				>, 0);
		for (unsigned int k = RMPP_VERSION; k < RMPP_END; k++)
			g_assert_cmphex(rig->wire_mad[k], ==,
					k == RMPP_FLAGS ? rows[i].expected & 0xfe :
					rows[i].expected);
		g_assert_cmphex(rig->wire_mad[RMPP_END], ==, 0xff);
		rig_free(rig);
	}
}

/* Active: nothing of the user's RMPP header is sent, nor anything after the data. */
static void test_write_active(void)
{
	static const uint8_t expected[2][RMPP_END - RMPP_VERSION] = {
		{ 1, RMPP_TYPE_DATA, 0x03, 0, 0, 0, 0, 1, 0, 0, 0x01, 0x4a }, /* 330 = 440 - 110 */
		{ 1, RMPP_TYPE_DATA, 0x05, 0, 0, 0, 0, 2, 0, 0, 0, 0x6e },
	};
	const struct rig_registration client = { SA, .rmpp_version = 1 };
	const struct rig_mad ack = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				     .method = MAD_METHOD_GET_RESP, .tid = UINT64_C(9) << 32,
				     .rmpp_flags = 1, .rmpp_type = RMPP_TYPE_ACK, .segment = 1,
				     .length = 65 };
	uint8_t mad[56 + 290] = { 1, MAD_CLASS_SUBN_ADM, 2, MAD_METHOD_GET };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &client), ==, 0);
	memset(mad + MAD_HDR_SIZE, 0xff, sizeof(mad) - MAD_HDR_SIZE);
	g_assert_cmpint(rig_write_bytes(file, 0, &(struct rig_route){ 0 }, mad, sizeof(mad)), >, 0);
	for (unsigned int segment = 0; segment < 2; segment++) {
		unsigned int data = segment ? 90 : 200;

		g_assert_cmpmem(rig->wire_mad + RMPP_VERSION, RMPP_END - RMPP_VERSION,
				expected[segment], RMPP_END - RMPP_VERSION);
		for (unsigned int i = RMPP_END; i < MAD_SIZE; i++)
			g_assert_cmphex(rig->wire_mad[i], ==, i < 56 + data ? 0xff : 0);
		rig_run(rig, 1);
		rig_inject(&rig->a, &ack, &(struct rig_route){ 0 });
		rig_run(rig, 1);
	}
	rig_free(rig);
}

/* Statements 27 and 28: which bits of the TID belong to whom. */
static void test_write_tid(void)
{
	static const struct {
		uint8_t mgmt_class;
		uint8_t method;
		uint64_t expected;
	} rows[] = {
		{ MAD_CLASS_PERF, MAD_METHOD_GET, UINT64_C(0x0000000955667788) },
		{ MAD_CLASS_PERF, MAD_METHOD_TRAP, UINT64_C(0x0000000955667788) },
		{ MAD_CLASS_PERF, MAD_METHOD_GET_RESP, UINT64_C(0x1122334455667788) },
		{ MAD_CLASS_PERF, MAD_METHOD_TRAP_REPRESS, UINT64_C(0x1122334455667788) },
		{ MAD_CLASS_BM, MAD_METHOD_SEND, UINT64_C(0x0000000955667788) },
	};
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct rig_mad mad = { .mgmt_class = rows[i].mgmt_class,
					     .method = rows[i].method,
					     .tid = UINT64_C(0x1122334455667788) };

		g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){ 0 }), >, 0);
		rig_run(rig, rig_now_ms(rig) + 1);
		g_assert_cmphex(get_be64(rig->wire_mad + MAD_TID), ==, rows[i].expected);
	}
	rig_free(rig);
}

/* Statements 29, 30, 108: what is a duplicate. All writes of a row are at one time. */
static void test_write_duplicates(void)
{
	static const struct {
		int statement;
		const char *why;
		struct {
			struct rig_mad mad;
			struct rig_route route;
			int expected;
		} writes[6];
	} rows[] = {
		{ 29, "a request is one whatever its upper half, destination, attribute, method",
		  { { { .tid = 1 }, { .timeout_ms = 9 }, 0 },
		    { { .tid = 1 }, { .timeout_ms = 9 }, -EINVAL },
		    { { .tid = UINT64_C(1) << 32 | 1 }, { .lid = 7 }, -EINVAL },
		    { { .tid = 1, .attr_id = 7, .method = MAD_METHOD_SET }, { 0 }, -EINVAL },
		    { { .tid = 1, .mgmt_class = MAD_CLASS_DEV_MGT }, { .timeout_ms = 9 }, 0 },
		    { { .tid = UINT64_C(9) << 32 | 1, .method = MAD_METHOD_GET_RESP },
		      { .timeout_ms = 9 }, 0 } } },
		{ 30, "a response is one to the same LID",
		  { { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .timeout_ms = 9, .lid = 1 },
		      0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 1 }, -EINVAL },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 3 }, 0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 1, .grh = true }, 0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 3, .grh = true },
		      -EINVAL } } },
		{ 29, "a request to nobody is over at once",
		  { { { .tid = 1 }, { .timeout_ms = 0 }, 0 },
		    { { .tid = 2 }, { .timeout_ms = 9 }, 0 } } },
		{ 108, "a user's own RMPP is not looked at",
		  { { { .tid = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .rmpp_flags = 1 },
		      { .timeout_ms = 9 }, 0 },
		    { { .tid = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .rmpp_flags = 1 },
		      { .timeout_ms = 9 }, 0 },
		    { { .tid = 1, .mgmt_class = MAD_CLASS_SUBN_ADM }, { 0 }, -EINVAL } } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		struct rig_file *other = rig_open(rig, &rig->a, 'o');

		g_test_message("statement %d: %s", rows[i].statement, rows[i].why);
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
		g_assert_cmpint(rig_register(other, &perf_client), ==, 0);
		for (size_t k = 0; k < 6 && rows[i].writes[k].mad.tid; k++) {
			long result = rig_write(file, &rows[i].writes[k].mad,
						&rows[i].writes[k].route);

			g_assert_cmpint(MIN(result, 0), ==, rows[i].writes[k].expected);
			/* Another file has its own TIDs, whatever the first has outstanding. */
			if (k == 0)
				g_assert_cmpint(rig_write(other, &rows[i].writes[0].mad,
							  &rows[i].writes[0].route), >, 0);
		}
		/* All have ended: the same may be written again. */
		rig_run(rig, 100);
		g_assert_cmpint(rig_write(file, &rows[i].writes[0].mad, &rows[i].writes[0].route),
				>, 0);
		rig_free(rig);
	}
}

/* The packet: what the user's header becomes on the wire. */
static void test_write_packet(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_registration smi = { .mgmt_class = MAD_CLASS_SUBN_LID,
					      .class_version = 1 };
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE] = { 0 };
	const struct packet_addr *addr = &rig->wire_addr;

	rig->b.deaf = true;
	rig->a.attr.lid = 8;
	rig->a.attr.lmc = 2;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	rig_header_bytes(file, 0, &(struct rig_route){ .lid = 5, .path_bits = 7 },
			 MAD_CLASS_PERF, buf);
	buf[24] = 0x12;			/* Q_Key: the user cannot choose it */
	buf[30] = 0x13;			/* SL: 4 bits */
	buf[56] = 1;			/* P_Key index */
	rig_mad_bytes(&(struct rig_mad){ .tid = 1 }, buf + RIG_HEADER_SIZE);
	g_assert_cmpint(kmod_file_write(file->file, buf, sizeof(buf)), ==, sizeof(buf));
	g_assert_cmpuint(addr->slid, ==, 8 | 3);	/* two path bits only */
	g_assert_cmpuint(addr->dlid, ==, 5);
	g_assert_cmpuint(addr->sl, ==, 3);
	g_assert_cmpuint(addr->vl, ==, 0);
	g_assert_cmphex(addr->pkey, ==, 0x8001);
	g_assert_cmphex(addr->qkey, ==, QKEY_GSI);
	g_assert_cmpuint(addr->src_qp, ==, 1);
	g_assert_cmpuint(addr->dest_qp, ==, 1);
	g_assert_cmpuint(addr->psn, ==, 0);
	g_assert_false(addr->has_grh);

	/* With a GRH; a P_Key index beyond the table sends the invalid P_Key. */
	rig_header_bytes(file, 0, &(struct rig_route){ .grh = true, .gid_index = 2 },
			 MAD_CLASS_PERF, buf);
	buf[34] = 33;			/* hop limit */
	buf[35] = 0xab;			/* traffic class */
	put_be32(buf + 52, 0xfff12345);	/* flow label: 20 bits */
	buf[56] = 4;
	rig_mad_bytes(&(struct rig_mad){ .tid = 2 }, buf + RIG_HEADER_SIZE);
	g_assert_cmpint(kmod_file_write(file->file, buf, sizeof(buf)), ==, sizeof(buf));
	g_assert_true(addr->has_grh);
	g_assert_cmpuint(addr->hop_limit, ==, 33);
	g_assert_cmphex(addr->traffic_class, ==, 0xab);
	g_assert_cmphex(addr->flow_label, ==, 0x12345);
	g_assert_cmpmem(addr->sgid, 16, rig->a.gids[2], 16);
	g_assert_cmpmem(addr->dgid, 16, rig->b.gids[0], 16);
	g_assert_cmphex(addr->pkey, ==, 0);
	g_assert_cmpuint(addr->psn, ==, 1);

	/* QP0: VL 15, the default P_Key, no Q_Key, its own PSNs, permissive LIDs at both ends. */
	g_assert_cmpint(rig_register(file, &smi), ==, 0);
	rig_header_bytes(file, 1, &(struct rig_route){ .lid = LID_PERMISSIVE },
			 MAD_CLASS_SUBN_LID, buf);
	buf[56] = 1;
	rig_mad_bytes(&(struct rig_mad){ .tid = 3, .mgmt_class = MAD_CLASS_SUBN_LID },
		      buf + RIG_HEADER_SIZE);
	g_assert_cmpint(kmod_file_write(file->file, buf, sizeof(buf)), ==, sizeof(buf));
	g_assert_cmphex(addr->slid, ==, LID_PERMISSIVE);
	g_assert_cmphex(addr->dlid, ==, LID_PERMISSIVE);
	g_assert_cmpuint(addr->vl, ==, 15);
	g_assert_cmphex(addr->pkey, ==, PKEY_DEFAULT);
	g_assert_cmphex(addr->qkey, ==, 0);
	g_assert_cmpuint(addr->src_qp, ==, 0);
	g_assert_cmpuint(addr->psn, ==, 0);
	rig_free(rig);
}

/* An old header ends before the P_Key index: a previous send's value is not used. */
static void test_write_old_header(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct rig_file old = { .at = &rig->a, .name = 'o' };
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE] = { 0 };

	rig->b.deaf = true;
	g_assert_cmpint(kmod_file_open(rig->a.port, &old, &old.file), ==, 0);
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpint(rig_register(&old, &perf_client), ==, 0);
	rig_header_bytes(file, 0, &(struct rig_route){ 0 }, MAD_CLASS_PERF, buf);
	buf[56] = 1;
	rig_mad_bytes(&(struct rig_mad){ .tid = 1 }, buf + RIG_HEADER_SIZE);
	g_assert_cmpint(kmod_file_write(file->file, buf, sizeof(buf)), >, 0);
	g_assert_cmphex(rig->wire_addr.pkey, ==, 0x8001);
	rig_run(rig, 1);
	rig_mad_bytes(&(struct rig_mad){ .tid = 1 }, buf + 56);
	g_assert_cmpint(kmod_file_write(old.file, buf, 56 + MAD_SIZE), ==, 56 + MAD_SIZE);
	g_assert_cmphex(rig->wire_addr.pkey, ==, PKEY_DEFAULT);
	kmod_file_close(old.file);
	rig_free(rig);
}

/* RoCE: without a GRH there is no route. */
static void test_write_ethernet(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	rig->a.attr.link_is_ethernet = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ 0 }, &(struct rig_route){ 0 }), ==,
			-EINVAL);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ 0 }, &(struct rig_route){ .grh = true }),
			>, 0);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/write/errors", test_write_errors);
	g_test_add_func("/kmod/write/rmpp-header", test_write_rmpp_header);
	g_test_add_func("/kmod/write/active", test_write_active);
	g_test_add_func("/kmod/write/tid", test_write_tid);
	g_test_add_func("/kmod/write/duplicates", test_write_duplicates);
	g_test_add_func("/kmod/write/packet", test_write_packet);
	g_test_add_func("/kmod/write/ethernet", test_write_ethernet);
	g_test_add_func("/kmod/write/old-header", test_write_old_header);
	return leak_end(g_test_run());
}
