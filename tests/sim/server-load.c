/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server whose clients misbehave: some send malformed messages, one does not read, many
 * send and some of these are killed. Other clients are not affected, and nothing is left behind.
 */
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lib/attach/attach-memory.h"
#include "lib/base/socket-message.h"
#include "tests/rig/real-root.h"
#include "tests/rig/server-rig.h"

enum {
	CLASS_PING = 0x32,
	METHODS = 1 << MAD_METHOD_GET | 1 << MAD_METHOD_SEND,
	LID_H2 = 2,
	WAIT_MS = 20000,	/* for what is certain to come: never reached */
};

static const struct rig_get node_info = {
	.mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x11, .path = { 1, 1 }, .timeout_ms = 60000,
};

/* A round trip to H2's subnet management agent. */
static bool asks_node_info(struct server_rig *server, int fd, uint32_t agent, uint32_t tid)
{
	struct rig_get get = node_info;
	uint8_t umad[RIG_UMAD];

	get.tid = tid;
	rig_fill(umad, agent, &get);
	return umad_backend_attach.send(fd, umad, sizeof(umad)) == RIG_UMAD &&
	       rig_recv(&server->rig, fd, umad, WAIT_MS) == RIG_UMAD &&
	       rig_get_u32(umad, RIG_STATUS) == 0 &&
	       get_be32(umad + RIG_HEADER + MAD_TID + 4) == tid;
}

/* ---- malformed messages ---- */

static struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

struct malformed {
	const char *name;
	bool says_hello;	/* a valid one before */
	uint32_t op;
	size_t size;		/* of what follows the call; SIZE_MAX: an incomplete call */
	bool has_fd;
	uint8_t byte;		/* which follows the call, all over */
};

static const struct malformed malformed[] = {
	{ "short", true, ATTACH_OPEN, SIZE_MAX, false, 0 },
	{ "no operation", true, 0, 0, false, 0 },
	{ "an unknown operation", true, 99, 0, false, 0 },
	{ "a large number", true, UINT32_MAX, 0, false, 0 },
	{ "hello of zeros", false, ATTACH_HELLO, sizeof(struct attach_hello), false, 0 },
	{ "hello cut short", false, ATTACH_HELLO, sizeof(struct attach_hello) - 1, false, 0 },
	{ "no hello", false, ATTACH_LIST_CAS, 0, false, 0 },
	{ "list with something", true, ATTACH_LIST_CAS, 1, false, 0 },
	{ "open of nothing", true, ATTACH_OPEN, 0, false, 0 },
	{ "open of more", true, ATTACH_OPEN, sizeof(struct attach_port_name) + 1, false, 0 },
	{ "a descriptor with open", true, ATTACH_OPEN, sizeof(struct attach_port_name), true, 0 },
	{ "registration of zeros", true, ATTACH_REGISTER, sizeof(struct attach_reg), false, 0 },
	{ "registration of ones", true, ATTACH_REGISTER, sizeof(struct attach_reg), false, 0xff },
	{ "a descriptor and bytes", true, ATTACH_SEND, 320, true, 0 },
	{ "a descriptor of no file", true, ATTACH_SEND, 0, true, 0 },
	{ "nothing put back", true, ATTACH_PUT_BACK, 0, false, 0 },
	{ "too much put back", true, ATTACH_PUT_BACK, ATTACH_HEAD_SIZE + 1, false, 0 },
	{ "a watch for nothing", true, ATTACH_WATCH, 0, false, 0 },
	{ "a watch for much", true, ATTACH_WATCH, ATTACH_SESSION_SIZE, false, 0 },
	{ "a ring without a bell", true, ATTACH_RING, 0, false, 0 },
	{ "a ring with something", true, ATTACH_RING, 1, true, 0 },
	{ "a page with something", true, ATTACH_PAGE, 1, false, 0 },
	{ "larger than any", true, ATTACH_SEND, ATTACH_REPLY_MAX, false, 0 },
};

static void send_bytes(int socket, const struct attach_call *call, const void *data, size_t size,
		       int fd)
{
	struct iovec parts[] = {
		{ .iov_base = (void *)call, .iov_len = size == SIZE_MAX ? 7 : sizeof(*call) },
		{ .iov_base = (void *)data, .iov_len = size == SIZE_MAX ? 0 : size },
	};

	g_assert_cmpint(socket_message_send(socket, parts, 2, fd, 0), ==, 0);
}

/* The server hangs up. */
static void be_malformed(struct server_rig *server, const struct malformed *row)
{
	g_autofree uint8_t *bytes = g_malloc(ATTACH_REPLY_MAX);
	const struct attach_call greeting = { .op = ATTACH_HELLO };
	const struct attach_call call = { .op = row->op };
	int fd = server_rig_connect(server);
	char reply[ATTACH_BANNER_SIZE + sizeof(struct attach_reply)];

	if (row->says_hello) {
		send_bytes(fd, &greeting, &hello, sizeof(hello), -1);
		g_assert_cmpint(recv(fd, reply, sizeof(reply), 0), >, sizeof(struct attach_reply));
	}
	memset(bytes, row->byte, ATTACH_REPLY_MAX);
	send_bytes(fd, &call, bytes, row->size, row->has_fd ? fd : -1);
	g_assert_cmpint(recv(fd, reply, sizeof(reply), 0), <=, 0);
	close(fd);
}

/* The other client is served as before. */
static void test_malformed(gconstpointer data)
{
	struct server_rig server = server_rig_start("", "H1");
	int other = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, other, MAD_CLASS_SUBN_DR, 0);

	be_malformed(&server, data);
	g_assert_true(asks_node_info(&server, other, agent, 1));
	close(other);
	server_rig_end(&server);
}

/* Another version: the error says so, and how to correct it; nothing else is answered. */
static void test_version(void)
{
	struct server_rig server = server_rig_start("", "H1");
	const struct attach_call greeting = { .op = ATTACH_HELLO };
	const struct attach_call list = { .op = ATTACH_LIST_CAS };
	struct attach_hello other = hello;
	struct { struct attach_reply reply; char text[ATTACH_BANNER_SIZE]; } said;
	int fd = server_rig_connect(&server);
	ssize_t n;

	other.version++;
	send_bytes(fd, &greeting, &other, sizeof(other), -1);
	n = recv(fd, &said, sizeof(said) - 1, 0);
	g_assert_cmpint(n, >, sizeof(said.reply));
	said.text[n - (ssize_t)sizeof(said.reply)] = '\0';
	g_assert_cmpint(said.reply.result, ==, -EPROTONOSUPPORT);
	g_assert_nonnull(strstr(said.text, "a newer version of umadrig"));
	g_assert_nonnull(strstr(said.text, "start the server again"));
	send_bytes(fd, &list, NULL, 0, -1);
	g_assert_cmpint(recv(fd, &said, sizeof(said), 0), <=, 0);
	close(fd);
	server_rig_end(&server);
}

/* A malformed message also ends the handles that its sender opened. */
static void test_ends_handles(void)
{
	struct server_rig server = server_rig_start("", "H1");
	const struct attach_call greeting = { .op = ATTACH_HELLO }, bad = { .op = 99 };
	const struct attach_call opens = { .op = ATTACH_OPEN };
	struct attach_port_name name = { .ca_name = "H1", .portnum = 1 };
	struct attach_reply reply;
	int fd = server_rig_connect(&server), handle, flags;
	char banner[512];

	send_bytes(fd, &greeting, &hello, sizeof(hello), -1);
	g_assert_cmpint(recv(fd, banner, sizeof(banner), 0), >, 0);
	send_bytes(fd, &opens, &name, sizeof(name), -1);
	g_assert_cmpint(attach_receive(fd, &reply, sizeof(reply), 0, &handle, &flags), ==,
			sizeof(reply));
	g_assert_cmpint(reply.result, ==, 0);
	g_assert_cmpint(umad_backend_attach.poll(handle, 0), ==, 0);
	send_bytes(fd, &bad, NULL, 0, -1);
	g_assert_cmpint(umad_backend_attach.poll(handle, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(handle, banner, 320), ==, -EIO);
	close(handle);
	close(fd);
	server_rig_end(&server);
}

/* ---- nonsense in shared memory ---- */

static struct attach_ring *map_ring(int fd, int bell)
{
	const struct attach_call call = { .op = ATTACH_RING };
	struct attach_ring *ring;
	struct attach_reply reply;
	int memfd = -1, flags;

	send_bytes(fd, &call, NULL, 0, bell);
	g_assert_cmpint(attach_receive(fd, &reply, sizeof(reply), 0, &memfd, &flags), ==,
			sizeof(reply));
	g_assert_cmpint(reply.result, ==, 0);
	/* No client can truncate it under the server. */
	g_assert_cmpint(ftruncate(memfd, 0), ==, -1);
	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	g_assert_true(ring != MAP_FAILED);
	close(memfd);
	return ring;
}

struct nonsense {
	const char *name;
	uint32_t put;
	uint32_t size;
	bool lives;
};

static const struct nonsense nonsense[] = {
	{ "a full ring for no handle", ATTACH_RING_ENTRIES, RIG_UMAD, true },
	{ "nothing", 0, 0, true },
	{ "more than there is room for", ATTACH_RING_ENTRIES + 1, RIG_UMAD, false },
	{ "less than was taken", UINT32_MAX, RIG_UMAD, false },
	{ "a large entry", 1, ATTACH_HEAD_SIZE + 1, false },
	{ "a huge entry", 3, UINT32_MAX, false },
};

static void put_nonsense(struct server_rig *server, const struct nonsense *row)
{
	const struct attach_call greeting = { .op = ATTACH_HELLO };
	int fd = server_rig_connect(server), bell = eventfd(0, EFD_CLOEXEC);
	struct attach_ring *ring = map_ring(fd, bell);
	char reply[ATTACH_BANNER_SIZE + sizeof(struct attach_reply)];

	for (unsigned int i = 0; i < ATTACH_RING_ENTRIES; i++)
		ring->entries[i].size = row->size;
	/* The server does not read what only it writes. */
	atomic_store(&ring->taken, 4711);
	atomic_store(&ring->bell, 4711);
	atomic_store(&ring->put, row->put);
	g_assert_cmpint(eventfd_write(bell, 1), ==, 0);
	if (row->lives) {
		send_bytes(fd, &greeting, &hello, sizeof(hello), -1);
		g_assert_cmpint(recv(fd, reply, sizeof(reply), 0), >, sizeof(struct attach_reply));
	} else {
		g_assert_cmpint(recv(fd, reply, sizeof(reply), 0), <=, 0);
	}
	munmap(ring, sizeof(*ring));
	close(bell);
	close(fd);
}

static void test_nonsense(gconstpointer data)
{
	struct server_rig server = server_rig_start("", "H1");
	int other = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, other, MAD_CLASS_SUBN_DR, 0);

	put_nonsense(&server, data);
	g_assert_true(asks_node_info(&server, other, agent, 1));
	close(other);
	server_rig_end(&server);
}

/* ---- one that does not read ---- */

static void test_slow_reader(void)
{
	enum { COUNT = 3000 };
	struct server_rig server = server_rig_start("", "H1");
	int slow = server_rig_open_on(&server, "H2"), fast = server_rig_open_on(&server, "H1");
	uint32_t agent = rig_register(&server.rig, fast, MAD_CLASS_SUBN_DR, 0);
	uint32_t sender = rig_register(&server.rig, fast, CLASS_PING, 0);
	struct rig_get get = {
		.mgmt_class = CLASS_PING, .method = MAD_METHOD_SEND, .attr = 0x10, .dlid = LID_H2,
	};
	uint8_t umad[RIG_UMAD];

	rig_register(&server.rig, slow, CLASS_PING, METHODS);
	for (uint32_t tid = 0; tid < COUNT; tid++) {
		get.tid = tid;
		rig_send(&server.rig, fast, sender, &get);
		if (tid % 100 == 0)
			g_assert_true(asks_node_info(&server, fast, agent, tid));
	}
	/* Everything is there, in order. */
	for (uint32_t tid = 0; tid < COUNT; tid++) {
		g_assert_cmpint(rig_recv(&server.rig, slow, umad, WAIT_MS), ==, RIG_UMAD);
		g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, tid);
	}
	g_assert_cmpint(umad_backend_attach.recv(slow, umad, sizeof(umad)), ==, -EAGAIN);
	close(slow);
	close(fast);
	server_rig_end(&server);
}

/* ---- many ---- */

/* Unanswered requests, twice as many as a large subnet manager ever has. */
static void test_outstanding(void)
{
	enum { COUNT = 100000, OTHERS = 5000 };
	struct server_rig server = server_rig_start("", "H1");
	int fd = server_rig_open_on(&server, "H1"), other = server_rig_open_on(&server, "H1");
	uint32_t waits = rig_register(&server.rig, fd, CLASS_PING, 0);
	uint32_t agent = rig_register(&server.rig, other, MAD_CLASS_SUBN_DR, 0);
	struct rig_get get = {
		.mgmt_class = CLASS_PING, .attr = 0x10, .dlid = 77, .timeout_ms = 600000,
	};
	uint8_t umad[RIG_UMAD];

	for (uint32_t tid = 1; tid <= COUNT; tid++) {
		get.tid = tid;
		rig_send(&server.rig, fd, waits, &get);
		if (tid % OTHERS == 0)
			g_assert_true(asks_node_info(&server, other, agent, tid));
	}
	/* Each of them sent again is a duplicate, however many there are. */
	get.tid = 4711;
	rig_fill(umad, waits, &get);
	g_assert_cmpint(umad_backend_attach.send(fd, umad, sizeof(umad)), ==, -EINVAL);
	/* They are removed with the handle, before any later call. */
	close(fd);
	g_assert_true(asks_node_info(&server, other, agent, COUNT + 1));
	close(other);
	server_rig_end(&server);
}

/* A process of another user that can reach the socket (somebody has opened its directory). */
static void test_foreigner(void)
{
	enum { NOBODY = 65534 };
	struct server_rig server;
	pid_t pid;
	int status;

	if (!is_real_root()) {
		g_test_skip("only root can be somebody else");
		return;
	}
	server = server_rig_start("", "H1");
	g_assert_cmpint(chmod(server.directory, 0755), ==, 0);
	g_assert_cmpint(chmod(server.socket, 0666), ==, 0);
	pid = fork();
	if (pid == 0) {
		struct attach_call call = { .op = ATTACH_HELLO };
		struct iovec parts[] = { { &call, sizeof(call) }, { &hello, sizeof(hello) } };
		struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
		char byte;
		int fd;

		if (setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(2);
		fd = server_rig_connect(&server);
		sendmsg(fd, &message, MSG_NOSIGNAL);
		_exit(recv(fd, &byte, 1, 0) > 0 ? 1 : 0);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	server_rig_end(&server);
}

/*
 * A crowd: 200 programs send, some of which read nothing. In each round ten are killed while they
 * send, others replace them, and strangers send every kind of malformed message. A round ends when
 * all others have received some more responses, all of them correct. UMADRIG_CROWD_SECONDS makes it
 * as many rounds, of a second each.
 */
enum { CLIENTS = 200, KILLED = 10, ROUNDS = 3, ROUND_TRIPS = 5, SILENT_EACH = 20, UNREAD = 200 };

/* Shared with all of them. */
struct crowd {
	_Atomic bool is_over;
	_Atomic uint32_t trips[CLIENTS];
};

static bool is_silent(unsigned int number)
{
	return number % SILENT_EACH == 0;
}

/* Sends many requests, and reads no response. */
static int be_silent(struct server_rig *server, struct crowd *crowd, int fd, uint32_t agent)
{
	struct rig_get get = node_info;

	for (get.tid = 1; get.tid <= UNREAD; get.tid++)
		rig_send(&server->rig, fd, agent, &get);
	while (!atomic_load(&crowd->is_over))
		poll(NULL, 0, 10);
	return 0;
}

/* A process of its own; exits with 0 if every response was correct. */
static int be_client(struct server_rig *server, struct crowd *crowd, unsigned int number)
{
	size_t header_size;
	int fd = umad_backend_attach.open("H1", 1, &header_size);
	uint32_t agent;

	/* If the test fails, they are killed too. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fd < 0)
		return 1;
	agent = rig_register(&server->rig, fd, MAD_CLASS_SUBN_DR, 0);
	if (is_silent(number))
		return be_silent(server, crowd, fd, agent);
	for (uint32_t tid = 0; !atomic_load(&crowd->is_over); tid++) {
		if (!asks_node_info(server, fd, agent, tid))
			return 2;
		atomic_fetch_add(&crowd->trips[number], 1);
	}
	return 0;
}

static pid_t start_client(struct server_rig *server, struct crowd *crowd, unsigned int number)
{
	pid_t pid = fork();

	g_assert_cmpint(pid, >=, 0);
	if (pid == 0)
		_exit(be_client(server, crowd, number));
	return pid;
}

static void end_client(pid_t pid, int sig, int want)
{
	int status;

	if (sig)
		kill(pid, sig);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, want);
}

/* Waits until all have received some more responses, and this many seconds have passed. */
static void wait_for_all(struct crowd *crowd, const uint32_t *before, int64_t until_us)
{
	for (unsigned int i = 0; i < CLIENTS; i++) {
		while (!is_silent(i) && crowd->trips[i] - before[i] < ROUND_TRIPS) {
			/* A program that got a wrong response has exited. */
			g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, 0);
			poll(NULL, 0, 1);
		}
	}
	while (g_get_monotonic_time() < until_us)
		poll(NULL, 0, 1);
}

static unsigned int count_descriptors(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fd", (int)pid);
	GDir *dir = g_dir_open(path, 0, NULL);
	unsigned int count = 0;

	while (g_dir_read_name(dir))
		count++;
	g_dir_close(dir);
	return count;
}

static void have_strangers(struct server_rig *server)
{
	for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++)
		be_malformed(server, &malformed[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(nonsense); i++)
		put_nonsense(server, &nonsense[i]);
}

static void test_crowd(void)
{
	const char *seconds = g_getenv("UMADRIG_CROWD_SECONDS");
	unsigned int rounds = seconds ? (unsigned int)atoi(seconds) : ROUNDS, next = 0;
	struct server_rig server = server_rig_start("", "H1");
	struct crowd *crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int descriptors = count_descriptors(server.pid);
	pid_t pids[CLIENTS];
	uint32_t before[CLIENTS];
	uint64_t trips = 0;

	g_assert_true(crowd != MAP_FAILED);
	for (unsigned int i = 0; i < CLIENTS; i++)
		pids[i] = start_client(&server, crowd, i);
	for (unsigned int round = 0; round < rounds; round++) {
		int64_t until_us = seconds ? g_get_monotonic_time() + G_USEC_PER_SEC : 0;

		memcpy(before, (const void *)crowd->trips, sizeof(before));
		for (unsigned int i = 0; i < KILLED; i++, next = (next + 1) % CLIENTS) {
			end_client(pids[next], SIGKILL, SIGKILL);
			pids[next] = start_client(&server, crowd, next);
		}
		have_strangers(&server);
		wait_for_all(crowd, before, until_us);
	}
	atomic_store(&crowd->is_over, true);
	for (unsigned int i = 0; i < CLIENTS; i++) {
		end_client(pids[i], 0, 0);
		trips += crowd->trips[i];
	}
	g_test_message("%" G_GUINT64_FORMAT " round trips, %u killed", trips, rounds * KILLED);
	/* The server notices their ends one after the other. */
	while (count_descriptors(server.pid) > descriptors)
		poll(NULL, 0, 1);
	munmap(crowd, sizeof(*crowd));
	server_rig_end(&server);
}

/* The server needs many descriptors: some for each program. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &limit), ==, 0);
	limit.rlim_cur = limit.rlim_max;
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &limit), ==, 0);
}

int main(int argc, char **argv)
{
	raise_descriptors();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++) {
		g_autofree char *path = g_strconcat("/server-load/malformed/",
						    malformed[i].name, NULL);

		g_test_add_data_func(path, &malformed[i], test_malformed);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(nonsense); i++) {
		g_autofree char *path = g_strconcat("/server-load/nonsense/", nonsense[i].name,
						    NULL);

		g_test_add_data_func(path, &nonsense[i], test_nonsense);
	}
	g_test_add_func("/server-load/version", test_version);
	g_test_add_func("/server-load/ends-handles", test_ends_handles);
	g_test_add_func("/server-load/slow-reader", test_slow_reader);
	g_test_add_func("/server-load/outstanding", test_outstanding);
	g_test_add_func("/server-load/foreigner", test_foreigner);
	g_test_add_func("/server-load/crowd", test_crowd);
	return g_test_run();
}
