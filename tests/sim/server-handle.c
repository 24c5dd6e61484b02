/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles of a fabric server, as programs use them: waiting, copies, forks, threads.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "tests/rig/pair-rig.h"

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

int main(int argc, char **argv)
{
	static bool (*const ways[])(int, int) = { polled, selected, epolled };

	leak_begin();
	g_test_init(&argc, &argv, NULL);
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
	/* The calling thread's connection belongs to the library, and ends with the process. */
	return g_test_run();
}
