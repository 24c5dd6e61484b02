/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad files of kmod-stub: what read, poll, ioctl and close return, byte for byte. Rows name the
 * statements of doc/linux-mad.md that they show.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"
#include "kmod-stub/umad-file.h"

#define PERF .qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1

enum { READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM };

static const struct rig_registration perf_client = { PERF };
static const struct rig_registration perf_server = { PERF, .methods = RIG_GET };

/* ---- read ---- */

/* Statements 3 and 4: what a report contains. */
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
			g_assert_cmpint(kmod_file_ioctl(at.file, UMAD_COMMAND_ENABLE_PKEY, NULL),
					==, 0);
		g_assert_cmpint(rig_register(&at, &perf_client), ==, 0);
		memset(buf, 0x5a, sizeof(buf));
		rig_header_bytes(&at, 0, &(struct rig_route){ .timeout_ms = 10, .retries = 2 },
				 MAD_CLASS_PERF, buf);
		put_be32(buf + 16, 0x12345678);		/* length: as written, whatever it was */
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

/* Statements 33, 34, 38: sizes, and which reader gets it. */
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

/* A message of 'segments' SA segments, 'size' bytes, as RMPP would deliver it. */
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

	rig_needs_stub("its segments are put into the queue by hand");
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
		{ "a P_Key of the table", { .pkey = 0x8001 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2, [56] = 1 } },
		{ "a limited one that is in the table", { .pkey = 0x0001 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2, [56] = 2 } },
		{ "a limited one whose full one is", { .pkey = 0x0002 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2, [56] = 3 } },
		{ "a limited one in several places: the first", { .pkey = 0x7fff },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2 } },
		{ "one that is not in the table", { .pkey = 0x8765 },
		  { [16] = 0x40, [17] = 1, [23] = 1, [29] = 2 } },
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

/* Statement 16: what was not read is lost with the file. */
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

/* The same without a listener. */
static void test_drop_untold(void)
{
	const struct rig_mad trap = { .method = MAD_METHOD_TRAP };
	struct rig *rig = rig_new(9);

	rig->ops.trace = NULL;
	rig_inject(&rig->a, &trap, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no agent");
	rig->ops.drop = NULL;
	rig_inject(&rig->a, &trap, &(struct rig_route){ 0 });
	g_assert_cmpstr(rig->dropped->str, ==, "");
	g_assert_cmpuint(rig->pool.used, ==, 0);
	rig_free(rig);
}

/* What arrived before the agent was removed stays readable, with its old id. */
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

/* Beyond 200001 MADs the queue takes no more, except reports. */
static void test_queue_limit(void)
{
	enum { LIMIT = 200000 };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig_needs_stub("its struct of a file");
	file->reads = false;
	rig->ops.trace = NULL;
	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 10 }), >, 0);
	for (unsigned int i = 0; i < LIMIT + 1; i++)
		rig_inject(&rig->a, &(struct rig_mad){ .tid = i }, &(struct rig_route){ 0 });
	g_assert_cmpstr(rig->dropped->str, ==, "");
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	rig_expect_drop(rig, "receive queue of the file is full");
	rig_run(rig, 100);
	g_assert_cmpuint(file->file->queued, ==, LIMIT + 2);
	rig_free(rig);
}

/* ---- poll ---- */

/* Statements 39 and 45, and which waiters are woken when. */
static void test_poll_and_removal(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct rig_file *idle = rig_open(rig, &rig->a, 'i');
	const struct rig_registration version2 = { PERF, .version2 = true };
	struct kmod_port *port = rig->a.port;
	struct kmod_file *late;
	struct packet *arriving;
	uint8_t buf[320] = { 0 };
	/* Linux wakes readers for the second MAD, too. */
	unsigned int more = rig_kernel != &kmod_stub;

	file->reads = false;
	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_server), ==, 0);
	g_assert_cmpuint(kmod_file_poll(file->file), ==, WRITABLE);
	g_assert_false(kmod_file_readable(file->file));
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){ 0 });
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 2 }, &(struct rig_route){ 0 });
	g_assert_cmpuint(kmod_file_poll(file->file), ==, WRITABLE | READABLE);
	g_assert_true(kmod_file_readable(file->file));
	g_assert_cmpuint(file->wakes, ==, 1 + more);
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, 320);
	g_assert_cmpuint(file->wakes, ==, 1 + more);
	g_assert_cmpint(kmod_file_read(file->file, buf, 320), ==, 320);
	g_assert_cmpuint(file->wakes, ==, 2 + more);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 3 }, &(struct rig_route){ 0 });
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 4 },
				  &(struct rig_route){ .timeout_ms = 10, .retries = 3 }), >, 0);

	rig->a.port = NULL;
	kmod_port_remove(port);
	g_assert_cmpuint(file->wakes, ==, 4 + more);
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
	g_assert_cmpint(rig_register(file, &version2), ==, -EPIPE);
	g_assert_true(kmod_file_readable(idle->file));
	g_assert_cmpint(rig_unregister(file, 0), ==, -EINVAL);
	g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, -EINVAL);
	g_assert_cmpint(kmod_file_open(port, NULL, &late), ==, -ENXIO);
	arriving = packet_new(&rig->pool);
	packet_build(arriving, &(struct packet_addr){ .dest_qp = 1 });
	kmod_port_receive(port, arriving);
	rig_expect_drop(rig, "the device was removed");
	kmod_file_close(NULL);
	rig_run(rig, 1000);
	rig_expect(rig, "nothing is sent again", "0:A>4");
	rig_free(rig);
}

/* ---- ioctl ---- */

/* Statement 40. */
static void test_slots(void)
{
	const struct rig_registration version2 = { PERF, .version2 = true };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	for (uint32_t id = 0; id < FILE_AGENT_COUNT; id++) {
		g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
		g_assert_cmpuint(file->agent_id, ==, id);
	}
	g_assert_cmpint(rig_register(file, &perf_client), ==, -ENOMEM);
	g_assert_cmpint(rig_register(file, &version2), ==, -ENOMEM);
	g_assert_cmpint(rig_unregister(file, 4), ==, 0);
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_cmpuint(file->agent_id, ==, 4);
	g_assert_cmpint(rig_unregister(file, 32), ==, -EINVAL);
	rig_free(rig);
}

/* Statement 43: which header a file uses, by its first ioctls. */
static void test_header_choice(void)
{
	static const struct {
		const char *why;
		const char *ioctls;	/* 1, 2: REGISTER, REGISTER2; f: fails; k: ENABLE_PKEY */
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

	rig_needs_stub("its struct of a file");
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
				result = kmod_file_ioctl(at.file, UMAD_COMMAND_ENABLE_PKEY, NULL);
				break;
			}
		}
		g_assert_cmpint(result, ==, rows[i].last);
		g_assert_cmpuint(at.file->header_size, ==, rows[i].header_size);
		kmod_file_close(at.file);
		rig_free(rig);
	}
}

static void test_ioctl_errors(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	g_assert_cmpint(kmod_file_ioctl(file->file, 0x1B05, NULL), ==, -ENOTTY);
	g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT, NULL), ==,
			-EFAULT);
	g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT2, NULL), ==,
			-EFAULT);
	g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_UNREGISTER_AGENT, NULL), ==,
			-EFAULT);
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
	/* The device goes first: nothing is left to clear the bit. */
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
	g_test_add_func("/kmod/read/report", test_read_report);
	g_test_add_func("/kmod/read/sizes", test_read_sizes);
	g_test_add_func("/kmod/read/segments", test_read_segments);
	g_test_add_func("/kmod/read/header", test_read_header);
	g_test_add_func("/kmod/file/close-unread", test_close_unread);
	g_test_add_func("/kmod/file/drop-untold", test_drop_untold);
	g_test_add_func("/kmod/file/unregister-unread", test_unregister_unread);
	g_test_add_func("/kmod/file/queue-limit", test_queue_limit);
	g_test_add_func("/kmod/file/poll-and-removal", test_poll_and_removal);
	g_test_add_func("/kmod/ioctl/slots", test_slots);
	g_test_add_func("/kmod/ioctl/header-choice", test_header_choice);
	g_test_add_func("/kmod/ioctl/errors", test_ioctl_errors);
	g_test_add_func("/kmod/issm", test_issm);
	return leak_end(g_test_run());
}
