/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles of a fabric server, as programs use them: MADs, copies, forks, threads, waiting, buffers
 * that are too small, messages too large for a socket, issm paths.
 */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>

#include "lib/attach/issm-link.h"
#include "tests/rig/server-rig.h"

enum {
	CLASS_PING = 0x32,
	METHODS_GET = 1 << MAD_METHOD_GET,
	LID_H1 = 1, LID_H2 = 2,
	WAIT_MS = 20000,	/* for what is certain to come: never reached */
	CAP_IS_SM_BIT = 1 << 1,
};

static const struct rig_get ping = {
	.mgmt_class = CLASS_PING, .attr = 0x10, .dlid = LID_H2, .tid = 7, .timeout_ms = 60000,
};
static const struct rig_get nothing_answers = {
	.mgmt_class = CLASS_PING, .attr = 0x10, .dlid = 77, .tid = 8, .timeout_ms = 30,
};

/* A host that answers, and one that sends requests. */
struct pair {
	struct server_rig server;
	int asks, answers;
	uint32_t asker, answerer;
};

static struct pair pair_start(void)
{
	struct pair pair = { .server = server_rig_start("", "H1") };

	pair.asks = server_rig_open_on(&pair.server, "H1");
	pair.answers = server_rig_open_on(&pair.server, "H2");
	pair.asker = rig_register(&pair.server.rig, pair.asks, CLASS_PING, 0);
	pair.answerer = rig_register(&pair.server.rig, pair.answers, CLASS_PING, METHODS_GET);
	return pair;
}

static void pair_end(struct pair *pair)
{
	umad_backend_attach.close(pair->asks);
	umad_backend_attach.close(pair->answers);
	server_rig_end(&pair->server);
}

/* Receives a request and answers it; returns its TID. */
static uint32_t answer(struct pair *pair)
{
	uint8_t umad[RIG_UMAD];

	g_assert_cmpint(rig_recv(&pair->server.rig, pair->answers, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_ID), ==, pair->answerer);
	g_assert_cmpuint(get_be16(umad + RIG_LID), ==, LID_H1);
	umad[RIG_HEADER + MAD_METHOD] = MAD_METHOD_GET_RESP;
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(umad_backend_attach.send(pair->answers, umad, sizeof(umad)), ==, RIG_UMAD);
	return get_be32(umad + RIG_HEADER + MAD_TID + 4);
}

/* Receives a response; returns its TID. */
static uint32_t take(struct pair *pair, int fd)
{
	uint8_t umad[RIG_UMAD];

	g_assert_cmpint(rig_recv(&pair->server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
	g_assert_cmpuint(umad[RIG_HEADER + MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	return get_be32(umad + RIG_HEADER + MAD_TID + 4);
}

static void ask(struct pair *pair, int fd, uint32_t tid)
{
	struct rig_get get = ping;

	get.tid = tid;
	rig_send(&pair->server.rig, fd, pair->asker, &get);
}

static void test_ping(void)
{
	struct pair pair = pair_start();

	for (uint32_t tid = 1; tid <= 100; tid++) {
		ask(&pair, pair.asks, tid);
		g_assert_cmpuint(answer(&pair), ==, tid);
		g_assert_cmpuint(take(&pair, pair.asks), ==, tid);
	}
	pair_end(&pair);
}

/*
 * A thread's own host: handles that it has opened stay where they are, and other threads, old and
 * new, are not moved.
 */
static void *name_of_first(void *data)
{
	const char *host = data;
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	char *name;
	size_t count;

	if (host)
		g_assert_cmpint(umad_backend_attach.host_enter(host), ==, 0);
	g_assert_cmpint(umad_backend_attach.list_cas(&names, &count), ==, 0);
	g_assert_cmpuint(count, ==, 1);
	name = g_strdup(names[0]);
	free(names);
	return name;
}

static void check_first(const char *host, const char *name, bool of_a_thread)
{
	g_autofree char *first = of_a_thread ?
		g_thread_join(g_thread_new("host", name_of_first, (void *)host)) :
		name_of_first((void *)host);

	g_assert_cmpstr(first, ==, name);
}

static void test_hosts(void)
{
	struct pair pair = { .server = server_rig_start("", "H1") };
	size_t header_size;
	int status;
	pid_t pid;

	check_first(NULL, "H1", false);
	g_assert_cmpint(umad_backend_attach.host_enter("H3"), ==, -ENOENT);
	g_assert_cmpint(umad_backend_attach.host_enter(""), ==, -ENOENT);
	check_first(NULL, "H1", false);
	pair.asks = umad_backend_attach.open("H1", 1, &header_size);
	check_first("H2", "H2", false);
	check_first(NULL, "H1", true);
	check_first("H2", "H2", true);
	g_assert_cmpint(umad_backend_attach.open("H1", 1, &header_size), ==, -EINVAL);
	pair.answers = umad_backend_attach.open("H2", 1, &header_size);
	pair.asker = rig_register(&pair.server.rig, pair.asks, CLASS_PING, 0);
	pair.answerer = rig_register(&pair.server.rig, pair.answers, CLASS_PING, METHODS_GET);
	ask(&pair, pair.asks, 5);
	g_assert_cmpuint(answer(&pair), ==, 5);
	g_assert_cmpuint(take(&pair, pair.asks), ==, 5);
	/* A child makes a connection of its own, on the host of its thread. */
	pid = fork();
	if (pid == 0) {
		char *name = name_of_first(NULL);

		_exit(strcmp(name, "H2") == 0 ? 0 : 1);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(umad_backend_attach.host_enter(NULL), ==, 0);
	check_first(NULL, "H1", false);
	pair_end(&pair);
}

static void test_timeout(void)
{
	struct pair pair = pair_start();
	uint8_t umad[RIG_UMAD];

	rig_send(&pair.server.rig, pair.asks, pair.asker, &nothing_answers);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_cmpint(umad_backend_attach.recv_wait(pair.asks, umad, sizeof(umad), WAIT_MS), ==,
			88);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, ETIMEDOUT);
	g_assert_cmpuint(rig_get_u32(umad, RIG_ID), ==, pair.asker);
	pair_end(&pair);
}

/* ---- descriptors ---- */

static bool polled(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN | POLLOUT };
	struct pollfd in = { .fd = fd, .events = POLLIN };

	/* Linux: a umad file is always writable. */
	g_assert_cmpint(poll(&pollfd, 1, 0), ==, 1);
	g_assert_true(pollfd.revents & POLLOUT);
	g_assert_false(pollfd.revents & (POLLHUP | POLLERR));
	return poll(&in, 1, timeout_ms) == 1;
}

static bool selected(int fd, int timeout_ms)
{
	struct timeval timeout = { .tv_sec = timeout_ms / 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, &timeout) == 1;
}

static bool epolled(int fd, int timeout_ms)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	bool ready;

	g_assert_cmpint(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), ==, 0);
	ready = epoll_wait(epoll, &event, 1, timeout_ms) == 1;
	close(epoll);
	return ready;
}

static void test_readable(gconstpointer data)
{
	bool (*ready)(int fd, int timeout_ms) = *(bool (*const *)(int, int))data;
	struct pair pair = pair_start();

	g_assert_false(ready(pair.asks, 0));
	ask(&pair, pair.asks, 1);
	g_assert_true(ready(pair.answers, WAIT_MS));
	g_assert_true(ready(pair.answers, 0));
	g_assert_cmpuint(answer(&pair), ==, 1);
	g_assert_false(ready(pair.answers, 0));
	g_assert_true(ready(pair.asks, WAIT_MS));
	take(&pair, pair.asks);
	g_assert_false(ready(pair.asks, 0));
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, 0), ==, 0);
	pair_end(&pair);
}

static void test_flags(void)
{
	struct pair pair = pair_start();

	g_assert_true(fcntl(pair.asks, F_GETFL) & O_NONBLOCK);
	g_assert_cmpint(fcntl(pair.asks, F_GETFD), ==, FD_CLOEXEC);
	pair_end(&pair);
}

/* Only one agent of a port can register for the class's Get. */
static int try_register(int fd)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1, .mgmt_class = CLASS_PING, .mgmt_class_version = 1,
		.method_mask = { METHODS_GET }, .oui = 0x001405,
	};

	return umad_backend_attach.register_agent(fd, &reg);
}

static void test_copies(void)
{
	struct pair pair = pair_start();
	int copy = dup(pair.asks), answers = dup(pair.answers), other;

	/* The first is closed: the file lives on in the copy. */
	umad_backend_attach.close(pair.asks);
	ask(&pair, copy, 5);
	answer(&pair);
	g_assert_cmpuint(take(&pair, copy), ==, 5);

	umad_backend_attach.close(pair.answers);
	other = server_rig_open_on(&pair.server, "H2");
	g_assert_cmpint(try_register(other), ==, -EINVAL);
	/* What was closed is available to the very next call. */
	close(answers);
	g_assert_cmpint(try_register(other), ==, 0);

	/* A number that now refers to another file is never taken for the old handle. */
	g_assert_cmpint(dup2(copy, other), ==, other);
	pair.asks = copy;
	pair.answers = server_rig_open_on(&pair.server, "H2");
	g_assert_cmpint(try_register(pair.answers), ==, 0);
	ask(&pair, other, 6);
	answer(&pair);
	g_assert_cmpuint(take(&pair, other), ==, 6);
	close(other);
	pair_end(&pair);
}

static void test_close_order(void)
{
	struct pair pair = pair_start();

	for (unsigned int i = 0; i < 500; i++) {
		umad_backend_attach.close(pair.answers);
		pair.answers = server_rig_open_on(&pair.server, "H2");
		g_assert_cmpint(try_register(pair.answers), ==, 0);
	}
	pair_end(&pair);
}

static void test_fork(void)
{
	struct pair pair = pair_start();
	int status;
	pid_t pid = fork();

	/* The child has its parent's handles, and makes its own calls. */
	if (pid == 0) {
		for (uint32_t tid = 100; tid < 200; tid++)
			ask(&pair, pair.asks, tid);
		_exit(0);
	}
	for (uint32_t tid = 200; tid < 300; tid++)
		ask(&pair, pair.asks, tid);
	for (unsigned int i = 0; i < 200; i++)
		answer(&pair);
	for (unsigned int i = 0; i < 200; i++)
		take(&pair, pair.asks);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	pair_end(&pair);
}

struct shared {
	struct pair *pair;
	uint32_t first;
	unsigned int got[400];
	GMutex lock;
};

static void *share(void *data)
{
	struct shared *shared = data;
	uint32_t first;

	g_mutex_lock(&shared->lock);
	first = shared->first;
	shared->first += 100;
	g_mutex_unlock(&shared->lock);
	for (uint32_t tid = first; tid < first + 100; tid++)
		ask(shared->pair, shared->pair->asks, tid);
	for (unsigned int i = 0; i < 100; i++) {
		uint8_t umad[RIG_UMAD];
		long n;

		/* The thread that loses the race for a MAD waits for the next. */
		do
			n = rig_recv(&shared->pair->server.rig, shared->pair->asks, umad, WAIT_MS);
		while (n == -EAGAIN);
		g_assert_cmpint(n, ==, RIG_UMAD);
		g_mutex_lock(&shared->lock);
		shared->got[get_be32(umad + RIG_HEADER + MAD_TID + 4)]++;
		g_mutex_unlock(&shared->lock);
	}
	return NULL;
}

static void test_threads(void)
{
	struct pair pair = pair_start();
	struct shared shared = { .pair = &pair };
	GThread *threads[4];

	for (unsigned int i = 0; i < G_N_ELEMENTS(threads); i++)
		threads[i] = g_thread_new("share", share, &shared);
	for (unsigned int i = 0; i < 400; i++)
		answer(&pair);
	for (unsigned int i = 0; i < G_N_ELEMENTS(threads); i++)
		g_thread_join(threads[i]);
	for (unsigned int i = 0; i < 400; i++)
		g_assert_cmpuint(shared.got[i], ==, 1);
	pair_end(&pair);
}

static void test_foreign(void)
{
	struct pair pair = pair_start();
	uint8_t umad[RIG_UMAD] = { 0 };
	int ends[2];

	g_assert_cmpint(pipe(ends), ==, 0);
	g_assert_cmpint(umad_backend_attach.send(ends[0], umad, sizeof(umad)), ==, -EBADF);
	g_assert_cmpint(umad_backend_attach.recv(ends[0], umad, sizeof(umad)), ==, -EBADF);
	g_assert_cmpint(try_register(ends[0]), ==, -EBADF);
	close(ends[0]);
	close(ends[1]);
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), ==, 0);
	g_assert_cmpint(umad_backend_attach.send(ends[0], umad, sizeof(umad)), ==, -EBADF);
	g_assert_cmpint(umad_backend_attach.unregister_agent(ends[0], 0), ==, -EBADF);
	close(ends[0]);
	close(ends[1]);
	pair_end(&pair);
}

/* Data that a program writes into a handle directly ends that handle, and no other. */
static void test_raw_write(void)
{
	struct pair pair = pair_start();
	int raw = server_rig_open_on(&pair.server, "H1");
	uint8_t umad[RIG_UMAD] = { 0 };

	g_assert_cmpint(write(raw, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(umad_backend_attach.poll(raw, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(raw, umad, sizeof(umad)), ==, -EIO);
	close(raw);
	ask(&pair, pair.asks, 1);
	g_assert_cmpuint(answer(&pair), ==, 1);
	take(&pair, pair.asks);
	pair_end(&pair);
}

/* ---- sizes ---- */

static void test_small_buffer(void)
{
	struct pair pair = pair_start();
	uint8_t umad[RIG_UMAD];

	memset(umad, 0xee, sizeof(umad));
	g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, 63), ==, -EINVAL);
	g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, 319), ==, -EAGAIN);
	ask(&pair, pair.asks, 1);
	ask(&pair, pair.asks, 2);
	g_assert_cmpint(umad_backend_attach.poll(pair.answers, WAIT_MS), >, 0);
	for (size_t size = 64; size < RIG_UMAD; size += 51) {
		g_assert_cmpint(umad_backend_attach.recv(pair.answers, umad, size), ==, -EINVAL);
		g_assert_cmpuint(umad[0], ==, 0xee);
	}
	g_assert_cmpuint(answer(&pair), ==, 1);
	g_assert_cmpuint(answer(&pair), ==, 2);

	/* A report of 24 bytes fits into less than a MAD. */
	take(&pair, pair.asks);
	take(&pair, pair.asks);
	rig_send(&pair.server.rig, pair.asks, pair.asker, &nothing_answers);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 87), ==, -EINVAL);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 88), ==, 88);
	pair_end(&pair);
}

enum { SA_HEADER = 56, METHOD_GET_TABLE = 0x12 };

static uint32_t register_sa(int fd, uint64_t methods)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1, .method_mask = { methods },
	};

	g_assert_cmpint(umad_backend_attach.register_agent(fd, &reg), ==, 0);
	return reg.id;
}

static void ask_table(struct pair *pair, uint32_t agent, uint32_t tid)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = METHOD_GET_TABLE, .attr = 0x11,
		.dlid = LID_H2, .tid = tid, .timeout_ms = 60000,
	};

	rig_send(&pair->server.rig, pair->asks, agent, &get);
}

/* Answers a GetTable with 'size' bytes of records, each of which contains its offset. */
static void answer_table(struct pair *pair, size_t size)
{
	size_t whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(MAX(whole, RIG_UMAD));
	uint8_t *mad = umad + RIG_HEADER;

	g_assert_cmpint(rig_recv(&pair->server.rig, pair->answers, umad, WAIT_MS), ==, RIG_UMAD);
	mad[MAD_METHOD] = METHOD_GET_TABLE | 0x80;
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	for (size_t i = 0; i < size; i++)
		mad[SA_HEADER + i] = (uint8_t)(i * 7 + i / 251);
	rig_put_u32(umad, RIG_TIMEOUT, 5000);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(umad_backend_attach.send(pair->answers, umad, whole), ==, whole);
}

static void check_table(const uint8_t *umad, size_t size)
{
	for (size_t i = 0; i < size; i++)
		g_assert_cmpuint(umad[RIG_HEADER + SA_HEADER + i], ==, (uint8_t)(i * 7 + i / 251));
}

static void test_large(gconstpointer data)
{
	size_t size = GPOINTER_TO_SIZE(data), whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(whole);
	struct pair pair = pair_start();
	uint32_t agent = register_sa(pair.asks, 0);

	register_sa(pair.answers, UINT64_C(1) << METHOD_GET_TABLE);
	ask_table(&pair, agent, 1);
	answer_table(&pair, size);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	/* Another MAD follows; the one that does not fit stays in front. */
	ask(&pair, pair.asks, 2);
	answer(&pair);
	for (unsigned int i = 0; i < 3; i++) {
		g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, 319), ==, -EINVAL);
		memset(umad, 0, RIG_UMAD);
		g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole - 1), ==, -ENOSPC);
		g_assert_cmpuint(rig_get_u32(umad, RIG_LENGTH), ==, whole);
		g_assert_cmpuint(umad[RIG_HEADER + SA_HEADER + 100], ==, 700 & 0xff);
	}
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole), ==, whole);
	check_table(umad, size);
	g_assert_cmpuint(take(&pair, pair.asks), ==, 2);
	pair_end(&pair);
}

/* A message that turns out to be too large after it was read goes back to the front. */
static void test_put_back(void)
{
	size_t size = 5000, whole = RIG_HEADER + SA_HEADER + size;
	g_autofree uint8_t *umad = g_malloc0(whole);
	struct pair pair = pair_start();
	uint32_t agent = register_sa(pair.asks, 0);
	g_autofree char *fd_text = g_strdup_printf("%d", pair.asks);
	int status;
	pid_t pid;

	register_sa(pair.answers, UINT64_C(1) << METHOD_GET_TABLE);
	ask_table(&pair, agent, 1);
	answer_table(&pair, size);
	pid = fork();
	if (pid == 0) {
		/* Another program that got the handle and does not know about RMPP. */
		char *arg[] = { (char *)"server", (char *)"--take", fd_text,
				pair.server.socket, NULL };

		fcntl(pair.asks, F_SETFD, 0);
		execv("/proc/self/exe", arg);
		_exit(127);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, whole), ==, whole);
	check_table(umad, size);
	pair_end(&pair);
}

/* ---- issm ---- */

static unsigned int count_descriptors(void)
{
	GDir *dir = g_dir_open("/proc/self/fd", 0, NULL);
	unsigned int count = 0;

	while (g_dir_read_name(dir))
		count++;
	g_dir_close(dir);
	return count;
}

static bool is_sm(void)
{
	struct umad_backend_port port;

	g_assert_cmpint(umad_backend_attach.get_port("H1", 1, UMAD_BACKEND_PORT_LINK, &port), ==,
			0);
	return port.attr.cap_mask & CAP_IS_SM_BIT;
}

/* A program that does not see the path of the views of /sys has a descriptor of it. */
static void test_sysfs(void)
{
	struct pair pair = pair_start();
	char path[PATH_MAX] = "";
	struct attach_exchange exchange = {
		.call.op = ATTACH_SYSFS, .fd = -1, .reply = path, .reply_room = sizeof(path) - 1,
		.reply_fd = -1,
	};
	struct stat there, here;

	g_assert_cmpint(attach_call(&exchange), ==, 0);
	g_assert_cmpint(stat(path, &there), ==, 0);
	g_assert_cmpint(fstat(exchange.reply_fd, &here), ==, 0);
	g_assert_true(there.st_dev == here.st_dev && there.st_ino == here.st_ino);
	g_assert_cmpint(fcntl(exchange.reply_fd, F_GETFL) & O_PATH, !=, 0);
	close(exchange.reply_fd);
	pair_end(&pair);
}

static void test_issm(void)
{
	struct pair pair = pair_start();
	g_autofree char *directory = NULL;
	char path[256];
	struct stat st;
	int first, second, ends[2];
	char byte;
	pid_t pid;

	g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, 4), ==, -ENAMETOOLONG);
	g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, sizeof(path)), ==, 0);
	directory = g_path_get_dirname(path);
	g_assert_cmpint(g_stat(directory, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0700);
	g_assert_cmpint(umad_backend_attach.issm_path("H1", 9, path, sizeof(path)), ==, -EINVAL);
	for (unsigned int i = 0, before = count_descriptors(); i < 10; i++) {
		g_assert_cmpint(umad_backend_attach.issm_path("H1", 1, path, sizeof(path)), ==, 0);
		g_assert_true(g_str_has_prefix(path, directory));
		g_assert_cmpuint(count_descriptors(), ==, before);
	}
	for (unsigned int i = 0; i < 100; i++) {
		g_assert_false(is_sm());
		first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		g_assert_cmpint(first, >=, 0);
		g_assert_true(is_sm());
		close(first);
	}
	first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	second = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(first);
	g_assert_true(is_sm());
	close(second);
	g_assert_false(is_sm());

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	if (pid == 0) {
		if (open(path, O_RDONLY | O_NONBLOCK) < 0 || write(ends[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 1);
	g_assert_true(is_sm());
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
	g_assert_false(is_sm());
	close(ends[0]);
	close(ends[1]);
	pair_end(&pair);
	g_assert_false(g_file_test(directory, G_FILE_TEST_EXISTS));
}

/* Where the server's files are not seen, the path leads through a descriptor that came with it. */
static void test_issm_link(void)
{
	g_autofree char *directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "issm0", NULL);
	unsigned int before = count_descriptors();
	char link[64], again[64];
	int fd, closed;

	g_assert_cmpint(mkfifo(path, 0600), ==, 0);
	fd = open(path, O_PATH | O_CLOEXEC);
	g_assert_false(issm_link_is_needed(path, fd));
	g_assert_true(issm_link_is_needed(directory, fd));
	g_assert_true(issm_link_is_needed("/nowhere/issm0", fd));
	g_assert_cmpint(issm_link_make(fd, link, sizeof(link)), ==, 0);
	/* It is one descriptor for a pipe, however often it is asked for ... */
	for (unsigned int i = 0; i < 1000; i++) {
		g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again,
					       sizeof(again)), ==, 0);
		g_assert_cmpstr(again, ==, link);
	}
	g_assert_cmpuint(count_descriptors(), ==, before + 1);
	g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again, 4), ==,
			-ENAMETOOLONG);
	g_assert_cmpint(issm_link_make(open(directory, O_PATH | O_CLOEXEC), again, sizeof(again)),
			==, -EINVAL);
	g_assert_cmpuint(count_descriptors(), ==, before + 1);
	closed = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	g_assert_cmpint(closed, >=, 0);
	close(closed);
	/* ... and a program that closes what it does not know gets another one. */
	close(fd);
	closed = open("/dev/null", O_RDONLY | O_CLOEXEC);
	g_assert_cmpint(closed, ==, fd);
	g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again, sizeof(again)), ==,
			0);
	g_assert_cmpstr(again, !=, link);
	close(closed);
	/* The pipes of devices that have gone are closed when there is another one. */
	for (unsigned int i = 0; i < 1000; i++) {
		g_assert_cmpint(g_unlink(path), ==, 0);
		g_assert_cmpint(mkfifo(path, 0600), ==, 0);
		g_assert_cmpint(issm_link_make(open(path, O_PATH | O_CLOEXEC), again,
					       sizeof(again)), ==, 0);
	}
	g_assert_cmpuint(count_descriptors(), <=, before + 2);
	g_assert_cmpint(g_unlink(path), ==, 0);
	g_assert_cmpint(g_rmdir(directory), ==, 0);
}

/* ---- ends ---- */

static void test_server_ends(void)
{
	struct pair pair = pair_start();
	struct umad_backend_port port;
	uint8_t umad[RIG_UMAD];

	server_rig_end(&pair.server);
	rig_fill(umad, pair.asker, &ping);
	g_assert_cmpint(umad_backend_attach.send(pair.asks, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(umad_backend_attach.poll(pair.asks, WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(pair.asks, umad, sizeof(umad)), ==, -EIO);
	rig_fill(umad, pair.asker, &ping);
	g_assert_cmpint(umad_backend_attach.send(pair.asks, umad, sizeof(umad)), ==, -EIO);
	g_assert_cmpint(umad_backend_attach.get_port("H1", 1, UMAD_BACKEND_PORT_LINK, &port), ==,
			-EIO);
	umad_backend_attach.close(pair.asks);
	umad_backend_attach.close(pair.answers);
}

/* The program that test_put_back() runs. */
static int take_and_leave(int fd, const char *socket)
{
	uint8_t umad[RIG_UMAD];
	char message[512];

	if (umad_backend_attach.start(socket, message, sizeof(message)) < 0)
		return 2;
	return umad_backend_attach.recv_wait(fd, umad, sizeof(umad), WAIT_MS) == -ENOSPC ? 0 : 3;
}

int main(int argc, char **argv)
{
	static bool (*const ways[])(int, int) = { polled, selected, epolled };

	if (argc == 4 && strcmp(argv[1], "--take") == 0)
		return take_and_leave(atoi(argv[2]), argv[3]);
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server/ping", test_ping);
	g_test_add_func("/server/hosts", test_hosts);
	g_test_add_func("/server/timeout", test_timeout);
	g_test_add_data_func("/server/readable/poll", &ways[0], test_readable);
	g_test_add_data_func("/server/readable/select", &ways[1], test_readable);
	g_test_add_data_func("/server/readable/epoll", &ways[2], test_readable);
	g_test_add_func("/server/flags", test_flags);
	g_test_add_func("/server/copies", test_copies);
	g_test_add_func("/server/close-order", test_close_order);
	g_test_add_func("/server/fork", test_fork);
	g_test_add_func("/server/threads", test_threads);
	g_test_add_func("/server/foreign", test_foreign);
	g_test_add_func("/server/raw-write", test_raw_write);
	g_test_add_func("/server/small-buffer", test_small_buffer);
	g_test_add_data_func("/server/large/segments", GSIZE_TO_POINTER(5000), test_large);
	g_test_add_data_func("/server/large/memfd-in", GSIZE_TO_POINTER(100000), test_large);
	g_test_add_func("/server/large/put-back", test_put_back);
	g_test_add_func("/server/issm", test_issm);
	g_test_add_func("/server/issm-link", test_issm_link);
	g_test_add_func("/server/sysfs", test_sysfs);
	g_test_add_func("/server/ends", test_server_ends);
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
