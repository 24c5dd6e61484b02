/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Work: see linux-work.h.
 */
#include "kmod-stub/linux/linux-work.h"

#include <string.h>

#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-umad.h"
#include "kmod-stub/linux/linux-wire.h"

struct workqueue_struct {
	char unused;
};

/*
 * A longer delay, 34 years, is for ever. Its event never goes off: what it would do is to wait for
 * as long once more, until the nanoseconds overflow.
 */
static const unsigned long delay_max = 1UL << 40;

static void take_out(struct work_struct *work)
{
	work->host->ops->disarm(work->host->ctx, &work->event);
	list_del_init(&work->entry);
}

static void fire(struct event *event)
{
	struct work_struct *work = container_of(event, struct work_struct, event);
	struct linux_entry entry = linux_enter(work->host);

	list_del_init(&work->entry);
	linux_processors_begin(work->host, work->queue, work);
	work->function(work);
	linux_leave(entry);
}

void linux_work_init(struct work_struct *work, work_func_t function)
{
	memset(work, 0, sizeof(*work));
	work->function = function;
	work->event.fire = fire;
	INIT_LIST_HEAD(&work->entry);
}

/* With a schedule jiffies begin with their ticks, as in Linux. */
static int64_t due_ns(const struct kmod_host *host, unsigned long delay)
{
	int64_t now_ns = linux_now_ns(host);

	if (delay == delay_max)
		return TIME_NEVER;
	if (delay > 0 && host->variant.schedule != 0)
		now_ns -= now_ns % NS_PER_MS;
	return now_ns + (int64_t)delay * NS_PER_MS;
}

static void put_in(struct workqueue_struct *queue, struct work_struct *work, unsigned long delay)
{
	struct kmod_host *host = linux_current_host;

	work->host = host;
	work->queue = queue;
	work->event.kind = delay > 0 ? EVENT_TIMER : EVENT_LOCAL_COMPLETION;
	list_add_tail(&work->entry, delay > 0 ? &host->timers : &host->works);
	host->ops->arm(host->ctx, &work->event, due_ns(host, delay));
	linux_point();
}

bool queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
	if (event_is_armed(&work->event))
		return false;
	put_in(queue, work, 0);
	return true;
}

bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
			unsigned long delay)
{
	if (event_is_armed(&delayed->work.event))
		return false;
	put_in(queue, &delayed->work, delay < delay_max ? delay : delay_max);
	return true;
}

bool cancel_work(struct work_struct *work)
{
	if (!event_is_armed(&work->event))
		return false;
	take_out(work);
	return true;
}

static bool does_not_run(const void *work)
{
	return !linux_processors_run(((const struct work_struct *)work)->queue, work);
}

bool cancel_work_sync(struct work_struct *work)
{
	bool was = cancel_work(work);

	if (linux_processors_on && !linux_processors_wait(does_not_run, work))
		linux_stop("a work is cancelled that waits for this");
	return was;
}

/* A timer that is set to the time that it has keeps its place among those of this time. */
bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
		      unsigned long delay)
{
	const struct event *event = &delayed->work.event;
	bool was = event_is_armed(event);

	if (was && delay > 0 && delay < delay_max &&
	    event->at_ns == due_ns(linux_current_host, delay))
		return true;
	cancel_delayed_work(delayed);
	queue_delayed_work(queue, delayed, delay);
	return was;
}

/* The first of the host that is queued without a delay, in 'queue' (NULL: any). False: none is. */
static bool run_first(struct kmod_host *host, const struct workqueue_struct *queue)
{
	struct work_struct *work;

	list_for_each_entry(work, &host->works, entry) {
		if (queue && work->queue != queue)
			continue;
		take_out(work);
		work->function(work);
		return true;
	}
	return false;
}

static void run_due(struct kmod_host *host, void *thing)
{
	struct work_struct *work = thing;

	(void)host;
	take_out(work);
	work->function(work);
}

void linux_work_due(struct kmod_host *host, struct linux_dues *dues)
{
	int64_t until_ns = linux_now_ns(host) + linux_processors_slow_ns(host);
	struct work_struct *work;

	list_for_each_entry(work, &host->works, entry)
		linux_due_add(dues, work->queue, work, run_due);
	list_for_each_entry(work, &host->timers, entry)
		if (work->event.at_ns <= until_ns)
			linux_due_add(dues, work->queue, work, run_due);
}

void linux_work_flush(struct kmod_host *host)
{
	while (run_first(host, NULL))
		;
}

static bool is_idle(const void *queue)
{
	const struct work_struct *work;

	list_for_each_entry(work, &linux_current_host->works, entry)
		if (work->queue == queue)
			return false;
	return !linux_processors_run(queue, NULL);
}

void flush_workqueue(struct workqueue_struct *queue)
{
	linux_may_sleep("flush_workqueue", __FILE__, __LINE__);
	if (linux_processors_on) {
		if (!linux_processors_wait(is_idle, queue))
			linux_stop("flush_workqueue() would wait for ever");
		return;
	}
	while (run_first(linux_current_host, queue))
		;
}

struct workqueue_struct *linux_workqueue_new(struct linux_place place)
{
	return linux_alloc(sizeof(struct workqueue_struct), true, GFP_KERNEL, "a work queue",
			   place);
}

void destroy_workqueue(struct workqueue_struct *queue)
{
	struct work_struct *work;

	flush_workqueue(queue);
	list_for_each_entry(work, &linux_current_host->timers, entry)
		if (work->queue == queue)
			linux_fault(NULL, 0, "a timer is set when its work queue goes");
	kfree(queue);
}

static bool is_completed(const void *completion)
{
	return ((const struct completion *)completion)->done > 0;
}

/* Lets it come nearer. False: nothing is due. */
static bool wait_for(struct kmod_host *host, const struct completion *completion)
{
	if (linux_processors_on)
		return linux_processors_wait(is_completed, completion);
	return linux_wire_complete_one(host) || run_first(host, NULL);
}

void linux_wait_for(struct completion *completion, const char *file, int line)
{
	struct kmod_host *host = linux_current_host;

	linux_may_sleep("wait_for_completion", file, line);
	while (completion->done == 0)
		if (!wait_for(host, completion))
			linux_stop("%s:%d: wait_for_completion() would wait for ever: nothing is "
				   "due", file, line);
	completion->done--;
}

/* ---- waits of files ---- */

void init_waitqueue_head(wait_queue_head_t *queue)
{
	queue->file = linux_umad_opening();
}

void wake_up_interruptible(wait_queue_head_t *queue)
{
	if (queue->file)
		linux_umad_woken(queue->file);
	linux_point();
}
