/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that wait: which of them time waits for, and what closing and cancelling do to them.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#ifdef HAVE_SYS_SINGLE_THREADED_H
#include <sys/single_threaded.h>
#endif

#include "kmod-stub/event.h"
#include "tests/rig/clock-rig.h"
#include "tests/rig/leak.h"

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

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/clock/virtual/no longer alone", test_no_longer_alone);
	g_test_add_func("/clock/virtual/threads", test_threads);
	g_test_add_func("/clock/virtual/two-readers", test_two_readers);
	g_test_add_func("/clock/virtual/deadlock", test_deadlock);
	g_test_add_data_func("/clock/virtual/close wakes", ",clock=virtual", test_close_wakes);
	g_test_add_data_func("/clock/real/close wakes", "", test_close_wakes);
	g_test_add_data_func("/clock/virtual/come and go", ",clock=virtual,latency=1us",
			     test_come_and_go);
	g_test_add_data_func("/clock/real/come and go", ",latency=1us", test_come_and_go);
	g_test_add_func("/clock/real/cancel", test_cancel);
	return leak_end(g_test_run());
}
