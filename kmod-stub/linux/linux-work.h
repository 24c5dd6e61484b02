/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Work, time and waits: what stands for <linux/workqueue.h>, <linux/jiffies.h> and <linux/wait.h>,
 * in the virtual time of the host's fabric.
 *
 * A work is an event of its host: one without a delay comes at this instant, after deliveries
 * (EVENT_LOCAL_COMPLETION), a delayed one as a timer (EVENT_TIMER). A jiffy is a millisecond, and a
 * delay begins now, not at the next tick. Who waits runs what is due at his host: completions of
 * sends first, then works, in their order.
 *
 * Without a schedule (linux-processors.h) a queue has no threads: its works run one by one, each to
 * its end.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_WORK_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_WORK_H

#include <limits.h>

#include "kmod-stub/event.h"
#include "kmod-stub/linux/linux-lists.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-processors.h"
#include "kmod-stub/linux/linux-types.h"

struct kmod_file;
struct kmod_host;

#define HZ 1000

/* Of the host that runs. It begins five minutes before 32 bits are full, as in Linux. */
extern unsigned long jiffies;

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)

/* What is negative as an int is for ever, which a long can still add jiffies to. */
static inline unsigned long msecs_to_jiffies(unsigned int msecs)
{
	return (int)msecs < 0 ? ((unsigned long)LONG_MAX >> 1) - 1 : msecs;
}

static inline unsigned int jiffies_to_msecs(unsigned long count)
{
	return (unsigned int)count;
}

struct workqueue_struct;
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

struct work_struct {
	work_func_t function;
	struct event event;
	struct list_head entry;		/* of its host, while the event is armed */
	struct kmod_host *host;
	struct workqueue_struct *queue;
};

struct delayed_work {
	struct work_struct work;
};

enum {
	WQ_UNBOUND = 2,
	WQ_MEM_RECLAIM = 8,
};

void linux_work_init(struct work_struct *work, work_func_t function);
#define INIT_WORK(work, function) linux_work_init(work, function)
#define INIT_DELAYED_WORK(delayed, function) linux_work_init(&(delayed)->work, function)
#define to_delayed_work(pointer) container_of(pointer, struct delayed_work, work)

/* False: it is queued already. */
bool queue_work(struct workqueue_struct *queue, struct work_struct *work);
bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
			unsigned long delay);
/* Was it queued? */
bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
		      unsigned long delay);
bool cancel_work(struct work_struct *work);
/* And waits while it runs. */
bool cancel_work_sync(struct work_struct *work);
#define cancel_delayed_work(delayed) cancel_work(&(delayed)->work)
#define cancel_delayed_work_sync(delayed) cancel_work_sync(&(delayed)->work)
/* Runs what is queued without a delay. */
void flush_workqueue(struct workqueue_struct *queue);

struct workqueue_struct *linux_workqueue_new(struct linux_place place);
void destroy_workqueue(struct workqueue_struct *queue);
#define alloc_ordered_workqueue(...) linux_workqueue_new(LINUX_HERE)
#define alloc_workqueue(...) linux_workqueue_new(LINUX_HERE)

/* Runs what is queued at the host without a delay. */
void linux_work_flush(struct kmod_host *host);
/* Adds those that are due. */
void linux_work_due(struct kmod_host *host, struct linux_dues *dues);

/* Of a file that is being opened: a wake-up goes to its owner. */
typedef struct wait_queue_head {
	struct kmod_file *file;
} wait_queue_head_t;

void init_waitqueue_head(wait_queue_head_t *queue);
void wake_up_interruptible(wait_queue_head_t *queue);
#define wake_up(queue) wake_up_interruptible(queue)
#define wake_up_all(queue) wake_up_interruptible(queue)
/* All files are non-blocking: as after a signal. */
#define wait_event_interruptible(queue, condition) ((void)(condition), -ERESTARTSYS)

#endif
