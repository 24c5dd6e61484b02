/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/rig/umad-table.c: calls of libibumad and their results, the same for every backend.
 *
 * The rows are what a real kernel (Linux 6.1) was observed to do through libibumad; where
 * libibumad's documentation promises another result than the usual library returns, the rows have
 * the promised one.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>

#include "tests/rig/umad-table.h"
#include "lib/base/wire.h"

struct buffer {
	struct ib_user_mad umad;
	uint8_t mad[1024];
};

static const struct umad_world *world;
static struct umadrig_fabric *fabric;

/* Two hosts, H1 and H2, on one link, under a virtual clock; the handle is of H1. */
static int begin(void)
{
	char message[512] = "";
	int fd;

	fabric = umadrig_fabric_open(",clock=virtual", message, sizeof(message));
	if (!fabric)
		g_error("%s", message);
	world->begin(fabric);
	fd = umad_open_port("H1", 1);
	g_assert_cmpint(fd, >=, 0);
	return fd;
}

static void end(int fd)
{
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	world->end();
	umadrig_fabric_close(fabric);
}

static void fill(struct buffer *buf, uint8_t class, uint8_t method, uint16_t attr, uint64_t tid,
		 uint16_t dlid)
{
	memset(buf, 0, sizeof(*buf));
	umad_set_addr(buf, dlid, 1, 0, UMAD_QKEY);
	buf->mad[MAD_BASE_VERSION] = 1;
	buf->mad[MAD_CLASS] = class;
	buf->mad[MAD_CLASS_VERSION] = 1;
	buf->mad[MAD_METHOD] = method;
	put_be64(buf->mad + MAD_TID, tid);
	put_be16(buf->mad + MAD_ATTR_ID, attr);
}

enum { CLASS = 0x0b, NOBODY = 7 };	/* a vendor class that is not the HCA's own */

static void test_open(void)
{
	char names[2][UMAD_CA_NAME_LEN];
	int fd = begin(), other;
	umad_port_t port;
	umad_ca_t ca;

	g_assert_cmpint(umad_get_cas_names(names, 2), ==, 1);
	g_assert_cmpstr(names[0], ==, "H1");
	other = umad_open_port(NULL, 0);
	g_assert_cmpint(other, >=, 0);
	g_assert_cmpint(other, !=, fd);
	g_assert_cmpint(umad_get_fd(other), ==, other);
	g_assert_cmpint(fcntl(other, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
	g_assert_cmpint(umad_close_port(other), ==, 0);
	g_assert_cmpint(umad_close_port(other), ==, -EINVAL);
	g_assert_cmpint(umad_close_port(-1), ==, -EINVAL);
	g_assert_cmpint(umad_open_port("H1", 2), ==, -EINVAL);
	g_assert_cmpint(umad_open_port("nosuch", 1), ==, -EINVAL);
	g_assert_cmpint(umad_open_port("nosuch", 0), ==, -ENODEV);
	g_assert_cmpint(umad_open_port(NULL, 2), ==, -ENODEV);
	g_assert_cmpint(umad_get_ca("nosuch", &ca), ==, -ENOENT);
	g_assert_cmpint(umad_get_port("H1", 2, &port), ==, -EIO);
	g_assert_cmpint(umad_get_port(NULL, 0, &port), ==, 0);
	g_assert_cmpstr(port.ca_name, ==, "H1");
	g_assert_cmpuint(port.state, ==, 4);
	umad_release_port(&port);
	g_assert_cmpint(umad_get_ca(NULL, &ca), ==, 0);
	g_assert_cmpint(ca.numports, ==, 1);
	umad_release_ca(&ca);
	end(fd);
}

/* One registration on a handle of its own. Returns the id, or a negative errno. */
static const struct reg_row {
	int class, version;
	uint8_t rmpp_version;
	bool wants_get;
	int err;
} reg_rows[] = {
	{ CLASS, 1, 0, true, 0 },
	{ CLASS, 1, 0, false, 0 },
	{ CLASS, 8, 0, true, 0 },
	{ CLASS, 255, 0, true, EINVAL },
	{ 0x00, 1, 0, true, 0 },		/* an agent that only sends */
	{ 0x01, 1, 0, true, 0 },
	{ 0x81, 1, 0, true, 0 },
	{ 0x50, 1, 0, true, EINVAL },
	{ 0x51, 1, 0, true, EINVAL },
	{ 0xff, 1, 0, true, EINVAL },
	{ 0x32, 1, 0, true, 0 },
	{ CLASS, 1, 1, true, EINVAL },		/* no RMPP in this class */
	{ CLASS, 1, 2, true, EINVAL },
};

static void test_register_row(gconstpointer data)
{
	const struct reg_row *row = data;
	long mask[16 / sizeof(long)] = { 1 << MAD_METHOD_GET };
	int fd = begin();

	errno = 0;
	g_assert_cmpint(umad_register(fd, row->class, row->version, row->rmpp_version,
				      row->wants_get ? mask : NULL), ==, row->err ? -EPERM : 0);
	if (row->err)
		g_assert_cmpint(errno, ==, row->err);
	end(fd);
}

static void test_agents(void)
{
	long get[16 / sizeof(long)] = { 1 << MAD_METHOD_GET };
	long both[16 / sizeof(long)] = { 1 << MAD_METHOD_GET | 1 << MAD_METHOD_SET };
	long set[16 / sizeof(long)] = { 1 << MAD_METHOD_SET };
	uint8_t openib[3] = { 0x00, 0x14, 0x05 }, other[3] = { 1, 2, 3 }, zero[3] = { 0, 0, 0 };
	int fd = begin(), second = umad_open_port("H1", 1);

	/* A method of a class and version belongs to one agent of the port, whatever the handle. */
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, get), ==, 0);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, both), ==, -EPERM);
	g_assert_cmpint(errno, ==, EINVAL);
	g_assert_cmpint(umad_register(second, CLASS, 1, 0, get), ==, -EPERM);
	g_assert_cmpint(umad_register(second, CLASS, 2, 0, get), ==, 0);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, set), ==, 1);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, 2);

	/* The lowest free id; unknown and used-up ones are refused. */
	g_assert_cmpint(umad_unregister(fd, 1), ==, 0);
	g_assert_cmpint(umad_unregister(fd, 1), ==, -EINVAL);
	g_assert_cmpint(umad_unregister(fd, 32), ==, -EINVAL);
	g_assert_cmpint(umad_unregister(fd, -1), ==, -EINVAL);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, set), ==, 1);

	/* umad_register() takes vendor classes for OpenIB's OUI. */
	g_assert_cmpint(umad_register(fd, 0x32, 1, 0, get), ==, 3);
	g_assert_cmpint(umad_register_oui(fd, 0x32, 0, openib, get), ==, -EPERM);
	g_assert_cmpint(umad_register_oui(fd, 0x32, 0, other, get), ==, 4);
	g_assert_cmpint(umad_register_oui(fd, 0x32, 0, zero, get), ==, -EPERM);
	g_assert_cmpint(umad_register_oui(fd, 0x0a, 0, other, get), ==, -EINVAL);

	for (int id = 5; id < 32; id++)
		g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, id);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, -EPERM);
	g_assert_cmpint(errno, ==, ENOMEM);
	/* Closing releases all of them. */
	g_assert_cmpint(umad_close_port(second), ==, 0);
	second = umad_open_port("H1", 1);
	g_assert_cmpint(umad_register(second, CLASS, 2, 0, get), ==, 0);
	g_assert_cmpint(umad_close_port(second), ==, 0);
	end(fd);
}

/* In a kernel that has no REGISTER_AGENT2 there are no flags either. */
static void test_register2(void)
{
	struct umad_reg_attr attr = {
		.mgmt_class = CLASS, .mgmt_class_version = 1, .flags = 0x80000000,
	};
	uint32_t id = 77;
	int fd = begin();

	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EINVAL);
	g_assert_cmphex(attr.flags, ==, UMAD_USER_RMPP);
	g_assert_cmpuint(id, ==, 77);
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, 0);
	g_assert_cmpuint(id, ==, 0);
	attr.flags = 0;
	attr.method_mask[0] = 1 << MAD_METHOD_GET;
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, 0);
	g_assert_cmpuint(id, ==, 1);
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EINVAL);
	g_assert_cmpint(umad_register2(-1, &attr, &id), ==, EINVAL);
	end(fd);
}

static void test_send(void)
{
	static const struct {
		int agent, length;
		int result, err;
	} rows[] = {
		{ 0, 256, 0, 0 },
		{ 0, 256, -EIO, EINVAL },	/* the same again, the first still out */
		{ 0, 35, -EIO, EINVAL },
		{ 0, 0, -EIO, EINVAL },
		{ 0, 257, -EIO, EINVAL },	/* no RMPP */
		{ 5, 256, -EINVAL, EINVAL },	/* no such agent */
		{ 32, 256, -EINVAL, EINVAL },
		{ -1, 256, -EINVAL, EINVAL },
	};
	struct buffer buf, sent;
	int fd = begin();

	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, 0);
	fill(&buf, CLASS, MAD_METHOD_GET, 1, 0x1234, NOBODY);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int result;

		sent = buf;
		errno = 0;
		result = umad_send(fd, rows[i].agent, &buf, rows[i].length, 100, 0);
		g_assert_cmpint(errno, ==, rows[i].err);
		g_assert_cmpint(result, ==, rows[i].result);
		g_assert_cmpmem(buf.mad, 256, sent.mad, 256);
	}
	end(fd);
}

static void test_recv(void)
{
	struct buffer buf;
	int fd = begin(), length = 256;
	struct pollfd pfd = { .fd = fd, .events = POLLIN | POLLOUT };

	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, 0);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -EWOULDBLOCK);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 50), ==, -ETIMEDOUT);
	g_assert_cmpint(errno, ==, ETIMEDOUT);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpint(umad_poll(fd, 0), ==, -ETIMEDOUT);
	g_assert_cmpint(poll(&pfd, 1, 0), >=, 0);
	g_assert_cmpint(pfd.revents & POLLIN, ==, 0);

	/* Without an answer, 24 bytes come back after (1 + retries) times the timeout. */
	fill(&buf, CLASS, MAD_METHOD_GET, 1, UINT64_C(0x1122334455667788), NOBODY);
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 100, 3), ==, 0);
	g_assert_cmpint(umad_poll(fd, 10000), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, INT64_C(450) * 1000000);
	g_assert_cmpint(poll(&pfd, 1, 0), ==, 1);
	g_assert_cmpint(pfd.revents & POLLIN, ==, POLLIN);
	memset(&buf, 0, sizeof(buf));
	length = 23;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -EINVAL);
	g_assert_cmpint(length, ==, 23);
	length = 24;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, 0);
	g_assert_cmpint(length, ==, 24);
	g_assert_cmpint(umad_status(&buf), ==, ETIMEDOUT);
	g_assert_cmphex(get_be32(buf.mad + MAD_TID + 4), ==, 0x55667788);

	/* The kernel answers for an agent that is not there; its MAD needs 256 bytes of room. */
	fill(&buf, CLASS, MAD_METHOD_GET, 1, 0x99, 2);
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 100, 0), ==, 0);
	length = 100;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 1000), ==, -EINVAL);
	g_assert_cmpint(length, ==, 100);
	length = 256;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 1000), ==, 0);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpint(umad_status(&buf), ==, 0);
	g_assert_cmpuint(buf.umad.length, ==, 64 + 256);
	g_assert_cmphex(buf.mad[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmphex(get_be16(buf.mad + MAD_STATUS), ==, MAD_STATUS_BAD_METHOD_ATTR);
	g_assert_cmpuint(be16toh(umad_get_mad_addr(&buf)->lid), ==, 2);
	end(fd);
}

/*
 * With nothing armed an endless wait would never end. Under a virtual clock, which no device has,
 * it fails instead of sleeping.
 */
static void test_deadlock(void)
{
	struct buffer buf;
	int fd = begin(), length = 256;

	g_assert_cmpint(umad_recv(fd, &buf, &length, -1), ==, -EDEADLK);
	g_assert_cmpint(errno, ==, EDEADLK);
	g_assert_cmpint(umad_poll(fd, -1), ==, -EDEADLK);
	end(fd);
}

static void test_bad_handle(void)
{
	struct buffer buf = { .mad = { 0 } };
	int fd = begin(), length = 256, closed = umad_open_port("H1", 1);

	g_assert_cmpint(umad_close_port(closed), ==, 0);
	for (size_t i = 0; i < 3; i++) {
		const int bad[] = { -1, closed, 900 };	/* the last was never opened */

		g_assert_cmpint(umad_send(bad[i], 0, &buf, 256, 0, 0), ==, -EINVAL);
		g_assert_cmpint(umad_recv(bad[i], &buf, &length, -1), ==, -EINVAL);
		g_assert_cmpint(umad_poll(bad[i], -1), ==, -EINVAL);
		g_assert_cmpint(umad_register(bad[i], CLASS, 1, 0, NULL), ==, -EINVAL);
		g_assert_cmpint(umad_unregister(bad[i], 0), ==, -EINVAL);
		g_assert_cmpint(umad_close_port(bad[i]), ==, -EINVAL);
	}
	end(fd);
}

/* Sends a request by 'fd', which times out, and receives the report of that. */
static void check_works(int fd, uint64_t tid)
{
	struct buffer buf;
	int length = 256;

	fill(&buf, CLASS, MAD_METHOD_GET, 1, tid, NOBODY);
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 10, 0), ==, 0);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 5000), ==, 0);
	g_assert_cmpint(umad_status(&buf), ==, ETIMEDOUT);
	g_assert_cmphex(get_be32(buf.mad + MAD_TID + 4), ==, tid);
}

/* The file closes with the last of its descriptors, whichever that is. */
static void test_copies(void)
{
	long get[16 / sizeof(long)] = { 1 << MAD_METHOD_GET };
	int fd, copy, other, last;

	if (world->has_copies && !world->has_copies()) {
		g_test_skip("pidfd_getfd(2) is refused, as in containers, and this process cannot "
			    "be made to copy for itself");
		return;
	}
	fd = begin();
	copy = dup(fd);
	other = umad_open_port("H1", 1);
	g_assert_cmpint(umad_get_fd(copy), ==, copy);
	g_assert_cmpint(umad_register(copy, CLASS, 1, 0, get), ==, 0);
	check_works(fd, 1);
	check_works(copy, 2);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	g_assert_cmpint(umad_poll(fd, 0), ==, -EINVAL);
	check_works(copy, 3);
	g_assert_cmpint(umad_register(other, CLASS, 1, 0, get), ==, -EPERM);
	/* The lowest number is the original's. */
	g_assert_cmpint(dup(copy), ==, fd);
	check_works(fd, 4);
	last = dup(fd);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	g_assert_cmpint(umad_close_port(copy), ==, 0);
	check_works(last, 5);
	g_assert_cmpint(umad_register(other, CLASS, 1, 0, get), ==, -EPERM);
	g_assert_cmpint(umad_close_port(last), ==, 0);
	g_assert_cmpint(umad_close_port(last), ==, -EINVAL);
	g_assert_cmpint(umad_register(other, CLASS, 1, 0, get), ==, 0);
	end(other);
}

/* Two handles, one at H1 and one at H2, each with an agent for RMPP. */
struct pair {
	int fd, peer;
};

static int register_sa(int fd, uint32_t flags, uint64_t methods)
{
	struct umad_reg_attr attr = {
		.mgmt_class = UMAD_CLASS_SUBN_ADM,
		.mgmt_class_version = UMAD_SA_CLASS_VERSION,
		.rmpp_version = flags ? 0 : UMAD_RMPP_VERSION,
		.flags = flags,
		.method_mask = { methods },
	};
	uint32_t id = 77;

	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, 0);
	return (int)id;
}

static struct pair begin_pair(uint32_t flags)
{
	struct pair pair = { .fd = begin(), .peer = world->open_peer("H2") };

	g_assert_cmpint(pair.peer, >=, 0);
	g_assert_cmpint(register_sa(pair.fd, flags, 0), ==, 0);
	g_assert_cmpint(register_sa(pair.peer, flags, 1 << MAD_METHOD_GET_TABLE), ==, 0);
	return pair;
}

static void end_pair(struct pair pair)
{
	g_assert_cmpint(umad_close_port(pair.peer), ==, 0);
	end(pair.fd);
}

static void fill_sa(struct buffer *buf, uint8_t method, uint64_t tid, uint16_t dlid)
{
	fill(buf, UMAD_CLASS_SUBN_ADM, method, 0x11, tid, dlid);
	buf->mad[MAD_CLASS_VERSION] = UMAD_SA_CLASS_VERSION;
}

/* The kernel cuts a response into segments and reassembles them; the buffer for reading grows. */
static void test_kernel_rmpp(void)
{
	enum { ANSWER_SIZE = 56 + 700 };
	struct pair pair = begin_pair(0);
	struct buffer buf, answer;
	int length = 256;

	fill_sa(&buf, MAD_METHOD_GET_TABLE, 0x77, 2);
	g_assert_cmpint(umad_send(pair.fd, 0, &buf, 256, 1000, 0), ==, 0);
	g_assert_cmpint(umad_recv(pair.peer, &buf, &length, 1000), ==, 0);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpuint(be16toh(umad_get_mad_addr(&buf)->lid), ==, 1);

	fill_sa(&answer, UMAD_SA_METHOD_GET_TABLE_RESP, get_be64(buf.mad + MAD_TID), 1);
	answer.mad[RMPP_VERSION] = UMAD_RMPP_VERSION;
	answer.mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	answer.mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	for (size_t i = 56; i < ANSWER_SIZE; i++)
		answer.mad[i] = (uint8_t)(i * 7);
	g_assert_cmpint(umad_send(pair.peer, 0, &answer, ANSWER_SIZE, 0, 0), ==, 0);

	/* No room: the required size is returned, and the message stays. */
	length = 256;
	memset(&buf, 0, sizeof(buf));
	g_assert_cmpint(umad_recv(pair.fd, &buf, &length, 1000), ==, -ENOSPC);
	g_assert_cmpint(errno, ==, ENOSPC);
	g_assert_cmpint(length, ==, ANSWER_SIZE);
	g_assert_cmpuint(buf.umad.length, ==, 64 + ANSWER_SIZE);
	length = 1024;
	g_assert_cmpint(umad_recv(pair.fd, &buf, &length, 1000), ==, 0);
	g_assert_cmpint(errno, ==, 0);
	g_assert_cmpint(length, ==, ANSWER_SIZE);
	g_assert_cmpmem(buf.mad + 56, ANSWER_SIZE - 56, answer.mad + 56,
			ANSWER_SIZE - 56);
	length = 1024;
	g_assert_cmpint(umad_recv(pair.peer, &buf, &length, 5000), ==, -ETIMEDOUT);
	end_pair(pair);
}

/* With UMAD_USER_RMPP the program handles each segment, and the kernel acknowledges none. */
static void test_user_rmpp(void)
{
	struct pair pair = begin_pair(UMAD_USER_RMPP);
	struct buffer buf, sent;
	int length = 1024;

	fill_sa(&buf, MAD_METHOD_GET_TABLE, 0x78, 2);
	buf.mad[RMPP_VERSION] = UMAD_RMPP_VERSION;
	buf.mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	buf.mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | RMPP_FLAG_FIRST;
	put_be32(buf.mad + RMPP_SEGMENT, 1);
	put_be32(buf.mad + RMPP_PAYLEN_NEWWIN, 900);
	sent = buf;
	g_assert_cmpint(umad_send(pair.fd, 0, &buf, 256, 0, 0), ==, 0);
	g_assert_cmpint(umad_send(pair.fd, 0, &buf, 512, 0, 0), ==, -EIO);
	g_assert_cmpint(errno, ==, EINVAL);
	g_assert_cmpint(umad_recv(pair.peer, &buf, &length, 1000), ==, 0);
	g_assert_cmpint(length, ==, 256);
	/* Its TID contains the agent's number; the rest is as it was sent. */
	g_assert_cmpmem(buf.mad + MAD_ATTR_ID, 240, sent.mad + MAD_ATTR_ID, 240);
	g_assert_cmpint(umad_recv(pair.fd, &buf, &length, 1000), ==, -ETIMEDOUT);
	end_pair(pair);
}

/* The HCA is pulled out while a handle is open: reads and writes fail, closing does not. */
static void test_removal(void)
{
	struct umad_reg_attr attr = { .mgmt_class = CLASS, .mgmt_class_version = 1 };
	int fd = begin(), length = 256;
	struct buffer buf;
	uint32_t id;

	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, 0);
	g_assert_cmpint(umadrig_port_remove(umadrig_port(fabric, "H1", 1)), ==, 0);
	g_assert_cmpint(umad_poll(fd, 1000), ==, 0);
	fill(&buf, CLASS, MAD_METHOD_GET, 1, 1, NOBODY);
	g_assert_cmpint(umad_recv(fd, &buf, &length, -1), ==, -EIO);
	g_assert_cmpint(errno, ==, EIO);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -EIO);
	g_assert_cmpint(length, ==, 256);
	/*
	 * The kernel has removed the agent, but the library still knows it: no -EINVAL, but the
	 * kernel's error.
	 */
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 0, 0), ==, -EIO);
	g_assert_cmpint(errno, ==, EIO);
	g_assert_cmpint(umad_register(fd, CLASS, 1, 0, NULL), ==, -EPERM);
	g_assert_cmpint(errno, ==, EPIPE);
	if (world->has_register2)
		g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EPIPE);
	end(fd);
}

typedef void umad_table_fn(void);

struct umad_table_case {
	const struct umad_world *world;
	umad_table_fn *test;	/* NULL: a registration, 'row' of reg_rows */
	gconstpointer row;
};

static void run(gconstpointer data)
{
	const struct umad_table_case *c = data;

	world = c->world;
	c->test();
}

static void run_register_row(gconstpointer data)
{
	const struct umad_table_case *c = data;

	world = c->world;
	test_register_row(c->row);
}

static void add(const struct umad_world *of, const char *name, umad_table_fn *test,
		gconstpointer row)
{
	/* GLib frees no data of a test that is skipped (-s). */
	static GSList *cases;
	struct umad_table_case *c = g_new(struct umad_table_case, 1);
	g_autofree char *path = g_strdup_printf("/%s/%s", of->name, name);

	*c = (struct umad_table_case){ .world = of, .test = test, .row = row };
	cases = g_slist_prepend(cases, c);
	g_test_add_data_func(path, c, test ? run : run_register_row);
}

void umad_table_add(const struct umad_world *of)
{
	add(of, "open", test_open, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(reg_rows); i++) {
		g_autofree char *name = g_strdup_printf("register/%zu", i);

		add(of, name, NULL, &reg_rows[i]);
	}
	add(of, "agents", test_agents, NULL);
	add(of, "send", test_send, NULL);
	add(of, "recv", test_recv, NULL);
	add(of, "bad-handle", test_bad_handle, NULL);
	add(of, "removal", test_removal, NULL);
	/* A kernel so old has other headers, and that a copy has them nobody knows. */
	if (of->has_register2)
		add(of, "copies", test_copies, NULL);
	if (of->has_register2) {
		add(of, "register2", test_register2, NULL);
		add(of, "kernel-rmpp", test_kernel_rmpp, NULL);
		add(of, "user-rmpp", test_user_rmpp, NULL);
	}
	add(of, "deadlock", test_deadlock, NULL);
}
