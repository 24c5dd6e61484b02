/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Time: what moves the virtual clock, which sleepers it notifies, and what a server's step serves.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "lib/base/monotonic.h"
#include "sim/time/clock.h"
#include "tests/rig/clock-rig.h"
#include "tests/rig/leak.h"

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
	g_test_add_func("/clock/virtual/readable", test_readable);
	g_test_add_func("/clock/virtual/timeouts", test_timeouts);
	g_test_add_func("/clock/virtual/step", test_step);
	g_test_add_func("/clock/sleepers", test_sleepers);
	g_test_add_func("/clock/served/burst", test_served_burst);
	return leak_end(g_test_run());
}
