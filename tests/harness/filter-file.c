/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Umad files of programs under the filter: every call with its results and errors as Linux's
 * ib_umad has them (linux-mad A), over a fabric server.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/filter/program-descriptor.h"
#include "lib/base/umad-command.h"
#include "tests/rig/filter-rig.h"
#include "tests/rig/server-rig.h"

enum {
	OLD_HEADER = 56,
	CLASS = 0x0b,			/* a vendor class that is not the HCA's own */
	NOBODY = 77,			/* a LID */
	LID_H1 = 1, LID_H2 = 2,
	WAIT_MS = 20000,		/* for what is certain to come */
	LARGEST = 3 << 20,
};

static struct server_rig server;

static int begin(void)
{
	long fd;

	server = server_rig_start("", "H1");
	filter_rig_begin(&umad_backend_attach);
	fd = filter_rig_open("H1", 1, O_RDWR | O_NONBLOCK);
	g_assert_cmpint(fd, ==, FILTER_RIG_FIRST);
	return (int)fd;
}

static void end(void)
{
	filter_rig_end();
	server_rig_end(&server);
}

/* ---- requests ---- */

static long reg(int fd, uint8_t mgmt_class, uint32_t methods)
{
	struct ib_user_mad_reg_req req = {
		.id = 77, .qpn = 1, .mgmt_class = mgmt_class, .mgmt_class_version = 1,
		.method_mask = { methods },
	};
	long r = filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, &req);

	return r < 0 ? r : (long)req.id;
}

static long reg2(int fd, uint8_t mgmt_class, uint8_t rmpp_version, uint32_t methods)
{
	struct ib_user_mad_reg_req2 req = {
		.id = 77, .qpn = 1, .mgmt_class = mgmt_class,
		.mgmt_class_version = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1,
		.method_mask = { methods }, .rmpp_version = rmpp_version,
	};
	long r = filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, &req);

	return r < 0 ? r : (long)req.id;
}

static void fill(uint8_t *umad, uint32_t id, uint32_t tid, uint16_t dlid, uint32_t timeout_ms)
{
	rig_fill(umad, id, &(struct rig_get){
		.mgmt_class = CLASS, .attr = 1, .tid = tid, .dlid = dlid, .timeout_ms = timeout_ms,
	});
}

/* The same in the older layout. */
static void fill_old(uint8_t *umad, uint32_t id, uint32_t tid, uint16_t dlid, uint32_t timeout_ms)
{
	uint8_t whole[RIG_UMAD];

	fill(whole, id, tid, dlid, timeout_ms);
	memcpy(umad, whole, OLD_HEADER);
	memcpy(umad + OLD_HEADER, whole + RIG_HEADER, MAD_SIZE);
}

/* ---- open, ioctl ---- */

static void test_open(void)
{
	int fd = begin();
	uint8_t umad[RIG_UMAD] = { 0 };
	long other;

	g_assert_cmpint(fcntl(fd, F_GETFL) & O_NONBLOCK, ==, O_NONBLOCK);
	g_assert_cmpint(fcntl(fd, F_GETFD) & FD_CLOEXEC, ==, 0);
	g_assert_cmpint(filter_rig_open("H1", 2, O_RDWR), ==, -ENXIO);
	g_assert_cmpint(filter_rig_open("nosuch", 1, O_RDWR), ==, -ENXIO);
	other = filter_rig_open("H1", 1, O_RDONLY | O_CLOEXEC);
	g_assert_cmpint(other, ==, fd + 1);
	g_assert_cmpint(fcntl((int)other, F_GETFL) & O_NONBLOCK, ==, 0);
	g_assert_cmpint(fcntl((int)other, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
	g_assert_cmpint(filter_rig_write((int)other, umad, sizeof(umad)), ==, -EBADF);
	g_assert_cmpint(filter_rig_read((int)other, umad, 63 - 8), ==, -EINVAL);
	close((int)other);
	other = filter_rig_open("H1", 1, O_WRONLY);
	g_assert_cmpint(filter_rig_read((int)other, umad, sizeof(umad)), ==, -EBADF);
	g_assert_cmpint(filter_rig_write((int)other, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpuint(file_umad_number(file_find(filter_rig_supervisor(), getpid(), fd)), ==, 3);
	g_assert_null(file_find(filter_rig_supervisor(), getpid(), 0));
	g_assert_null(file_find(filter_rig_supervisor(), getpid(), -1));
	end();
}

/* All numbers are in use, then one is not. */
static void test_numbers(void)
{
	int fd = begin();

	for (int number = fd + 1; number < FILTER_RIG_END; number++)
		g_assert_cmpint(filter_rig_open("H1", 1, O_RDWR), ==, number);
	g_assert_cmpint(filter_rig_open("H1", 1, O_RDWR), ==, -EMFILE);
	g_assert_cmpint(filter_rig_call(SYS_dup, (uint64_t)fd, 0, 0), ==, -EMFILE);
	close(1000);
	g_assert_cmpint(filter_rig_open("H1", 1, O_RDWR), ==, 1000);
	end();
}

static void test_register(void)
{
	int fd = begin();
	struct ib_user_mad_reg_req2 req = { .qpn = 1, .mgmt_class = CLASS, .mgmt_class_version = 1,
				.flags = 0x80000002 };
	uint32_t id = 32;
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, NULL), ==, -EFAULT);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, NULL), ==, -EFAULT);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, NULL), ==, -EFAULT);
	g_assert_cmpint(filter_rig_ioctl(fd, 0x1b05, &id), ==, -ENOTTY);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), ==, -EINVAL);
	/* The flags that there are come back. */
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, &req), ==, -EINVAL);
	g_assert_cmphex(req.flags, ==, 1);
	/* The id cannot be returned: and so nothing is registered. */
	memset(&req, 0, sizeof(req));
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, page), ==, -EFAULT);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	g_assert_cmpint(reg(fd, CLASS, 2), ==, 0);
	g_assert_cmpint(reg(fd, CLASS, 2), ==, -EINVAL);
	g_assert_cmpint(reg(fd, CLASS, 0), ==, 1);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, -EINVAL);
	id = 0;
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), ==, 0);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), ==, -EINVAL);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, -EINVAL);
	for (long next = 2; next <= 32; next++)
		g_assert_cmpint(reg(fd, CLASS, 0), ==, next == 2 ? 0 : next - 1);
	g_assert_cmpint(reg(fd, CLASS, 0), ==, -ENOMEM);
	munmap(page, 4096);
	end();
}

/* Agents are gone when close(2) returns; a copy keeps them. */
static void test_close(void)
{
	int fd = begin(), copy = fcntl(fd, F_DUPFD, 3);
	long next;

	g_assert_cmpint(reg(fd, CLASS, 2), ==, 0);
	next = filter_rig_open("H1", 1, O_RDWR);
	close(fd);
	g_assert_cmpint(reg((int)next, CLASS, 2), ==, -EINVAL);
	close(copy);
	g_assert_cmpint(reg((int)next, CLASS, 2), ==, 0);
	end();
}

/* ---- write ---- */

static void test_write(void)
{
	enum { PAGE = 4096 };
	static const struct {
		uint32_t id;
		size_t size;
		long result;
	} rows[] = {
		{ 0, RIG_UMAD, RIG_UMAD },
		{ 0, RIG_UMAD, -EINVAL },		/* the same again, the first still out */
		{ 0, RIG_HEADER + 35, -EINVAL },
		{ 0, 0, -EINVAL },
		{ 0, RIG_UMAD + 1, -EINVAL },		/* no RMPP */
		{ 0, PAGE + 1, -EINVAL },
		{ 0, (size_t)1 << 33, -EINVAL },
		{ 0, (size_t)-1, -EFAULT },
		{ 5, RIG_UMAD, -EIO },			/* no such agent */
		{ 31, PAGE, -EIO },
		{ 32, RIG_UMAD, -EINVAL },
		{ 0xffffffff, PAGE + 1, -EINVAL },
	};
	uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	uint8_t *tail = pages + PAGE - RIG_UMAD;
	int fd = begin();

	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		fill(pages, rows[i].id, 0x1234, NOBODY, 60000);
		g_test_message("row %zu", i);
		g_assert_cmpint(filter_rig_write(fd, pages, rows[i].size), ==, rows[i].result);
	}
	/* Memory that ends early: what Linux finds before it copies the rest comes first. */
	munmap(pages + PAGE, PAGE);
	fill(tail, 0, 0x1235, NOBODY, 60000);
	g_assert_cmpint(filter_rig_write(fd, tail, RIG_UMAD + 1), ==, -EINVAL);
	g_assert_cmpint(filter_rig_write(fd, tail, RIG_UMAD), ==, RIG_UMAD);
	memmove(tail + 8, tail, RIG_UMAD - 8);
	g_assert_cmpint(filter_rig_write(fd, tail + 8, RIG_UMAD), ==, -EFAULT);
	rig_put_u32(tail, 8 + RIG_ID, 7);
	g_assert_cmpint(filter_rig_write(fd, tail + 8, RIG_UMAD), ==, -EIO);
	rig_put_u32(tail, 8 + RIG_ID, 32);
	g_assert_cmpint(filter_rig_write(fd, tail + 8, RIG_UMAD), ==, -EINVAL);
	g_assert_cmpint(filter_rig_write(fd, NULL, RIG_UMAD), ==, -EFAULT);
	g_assert_cmpint(filter_rig_write(fd, NULL, RIG_HEADER + 35), ==, -EINVAL);
	munmap(pages, PAGE);
	end();
}

/* Each part is a message. */
static void test_vectors(void)
{
	uint8_t umads[3][RIG_UMAD], got[2][400];
	struct iovec parts[] = {
		{ umads[0], RIG_UMAD }, { umads[1], RIG_UMAD }, { umads[2], RIG_UMAD },
	};
	struct iovec into[] = { { got[0], 400 }, { got[1], 400 } };
	struct iovec split[] = { { got[0], RIG_HEADER }, { got[1], MAD_SIZE } };
	struct iovec empty[] = { { got[0], 0 }, { got[1], 400 } };
	int fd = begin();

	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	for (unsigned int i = 0; i < 3; i++)
		fill(umads[i], i == 2 ? 5 : 0, i, NOBODY, 1);
	g_assert_cmpint(filter_rig_call(SYS_writev, (uint64_t)fd, (uintptr_t)parts, 3), ==,
			2 * RIG_UMAD);
	g_assert_cmpint(filter_rig_call(SYS_writev, (uint64_t)fd, (uintptr_t)(parts + 2), 1), ==,
			-EIO);
	g_assert_cmpint(filter_rig_call(SYS_writev, (uint64_t)fd, (uintptr_t)parts, 0), ==, 0);
	g_assert_cmpint(filter_rig_call(SYS_writev, (uint64_t)fd, (uintptr_t)parts, 1025), ==,
			-EINVAL);
	g_assert_cmpint(filter_rig_call(SYS_writev, (uint64_t)fd, 8, 1), ==, -EFAULT);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
	/* The message must fit into the first part. */
	g_assert_cmpint(filter_rig_call(SYS_readv, (uint64_t)fd, (uintptr_t)split, 2), ==, -EINVAL);
	g_assert_cmpint(filter_rig_call(SYS_readv, (uint64_t)fd, (uintptr_t)empty, 2), ==, -EINVAL);
	g_assert_cmpint(filter_rig_call(SYS_readv, (uint64_t)fd, (uintptr_t)into, 2), ==,
			RIG_HEADER + MAD_HDR_SIZE);
	end();
}

/*
 * Are copies of descriptors refused, as in containers? The rig cannot have its own threads make
 * calls, which is what is left then: tests/harness/any-unprivileged.sh.
 */
static bool has_no_copies(int fd)
{
	int copy = descriptor_copy(getpid(), fd);

	if (copy >= 0)
		close(copy);
	if (copy == -EPERM)
		g_test_skip("pidfd_getfd(2) is refused here");
	return copy == -EPERM;
}

/* Another file gets the number of a umad file, of which there is a copy. */
static void test_replaced(void)
{
	int fd = begin(), ends[2];
	uint8_t umad[RIG_UMAD], got[RIG_UMAD + 1];
	long copy = filter_rig_call(SYS_dup, (uint64_t)fd, 0, 0);

	if (has_no_copies(fd)) {
		close((int)copy);
		end();
		return;
	}
	g_assert_cmpint(copy, >, fd);
	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	g_assert_cmpint(pipe(ends), ==, 0);
	for (uint32_t tid = 1; tid <= 3; tid++) {
		fill(umad, 0, tid, NOBODY, 60000);
		g_assert_cmpint(filter_rig_write(fd, umad, RIG_UMAD), ==, RIG_UMAD);
	}
	g_assert_cmpint(dup2(ends[1], fd), ==, fd);
	g_assert_cmpint(filter_rig_write(fd, "other", 5), ==, 5);
	fill(umad, 0, 4, NOBODY, 60000);
	g_assert_cmpint(filter_rig_write(fd, umad, RIG_UMAD), ==, RIG_UMAD);
	g_assert_cmpint(read(ends[0], got, 5), ==, 5);
	g_assert_cmpmem(got, 5, "other", 5);
	g_assert_cmpint(read(ends[0], got, sizeof(got)), ==, RIG_UMAD);
	g_assert_cmpmem(got, RIG_UMAD, umad, RIG_UMAD);
	/* And back again. */
	g_assert_cmpint(dup2((int)copy, fd), ==, fd);
	g_assert_cmpint(filter_rig_write(fd, "other", 5), ==, -EINVAL);
	g_assert_cmpint(filter_rig_write(fd, umad, RIG_UMAD), ==, RIG_UMAD);
	close(ends[0]);
	close(ends[1]);
	end();
}

/* ---- read ---- */

/* A report of 24 bytes, in both layouts. */
static void check_report(int fd, size_t header_size)
{
	uint8_t umad[RIG_UMAD], *bad = (uint8_t *)8;
	long size = (long)header_size + MAD_HDR_SIZE;

	g_assert_cmpint(filter_rig_read(fd, umad, header_size - 1), ==, -EINVAL);
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN | POLLOUT, 0), ==, POLLOUT);
	if (header_size == RIG_HEADER)
		fill(umad, 0, 0x99, NOBODY, 1);
	else
		fill_old(umad, 0, 0x99, NOBODY, 1);
	rig_put_u32(umad, RIG_LENGTH, 1234);
	g_assert_cmpint(filter_rig_write(fd, umad, header_size + MAD_SIZE), ==,
			header_size + MAD_SIZE);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
	g_assert_cmpint(filter_rig_read(fd, umad, (size_t)size - 1), ==, -EINVAL);
	g_assert_cmpint(filter_rig_read(fd, bad, (size_t)size), ==, -EFAULT);
	memset(umad, 0xee, sizeof(umad));
	g_assert_cmpint(filter_rig_read(fd, umad, (size_t)size), ==, size);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, ETIMEDOUT);
	/* As it was written. */
	g_assert_cmpuint(rig_get_u32(umad, RIG_LENGTH), ==, 1234);
	g_assert_cmphex(get_be32(umad + header_size + MAD_TID + 4), ==, 0x99);
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, -EAGAIN);
}

/* An answer of 256 bytes, from the kernel of H2. */
static void check_answer(int fd, size_t header_size)
{
	uint8_t umad[RIG_UMAD];

	if (header_size == RIG_HEADER)
		fill(umad, 0, 0x9a, LID_H2, 10000);
	else
		fill_old(umad, 0, 0x9a, LID_H2, 10000);
	g_assert_cmpint(filter_rig_write(fd, umad, header_size + MAD_SIZE), ==,
			header_size + MAD_SIZE);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
	g_assert_cmpint(filter_rig_read(fd, umad, header_size + MAD_SIZE - 1), ==, -EINVAL);
	memset(umad, 0xee, sizeof(umad));
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, header_size + MAD_SIZE);
	g_assert_cmpuint(rig_get_u32(umad, RIG_LENGTH), ==, header_size + MAD_SIZE);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
	g_assert_cmphex(umad[header_size + MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmphex(get_be32(umad + header_size + MAD_TID + 4), ==, 0x9a);
}

static void test_read(void)
{
	int fd = begin();

	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	check_report(fd, RIG_HEADER);
	check_answer(fd, RIG_HEADER);
	end();
}

static void test_read_old(void)
{
	int fd = begin();

	g_assert_cmpint(reg(fd, CLASS, 0), ==, 0);
	check_report(fd, OLD_HEADER);
	check_answer(fd, OLD_HEADER);
	/* A later REGISTER_AGENT2 does not change that. */
	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 1);
	check_answer(fd, OLD_HEADER);
	end();
}

/* ---- large messages ---- */

/* A peer that answers a request of SA's class with 'size' bytes of data. */
static void answer_large(int peer, uint32_t agent, const uint8_t *request, size_t size)
{
	g_autofree uint8_t *umad = g_malloc0(RIG_HEADER + SA_DATA + size);
	uint8_t *mad = umad + RIG_HEADER;

	memcpy(umad, request, RIG_UMAD);
	rig_put_u32(umad, RIG_ID, agent);
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	mad[MAD_METHOD] = 0x92;
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	for (size_t i = 0; i < size; i++)
		mad[SA_DATA + i] = (uint8_t)(i * 7 + i / 251);
	g_assert_cmpint(umad_backend_attach.send(peer, umad, RIG_HEADER + SA_DATA + size), ==,
			RIG_HEADER + SA_DATA + size);
}

static void check_large(int fd, int peer, uint32_t agent, size_t size, uint32_t tid)
{
	uint8_t umad[RIG_UMAD], request[RIG_UMAD], head[RIG_UMAD];
	size_t whole = RIG_HEADER + SA_DATA + size;
	g_autofree uint8_t *got = g_malloc0(whole + 1);

	rig_fill(umad, 0, &(struct rig_get){
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = MAD_METHOD_GET_TABLE, .attr = 0x11,
		.dlid = LID_H2, .tid = tid, .timeout_ms = 60000,
	});
	g_assert_cmpint(filter_rig_write(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(rig_recv(&server.rig, peer, request, WAIT_MS), ==, RIG_UMAD);
	answer_large(peer, agent, request, size);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
	g_assert_cmpint(filter_rig_read(fd, head, RIG_UMAD - 1), ==, -EINVAL);
	memset(head, 0xee, sizeof(head));
	g_assert_cmpint(filter_rig_read(fd, head, RIG_UMAD), ==, -ENOSPC);
	g_assert_cmpuint(rig_get_u32(head, RIG_LENGTH), ==, whole);
	g_assert_cmpint(filter_rig_read(fd, got, whole - 1), ==, -ENOSPC);
	g_assert_cmpint(filter_rig_read(fd, (void *)8, whole), ==, -EFAULT);
	memset(got, 0xee, whole);
	g_assert_cmpint(filter_rig_read(fd, got, whole + 1), ==, whole);
	g_assert_cmpmem(got, RIG_UMAD, head, RIG_UMAD);
	for (size_t i = 0; i < size; i++)
		if (got[RIG_HEADER + SA_DATA + i] != (uint8_t)(i * 7 + i / 251))
			g_error("byte %zu of %zu is wrong", i, size);
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, 0), ==, 0);
}

static void check_sizes(const size_t *sizes, unsigned int count)
{
	int fd = begin(), peer = server_rig_open_on(&server, "H2");
	struct umad_backend_reg sa = {
		.request = UMAD_BACKEND_REGISTER_AGENT2,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1, .method_mask = { 1 << MAD_METHOD_GET_TABLE },
	};

	g_assert_cmpint(umad_backend_attach.register_agent(peer, &sa), ==, 0);
	g_assert_cmpint(reg2(fd, MAD_CLASS_SUBN_ADM, 1, 0), ==, 0);
	for (unsigned int i = 0; i < count; i++)
		check_large(fd, peer, sa.id, sizes[i], i + 1);
	umad_backend_attach.close(peer);
	end();
}

static void test_large(void)
{
	static const size_t sizes[] = { 700, 20000, 100000, 424000, 430000, LARGEST };

	check_sizes(sizes, G_N_ELEMENTS(sizes));
}

/* ---- many messages ---- */

/* More than may be in flight, of two sizes, none lost and in order. */
static void test_many(void)
{
	enum { COUNT = 5 * FLIGHT_MAX };
	uint8_t umad[RIG_UMAD];
	int fd = begin();

	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		fill(umad, 0, i, i % 2 ? LID_H2 : NOBODY, 2000);
		g_assert_cmpint(filter_rig_write(fd, umad, sizeof(umad)), ==, RIG_UMAD);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t tid = i < COUNT / 2 ? 2 * i + 1 : UINT32_MAX;
		long size = i < COUNT / 2 ? RIG_UMAD : RIG_HEADER + MAD_HDR_SIZE;

		g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
		g_assert_cmpint(filter_rig_read(fd, umad, (size_t)size - 1), ==, -EINVAL);
		g_assert_cmpint(filter_rig_read(fd, umad, (size_t)size), ==, size);
		if (tid != UINT32_MAX)
			g_assert_cmphex(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, tid);
	}
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, -EAGAIN);
	end();
}

/* ---- copies ---- */

static void test_copies(void)
{
	int fd = begin(), low;
	uint8_t umad[RIG_UMAD];
	long copy;

	if (has_no_copies(fd)) {
		end();
		return;
	}
	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	copy = filter_rig_call(SYS_dup, (uint64_t)fd, 0, 0);
	g_assert_cmpint(copy, ==, fd + 1);
	g_assert_cmpint(fcntl((int)copy, F_GETFD), ==, 0);
	check_report((int)copy, RIG_HEADER);
	close((int)copy);
	copy = filter_rig_call(SYS_fcntl, (uint64_t)fd, F_DUPFD_CLOEXEC, 3);
	g_assert_cmpint(copy, ==, fd + 1);
	g_assert_cmpint(fcntl((int)copy, F_GETFD), ==, FD_CLOEXEC);
	g_assert_cmpint(filter_rig_call(SYS_fcntl, (uint64_t)fd, F_DUPFD, 1010), ==, 1010);
	check_answer(1010, RIG_HEADER);
	g_assert_cmpint(filter_rig_call(SYS_fcntl, (uint64_t)fd, F_DUPFD, UINT64_MAX), ==,
			-EINVAL);
	/* A copy that the filter does not see. */
	low = dup(fd);
	fill(umad, 0, 0x55, LID_H2, 10000);
	g_assert_cmpint(write(low, umad, 17), ==, 17);
	g_assert_cmpint(write(low, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(filter_rig_poll(low, POLLIN, WAIT_MS), ==, POLLIN);
	g_assert_cmpint(read(low, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmphex(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, 0x55);
	/* What is read there does not confuse the others. */
	check_answer(fd, RIG_HEADER);
	check_report(fd, RIG_HEADER);
	close(low);
	end();
}

/* ---- removal ---- */

static void test_removal(void)
{
	int fd = begin(), unused = (int)filter_rig_open("H1", 1, O_RDWR);
	uint8_t umad[RIG_UMAD];
	struct ib_user_mad_reg_req2 req = { .qpn = 1 };
	uint32_t id = 0;

	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	fill(umad, 0, 0x55, LID_H2, 10000);
	g_assert_cmpint(filter_rig_write(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(filter_rig_poll(fd, POLLIN, WAIT_MS), ==, POLLIN);
	server_rig_console("device remove H1");
	g_assert_cmpint(filter_rig_poll(fd, 0, WAIT_MS) & POLLERR, ==, POLLERR);
	/* What was there is there no more. */
	g_assert_cmpint(filter_rig_read(fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(filter_rig_read(fd, umad, RIG_HEADER - 1), ==, -EINVAL);
	g_assert_cmpint(filter_rig_write(fd, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(filter_rig_write(fd, umad, RIG_HEADER + 35), ==, -EINVAL);
	rig_put_u32(umad, RIG_ID, 32);
	g_assert_cmpint(filter_rig_write(fd, umad, sizeof(umad)), ==, -EINVAL);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, &req), ==, -EPIPE);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, NULL), ==, -EPIPE);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), ==, -EINVAL);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, NULL), ==, -EFAULT);
	g_assert_cmpint(filter_rig_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, -EINVAL);
	g_assert_cmpint(filter_rig_ioctl(unused, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	g_assert_cmpint(filter_rig_open("H1", 1, O_RDWR), ==, -ENXIO);
	end();
}

/* A program may break its end: then nothing comes, and nobody is kept busy. */
static void test_shut_down(void)
{
	static const int ways[] = { SHUT_RD, SHUT_WR, SHUT_RDWR };
	int fd = begin();

	for (unsigned int i = 0; i < G_N_ELEMENTS(ways); i++) {
		int broken = (int)filter_rig_open("H1", 1, O_RDWR);
		struct pollfd work = { .fd = filter_rig_supervisor()->files->loop,
				       .events = POLLIN };
		uint8_t umad[RIG_UMAD];

		g_assert_cmpint(reg2(broken, CLASS, 0, 0), ==, 0);
		for (uint32_t tid = 1; tid < 4; tid++) {
			fill(umad, 0, tid, LID_H2, 10000);
			g_assert_cmpint(filter_rig_write(broken, umad, sizeof(umad)), ==, RIG_UMAD);
		}
		g_assert_cmpint(shutdown(broken, ways[i]), ==, 0);
		while (poll(&work, 1, 50) > 0)
			filter_rig_settle();
		close(broken);
	}
	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	check_answer(fd, RIG_HEADER);
	end();
}

/* Files of removed devices are remembered, but not without limit. */
static void test_removals(void)
{
	int fd = begin();

	for (int i = 0; i < 3 * FILE_TABLE_DEAD_MAX; i++) {
		struct umad_file *file = file_find(filter_rig_supervisor(), getpid(), fd);

		file_kill(file);
		g_assert_cmpuint(g_hash_table_size(filter_rig_supervisor()->files->files), <=,
				 FILE_TABLE_DEAD_MAX);
		close(fd);
		g_assert_cmpint(filter_rig_open("H1", 1, O_RDWR), ==, fd);
	}
	end();
}

/* From now on this process may have no copies of descriptors, as in most containers. */
static void deny_copies(void)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_getfd, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = G_N_ELEMENTS(lines), .filter = lines };

	g_assert_cmpint(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
	g_assert_cmpint(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

static void test_contained(void)
{
	static const size_t sizes[] = { 700, 430000, 500, LARGEST, 430000 };
	long copy;
	int fd;

	deny_copies();
	check_sizes(sizes, G_N_ELEMENTS(sizes));
	fd = begin();
	g_assert_cmpint(reg2(fd, CLASS, 0, 0), ==, 0);
	/* A copy at a low number, where the filter does not see it. */
	copy = filter_rig_call(SYS_dup, (uint64_t)fd, 0, 0);
	g_assert_cmpint(copy, >=, 0);
	g_assert_cmpint(copy, <, FILTER_RIG_FIRST);
	check_answer(fd, RIG_HEADER);
	close((int)copy);
	end();
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	alarm(300);
	g_test_add_func("/filter-file/open", test_open);
	g_test_add_func("/filter-file/numbers", test_numbers);
	g_test_add_func("/filter-file/register", test_register);
	g_test_add_func("/filter-file/close", test_close);
	g_test_add_func("/filter-file/write", test_write);
	g_test_add_func("/filter-file/vectors", test_vectors);
	g_test_add_func("/filter-file/replaced", test_replaced);
	g_test_add_func("/filter-file/read", test_read);
	g_test_add_func("/filter-file/read-old", test_read_old);
	g_test_add_func("/filter-file/large", test_large);
	g_test_add_func("/filter-file/many", test_many);
	g_test_add_func("/filter-file/copies", test_copies);
	g_test_add_func("/filter-file/removal", test_removal);
	g_test_add_func("/filter-file/removals", test_removals);
	g_test_add_func("/filter-file/shut-down", test_shut_down);
	/* The last one, as it cannot be taken back. */
	g_test_add_func("/filter-file/contained", test_contained);
	return g_test_run();
}
