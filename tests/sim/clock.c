/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Time and threads: what moves the virtual clock, what the real one does by itself, and what
 * closing, forking and cancelling do to waiting threads.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_SYS_SINGLE_THREADED_H
#include <sys/single_threaded.h>
#endif

#include "kmod-stub/event.h"
#include "lib/base/monotonic.h"
#include "sim/time/clock.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

enum { CLASS = 0x32, NODE_INFO = 0x0011, PORT_INFO = 0x0015, LONG_MS = 60000 };

/* Is the descriptor readable, as the program's own poll(2) sees it? */
static bool fd_readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, timeout_ms) == 1 && (pollfd.revents & POLLIN);
}

static const struct rig_get unanswered = { .mgmt_class = CLASS, .dlid = 99, .timeout_ms = 20 };
static const struct rig_get peer = {
	.mgmt_class = 0x81, .attr = NODE_INFO, .path = { 1, 1 }, .timeout_ms = LONG_MS,
};

/* ---- virtual ---- */

/* The descriptor is readable exactly when a receive would not return -EAGAIN. */
static void test_readable(void)
{
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, 0x81, 0);
	struct rig_get get = peer;
	uint8_t umad[RIG_UMAD];

	g_assert_false(fd_readable(fd, 0));
	for (get.tid = 1; get.tid <= 3; get.tid++)
		rig_send(&rig, fd, agent, &get);
	g_assert_false(fd_readable(fd, 0));
	g_assert_cmpint(rig.backend->poll(fd, 1), ==, 0);
	g_assert_cmpint(umadrig_now(rig.fabric), ==, NS_PER_MS);
	g_assert_cmpint(rig.backend->poll(fd, 1), >, 0);
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 2 * NS_PER_MS);
	for (int i = 0; i < 3; i++) {
		g_assert_true(fd_readable(fd, 0));
		g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, RIG_UMAD);
	}
	g_assert_false(fd_readable(fd, 0));
	g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, -EAGAIN);
	g_assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	g_assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);

	/* umadrig_step makes it readable too. */
	rig_send(&rig, fd, agent, &get);
	umadrig_step(rig.fabric, umadrig_now(rig.fabric) + 2 * NS_PER_MS);
	g_assert_true(fd_readable(fd, 0));

	/* What is still unread when the device is removed does not matter: calls fail. */
	umadrig_port_remove(umadrig_port(rig.fabric, "H1", 1));
	g_assert_true(fd_readable(fd, 0));
	g_assert_cmpint(rig.backend->poll(fd, 0), ==, POLLERR);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* Given a wait of this kind and length, when nothing happens, then its result, and the time. */
static void test_timeouts(void)
{
	static const struct {
		int timeout_ms;
		int ret;
		int64_t now_ms;
	} rows[] = {
		{ 0, 0, 0 },
		{ 1, 0, 1 },
		{ 2000000000, 0, 2000000001 },
		{ -1, -EDEADLK, 2000000001 },
	};
	struct rig rig = rig_open(",clock=virtual");
	int fd = rig_open_port(&rig, "H1", "H1", 1);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_assert_cmpint(rig.backend->poll(fd, rows[i].timeout_ms), ==, rows[i].ret);
		g_assert_cmpint(umadrig_now(rig.fabric), ==, rows[i].now_ms * NS_PER_MS);
	}
	rig.backend->close(fd);
	rig_close(&rig);
}

static void test_step(void)
{
	struct rig rig = rig_open(",clock=virtual");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, CLASS, 0);
	struct rig_get get = unanswered;

	g_assert_cmpint(umadrig_next(rig.fabric), ==, INT64_MAX);
	g_assert_false(umadrig_step_once(rig.fabric, INT64_MAX));
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 0);
	get.retries = 2;
	rig_send(&rig, fd, agent, &get);
	umadrig_step(rig.fabric, 0);
	g_assert_cmpint(umadrig_next(rig.fabric), ==, 20 * NS_PER_MS);
	g_assert_false(umadrig_step_once(rig.fabric, 20 * NS_PER_MS - 1));
	g_assert_true(umadrig_step_once(rig.fabric, INT64_MAX));
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 20 * NS_PER_MS);
	umadrig_step(rig.fabric, 59 * NS_PER_MS);
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 59 * NS_PER_MS);
	g_assert_false(fd_readable(fd, 0));
	umadrig_step(rig.fabric, 60 * NS_PER_MS);
	g_assert_true(fd_readable(fd, 0));
	rig.backend->close(fd);
	rig_close(&rig);
}

/* ---- threads under the virtual clock ---- */

struct worker {
	struct rig *rig;
	pthread_barrier_t *start;
	int fd;
	uint32_t agent;
	int rounds;
	int wait_ms;		/* umad_recv's timeout */
	int64_t done_ns;
	long ret;
};

/* Unanswered requests, one after the other: each takes 20 ms. */
static void *time_out(void *data)
{
	struct worker *worker = data;
	struct rig_get get = unanswered;
	uint8_t umad[RIG_UMAD];

	umadrig_thread_enter(worker->rig->fabric);
	pthread_barrier_wait(worker->start);
	for (int i = 0; i < worker->rounds; i++) {
		get.tid = (uint32_t)i;
		rig_send(worker->rig, worker->fd, worker->agent, &get);
		worker->ret = worker->rig->backend->recv_wait(worker->fd, umad, sizeof(umad),
							      worker->wait_ms);
		g_assert_cmpint(worker->ret, ==, RIG_HEADER + MAD_HDR_SIZE);
	}
	worker->done_ns = umadrig_now(worker->rig->fabric);
	return NULL;
}

static void *wait_long(void *data)
{
	struct worker *worker = data;
	uint8_t umad[RIG_UMAD];

	umadrig_thread_enter(worker->rig->fabric);
	pthread_barrier_wait(worker->start);
	worker->ret = worker->rig->backend->recv_wait(worker->fd, umad, sizeof(umad),
						      worker->wait_ms);
	worker->done_ns = umadrig_now(worker->rig->fabric);
	return NULL;
}

/*
 * Time stops while any of them runs and continues when all wait: so each of them sees its timeouts
 * at exactly the right times, however the threads are scheduled.
 */
static void test_threads(void)
{
	struct rig rig = rig_open(",clock=virtual");
	struct worker workers[4];
	pthread_t threads[4];
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, 4);
	for (int i = 0; i < 4; i++) {
		const char *host = i % 2 ? "H2" : "H1";

		workers[i] = (struct worker){ .rig = &rig, .start = &start, .rounds = 50 * i };
		workers[i].fd = rig_open_port(&rig, host, host, 1);
		workers[i].agent = rig_register(&rig, workers[i].fd, CLASS, 0);
		workers[i].wait_ms = i ? -1 : 777;
	}
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i ? time_out : wait_long, &workers[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	g_assert_cmpint(workers[0].ret, ==, -ETIMEDOUT);
	g_assert_cmpint(workers[0].done_ns, ==, 777 * NS_PER_MS);
	for (int i = 1; i < 4; i++)
		g_assert_cmpint(workers[i].done_ns, ==, 50 * i * 20 * NS_PER_MS);
	for (int i = 0; i < 4; i++)
		rig.backend->close(workers[i].fd);
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

enum { TALKS = 2000 };

/*
 * Sends requests and receives responses, one after the other: each thread gets its own, in order.
 */
static void *talk(void *data)
{
	struct worker *worker = data;
	struct rig_get get = peer;
	uint8_t umad[RIG_UMAD];

	for (int i = 1; i <= worker->rounds; i++) {
		get.tid = (uint32_t)i;
		rig_send(worker->rig, worker->fd, worker->agent, &get);
		g_assert_cmpint(rig_recv(worker->rig, worker->fd, umad, LONG_MS), ==, RIG_UMAD);
		g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, get.tid);
		g_assert_cmpuint(umad[RIG_HEADER + MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	}
	return NULL;
}

/*
 * The only thread of a process takes no lock. Once it has started another thread that uses the
 * fabric too, both do. (This must be the first test: after any thread, the lock is always taken.)
 */
static void test_no_longer_alone(void)
{
#ifdef HAVE_SYS_SINGLE_THREADED_H
	struct rig rig = rig_open(",clock=virtual,latency=1us");
	struct worker workers[2];
	uint8_t umad[RIG_UMAD];
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		workers[i] = (struct worker){ .rig = &rig, .rounds = TALKS };
		workers[i].fd = rig_open_port(&rig, "H1", "H1", 1);
		workers[i].agent = rig_register(&rig, workers[i].fd, 0x81, 0);
	}
	g_assert_true(__libc_single_threaded);
	talk(&workers[0]);
	talk(&workers[1]);
	g_assert_cmpint(umadrig_now(rig.fabric), ==, 2 * TALKS * 2 * 1000);
	g_assert_true(__libc_single_threaded);
	/* A request is outstanding, and its response unread, when the thread starts. */
	rig_send(&rig, workers[0].fd, workers[0].agent, &peer);
	pthread_create(&thread, NULL, talk, &workers[1]);
	g_assert_false(__libc_single_threaded);
	g_assert_cmpint(rig_recv(&rig, workers[0].fd, umad, LONG_MS), ==, RIG_UMAD);
	talk(&workers[0]);
	umadrig_thread_leave(rig.fabric);
	pthread_join(thread, NULL);
	for (int i = 0; i < 2; i++)
		rig.backend->close(workers[i].fd);
	rig_close(&rig);
#else
	g_test_skip("the C library does not say whether the process has one thread");
#endif
}

/* Statement 38: two wait for one MAD (here the report of a failed send), and one gets it. */
static void test_two_readers(void)
{
	struct rig rig = rig_open(",clock=virtual");
	struct worker workers[2];
	pthread_t threads[2];
	pthread_barrier_t start;
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, CLASS, 0);
	int winner;

	rig_send(&rig, fd, agent, &unanswered);
	pthread_barrier_init(&start, NULL, 2);
	for (int i = 0; i < 2; i++) {
		workers[i] = (struct worker){ .rig = &rig, .start = &start, .fd = fd,
					      .wait_ms = 1000 };
		pthread_create(&threads[i], NULL, wait_long, &workers[i]);
	}
	umadrig_thread_leave(rig.fabric);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	winner = workers[0].ret > 0 ? 0 : 1;
	g_assert_cmpint(workers[winner].ret, ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_cmpint(workers[winner].done_ns, ==, 20 * NS_PER_MS);
	g_assert_cmpint(workers[!winner].ret, ==, -ETIMEDOUT);
	g_assert_cmpint(workers[!winner].done_ns, ==, 1000 * NS_PER_MS);
	rig.backend->close(fd);
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

/* All wait for ever: each gets an error. */
static void test_deadlock(void)
{
	struct rig rig = rig_open(",clock=virtual");
	struct worker workers[2];
	pthread_t threads[2];
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, 2);
	for (int i = 0; i < 2; i++) {
		workers[i] = (struct worker){ .rig = &rig, .start = &start, .wait_ms = -1 };
		workers[i].fd = rig_open_port(&rig, "H1", "H1", 1);
		pthread_create(&threads[i], NULL, wait_long, &workers[i]);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		g_assert_cmpint(workers[i].ret, ==, -EDEADLK);
		rig.backend->close(workers[i].fd);
	}
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

/* ---- closing under a waiting thread ---- */

static void test_close_wakes(const void *data)
{
	struct rig rig = rig_open(data);
	struct worker worker = { .rig = &rig, .wait_ms = -1 };
	pthread_barrier_t start;
	pthread_t thread;

	pthread_barrier_init(&start, NULL, 2);
	worker.start = &start;
	worker.fd = rig_open_port(&rig, "H1", "H1", 1);
	/* Under the virtual clock it keeps waiting because this thread runs. */
	umadrig_thread_enter(rig.fabric);
	pthread_create(&thread, NULL, wait_long, &worker);
	pthread_barrier_wait(&start);
	/* Whether it waits already or is only about to, it must end like this. */
	g_assert_cmpint(rig.backend->close(worker.fd), ==, 0);
	pthread_join(thread, NULL);
	g_assert_cmpint(worker.ret, ==, -EBADF);
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

/* OpenSM ends its receiver thread by cancelling it, then closes the port. */
static void test_cancel(void)
{
	struct rig rig = rig_open("");
	struct worker worker = { .rig = &rig, .wait_ms = -1 };
	pthread_barrier_t start;
	pthread_t thread;
	void *result;

	pthread_barrier_init(&start, NULL, 2);
	worker.start = &start;
	worker.fd = rig_open_port(&rig, "H1", "H1", 1);
	pthread_create(&thread, NULL, wait_long, &worker);
	pthread_barrier_wait(&start);
	g_assert_cmpint(pthread_cancel(thread), ==, 0);
	pthread_join(thread, &result);
	g_assert_true(result == PTHREAD_CANCELED);
	g_assert_cmpint(rig.backend->close(worker.fd), ==, 0);
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

/* ---- cancellation points ---- */

static bool point_watch(void *ctx, const struct umadrig_mad *mad)
{
	(void)ctx;
	(void)mad;
	pthread_testcancel();
	return true;
}

static void point_tap(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	(void)ctx;
	(void)at_ns;
	(void)outbound;
	(void)bytes;
	(void)size;
	pthread_testcancel();
}

static void point_trace(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	(void)ctx;
	(void)at_ns;
	(void)who;
	(void)text;
	pthread_testcancel();
}

static void attach_watch(struct rig *rig)
{
	umadrig_watch(rig->fabric, point_watch, NULL);
}

static void attach_tap(struct rig *rig)
{
	umadrig_tap(umadrig_port(rig->fabric, "H2", 1), point_tap, NULL);
}

static void attach_trace(struct rig *rig)
{
	umadrig_trace(rig->fabric, point_trace, NULL);
}

static void attach_capture(struct rig *rig)
{
	char message[256];

	g_assert_cmpint(umadrig_capture_start(rig->fabric, "/dev/null", NULL, message,
					      sizeof(message)), ==,
			0);
}

static void attach_issm(struct rig *rig)
{
	char path[64];

	g_assert_cmpint(rig->backend->issm_path("H1", 1, path, sizeof(path)), ==, 0);
}

/*
 * A pending cancellation ends a thread at the first cancellation point. There must be none in sends
 * and receives, where the thread would take the fabric's lock with it, whatever traces or taps are
 * set.
 */
static const struct pending {
	const char *name;
	const char *options;
	void (*attach)(struct rig *rig);
	bool waits;		/* with a real clock in poll(2), which is one */
} pendings[] = {
	{ "virtual", ",clock=virtual", NULL, true },
	{ "real", "", NULL, false },
	{ "watch", ",clock=virtual", attach_watch, true },
	{ "tap", ",clock=virtual", attach_tap, true },
	{ "trace", ",clock=virtual", attach_trace, true },
	{ "capture", ",clock=virtual", attach_capture, true },
	{ "issm", ",clock=virtual", attach_issm, true },
	{ "issm, real", "", attach_issm, false },
	{ "faults", ",clock=virtual,fault=drop 50%", NULL, true },
};

struct pending_run {
	const struct pending *row;
	struct rig rig;
	int fd;
	bool is_done;
};

static void play_pending(struct pending_run *run)
{
	const struct umad_backend *backend = run->rig.backend;
	uint32_t smp = rig_register(&run->rig, run->fd, 0x81, 0);
	uint32_t gsi = rig_register(&run->rig, run->fd, CLASS, 0);
	uint8_t umad[RIG_UMAD];

	pthread_cancel(pthread_self());
	for (uint32_t tid = 1; tid <= 300; tid++) {
		struct rig_get get = peer;

		get.tid = tid;
		get.attr = tid % 2 ? PORT_INFO : NODE_INFO;
		get.path[0] = tid / 2 % 2;
		get.timeout_ms = 20;
		rig_send(&run->rig, run->fd, smp, &get);
		get = unanswered;
		get.tid = tid;
		rig_send(&run->rig, run->fd, gsi, &get);
		backend->recv(run->fd, umad, sizeof(umad));
		if (run->row->waits) {
			backend->poll(run->fd, 1);
			backend->recv_wait(run->fd, umad, sizeof(umad), 10);
		}
	}
	while (run->row->waits && backend->recv_wait(run->fd, umad, sizeof(umad), -1) > 0)
		;
	run->is_done = true;
	pthread_testcancel();
}

static void *pending_thread(void *data)
{
	pthread_cleanup_push(leak_cancelled, NULL);
	play_pending(data);
	pthread_cleanup_pop(0);
	return NULL;
}

static void test_pending(const void *data)
{
	const struct pending *row = data;
	struct pending_run run = { .row = row, .rig = rig_open(row->options) };
	pthread_t thread;
	void *result;

	run.fd = rig_open_port(&run.rig, "H1", "H1", 1);
	if (row->attach)
		row->attach(&run.rig);
	pthread_create(&thread, NULL, pending_thread, &run);
	pthread_join(thread, &result);
	g_assert_true(result == PTHREAD_CANCELED);
	g_assert_true(run.is_done);
	g_assert_cmpint(run.rig.backend->close(run.fd), ==, 0);
	rig_close(&run.rig);
}

/* ---- many at once ---- */

/* Opens, sends a request, receives the response and closes, again and again. */
static void *come_and_go(void *data)
{
	struct worker *worker = data;
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .mgmt_class = 0x81, .mgmt_class_version = 1,
	};
	uint8_t umad[RIG_UMAD];

	pthread_barrier_wait(worker->start);
	for (int i = 0; i < worker->rounds; i++) {
		const struct umad_backend *backend = worker->rig->backend;
		size_t header_size;
		int fd = backend->open("H1", 1, &header_size);

		g_assert_cmpint(backend->register_agent(fd, &reg), ==, 0);
		rig_send(worker->rig, fd, reg.id, &peer);
		g_assert_cmpint(backend->recv_wait(fd, umad, sizeof(umad), LONG_MS), ==, RIG_UMAD);
		g_assert_cmpint(backend->close(fd), ==, 0);
	}
	return NULL;
}

static void test_come_and_go(const void *data)
{
	struct rig rig = rig_open(data);
	struct worker workers[4];
	pthread_t threads[4];
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, 4);
	for (int i = 0; i < 4; i++) {
		workers[i] = (struct worker){ .rig = &rig, .start = &start, .rounds = 50 };
		pthread_create(&threads[i], NULL, come_and_go, &workers[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	rig_close(&rig);
}

/* ---- the real clock ---- */

enum own_wait { OWN_POLL, OWN_SELECT, OWN_EPOLL, OWN_EPOLL_EDGE };

static void own_wait(enum own_wait how, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	fd_set set;
	int epoll, count;

	switch (how) {
	case OWN_POLL:
		g_assert_true(fd_readable(fd, LONG_MS));
		return;
	case OWN_SELECT:
		FD_ZERO(&set);
		FD_SET(fd, &set);
		g_assert_cmpint(select(fd + 1, &set, NULL, NULL, NULL), ==, 1);
		return;
	case OWN_EPOLL_EDGE:
		event.events |= EPOLLET;
		/* fall through */
	case OWN_EPOLL:
		epoll = epoll_create1(EPOLL_CLOEXEC);
		g_assert_cmpint(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), ==, 0);
		do	/* A process that was stopped gets EINTR here, without a handler. */
			count = epoll_wait(epoll, &event, 1, LONG_MS);
		while (count < 0 && errno == EINTR);
		g_assert_cmpint(count, ==, 1);
		close(epoll);
		return;
	}
}

/* A timeout makes the handle readable without a call: the service thread does it. */
static void test_own_wait(const void *data)
{
	struct rig rig = rig_open(",latency=1ms");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, CLASS, 0);
	uint8_t umad[RIG_UMAD];
	int64_t begin_ns = umadrig_now(rig.fabric);

	rig_send(&rig, fd, agent, &unanswered);
	/* On a slow machine it may be over already, but not before its time. */
	if (fd_readable(fd, 0))
		g_assert_cmpint(umadrig_now(rig.fabric) - begin_ns, >=, 20 * NS_PER_MS);
	own_wait((enum own_wait)GPOINTER_TO_INT(data), fd);
	g_assert_cmpint(umadrig_now(rig.fabric) - begin_ns, >=, 20 * NS_PER_MS);
	g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_false(fd_readable(fd, 0));
	rig.backend->close(fd);
	rig_close(&rig);
}

static void on_signal(int signal_number)
{
	(void)signal_number;
}

/* A signal interrupts a wait, as it does the kernel's poll; the service thread never gets one. */
static void test_signal(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct rig rig = rig_open("");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	struct itimerspec soon = { .it_value.tv_nsec = 1000000, .it_interval.tv_nsec = 1000000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;

	sigaction(SIGUSR1, &action, &before);
	g_assert_cmpint(timer_create(CLOCK_MONOTONIC, &event, &timer), ==, 0);
	timer_settime(timer, 0, &soon, NULL);
	g_assert_cmpint(rig.backend->poll(fd, -1), ==, -EINTR);
	timer_delete(timer);
	sigaction(SIGUSR1, &before, NULL);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A program closes the descriptor with close(2): the number may then belong to another file. */
static void test_closed_behind(void)
{
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	int fd = rig_open_port(&rig, "H1", "H1", 1), again;
	uint32_t agent = rig_register(&rig, fd, 0x81, 0);
	int data[2];

	rig_send(&rig, fd, agent, &peer);
	g_assert_cmpint(close(fd), ==, 0);
	g_assert_cmpint(pipe(data), ==, 0);
	g_assert_cmpint(data[0], ==, fd);
	/* The response makes the handle readable, not the pipe. */
	umadrig_step(rig.fabric, 10 * NS_PER_MS);
	g_assert_false(fd_readable(data[0], 0));
	close(data[0]);
	close(data[1]);
	again = rig_open_port(&rig, "H1", "H1", 1);
	g_assert_cmpint(again, ==, fd);
	g_assert_false(fd_readable(again, 0));
	rig.backend->close(again);
	rig_close(&rig);
}

/* ---- fork ---- */

/* The child's exit status: the number of the failed expectation; 0: none. */
static int be_child(struct rig *rig, int fd)
{
	uint8_t umad[RIG_UMAD] = { 0 };
	size_t header_size;

	if (rig->backend->recv(fd, umad, sizeof(umad)) != -EIO)
		return 1;
	if (rig->backend->send(fd, umad, sizeof(umad)) != -EIO)
		return 2;
	if (rig->backend->poll(fd, -1) != -EIO)
		return 3;
	if (rig->backend->open("H1", 1, &header_size) != -EIO)
		return 4;
	if (umadrig_host_enter(rig->fabric, "H2") != -EIO)
		return 5;
	if (rig->backend->close(fd) != 0 || fcntl(fd, F_GETFD) >= 0)
		return 6;
	return 0;
}

static void test_fork(const void *data)
{
	struct rig rig = rig_open(data);
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, 0x81, 0);
	uint8_t umad[RIG_UMAD];
	int message[2], status;
	char text[512];
	ssize_t size;
	pid_t child;

	g_assert_cmpint(pipe(message), ==, 0);
	child = fork();
	if (child == 0) {
		dup2(message[1], STDERR_FILENO);
		_exit(be_child(&rig, fd));
	}
	close(message[1]);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 0);
	size = read(message[0], text, sizeof(text) - 1);
	g_assert_cmpint(size, >, 0);
	text[size] = '\0';
	close(message[0]);
	/* One line, however often the child tried. */
	g_assert_true(strchr(text, '\n') == text + size - 1);
	g_assert_nonnull(strstr(text, "forked"));

	rig_send(&rig, fd, agent, &peer);
	g_assert_cmpint(rig_recv(&rig, fd, umad, LONG_MS), ==, RIG_UMAD);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* ---- without a fabric ---- */

struct sleeper {
	struct clock *clock;
	struct event event;
	unsigned int fired, settled;
};

static void sleeper_fire(struct event *event)
{
	struct sleeper *sleeper = container_of(event, struct sleeper, event);

	sleeper->fired++;
	clock_note(sleeper->clock);
}

static void sleeper_settle(void *ctx)
{
	struct sleeper *sleeper = ctx;

	sleeper->settled++;
}

/* The sleepers are notified, by their own functions, before the lock is released. */
static void test_sleepers(void)
{
	static const struct clock_sleepers sleepers = {
		.settle = sleeper_settle,
		.wake = sleeper_settle,
	};
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct event_queue queue;
	struct sleeper sleeper = { .event = { .kind = EVENT_TIMER, .fire = sleeper_fire } };
	const struct clock_setup setup = {
		.lock = &lock, .queue = &queue, .sleepers = &sleepers, .ctx = &sleeper,
		.name = "no fabric", .serial = UINT64_MAX, .is_virtual = true,
	};
	char message[128];

	event_queue_init(&queue);
	sleeper.clock = clock_new(&setup, message, sizeof(message));
	g_assert_nonnull(sleeper.clock);
	g_assert_cmpint(clock_enter(sleeper.clock), ==, 0);
	event_queue_arm(&queue, &sleeper.event, 5 * NS_PER_MS);
	g_assert_false(clock_step(sleeper.clock, 4 * NS_PER_MS, false));
	g_assert_cmpuint(sleeper.fired, ==, 0);
	g_assert_true(clock_step(sleeper.clock, 6 * NS_PER_MS, false));
	g_assert_cmpuint(sleeper.fired, ==, 1);
	g_assert_cmpuint(sleeper.settled, ==, 1);
	g_assert_cmpint(queue.now_ns, ==, 6 * NS_PER_MS);
	clock_leave(sleeper.clock);
	g_assert_cmpuint(sleeper.settled, ==, 1);
	g_assert_cmpint(clock_enter(sleeper.clock), ==, 0);
	clock_note(sleeper.clock);
	clock_leave(sleeper.clock);
	g_assert_cmpuint(sleeper.settled, ==, 2);
	clock_free(sleeper.clock);
	event_queue_clear(&queue);
}

/* ---- served ---- */

/* An event that is due again at once, as the segments of a long message are. */
struct chain {
	struct event event;
	struct event_queue *queue;
	unsigned int left, fired;
};

static void chain_fire(struct event *event)
{
	struct chain *chain = container_of(event, struct chain, event);

	chain->fired++;
	if (--chain->left > 0)
		event_queue_arm(chain->queue, event, chain->queue->now_ns);
}

/* Enters and leaves, as a server's step does; returns how much has fired. */
static unsigned int serve_step(struct clock *clock, const struct chain *chain)
{
	unsigned int before = chain->fired;

	g_assert_cmpint(clock_enter(clock), ==, 0);
	clock_settle_burst(clock);
	clock_leave(clock);
	return chain->fired - before;
}

/*
 * The owner of a served clock looks at its clients in between, however much is due at one instant.
 * Time stands still meanwhile, so that a client's timers do not overtake what it waits for.
 */
static void test_served_burst(void)
{
	static const struct clock_sleepers sleepers = { sleeper_settle, sleeper_settle };
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct sleeper sleeper = { .event = { .fire = sleeper_fire } };
	struct event_queue queue;
	struct chain chain = { .event = { .fire = chain_fire }, .queue = &queue, .left = 10000 };
	const struct clock_setup setup = {
		.lock = &lock, .queue = &queue, .sleepers = &sleepers, .ctx = &sleeper,
		.name = "no fabric", .serial = UINT64_MAX, .is_served = true,
	};
	unsigned int steps = 0, most = 0;
	struct clock *clock;
	char message[128];

	event_queue_init(&queue);
	sleeper.clock = clock = clock_new(&setup, message, sizeof(message));
	g_assert_nonnull(clock);
	event_queue_arm(&queue, &chain.event, 0);
	event_queue_arm(&queue, &sleeper.event, 1);
	while (chain.left > 0) {
		most = MAX(most, serve_step(clock, &chain));
		steps++;
		if (chain.left > 0) {
			g_assert_cmpint(queue.now_ns, ==, 0);
			g_assert_cmpuint(sleeper.fired, ==, 0);
			g_assert_cmpint(clock_due_ns(clock), <=, monotonic_ns());
		}
	}
	g_assert_cmpuint(steps, >=, 2);
	g_assert_cmpuint(most, <, 10000);
	serve_step(clock, &chain);
	g_assert_cmpuint(sleeper.fired, ==, 1);
	g_assert_cmpint(queue.now_ns, >, 0);
	clock_free(clock);
	event_queue_clear(&queue);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/clock/virtual/no longer alone", test_no_longer_alone);
	g_test_add_func("/clock/virtual/readable", test_readable);
	g_test_add_func("/clock/virtual/timeouts", test_timeouts);
	g_test_add_func("/clock/virtual/step", test_step);
	g_test_add_func("/clock/virtual/closed behind", test_closed_behind);
	g_test_add_func("/clock/virtual/threads", test_threads);
	g_test_add_func("/clock/virtual/two-readers", test_two_readers);
	g_test_add_func("/clock/virtual/deadlock", test_deadlock);
	g_test_add_data_func("/clock/virtual/close wakes", ",clock=virtual", test_close_wakes);
	g_test_add_data_func("/clock/virtual/fork", ",clock=virtual", test_fork);
	g_test_add_data_func("/clock/real/close wakes", "", test_close_wakes);
	g_test_add_data_func("/clock/real/fork", "", test_fork);
	g_test_add_data_func("/clock/virtual/come and go", ",clock=virtual,latency=1us",
			     test_come_and_go);
	g_test_add_data_func("/clock/real/come and go", ",latency=1us", test_come_and_go);
	g_test_add_func("/clock/real/cancel", test_cancel);
	for (size_t i = 0; i < G_N_ELEMENTS(pendings); i++) {
		g_autofree char *path = g_strconcat("/clock/pending cancellation/",
						    pendings[i].name, NULL);

		g_test_add_data_func(path, &pendings[i], test_pending);
	}
	g_test_add_func("/clock/real/signal", test_signal);
	g_test_add_data_func("/clock/real/poll", GINT_TO_POINTER(OWN_POLL), test_own_wait);
	g_test_add_data_func("/clock/real/select", GINT_TO_POINTER(OWN_SELECT), test_own_wait);
	g_test_add_data_func("/clock/real/epoll", GINT_TO_POINTER(OWN_EPOLL), test_own_wait);
	g_test_add_data_func("/clock/real/epoll edge", GINT_TO_POINTER(OWN_EPOLL_EDGE),
			     test_own_wait);
	g_test_add_func("/clock/sleepers", test_sleepers);
	g_test_add_func("/clock/served/burst", test_served_burst);
	return leak_end(g_test_run());
}
