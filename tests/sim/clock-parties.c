/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Time: several parties beside the event queue, in one order.
 */
#include <glib.h>
#include <pthread.h>

#include "kmod-stub/event.h"
#include "lib/base/monotonic.h"
#include "sim/time/clock.h"
#include "tests/rig/leak.h"

enum { PARTIES = 3 };

struct rig {
	pthread_mutex_t lock;
	struct event_queue queue;
	struct clock *clock;
	GString *log;
};

/* Wakes each 'period_ns', 'left' times, and may use time itself, up to its limit. */
struct sleeper {
	struct clock_party party;
	struct rig *rig;
	char name;
	int64_t due_ns, period_ns, works_ns;
	unsigned int left;
};

static int64_t sleeper_due_ns(void *ctx)
{
	return ((const struct sleeper *)ctx)->due_ns;
}

static void sleeper_run(void *ctx)
{
	struct sleeper *sleeper = ctx;
	struct event_queue *queue = &sleeper->rig->queue;
	int64_t limit_ns = clock_limit_ns(sleeper->rig->clock, &sleeper->party);

	if (sleeper->due_ns > queue->now_ns)
		return;
	g_string_append_printf(sleeper->rig->log, "%c%d ", sleeper->name, (int)queue->now_ns);
	queue->now_ns = MAX(queue->now_ns, MIN(queue->now_ns + sleeper->works_ns, limit_ns));
	sleeper->due_ns = --sleeper->left ? queue->now_ns + sleeper->period_ns : TIME_NEVER;
}

static bool sleeper_advance(void *ctx, int64_t until_ns)
{
	struct sleeper *sleeper = ctx;
	struct event_queue *queue = &sleeper->rig->queue;
	int64_t next_ns = clock_next_ns(sleeper->rig->clock);

	if (next_ns == TIME_NEVER || next_ns > until_ns)
		return false;
	if (!clock_next_instant(sleeper->rig->clock, next_ns))
		queue->now_ns = MAX(next_ns, queue->now_ns);
	sleeper_run(sleeper);
	return true;
}

static struct sleeper sleeper_make(struct rig *rig, char name, int64_t due_ns, int64_t period_ns,
				   unsigned int left)
{
	struct sleeper sleeper = {
		.party = { NULL, sleeper_advance, sleeper_run, sleeper_due_ns, NULL },
		.rig = rig, .name = name, .due_ns = due_ns, .period_ns = period_ns, .left = left,
	};

	return sleeper;
}

static void nothing(void *ctx)
{
	(void)ctx;
}

static void rig_open(struct rig *rig)
{
	static const struct clock_sleepers sleepers = { nothing, nothing };
	const struct clock_setup setup = {
		.lock = &rig->lock, .queue = &rig->queue, .sleepers = &sleepers,
		.name = "no fabric", .serial = UINT64_MAX - 1, .is_virtual = true,
	};
	char message[128];

	pthread_mutex_init(&rig->lock, NULL);
	event_queue_init(&rig->queue);
	rig->log = g_string_new(NULL);
	rig->clock = clock_new(&setup, message, sizeof(message));
	g_assert_nonnull(rig->clock);
}

static void rig_close(struct rig *rig)
{
	clock_free(rig->clock);
	event_queue_clear(&rig->queue);
	g_string_free(rig->log, true);
	pthread_mutex_destroy(&rig->lock);
}

static void step(struct rig *rig, int64_t until_ns)
{
	g_assert_cmpint(clock_enter(rig->clock), ==, 0);
	clock_step(rig->clock, until_ns, false);
	clock_leave(rig->clock);
}

struct ring {
	struct event event;
	struct rig *rig;
};

static void ring_fire(struct event *event)
{
	const struct ring *ring = container_of(event, struct ring, event);

	g_string_append_printf(ring->rig->log, "e%d ", (int)ring->rig->queue.now_ns);
}

/* At one instant: what is in the queue, then the parties in the order of the list. */
static void test_order(void)
{
	struct rig rig;
	struct ring ring = { .event = { .fire = ring_fire }, .rig = &rig };
	struct sleeper all[PARTIES];

	rig_open(&rig);
	for (int i = 0; i < PARTIES; i++) {
		all[i] = sleeper_make(&rig, (char)('a' + i), i == 1 ? 5 : 10, 10, 2);
		all[i].party.ctx = &all[i];
		clock_add_party(rig.clock, &all[i].party);
	}
	event_queue_arm(&rig.queue, &ring.event, 10);
	g_assert_cmpint(clock_next_ns(rig.clock), ==, 5);
	step(&rig, 4);
	g_assert_cmpstr(rig.log->str, ==, "");
	g_assert_cmpint(rig.queue.now_ns, ==, 4);
	step(&rig, 10);
	g_assert_cmpstr(rig.log->str, ==, "b5 e10 a10 c10 ");
	step(&rig, 100);
	g_assert_cmpstr(rig.log->str, ==, "b5 e10 a10 c10 b15 a20 c20 ");
	g_assert_cmpint(rig.queue.now_ns, ==, 100);
	g_assert_cmpint(clock_next_ns(rig.clock), ==, TIME_NEVER);
	for (int i = 0; i < PARTIES; i++)
		clock_remove_party(rig.clock, &all[i].party);
	rig_close(&rig);
}

/* One that uses time goes as far as nothing of another is passed, nor the end of the step. */
static void test_limit(void)
{
	struct rig rig;
	struct sleeper worker, other;

	rig_open(&rig);
	worker = sleeper_make(&rig, 'w', 0, 1, 4);
	worker.works_ns = 100;
	other = sleeper_make(&rig, 'o', 30, 100, 1);
	worker.party.ctx = &worker;
	other.party.ctx = &other;
	clock_add_party(rig.clock, &worker.party);
	clock_add_party(rig.clock, &other.party);
	step(&rig, 20);
	g_assert_cmpstr(rig.log->str, ==, "w0 ");
	g_assert_cmpint(rig.queue.now_ns, ==, 20);
	step(&rig, 200);
	/* From 21 up to the other's 30, from there alone by 100, and again up to the end. */
	g_assert_cmpstr(rig.log->str, ==, "w0 w21 o30 w31 w132 ");
	g_assert_cmpint(rig.queue.now_ns, ==, 200);
	clock_remove_party(rig.clock, &worker.party);
	clock_remove_party(rig.clock, &other.party);
	rig_close(&rig);
}

/* One that has left is neither waited for nor run; what is removed twice does no harm. */
static void test_leave(void)
{
	struct rig rig;
	struct sleeper all[PARTIES];

	rig_open(&rig);
	for (int i = 0; i < PARTIES; i++) {
		all[i] = sleeper_make(&rig, (char)('a' + i), 10, 10, 3);
		all[i].party.ctx = &all[i];
		clock_add_party(rig.clock, &all[i].party);
	}
	step(&rig, 10);
	clock_remove_party(rig.clock, &all[0].party);
	clock_remove_party(rig.clock, &all[0].party);
	step(&rig, 20);
	clock_remove_party(rig.clock, &all[2].party);
	step(&rig, 40);
	g_assert_cmpstr(rig.log->str, ==, "a10 b10 c10 b20 c20 b30 ");
	clock_remove_party(rig.clock, &all[1].party);
	g_assert_cmpint(clock_next_ns(rig.clock), ==, TIME_NEVER);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/clock/parties/order", test_order);
	g_test_add_func("/clock/parties/limit", test_limit);
	g_test_add_func("/clock/parties/leave", test_leave);
	return leak_end(g_test_run());
}
