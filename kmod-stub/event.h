/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Something that happens at a time. The queue that orders events belongs to the creator
 * (sim); what happens is up to the owner, which embeds the struct event and is found from it.
 *
 * One integer type for time: signed 64-bit nanoseconds since the fabric began.
 */
#ifndef UMADRIG_KMOD_STUB_EVENT_H
#define UMADRIG_KMOD_STUB_EVENT_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define TIME_NEVER INT64_MAX

/*
 * Order among events of one instant (linux-mad B.6): what Linux leaves undefined between its
 * queues is fixed here. Within a class: first armed, first fired.
 */
enum event_class {
	EVENT_SEND_COMPLETION,
	EVENT_DELIVERY,
	EVENT_LOCAL_COMPLETION,
	EVENT_TIMER,
	EVENT_USER,		/* a waiting call's timeout, a scripted step: after all others */
	EVENT_CLASS_COUNT,
};

struct event {
	int64_t at_ns;
	uint64_t sequence;	/* the queue's: order of arming */
	uint32_t slot;		/* the queue's: place in its heap + 1, 0 while not armed */
	enum event_class kind;
	void (*fire)(struct event *event);
};

/* The struct of type 'type' whose member 'member' is '*pointer'. */
#define container_of(pointer, type, member) \
	((type *)(void *)((char *)(pointer) - offsetof(type, member)))

/* Is the event waiting in a queue? */
static inline int event_is_armed(const struct event *event)
{
	return event->slot != 0;
}

#endif
