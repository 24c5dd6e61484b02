/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * raw-calls: read(2), write(2) and ioctl(2) on what umad_open_port() returns, as TAP.
 *
 * The results are those of Linux 6.1 for a umad file with 64-byte headers. Run on a fabric that has
 * hosts H1 and H2, with libumadraw preloaded; RAW_CALLS_REMOVE is a command that removes H1, in
 * the end. "raw-calls inherited N" is what it runs itself as, to use a handle that it did not open.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>

#include "lib/base/umad-command.h"
#include "tests/tools/raw-calls.h"

__thread union raw_buffer buffer;

static unsigned int test_count, failure_count;
bool is_attached, is_virtual;
__thread uint64_t last_tid;

/* Not known to the compiler, which warns of such arguments. */
static void *volatile nowhere = (void *)8;
static volatile int minus_one = -1;

static void ok(bool passed, const char *name)
{
	test_count++;
	failure_count += !passed;
	printf("%sok %u - %s\n", passed ? "" : "not ", test_count, name);
}

void is(const char *name, long result, long expected, int err)
{
	int err_now = result < 0 ? errno : 0;
	bool passed = result == expected && (result >= 0 || err_now == err);

	ok(passed, name);
	if (!passed)
		printf("# got %ld (%s), expected %ld (%s)\n", result, strerror(err_now), expected,
		       strerror(result < 0 || expected < 0 ? err : 0));
}

/* A request to a port; somebody answers at LID ANSWERS. */
static void fill(uint32_t agent, uint16_t lid, uint32_t timeout_ms)
{
	struct umad_hdr *mad = (struct umad_hdr *)(buffer.bytes + HEADER);

	memset(&buffer, 0, sizeof(buffer));
	umad_set_addr(&buffer, lid, 1, 0, UMAD_QKEY);
	buffer.umad.agent_id = agent;
	buffer.umad.timeout_ms = timeout_ms;
	mad->base_version = 1;
	mad->mgmt_class = CLASS;
	mad->class_version = 1;
	mad->method = UMAD_METHOD_GET;
	mad->tid = htobe64(++last_tid);
	mad->attr_id = htobe16(1);
}

void ask(int fd, uint16_t lid, uint32_t timeout_ms)
{
	fill(0, lid, timeout_ms);
	buffer.umad.retries = lid == NOBODY;
	if (write(fd, &buffer, HEADER + MAD) != HEADER + MAD)
		printf("# a request was not sent: %s\n", strerror(errno));
}

/* Waits for what is to come, in every clock. */
static void await(int fd)
{
	umad_poll(fd, 60000);
}

static struct ib_user_mad_reg_req first_request(void)
{
	return (struct ib_user_mad_reg_req){
		.id = 77, .qpn = 1, .mgmt_class = CLASS, .mgmt_class_version = 1,
	};
}

int open_handle(void)
{
	struct ib_user_mad_reg_req req = first_request();
	int fd = umad_open_port("H1", 1);

	if (fd < 0 || ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req) < 0 || req.id != 0) {
		printf("Bail out! no handle: %s\n", strerror(errno));
		exit(1);
	}
	return fd;
}

/* ---- ioctl ---- */

static const struct first_row {
	const char *name;
	int qpn, class, version, rmpp_version;
	int err;
} first_rows[] = {
	{ "a QP that is none", 2, CLASS, 1, 0, EINVAL },
	{ "a class version of 131", 1, CLASS, 131, 0, EINVAL },
	{ "class 0x50", 1, 0x50, 1, 0, EINVAL },
	{ "an SMP class on QP1", 1, 0x81, 1, 0, EINVAL },
	{ "another class on QP0", 0, CLASS, 1, 0, EINVAL },
	{ "RMPP for a class without", 1, CLASS, 1, 1, EINVAL },
	{ "RMPP 2", 1, 3, 2, 2, EINVAL },
	{ "a vendor class without OUI", 1, 0x32, 1, 0, EINVAL },
	{ "SMPs on QP0", 0, 0x81, 1, 0, 0 },
	{ "an agent that only sends", 1, 0, 200, 0, 0 },
	{ "SA with RMPP", 1, 3, 2, 1, 0 },
};

static void test_first_register(void)
{
	for (size_t i = 0; i < sizeof(first_rows) / sizeof(first_rows[0]); i++) {
		const struct first_row *row = &first_rows[i];
		struct ib_user_mad_reg_req req = {
			.id = 77, .qpn = (uint8_t)row->qpn, .mgmt_class = (uint8_t)row->class,
			.mgmt_class_version = (uint8_t)row->version,
			.rmpp_version = (uint8_t)row->rmpp_version,
		};
		int fd = umad_open_port("H1", 1);

		is(row->name, ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req), row->err ? -1 : 0,
		   row->err);
		is("  and its id", req.id, row->err ? 77 : 0, 0);
		umad_close_port(fd);
	}
}

static void test_second_register(void)
{
	struct ib_user_mad_reg_req2 req = {
		.id = 77, .qpn = 1, .mgmt_class = CLASS, .mgmt_class_version = 1,
		.flags = 0x80000001, .method_mask = { 1 << UMAD_METHOD_GET },
	};
	int fd = umad_open_port("H1", 1), other = umad_open_port("H1", 1);

	is("flags that are not known", ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &req), -1, EINVAL);
	is("those that are", req.flags, 1, 0);
	is("no id", req.id, 77, 0);
	req.flags = 0;
	req.oui = 1 << 24;
	is("an OUI of 25 bits", ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &req), -1, EINVAL);
	is("flags stay", req.flags, 0, 0);
	req.oui = 0;
	is("REGISTER_AGENT2", ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &req), 0, 0);
	is("id 0", req.id, 0, 0);
	is("methods that are taken", ioctl(other, IB_USER_MAD_REGISTER_AGENT2, &req), -1, EINVAL);
	umad_close_port(other);
	umad_close_port(fd);
}

static void test_ioctl(void)
{
	struct ib_user_mad_reg_req req = first_request();
	int fd = umad_open_port("H1", 1), one = 1;
	uint32_t id;
	void *constant = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);

	memcpy(constant, &req, sizeof(req));
	mprotect(constant, 4096, PROT_READ);
	is("ENABLE_PKEY", ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL), 0, 0);
	is("REGISTER_AGENT of nothing", ioctl(fd, IB_USER_MAD_REGISTER_AGENT, NULL), -1, EFAULT);
	is("REGISTER_AGENT2 of nothing", ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, NULL), -1, EFAULT);
	is("with an id nowhere to write", ioctl(fd, IB_USER_MAD_REGISTER_AGENT, constant), -1,
	   EFAULT);
	is("ENABLE_PKEY after an agent, gone as it is", ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL),
	   -1, EINVAL);
	is("a first agent", ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req), 0, 0);
	is("in a place that is free", req.id, 0, 0);
	is("a second one", ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req), 0, 0);
	is("in the next", req.id, 1, 0);
	id = 32;
	is("UNREGISTER_AGENT 32", ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id), -1, EINVAL);
	is("of nothing", ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, NULL), -1, EFAULT);
	id = 1;
	is("1", ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id), 0, 0);
	is("and again", ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id), -1, EINVAL);
	is("umad_unregister() knows, too", umad_unregister(fd, 0), 0, 0);
	is("another ioctl", ioctl(fd, 0x1b05), -1, ENOTTY);
	is("how much there is to read", ioctl(fd, FIONREAD, &one), -1, ENOTTY);
	is("FIONBIO", ioctl(fd, FIONBIO, &one), 0, 0);
	is("isatty()", isatty(fd), 0, 0);
	munmap(constant, 4096);
	umad_close_port(fd);
}

/* ---- write ---- */

static void test_write(void)
{
	static const struct {
		const char *name;
		size_t size;
		uint32_t agent;
		int err;
	} rows[] = {
		{ "nothing written", 0, 0, EINVAL },
		{ "less than two headers", HEADER + 35, 0, EINVAL },
		{ "more than a MAD", HEADER + MAD + 1, 0, EINVAL },
		{ "agent 32", HEADER + MAD, 32, EINVAL },
		{ "an agent that is none", HEADER + MAD, 5, EIO },
		{ "a MAD", HEADER + MAD, 0, 0 },
		{ "a short one", HEADER + 36, 0, 0 },
	};
	struct iovec parts[2] = { { buffer.bytes, HEADER }, { buffer.bytes + HEADER, MAD } };
	int fd = open_handle();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fill(rows[i].agent, NOBODY, 60000);
		is(rows[i].name, write(fd, &buffer, rows[i].size),
		   rows[i].err ? -1 : (long)rows[i].size, rows[i].err);
	}
	is("the same again", write(fd, &buffer, HEADER + 36), -1, EINVAL);
	is("from nowhere", write(fd, nowhere, HEADER + MAD), -1, EFAULT);
	fill(0, NOBODY, 60000);
	is("in two parts", writev(fd, parts, 2), -1, EINVAL);
	parts[0].iov_len = HEADER + MAD;
	is("in one", writev(fd, parts, 1), HEADER + MAD, 0);
	is("in none", writev(fd, parts, 0), 0, 0);
	is("in fewer", writev(fd, parts, minus_one), -1, EINVAL);
	umad_close_port(fd);
}

/* ---- read ---- */

static void test_read(void)
{
	struct iovec parts[2] = { { buffer.bytes, HEADER }, { buffer.bytes + HEADER, MAD } };
	int fd = open_handle();
	size_t size = HEADER + MAD;

	is("nothing to read", read(fd, &buffer, size), -1, EAGAIN);
	is("nothing, to nowhere", read(fd, nowhere, size), -1, EAGAIN);
	is("less than a header", read(fd, &buffer, HEADER - 1), -1, EINVAL);
	ask(fd, ANSWERS, 60000);
	await(fd);
	is("an answer, to nowhere", read(fd, nowhere, size), -1, EFAULT);
	is("less than it has", read(fd, &buffer, size - 1), -1, EINVAL);
	is("in two parts", readv(fd, parts, 2), -1, EINVAL);
	parts[0].iov_len = size;
	is("in one", readv(fd, parts, 1), (long)size, 0);
	is("its length", buffer.umad.length, (long)size, 0);
	is("its agent", buffer.umad.agent_id, 0, 0);
	is("its method", buffer.bytes[HEADER + 3], UMAD_METHOD_GET_RESP, 0);
	is("and no other", read(fd, &buffer, sizeof(buffer)), -1, EAGAIN);

	ask(fd, NOBODY, 10);
	await(fd);
	memset(&buffer, 0, sizeof(buffer));
	is("less than a report", read(fd, &buffer, HEADER + 23), -1, EINVAL);
	is("a report", read(fd, &buffer, HEADER + 24), HEADER + 24, 0);
	is("of a timeout", (long)buffer.umad.status, ETIMEDOUT, 0);
	is("after so many retries", (long)buffer.umad.retries, 1, 0);

	ask(fd, ANSWERS, 60000);
	await(fd);
	size = sizeof(buffer);	/* not known when this is compiled, maybe: __read_chk() */
	is("with room to spare", read(fd, buffer.bytes, size - (size_t)(fd < 0)), HEADER + MAD, 0);
	umad_close_port(fd);
}

static int open_sa(const char *host, uint64_t methods)
{
	struct umad_reg_attr attr = {
		.mgmt_class = UMAD_CLASS_SUBN_ADM,
		.mgmt_class_version = UMAD_SA_CLASS_VERSION,
		.rmpp_version = UMAD_RMPP_VERSION,
		.method_mask = { methods },
	};
	uint32_t id;
	int fd;

	umad_host_enter(host);
	fd = umad_open_port(host, 1);
	umad_host_enter(NULL);
	if (fd < 0 || umad_register2(fd, &attr, &id) != 0 || id != 0) {
		printf("Bail out! no SA handle on %s\n", host);
		exit(1);
	}
	return fd;
}

static void fill_table(uint8_t method, uint16_t lid, uint64_t tid_be)
{
	struct umad_hdr *mad = (struct umad_hdr *)(buffer.bytes + HEADER);

	fill(0, lid, method == UMAD_SA_METHOD_GET_TABLE ? 60000 : 0);
	mad->mgmt_class = UMAD_CLASS_SUBN_ADM;
	mad->class_version = UMAD_SA_CLASS_VERSION;
	mad->method = method;
	mad->attr_id = htobe16(UMAD_SA_ATTR_NODE_REC);
	if (tid_be)
		mad->tid = tid_be;
}

static void test_large(void)
{
	enum { SIZE = HEADER + 56 + 700 };
	int asks = open_sa("H1", 0), answers = open_sa("H2", 1 << UMAD_SA_METHOD_GET_TABLE);
	struct umad_rmpp_hdr *rmpp = (struct umad_rmpp_hdr *)(buffer.bytes + HEADER + 24);

	fill_table(UMAD_SA_METHOD_GET_TABLE, 2, 0);
	is("a question", write(asks, &buffer, HEADER + MAD), HEADER + MAD, 0);
	await(answers);
	is("arrives", read(answers, &buffer, sizeof(buffer)), HEADER + MAD, 0);
	fill_table(UMAD_SA_METHOD_GET_TABLE_RESP, 1,
		   ((struct umad_hdr *)(buffer.bytes + HEADER))->tid);
	rmpp->rmpp_version = UMAD_RMPP_VERSION;
	rmpp->rmpp_type = 1;
	rmpp->rmpp_rtime_flags = UMAD_RMPP_FLAG_ACTIVE;
	is("a large answer", write(answers, &buffer, SIZE), SIZE, 0);
	await(asks);
	is("less room than for a MAD", read(asks, &buffer, HEADER + MAD - 1), -1, EINVAL);
	memset(&buffer, 0, sizeof(buffer));
	is("than for all", read(asks, &buffer, SIZE - 1), -1, ENOSPC);
	is("how much it needs", buffer.umad.length, SIZE, 0);
	is("its first MAD is there", buffer.bytes[HEADER + 1], UMAD_CLASS_SUBN_ADM, 0);
	is("enough", read(asks, &buffer, SIZE), SIZE, 0);
	umad_close_port(answers);
	umad_close_port(asks);
}

/* ---- copies ---- */

/* Sends and receives by a descriptor. */
static long round_trip(int fd)
{
	ask(fd, ANSWERS, 60000);
	await(fd);
	return read(fd, &buffer, sizeof(buffer));
}

static int send_and_receive_descriptor(int fd)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .bytes = { 0 } };
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int ends[2], ret = -1;

	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	sendmsg(ends[0], &message, 0);
	if (recvmsg(ends[1], &message, 0) == 1)
		memcpy(&ret, CMSG_DATA(&control.header), sizeof(ret));
	close(ends[0]);
	close(ends[1]);
	return ret;
}

/* How a child with this handle ends: 0 if it can use it. */
static int run_child(int fd, bool executes)
{
	char number[16];
	int status;
	pid_t pid;

	snprintf(number, sizeof(number), "%d", fd);
	fflush(stdout);
	pid = fork();
	if (pid == 0 && executes) {
		fcntl(fd, F_SETFD, 0);
		execl("/proc/self/exe", "raw-calls", "inherited", number, NULL);
	}
	if (pid == 0)
		_exit(round_trip(fd) == HEADER + MAD ? 0 : 1);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void test_copies(void)
{
	int fd = open_handle(), copy;

	is("the handle itself", round_trip(fd), HEADER + MAD, 0);
	copy = dup(fd);
	is("dup()", round_trip(copy), HEADER + MAD, 0);
	close(copy);
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 300);
	is("F_DUPFD", round_trip(copy), HEADER + MAD, 0);
	is("onto another number", round_trip(dup2(copy, 77)), HEADER + MAD, 0);
	is("and another", round_trip(dup3(77, 78, O_CLOEXEC)), HEADER + MAD, 0);
	close(77);
	close(78);
	close(copy);
	copy = send_and_receive_descriptor(fd);
	is("by a message", round_trip(copy), HEADER + MAD, 0);
	if (is_attached) {
		is("a forked child", run_child(fd, false), 0, 0);
		is("a program", run_child(fd, true), 0, 0);
	}
	close(copy);
	copy = dup(fd);
	close(fd);
	is("the last one", round_trip(copy), HEADER + MAD, 0);
	umad_close_port(copy);
}

/* ---- other files ---- */

static void test_others(void)
{
	int fd = open_handle(), file = memfd_create("raw-calls", 0), pipes[2];
	char bytes[8] = "";

	is("a file is written", write(file, "raw", 3), 3, 0);
	lseek(file, 0, SEEK_SET);
	is("and read", read(file, bytes, sizeof(bytes)), 3, 0);
	lseek(file, 0, SEEK_SET);
	dup2(file, fd);
	is("in the place of a handle as well", read(fd, bytes, sizeof(bytes)), 3, 0);
	is("from nowhere", write(fd, nowhere, 3), -1, EFAULT);
	is("where an ioctl is none", ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL), -1, ENOTTY);
	close(fd);
	is("what is closed", read(fd, bytes, sizeof(bytes)), -1, EBADF);
	is("what was never open", write(70000, bytes, 1), -1, EBADF);
	is("what cannot be", read(-1, bytes, 1), -1, EBADF);
	if (pipe(pipes) == 0)
		is("a pipe", write(pipes[1], "pipe", 4), 4, 0);
	is("has it", read(pipes[0], bytes, sizeof(bytes)), 4, 0);
	close(file);
	/* The number of a handle that was closed with close(2), and another handle's. */
	fd = open_handle();
	close(fd);
	file = open("/dev/null", O_RDWR);
	is("a number that was a handle's", read(file, bytes, sizeof(bytes)), 0, 0);
	close(file);
	fd = open_handle();
	is("and is one again", round_trip(fd), HEADER + MAD, 0);
	umad_close_port(fd);
	is("and no longer", read(fd, bytes, sizeof(bytes)), -1, EBADF);
}

/* ---- removal ---- */

/* The HCA is pulled out by 'command'. */
static void test_removal(const char *command)
{
	struct ib_user_mad_reg_req req = first_request();
	struct iovec part = { buffer.bytes, HEADER + MAD };
	int fd = open_handle(), blocking = umad_open_port("H1", 1);
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	uint32_t id = 0;

	fcntl(blocking, F_SETFL, fcntl(blocking, F_GETFL) & ~O_NONBLOCK);
	is("a device is removed", system(command), 0, 0);
	is("poll() returns", poll(&pfd, 1, 60000), 1, 0);
	is("a read", read(fd, &buffer, sizeof(buffer)), -1, EIO);
	is("of too little", read(fd, &buffer, HEADER - 1), -1, EINVAL);
	is("one that would wait", read(blocking, &buffer, sizeof(buffer)), -1, EIO);
	is("readv()", readv(fd, &part, 1), -1, EIO);
	fill(0, ANSWERS, 100);
	is("a write", write(fd, &buffer, HEADER + MAD), -1, EIO);
	is("of too little", write(fd, &buffer, HEADER), -1, EINVAL);
	fill(32, ANSWERS, 100);
	is("by agent 32", write(fd, &buffer, HEADER + MAD), -1, EINVAL);
	is("REGISTER_AGENT", ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req), -1, EPIPE);
	is("UNREGISTER_AGENT", ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id), -1, EINVAL);
	is("ENABLE_PKEY", ioctl(blocking, IB_USER_MAD_ENABLE_PKEY, NULL), 0, 0);
	umad_close_port(blocking);
	umad_close_port(fd);
}

/* ---- what a socket can do ---- */

static void refuse_names(int fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct sockaddr *plain = (struct sockaddr *)&address;
	socklen_t length = sizeof(address);

	is("accept", accept(fd, NULL, NULL), -1, ENOTSOCK);
	is("accept4", accept4(fd, plain, &length, SOCK_CLOEXEC), -1, ENOTSOCK);
	is("bind", bind(fd, plain, length), -1, ENOTSOCK);
	is("bind to a name", bind(fd, plain, sizeof(sa_family_t)), -1, ENOTSOCK);
	is("connect", connect(fd, plain, length), -1, ENOTSOCK);
	address.sun_family = AF_UNSPEC;
	is("connect to nothing", connect(fd, plain, length), -1, ENOTSOCK);
	is("getsockname", getsockname(fd, plain, &length), -1, ENOTSOCK);
	is("getpeername", getpeername(fd, plain, &length), -1, ENOTSOCK);
}

static void refuse_messages(int fd)
{
	struct iovec part = { .iov_base = &buffer, .iov_len = HEADER + MAD };
	struct mmsghdr messages = { .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1 } };
	struct msghdr *message = &messages.msg_hdr;

	is("send", send(fd, &buffer, HEADER + MAD, 0), -1, ENOTSOCK);
	is("sendto", sendto(fd, &buffer, HEADER + MAD, MSG_DONTWAIT, NULL, 0), -1, ENOTSOCK);
	is("sendmsg", sendmsg(fd, message, MSG_NOSIGNAL), -1, ENOTSOCK);
	is("sendmmsg", sendmmsg(fd, &messages, 1, 0), -1, ENOTSOCK);
	ask(fd, ANSWERS, 20000);
	await(fd);
	is("recv", recv(fd, &buffer, HEADER + MAD, 0), -1, ENOTSOCK);
	is("recvfrom", recvfrom(fd, &buffer, HEADER + MAD, MSG_PEEK, NULL, NULL), -1, ENOTSOCK);
	is("recvmsg", recvmsg(fd, message, MSG_DONTWAIT), -1, ENOTSOCK);
	is("recvmmsg", recvmmsg(fd, &messages, 1, MSG_DONTWAIT, NULL), -1, ENOTSOCK);
	is("the answer is still there", read(fd, &buffer, sizeof(buffer)), HEADER + MAD, 0);
}

static void test_no_socket(void)
{
	int fd = open_handle(), zero = open("/dev/zero", O_RDONLY), size = 4096, pipe_fds[2];
	struct timeval time;
	socklen_t length = sizeof(time);
	off_t offset = 0;

	is("shutdown", shutdown(fd, SHUT_RDWR), -1, ENOTSOCK);
	is("listen", listen(fd, 1), -1, ENOTSOCK);
	is("getsockopt", getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, &length), -1, ENOTSOCK);
	is("getsockopt of another file", getsockopt(zero, SOL_SOCKET, SO_SNDTIMEO, &time, &length),
	   -1, ENOTSOCK);
	is("setsockopt", setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)), -1, ENOTSOCK);
	refuse_names(fd);
	refuse_messages(fd);
	is("sendfile to it", sendfile(fd, zero, NULL, HEADER + MAD), -1, EINVAL);
	is("sendfile from it", sendfile(STDOUT_FILENO, fd, NULL, MAD), -1, EINVAL);
	is("sendfile from a place", sendfile(STDOUT_FILENO, fd, &offset, MAD), -1, ESPIPE);
	is("a pipe", pipe(pipe_fds), 0, 0);
	is("splice", splice(fd, NULL, pipe_fds[1], NULL, MAD, 0), -1, EINVAL);
	is("splice of other files", splice(zero, NULL, pipe_fds[1], NULL, MAD, 0), MAD, 0);
	is("shutdown of another file", shutdown(zero, SHUT_RDWR), -1, ENOTSOCK);
	ask(fd, ANSWERS, 20000);
	await(fd);
	is("an answer after that", read(fd, &buffer, sizeof(buffer)), HEADER + MAD, 0);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	close(zero);
	umad_close_port(fd);
}

int main(int argc, char **argv)
{
	const char *remove = getenv("RAW_CALLS_REMOVE");
	const char *backend = getenv("UMAD_BACKEND");

	if (argc == 3 && strcmp(argv[1], "inherited") == 0)
		return round_trip(atoi(argv[2])) == HEADER + MAD ? 0 : 1;
	is_attached = backend && strncmp(backend, "attach:", 7) == 0;
	is_virtual = backend && strstr(backend, "clock=virtual");
	test_first_register();
	test_second_register();
	test_ioctl();
	test_write();
	test_read();
	test_large();
	test_blocking();
	test_copies();
	test_waits();
	test_threads();
	test_others();
	test_no_socket();
	if (remove)
		test_removal(remove);
	printf("1..%u\n", test_count);
	return failure_count > 0;
}
