/*
 * umad files of kmod-stub: what write, read, poll, ioctl and close say, byte for byte. Rows name
 * their statements in the facts about Linux's MAD layer.
 */
#include <errno.h>
#include <poll.h>

#include "kmod-rig.h"
#include "leak.h"
#include "umad-file.h"

#define PERF .qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1
#define SA .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2

enum { READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM };

static const struct rig_registration perf_client = { PERF };
static const struct rig_registration perf_server = { PERF, .methods = RIG_GET };

/* ---- write ---- */

/* Agent 0 is a plain one of class 4, agent 1 has RMPP by the kernel, agent 2 RMPP by itself. */
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
		{ 25, "257 bytes, Active", 1, MAD_CLASS_SUBN_ADM, 1, 257, { 0 }, -EOPNOTSUPP },
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

		g_test_message("statement %d: %s", rows[i].statement, rows[i].why);
		memset(mad + MAD_HDR_SIZE, 0xee, sizeof(mad) - MAD_HDR_SIZE);
		mad[RMPP_FLAGS] = rows[i].rmpp_flags;
		g_assert_cmpint(rig_write_bytes(file, rows[i].id, &rows[i].route, mad, rows[i].size),
				==, rows[i].expected ? rows[i].expected :
				(long)(RIG_HEADER_SIZE + rows[i].size));
		rig_run(rig, rig_now_ms(rig) + 1);
		if (rows[i].expected)
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
		uint8_t expected;	/* all bytes of the RMPP header but the flags */
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

/* Statements 27 and 28: whose TID it is. */
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
		  { { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .timeout_ms = 9, .lid = 1 }, 0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 1 }, -EINVAL },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 3 }, 0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 1, .grh = true }, 0 },
		    { { .tid = 1, .method = MAD_METHOD_GET_RESP }, { .lid = 3, .grh = true },
		      -EINVAL } } },
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
			/* Another file has its own, whatever the first has out. */
			if (k == 0)
				g_assert_cmpint(rig_write(other, &rows[i].writes[0].mad,
							  &rows[i].writes[0].route), >, 0);
		}
		/* All over: the same may be written again. */
		rig_run(rig, 100);
		g_assert_cmpint(rig_write(file, &rows[i].writes[0].mad, &rows[i].writes[0].route),
				>, 0);
		rig_free(rig);
	}
}

/* The packet: what the user's header turns into on the wire. */
static void test_write_packet(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_registration smi = { .mgmt_class = MAD_CLASS_SUBN_LID, .class_version = 1 };
	uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE] = { 0 };
	const struct packet_addr *addr = &rig->wire_addr;

	rig->b.deaf = true;
	rig->a.attr.lid = 8;
	rig->a.attr.lmc = 2;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	rig_header_bytes(file, 0, &(struct rig_route){ .lid = 5, .path_bits = 7 }, MAD_CLASS_PERF, buf);
	buf[24] = 0x12;			/* Q_Key: not for the user to choose */
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
	buf[56] = 2;
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

/* RoCE: no GRH, no way. */
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

/* ---- read ---- */

/* Statements 3 and 4: what a report is made of. */
static void test_read_report(void)
{
	static const struct {
		int statement;
		size_t header_size;
	} rows[] = { { 3, 64 }, { 4, 56 } };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		size_t header_size = rows[i].header_size;
		size_t report_size = header_size + MAD_HDR_SIZE;
		struct rig *rig = rig_new(9);
		struct rig_file at = { .at = &rig->a, .name = 'a' };
		uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE], expected[RIG_HEADER_SIZE + MAD_SIZE];

		rig->b.deaf = true;
		g_assert_cmpint(kmod_file_open(rig->a.port, &at, &at.file), ==, 0);
		if (header_size == 64)
			g_assert_cmpint(kmod_file_ioctl(at.file, IOCTL_ENABLE_PKEY, NULL), ==, 0);
		g_assert_cmpint(rig_register(&at, &perf_client), ==, 0);
		memset(buf, 0x5a, sizeof(buf));
		rig_header_bytes(&at, 0, &(struct rig_route){ .timeout_ms = 10, .retries = 2 },
				 MAD_CLASS_PERF, buf);
		put_be32(buf + 16, 0x12345678);		/* length: as written, whatever it is */
		rig_mad_bytes(&(struct rig_mad){ .tid = 1 }, buf + header_size);
		g_assert_cmpint(kmod_file_write(at.file, buf, header_size + MAD_SIZE), ==,
				header_size + MAD_SIZE);
		memcpy(expected, buf, header_size + MAD_SIZE);
		expected[4] = ETIMEDOUT;
		put_be32(expected + header_size + MAD_TID, 9);
		rig_run(rig, 1000);
		rig_expect(rig, "report", "0:A>1 10:A>1 20:A>1");

		memset(buf, 0xee, sizeof(buf));
		g_assert_cmpint(kmod_file_read(at.file, buf, report_size - 1), ==, -EINVAL);
		g_assert_cmpint(kmod_file_read(at.file, buf, sizeof(buf)), ==, report_size);
		g_assert_cmpmem(buf, report_size, expected, report_size);
		g_assert_cmphex(buf[report_size], ==, 0xee);
		g_assert_cmpint(kmod_file_read(at.file, buf, sizeof(buf)), ==, -EAGAIN);
		kmod_file_close(at.file);
		rig_free(rig);
	}
}

/* Statements 33, 34, 38: sizes, and who gets it. */
static void test_read_sizes(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	uint8_t buf[512];

	file->reads = false;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	g_assert_cmpint(kmod_file_read(file->file, buf, 63), ==, -EINVAL);
	g_assert_cmpint(kmod_file_read(file->file, buf, 64), ==, -EAGAIN);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 2 }, &(struct rig_route){ 0 });
	memset(buf, 0xee, sizeof(buf));
	g_assert_cmpint(kmod_file_read(file->file, buf, 64 + 255), ==, -EINVAL);
	g_assert_cmphex(buf[0], ==, 0xee);
	g_assert_cmpint(kmod_file_read(file->file, NULL, 320), ==, -EFAULT);
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, 320);
	g_assert_cmphex(get_be32(buf + 64 + MAD_TID + 4), ==, 1);
	g_assert_cmpint(kmod_file_read(file->file, buf, 512), ==, 320);
	g_assert_cmphex(get_be32(buf + 64 + MAD_TID + 4), ==, 2);
	g_assert_cmpint(kmod_file_read(file->file, buf, 512), ==, -EAGAIN);
	rig_free(rig);
}

/* A message of 'segments' SA segments, 'size' bytes, as RMPP would hand it over. */
static void queue_segments(struct rig *rig, struct rig_file *file, unsigned int segments,
			   uint32_t size)
{
	struct mad_recv recv = { .gid_known = true, .from.lid = 2 };
	struct packet **link = &recv.packet;
	const struct packet_addr addr = { .slid = 2, .dlid = 1 };

	for (unsigned int i = 0; i < segments; i++) {
		struct packet *packet = packet_new(&rig->pool);

		packet_build(packet, &addr);
		memset(packet_mad(packet), 'a' + (int)i, MAD_SIZE);
		packet_mad(packet)[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
		*link = packet;
		link = &packet->next;
	}
	*link = NULL;
	umad_file_receive(file->file, 0, &recv, size);
}

/* Statements 35 and 36: messages of several segments, and those shorter than one. */
static void test_read_segments(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	uint8_t buf[1024];
	uint32_t length;

	file->reads = false;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	queue_segments(rig, file, 3, 556);
	memset(buf, 0xee, sizeof(buf));
	g_assert_cmpint(kmod_file_read(file->file, buf, 64 + 255), ==, -EINVAL);
	g_assert_cmphex(buf[0], ==, 0xee);
	g_assert_cmpint(kmod_file_read(file->file, buf, 64 + 555), ==, -ENOSPC);
	memcpy(&length, buf + 16, 4);
	g_assert_cmpuint(length, ==, 620);
	g_assert_cmphex(buf[64 + 255], ==, 'a');
	g_assert_cmphex(buf[64 + 256], ==, 0xee);
	g_assert_cmpint(kmod_file_read(file->file, buf, 620), ==, 620);
	g_assert_cmphex(buf[64 + 255], ==, 'a');
	g_assert_cmphex(buf[64 + 256], ==, 'b');
	g_assert_cmphex(buf[64 + 455], ==, 'b');
	g_assert_cmphex(buf[64 + 456], ==, 'c');
	g_assert_cmphex(buf[64 + 555], ==, 'c');
	g_assert_cmphex(buf[64 + 556], ==, 0xee);

	queue_segments(rig, file, 1, 56);
	g_assert_cmpint(kmod_file_read(file->file, buf, 64 + 55), ==, -EINVAL);
	g_assert_cmpint(kmod_file_read(file->file, buf, 64 + 56), ==, 64 + 56);
	queue_segments(rig, file, 2, 456);	/* unread when the file is closed */
	rig_free(rig);
}

/* The header of what was received, and statement 37. */
static void test_read_header(void)
{
	static const struct {
		const char *why;
		struct rig_route route;
		uint8_t expected[RIG_HEADER_SIZE];
	} rows[] = {
		{ "plain", { 0 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2 } },
		{ "path bits", { .path_bits = 1 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2, [31] = 1 } },
		{ "statement 37", { .grh = true, .gid_index = 2 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2, [32] = 1, [33] = 2, [34] = 0xff,
		    [36] = 0xfe, [37] = 0x80, [51] = 2 } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');

		g_test_message("%s", rows[i].why);
		rig->a.attr.lid = 4;
		rig->a.attr.lmc = 1;
		g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
		rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &rows[i].route);
		rig_run(rig, 0);
		g_assert_cmpint(file->last_size, ==, 320);
		g_assert_cmpmem(file->last, RIG_HEADER_SIZE, rows[i].expected, RIG_HEADER_SIZE);
		rig_free(rig);
	}
}

/* Statement 16: what was not read is gone with the file. */
static void test_close_unread(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	file->reads = false;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	for (unsigned int i = 1; i <= 3; i++)
		rig_inject(&rig->a, &(struct rig_mad){ .tid = i }, &(struct rig_route){ 0 });
	rig_close(file);
	rig_expect_drop(rig, "unread");
	file = rig_open(rig, &rig->a, 'a');
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	rig_run(rig, 10);
	rig_expect(rig, "statement 16", "");
	rig_free(rig);
}

/* What came before the agent went stays readable, with its old id. */
static void test_unregister_unread(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	file->reads = false;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	g_assert_cmpint(rig_unregister(file, 1), ==, 0);
	g_assert_cmpint(rig_unregister(file, 1), ==, -EINVAL);
	file->reads = true;
	rig_run(rig, 0);
	rig_expect(rig, "unread", "0:a<1");
	g_assert_cmphex(file->last[0], ==, 1);
	rig_free(rig);
}

/* Beyond 200001 MADs the queue takes no more, but reports always. */
static void test_queue_limit(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	file->reads = false;
	rig->ops.trace = NULL;
	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 10 }), >, 0);
	for (unsigned int i = 0; i < FILE_QUEUE_LIMIT + 1; i++)
		rig_inject(&rig->a, &(struct rig_mad){ .tid = i }, &(struct rig_route){ 0 });
	g_assert_cmpstr(rig->dropped->str, ==, "");
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "receive queue of the file is full");
	rig_run(rig, 100);
	g_assert_cmpuint(file->file->queued, ==, FILE_QUEUE_LIMIT + 2);
	rig_free(rig);
}

/* ---- poll ---- */

/* Statements 39 and 45, and who is woken when. */
static void test_poll_and_removal(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct kmod_port *port = rig->a.port;
	struct kmod_file *late;
	uint8_t buf[320] = { 0 };

	file->reads = false;
	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	g_assert_cmpuint(kmod_file_poll(file->file), ==, WRITABLE);
	g_assert_false(kmod_file_readable(file->file));
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 2 }, &(struct rig_route){ 0 });
	g_assert_cmpuint(kmod_file_poll(file->file), ==, WRITABLE | READABLE);
	g_assert_true(kmod_file_readable(file->file));
	g_assert_cmpuint(file->wakes, ==, 1);
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, 320);
	g_assert_cmpuint(file->wakes, ==, 1);
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, 320);
	g_assert_cmpuint(file->wakes, ==, 2);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 3 }, &(struct rig_route){ 0 });
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 4 },
				  &(struct rig_route){ .timeout_ms = 10, .retries = 3 }), >, 0);

	rig->a.port = NULL;
	kmod_port_remove(port);
	g_assert_cmpuint(file->wakes, ==, 4);
	g_assert_cmpuint(kmod_file_poll(file->file), ==, POLLERR);
	g_assert_true(kmod_file_readable(file->file));
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, -EIO);
	g_assert_cmpint(kmod_file_read(file->file, buf, 63), ==, -EINVAL);
	memset(buf, 0, sizeof(buf));
	g_assert_cmpint(kmod_file_write(file->file, buf, 320), ==, -EIO);
	g_assert_cmpint(kmod_file_write(file->file, buf, 99), ==, -EINVAL);
	buf[0] = 32;
	g_assert_cmpint(kmod_file_write(file->file, buf, 320), ==, -EINVAL);
	g_assert_cmpint(rig_register(file, &perf_server), ==, -EPIPE);
	g_assert_cmpint(rig_unregister(file, 0), ==, -EINVAL);
	g_assert_cmpint(kmod_file_ioctl(file->file, IOCTL_ENABLE_PKEY, NULL), ==, -EINVAL);
	g_assert_cmpint(kmod_file_open(port, NULL, &late), ==, -ENXIO);
	rig_run(rig, 1000);
	rig_expect(rig, "nothing is sent again", "0:A>4");
	rig_free(rig);
}

/* ---- ioctl ---- */

/* Statement 40. */
static void test_slots(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	for (uint32_t id = 0; id < FILE_AGENT_COUNT; id++) {
		g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
		g_assert_cmpuint(file->agent_id, ==, id);
	}
	g_assert_cmpint(rig_register(file, &perf_client), ==, -ENOMEM);
	g_assert_cmpint(rig_unregister(file, 4), ==, 0);
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpuint(file->agent_id, ==, 4);
	g_assert_cmpint(rig_unregister(file, 32), ==, -EINVAL);
	rig_free(rig);
}

/* Statement 43: which header a file uses, in the words of its first ioctls. */
static void test_header_choice(void)
{
	static const struct {
		const char *why;
		const char *ioctls;	/* 1, 2: REGISTER and REGISTER2; f: one fails; k: ENABLE_PKEY */
		int last;		/* result of the last one */
		uint32_t header_size;
	} rows[] = {
		{ "nothing", "", 0, 56 },
		{ "a registration", "1", 0, 56 },
		{ "P_Key first", "k1", 0, 64 },
		{ "twice is fine", "kk", 0, 64 },
		{ "P_Key after a registration", "1k", -EINVAL, 56 },
		{ "P_Key after one that failed", "fk", 0, 64 },
		{ "the new request", "2", 0, 64 },
		{ "the new request after an old one", "12", 0, 56 },
		{ "an old one after a new one", "21", 0, 64 },
		{ "P_Key after all", "2k", -EINVAL, 64 },
	};
	const struct rig_registration version2 = { PERF, .version2 = true };
	const struct rig_registration fails = { PERF, .rmpp_version = 2 };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file at = { .at = &rig->a, .name = 'a' };
		int result = 0;

		g_test_message("%s", rows[i].why);
		g_assert_cmpint(kmod_file_open(rig->a.port, &at, &at.file), ==, 0);
		for (const char *c = rows[i].ioctls; *c; c++) {
			switch (*c) {
			case '1':
				result = rig_register(&at, &perf_client);
				break;
			case '2':
				result = rig_register(&at, &version2);
				break;
			case 'f':
				g_assert_cmpint(rig_register(&at, &fails), ==, -EINVAL);
				break;
			case 'k':
				result = kmod_file_ioctl(at.file, IOCTL_ENABLE_PKEY, NULL);
				break;
			}
		}
		g_assert_cmpint(result, ==, rows[i].last);
		g_assert_cmpuint(umad_file_header_size(at.file), ==, rows[i].header_size);
		kmod_file_close(at.file);
		rig_free(rig);
	}
}

static void test_ioctl_errors(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	g_assert_cmpint(kmod_file_ioctl(file->file, 0x1B05, NULL), ==, -ENOTTY);
	g_assert_cmpint(kmod_file_ioctl(file->file, IOCTL_REGISTER_AGENT, NULL), ==, -EFAULT);
	g_assert_cmpint(kmod_file_ioctl(file->file, IOCTL_REGISTER_AGENT2, NULL), ==, -EFAULT);
	g_assert_cmpint(kmod_file_ioctl(file->file, IOCTL_UNREGISTER_AGENT, NULL), ==, -EFAULT);
	rig_free(rig);
}

/* ---- issm ---- */

/* Statement 44. */
static void test_issm(void)
{
	struct rig *rig = rig_new(9);
	struct kmod_port *port = rig->a.port;

	g_assert_cmpint(kmod_issm_open(port), ==, 0);
	g_assert_true(rig->a.is_sm);
	g_assert_cmpint(kmod_issm_open(port), ==, -EAGAIN);
	kmod_issm_close(port);
	g_assert_false(rig->a.is_sm);
	rig->a.is_sm_error = -EPERM;
	g_assert_cmpint(kmod_issm_open(port), ==, -EPERM);
	rig->a.is_sm_error = 0;
	g_assert_cmpint(kmod_issm_open(port), ==, 0);
	/* The device goes first: the bit is no longer anybody's to clear. */
	rig->a.port = NULL;
	kmod_port_remove(port);
	g_assert_cmpint(kmod_issm_open(port), ==, -ENXIO);
	kmod_issm_close(port);
	g_assert_true(rig->a.is_sm);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/write/errors", test_write_errors);
	g_test_add_func("/kmod/write/rmpp-header", test_write_rmpp_header);
	g_test_add_func("/kmod/write/tid", test_write_tid);
	g_test_add_func("/kmod/write/duplicates", test_write_duplicates);
	g_test_add_func("/kmod/write/packet", test_write_packet);
	g_test_add_func("/kmod/write/ethernet", test_write_ethernet);
	g_test_add_func("/kmod/read/report", test_read_report);
	g_test_add_func("/kmod/read/sizes", test_read_sizes);
	g_test_add_func("/kmod/read/segments", test_read_segments);
	g_test_add_func("/kmod/read/header", test_read_header);
	g_test_add_func("/kmod/file/close-unread", test_close_unread);
	g_test_add_func("/kmod/file/unregister-unread", test_unregister_unread);
	g_test_add_func("/kmod/file/queue-limit", test_queue_limit);
	g_test_add_func("/kmod/file/poll-and-removal", test_poll_and_removal);
	g_test_add_func("/kmod/ioctl/slots", test_slots);
	g_test_add_func("/kmod/ioctl/header-choice", test_header_choice);
	g_test_add_func("/kmod/ioctl/errors", test_ioctl_errors);
	g_test_add_func("/kmod/issm", test_issm);
	return leak_end(g_test_run());
}
