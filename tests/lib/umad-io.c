/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-io.c: what the calls on a handle return, over a scripted backend.
 *
 * Documented errors on one side, the kernel's on the other: each row has one of each.
 */
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>

#include "lib/handle-table.h"
#include "tests/lib/scripted-backend.h"
#include "tests/rig/leak.h"

/* Agent 0 is registered through us, agent 1 is not. */
static void test_send(void)
{
	static const struct {
		int agent;
		long backend;		/* 0: takes everything */
		int result, error;
	} rows[] = {
		{ 0, 0, 0, 0 },
		{ 0, -EINVAL, -EIO, EINVAL },	/* duplicate, too short, ... */
		{ 0, -EIO, -EIO, EIO },		/* the device is gone */
		{ 0, -ENOMEM, -EIO, ENOMEM },
		{ 0, -EBADF, -EINVAL, EBADF },
		{ 0, 100, -EIO, EIO },		/* a short write */
		{ 1, 0, 0, 0 },			/* registered behind our back: the kernel decides */
		{ 1, -EIO, -EINVAL, EINVAL },	/* Linux: no such agent */
		{ 1, -EINVAL, -EINVAL, EINVAL },
		{ 1, -ENOMEM, -EIO, ENOMEM },
		{ 32, -EINVAL, -EINVAL, EINVAL },
		{ -1, -EINVAL, -EINVAL, EINVAL },
	};
	int fd = script_begin();
	struct buffer buf = { .umad = { .status = 7 } };

	g_assert_cmpint(umad_register(fd, 4, 1, 0, NULL), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		script.send_result = rows[i].backend;
		errno = ENOSPC;
		g_assert_cmpint(umad_send(fd, rows[i].agent, &buf, 256, 100, 3), ==,
				rows[i].result);
		g_assert_cmpint(errno, ==, rows[i].error);
		g_assert_cmpuint(script.size, ==, HEADER_SIZE + 256);
	}
	script.send_result = 0;
	g_assert_cmpint(umad_send(fd, 0, &buf, 36, -1, 5), ==, 0);
	g_assert_cmpuint(script.size, ==, HEADER_SIZE + 36);
	memcpy(&buf, script.message, HEADER_SIZE);
	g_assert_cmpuint(buf.umad.agent_id, ==, 0);
	g_assert_cmpuint(buf.umad.timeout_ms, ==, UINT32_MAX);
	g_assert_cmpuint(buf.umad.retries, ==, 5);
	g_assert_cmpuint(buf.umad.status, ==, 7);

	script.calls = 0;
	g_assert_cmpint(umad_send(fd, 0, NULL, 256, 0, 0), ==, -EINVAL);
	g_assert_cmpint(umad_send(fd, 0, &buf, -1, 0, 0), ==, -EINVAL);
	g_assert_cmpuint(script.calls, ==, 0);

	/* An unregistered agent counts as not registered. */
	g_assert_cmpint(umad_unregister(fd, 0), ==, 0);
	script.send_result = -EIO;
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 0, 0), ==, -EINVAL);
	script_end(fd);
}

static void test_recv(void)
{
	static const struct {
		int timeout_ms;
		int poll;		/* the backend's result, if it is called */
		long backend;
		int result, error, length;
	} rows[] = {
		{ 0, 0, 64 + 256, 5, 0, 256 },
		{ -1, POLLIN, 64 + 256, 5, 0, 256 },
		{ 100, POLLIN, 64 + 24, 5, 0, 24 },
		{ 100, POLLIN, 64, 5, 0, 0 },
		{ 100, POLLIN, 63, -EIO, EIO, 300 },	/* cut in its header: it has no agent */
		{ -1, POLLIN, 2, -EIO, EIO, 300 },
		{ 100, 0, 64 + 256, -ETIMEDOUT, ETIMEDOUT, 300 },
		{ 0, 0, -EAGAIN, -EWOULDBLOCK, EWOULDBLOCK, 300 },
		{ 0, 0, -ENOSPC, -ENOSPC, ENOSPC, 1000 },
		{ 0, 0, -EINVAL, -EINVAL, EINVAL, 300 },	/* no room for a MAD */
		{ 0, 0, -EIO, -EIO, EIO, 300 },
		{ -1, POLLERR, -EIO, -EIO, EIO, 300 },
		{ 0, 0, -EFAULT, -EIO, EFAULT, 300 },
		{ 0, 0, -EBADF, -EINVAL, EBADF, 300 },
		{ -1, POLLNVAL, 64 + 256, -EINVAL, EBADF, 300 },
		{ -1, -EBADF, 64 + 256, -EINVAL, EBADF, 300 },
		{ -1, -EINTR, 64 + 256, -EIO, EINTR, 300 },
		{ -1, -EDEADLK, 64 + 256, -EDEADLK, EDEADLK, 300 },
		{ -1, -ENOMEM, 64 + 256, -EIO, ENOMEM, 300 },
	};
	const struct ib_user_mad header = { .agent_id = 5, .length = 64 + 1000 };
	int fd = script_begin();

	memcpy(script.message, &header, sizeof(header));
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct buffer buf = { .umad = { .length = 9999 } };
		int length = 300;

		script.polls = 0;
		script.poll_results[0] = rows[i].poll;
		script.recv_result = rows[i].backend;
		errno = ENOSPC;
		g_assert_cmpint(umad_recv(fd, &buf, &length, rows[i].timeout_ms), ==,
				rows[i].result);
		g_assert_cmpint(errno, ==, rows[i].error);
		g_assert_cmpint(length, ==, rows[i].length);
		g_assert_cmpuint(script.polls, ==, rows[i].timeout_ms != 0);
	}
	script_end(fd);
}

/* A backend that waits and reads in one call, to the end of its time: the same results. */
static void test_recv_wait(void)
{
	struct umad_backend waiting = scripted;
	struct buffer buf;
	int length = 256;
	int fd = script_begin();

	waiting.recv_wait = scripted_recv_wait;
	waiting.poll = NULL;
	umad_backend_set(&waiting);
	script.poll_results[0] = POLLIN;
	script.recv_result = 64 + 24;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 100000), ==, 0);
	g_assert_cmpint(length, ==, 24);
	g_assert_cmpuint(script.polls, ==, 1);
	g_assert_cmpint(script.timeout_ms, ==, 100000);
	script.poll_results[1] = 0;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 50), ==, -ETIMEDOUT);
	g_assert_cmpint(errno, ==, ETIMEDOUT);
	script.poll_results[2] = -EINTR;
	g_assert_cmpint(umad_recv(fd, &buf, &length, -1), ==, -EIO);
	g_assert_cmpint(errno, ==, EINTR);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, 0);
	script_end(fd);
}

/* opensm and saquery: -ENOSPC, errno ENOSPC and *length over 256 make them grow and read again. */
static void test_recv_grows_opensm(void)
{
	struct ib_user_mad header = { .agent_id = 5, .length = 64 + 1000 };
	struct buffer buf;
	int length = 256;
	int fd = script_begin();

	memcpy(script.message, &header, sizeof(header));
	script.recv_result = -ENOSPC;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -ENOSPC);
	g_assert_cmpint(errno, ==, ENOSPC);
	g_assert_cmpint(length, ==, 1000);
	script.recv_result = 64 + 1000;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, 5);
	g_assert_cmpint(length, ==, 1000);
	script_end(fd);
}

/* libibnetdisc claims to have room for umad_size() + 256 where it has room for 256. */
static void test_recv_overstated_libibnetdisc(void)
{
	struct {
		struct ib_user_mad umad;
		uint8_t mad[256];
		uint8_t after[64];
	} buf;
	int length = (int)umad_size() + 256;
	int fd = script_begin();

	memset(&buf, 0xee, sizeof(buf));
	script.recv_result = 64 + 256;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, 0);
	g_assert_cmpint(length, ==, 256);
	for (size_t i = 0; i < sizeof(buf.after); i++)
		g_assert_cmphex(buf.after[i], ==, 0xee);
	script_end(fd);
}

/* ibacm, srp_daemon and libibnetdisc have the 64 compiled in and use it before the first open. */
static void test_header_size_ibacm(void)
{
	struct buffer buf = { .umad = { .length = 0 } };

	g_assert_cmpuint(umad_size(), ==, sizeof(struct ib_user_mad));
	g_assert_true(umad_get_mad(&buf) == buf.umad.data);
	g_assert_true((void *)umad_get_mad_addr(&buf) == (void *)&buf.umad.addr);
	buf.umad.status = ETIMEDOUT;
	g_assert_cmpint(umad_status(&buf), ==, ETIMEDOUT);
}

/*
 * Another thread takes what poll saw: an endless wait continues, and so does the rest of a finite
 * one.
 */
static void test_recv_lost_race(void)
{
	struct buffer buf;
	int length = 256;
	int fd = script_begin();

	script.recv_result = -EAGAIN;
	script.poll_results[0] = POLLIN;
	script.poll_results[1] = POLLIN;
	script.poll_results[2] = -EBADF;
	g_assert_cmpint(umad_recv(fd, &buf, &length, -1), ==, -EINVAL);
	g_assert_cmpuint(script.polls, ==, 3);

	script.polls = 0;
	script.poll_results[2] = 0;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 100000), ==, -ETIMEDOUT);
	g_assert_cmpuint(script.polls, ==, 3);
	g_assert_cmpint(script.timeout_ms, >, 0);
	g_assert_cmpint(script.timeout_ms, <=, 100000);
	g_assert_cmpint(length, ==, 256);
	script_end(fd);
}

/* A signal does not shorten a finite wait. */
static void test_interrupted(void)
{
	struct buffer buf;
	int length = 256;
	int fd = script_begin();

	script.poll_results[0] = -EINTR;
	script.poll_results[1] = POLLIN;
	script.recv_result = 64 + 24;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 100000), ==, 0);
	g_assert_cmpuint(script.polls, ==, 2);
	g_assert_cmpint(script.timeout_ms, <=, 100000);
	g_assert_cmpint(script.timeout_ms, >, 0);
	script.polls = 0;
	script.poll_results[1] = 0;
	g_assert_cmpint(umad_poll(fd, 0), ==, -ETIMEDOUT);
	g_assert_cmpint(script.timeout_ms, ==, 0);
	script_end(fd);
}

static void test_recv_arguments(void)
{
	struct buffer buf;
	int length = -1;
	int fd = script_begin();

	g_assert_cmpint(umad_recv(fd, NULL, &length, 0), ==, -EINVAL);
	g_assert_cmpint(errno, ==, EINVAL);
	g_assert_cmpint(umad_recv(fd, &buf, NULL, 0), ==, -EINVAL);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -EINVAL);
	g_assert_cmpuint(script.calls, ==, 0);
	script_end(fd);
}

static void test_poll(void)
{
	static const struct {
		int backend, result, error;
	} rows[] = {
		{ POLLIN, 0, 0 },
		{ POLLERR, 0, 0 },	/* umad_recv() reports the error */
		{ POLLNVAL, -EINVAL, EBADF },
		{ 0, -ETIMEDOUT, ETIMEDOUT },
		{ -EINTR, -EIO, EINTR },
		{ -EDEADLK, -EDEADLK, EDEADLK },
		{ -EBADF, -EINVAL, EBADF },
	};
	int fd = script_begin();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		script.polls = 0;
		script.poll_results[0] = rows[i].backend;
		errno = 0;
		g_assert_cmpint(umad_poll(fd, -1), ==, rows[i].result);
		g_assert_cmpint(errno, ==, rows[i].error);
		g_assert_cmpint(script.timeout_ms, ==, -1);
	}
	script_end(fd);
}

/* A bad handle is -EINVAL in every call that takes one, and no backend is called with it. */
static void check_bad_handle(int fd)
{
	struct umad_reg_attr attr = { .mgmt_class = 4, .mgmt_class_version = 1 };
	uint8_t oui[3] = { 0, 0x14, 5 };
	uint32_t id = 77;
	struct buffer buf;
	int length = 256;

	script.calls = 0;
	script.unregisters = 0;
	script.unregister_result = -EBADF;
	g_assert_cmpint(umad_get_fd(fd), ==, -EINVAL);
	g_assert_cmpint(umad_send(fd, 0, &buf, 256, 0, 0), ==, -EINVAL);
	g_assert_cmpint(errno, ==, EBADF);
	g_assert_cmpint(umad_recv(fd, &buf, &length, -1), ==, -EINVAL);
	g_assert_cmpint(errno, ==, EBADF);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpint(umad_poll(fd, -1), ==, -EINVAL);
	g_assert_cmpint(umad_register(fd, 4, 1, 0, NULL), ==, -EINVAL);
	g_assert_cmpint(errno, ==, EBADF);
	g_assert_cmpint(umad_register_oui(fd, 0x30, 0, oui, NULL), ==, -EINVAL);
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EINVAL);
	g_assert_cmpuint(id, ==, 77);
	g_assert_cmpint(umad_unregister(fd, 0), ==, -EINVAL);
	g_assert_cmpint(umad_close_port(fd), ==, -EINVAL);
	g_assert_cmpint(errno, ==, EBADF);
	g_assert_cmpuint(script.calls, ==, fd < 0 ? 0 : script.unregisters);
}

static void test_bad_handle(void)
{
	int fd = script_begin();

	check_bad_handle(-1);
	check_bad_handle(G_MININT);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	check_bad_handle(fd);
	/* The same number, opened again, is valid. */
	g_assert_cmpint(umad_open_port("H1", 1), ==, fd);
	g_assert_cmpint(umad_get_fd(fd), ==, fd);
	script_end(fd);
}

/* A descriptor that we did not open is accepted: a dup, an inherited one. */
static void test_foreign_handle(void)
{
	struct buffer buf = { .umad = { .agent_id = 0 } };
	int fd = script_begin();
	int copy = dup(fd);

	g_assert_cmpint(copy, >=, 0);
	g_assert_cmpint(umad_get_fd(copy), ==, copy);
	g_assert_cmpint(umad_send(copy, 3, &buf, 256, 0, 0), ==, 0);
	script.send_result = -EIO;
	g_assert_cmpint(umad_send(copy, 3, &buf, 256, 0, 0), ==, -EIO);
	g_assert_cmpint(umad_close_port(copy), ==, 0);
	script.close_result = -EBADF;
	g_assert_cmpint(umad_close_port(999), ==, -EINVAL);
	script_end(fd);
}

/* dup takes the lowest number, which may be one that was closed through us. */
static void test_number_comes_back(void)
{
	struct buffer buf = { .umad = { .agent_id = 0 } };
	int fd = script_begin(), other = umad_open_port("H1", 1);

	g_assert_cmpint(umad_close_port(other), ==, 0);
	g_assert_cmpint(dup(fd), ==, other);
	/* As a file that is not a umad device, or as one. */
	script.unregister_result = -ENOTTY;
	g_assert_cmpint(umad_send(other, 0, &buf, 256, 0, 0), ==, -EINVAL);
	g_assert_cmpint(umad_get_fd(other), ==, -EINVAL);
	script.unregister_result = -EINVAL;
	script.unregisters = 0;
	g_assert_cmpint(umad_send(other, 0, &buf, 256, 0, 0), ==, 0);
	g_assert_cmpint(umad_get_fd(other), ==, other);
	g_assert_cmpint(umad_close_port(other), ==, 0);
	g_assert_cmpuint(script.unregisters, ==, 1);
	script_end(fd);
}

static void test_handle_table(void)
{
	g_assert_cmpint(umad_handle_add(1 << 20, 64), ==, -EMFILE);
	g_assert_cmpuint(umad_handle_header_size(1 << 20), ==, 64);
	g_assert_cmpint(umad_handle_add((1 << 20) - 1, 56), ==, 0);
	g_assert_cmpuint(umad_handle_header_size((1 << 20) - 1), ==, 56);
	g_assert_cmpuint(umad_handle_header_size((1 << 20) - 2), ==, 64);
	g_assert_cmpuint(umad_handle_header_size(G_MAXINT), ==, 64);
	g_assert_true(umad_handle_close((1 << 20) - 1));
	g_assert_false(umad_handle_close((1 << 20) - 1));
	g_assert_cmpuint(umad_handle_header_size((1 << 20) - 1), ==, 0);
	g_assert_cmpuint(umad_handle_header_size((1 << 20) - 2), !=, 0);
}

static void test_address(void)
{
	struct ib_user_mad umad = { .addr = { .path_bits = 9, .gid_index = 8 } };
	ib_mad_addr_t from = {
		.grh_present = 1, .gid_index = 5, .hop_limit = 6, .traffic_class = 7,
		.gid = { 1, 2, 3 }, .flow_label = 0x12345,
	};

	g_assert_cmpint(umad_set_addr(&umad, 0x12345, 0x23456, 0x103, 0x1b), ==, 0);
	g_assert_cmphex(be16toh(umad.addr.lid), ==, 0x2345);
	g_assert_cmphex(be32toh(umad.addr.qpn), ==, 0x23456);
	g_assert_cmphex(umad.addr.sl, ==, 3);
	g_assert_cmphex(be32toh(umad.addr.qkey), ==, 0x1b);
	g_assert_cmpint(umad_set_addr_net(&umad, htobe16(7), htobe32(1), 2, htobe32(UMAD_QKEY)),
			==, 0);
	g_assert_cmphex(be16toh(umad.addr.lid), ==, 7);
	g_assert_cmphex(be32toh(umad.addr.qkey), ==, UMAD_QKEY);
	g_assert_cmphex(umad.addr.path_bits, ==, 9);

	g_assert_cmpint(umad_set_grh(&umad, &from), ==, 0);
	g_assert_cmphex(be32toh(umad.addr.flow_label), ==, 0x12345);
	g_assert_cmphex(umad.addr.gid_index, ==, 8);
	g_assert_cmphex(umad.addr.hop_limit, ==, 6);
	g_assert_cmphex(umad.addr.traffic_class, ==, 7);
	g_assert_cmpmem(umad.addr.gid, 16, from.gid, 16);
	g_assert_cmphex(umad.addr.grh_present, ==, 1);
	from.flow_label = htobe32(0x54321);
	g_assert_cmpint(umad_set_grh_net(&umad, &from), ==, 0);
	g_assert_cmphex(be32toh(umad.addr.flow_label), ==, 0x54321);
	g_assert_cmpint(umad_set_grh(&umad, NULL), ==, 0);
	g_assert_cmphex(umad.addr.grh_present, ==, 0);
	g_assert_cmphex(be32toh(umad.addr.flow_label), ==, 0x54321);

	g_assert_cmpint(umad_set_pkey(&umad, 3), ==, 0);
	g_assert_cmpint(umad_get_pkey(&umad), ==, 3);
	g_assert_cmphex(umad.addr.pkey_index, ==, 3);
}

static void test_debug(void)
{
	g_assert_cmpint(umad_debug(-1), ==, 0);
	g_assert_cmpint(umad_debug(2), ==, 2);
	g_assert_cmpint(umad_debug(-7), ==, 2);
	g_assert_cmpint(umad_debug(0), ==, 0);
}

static void dump_all(void)
{
	struct ib_user_mad umad = { .agent_id = 4, .status = 110, .timeout_ms = 100 };
	int fd = script_begin();

	umad_set_addr(&umad, 17, 1, 2, 0x1b);
	umad.addr.gid[15] = 0xab;
	umad_dump(&umad);
	umad_addr_dump(&umad.addr);
	umad_dump(NULL);
	umad_addr_dump(NULL);
	umad_debug(2);
	umad_send(fd, 0, &umad, 0, 0, 0);
	umad_debug(0);
	script_end(fd);
}

static void test_dump(void)
{
	if (g_test_subprocess()) {
		dump_all();
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("umad: agent 4 status 0x6e timeout 100 ms*"
				  "umad: qpn 1 qkey 0x1b lid 17 sl 2*"
				  "gid 0x000000000000000000000000000000ab\n*"
				  "umad: no buffer\numad: no address\n*"
				  "umad: agent 0 status 0x6e timeout 0 ms*"
				  "umad_send: fd * agent 0 length 0: 64\n*");
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-io/send", test_send);
	g_test_add_func("/umad-io/recv", test_recv);
	g_test_add_func("/umad-io/recv-wait", test_recv_wait);
	g_test_add_func("/umad-io/recv-grows-opensm", test_recv_grows_opensm);
	g_test_add_func("/umad-io/recv-overstated-libibnetdisc", test_recv_overstated_libibnetdisc);
	g_test_add_func("/umad-io/header-size-ibacm", test_header_size_ibacm);
	g_test_add_func("/umad-io/recv-lost-race", test_recv_lost_race);
	g_test_add_func("/umad-io/interrupted", test_interrupted);
	g_test_add_func("/umad-io/recv-arguments", test_recv_arguments);
	g_test_add_func("/umad-io/poll", test_poll);
	g_test_add_func("/umad-io/bad-handle", test_bad_handle);
	g_test_add_func("/umad-io/foreign-handle", test_foreign_handle);
	g_test_add_func("/umad-io/number-comes-back", test_number_comes_back);
	g_test_add_func("/umad-io/handle-table", test_handle_table);
	g_test_add_func("/umad-io/register", test_register);
	g_test_add_func("/umad-io/register2", test_register2);
	g_test_add_func("/umad-io/register2-old-kernel", test_register2_old_kernel);
	g_test_add_func("/umad-io/register2-arguments", test_register2_arguments);
	g_test_add_func("/umad-io/unregister", test_unregister);
	g_test_add_func("/umad-io/address", test_address);
	g_test_add_func("/umad-io/debug", test_debug);
	g_test_add_func("/umad-io/dump", test_dump);
	return leak_end(g_test_run());
}
