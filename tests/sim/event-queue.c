/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The event queue: order by (time, class, sequence), disarming anywhere, arming while firing.
 */
#include <glib.h>

#include "sim/time/event-queue.h"
#include "sim/time/chance.h"
#include "tests/rig/leak.h"

struct probe {
	struct event event;
	char name;
};

static GString *fired;

static void on_fire(struct event *event)
{
	g_string_append_c(fired, container_of(event, struct probe, event)->name);
}

static void probe_init(struct probe *probe, char name, enum event_class kind)
{
	*probe = (struct probe){ .event = { .fire = on_fire, .kind = kind }, .name = name };
}

static void test_order(void)
{
	static const struct {
		const char *why;
		struct { int64_t at_ns; enum event_class kind; } armed[5];
		const char *expected;
	} rows[] = {
		{ "time comes first",
		  { { 30, EVENT_TIMER }, { 10, EVENT_TIMER }, { 20, EVENT_SEND_COMPLETION },
		    { 0, EVENT_USER }, { 40, EVENT_DELIVERY } }, "dbcae" },
		{ "then the class",
		  { { 5, EVENT_USER }, { 5, EVENT_TIMER }, { 5, EVENT_LOCAL_COMPLETION },
		    { 5, EVENT_DELIVERY }, { 5, EVENT_SEND_COMPLETION } }, "edcba" },
		{ "then who was armed first",
		  { { 5, EVENT_TIMER }, { 5, EVENT_TIMER }, { 5, EVENT_TIMER }, { 5, EVENT_TIMER },
		    { 5, EVENT_TIMER } }, "abcde" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct event_queue queue;
		struct probe probes[5];

		g_test_message("%s", rows[i].why);
		event_queue_init(&queue);
		fired = g_string_new(NULL);
		for (unsigned int k = 0; k < 5; k++) {
			probe_init(&probes[k], (char)('a' + k), rows[i].armed[k].kind);
			event_queue_arm(&queue, &probes[k].event, rows[i].armed[k].at_ns);
		}
		while (event_queue_fire(&queue, TIME_NEVER))
			continue;
		g_assert_cmpstr(fired->str, ==, rows[i].expected);
		g_string_free(fired, true);
		event_queue_clear(&queue);
	}
}

static void test_until(void)
{
	struct event_queue queue;
	struct probe a, b;

	event_queue_init(&queue);
	fired = g_string_new(NULL);
	probe_init(&a, 'a', EVENT_TIMER);
	probe_init(&b, 'b', EVENT_TIMER);
	g_assert_cmpint(event_queue_next(&queue), ==, TIME_NEVER);
	event_queue_arm(&queue, &a.event, 100);
	event_queue_arm(&queue, &b.event, 200);
	g_assert_false(event_queue_fire(&queue, 99));
	g_assert_true(event_queue_fire(&queue, 100));
	g_assert_cmpint(queue.now_ns, ==, 100);
	g_assert_false(event_is_armed(&a.event));
	/* Nothing can be armed for the past: it happens now, after what is already due now. */
	event_queue_arm(&queue, &a.event, 50);
	g_assert_cmpint(a.event.at_ns, ==, 100);
	event_queue_disarm(&queue, &b.event);
	g_assert_true(event_queue_fire(&queue, TIME_NEVER));
	g_assert_false(event_queue_fire(&queue, TIME_NEVER));
	g_assert_cmpstr(fired->str, ==, "aa");
	g_string_free(fired, true);
	event_queue_clear(&queue);
}

/*
 * Random arming, re-arming and disarming, compared with a plain list that is searched for its
 * minimum.
 */
static void test_against_list(void)
{
	enum { COUNT = 300 };
	static struct probe probes[COUNT];
	struct event_queue queue;
	struct chance chance;

	chance_init(&chance, 1, "event-queue");
	event_queue_init(&queue);
	fired = g_string_new(NULL);
	for (unsigned int i = 0; i < COUNT; i++)
		probe_init(&probes[i], 'x', EVENT_TIMER);
	for (unsigned int step = 0; step < 20000; step++) {
		struct probe *probe = &probes[chance_below(&chance, COUNT)];
		const struct event *first = NULL;

		if (chance_hits(&chance, 1, 3))
			event_queue_disarm(&queue, &probe->event);
		else
			event_queue_arm(&queue, &probe->event,
					queue.now_ns + (int64_t)chance_below(&chance, 50));
		for (unsigned int i = 0; i < COUNT; i++) {
			const struct event *e = &probes[i].event;

			if (event_is_armed(e) &&
			    (!first || e->at_ns < first->at_ns ||
			     (e->at_ns == first->at_ns && e->sequence < first->sequence)))
				first = e;
		}
		g_assert_cmpint(event_queue_next(&queue), ==, first ? first->at_ns : TIME_NEVER);
		if (first && chance_hits(&chance, 1, 4)) {
			g_assert_true(event_queue_fire(&queue, TIME_NEVER));
			g_assert_false(event_is_armed(first));
		}
	}
	g_string_free(fired, true);
	event_queue_clear(&queue);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/event-queue/order", test_order);
	g_test_add_func("/event-queue/until", test_until);
	g_test_add_func("/event-queue/against-list", test_against_list);
	return leak_end(g_test_run());
}
