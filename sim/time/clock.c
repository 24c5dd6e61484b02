/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock: see sim/time/clock.h.
 */
#include "sim/time/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/api/handle.h"
#include "lib/base/monotonic.h"
#include "sim/time/presence.h"

enum { STANDSTILL_S = 5 };	/* real seconds until a standing virtual clock is spoken of */

struct clock {
	bool is_virtual;

	/* Real clock. */
	int64_t base_ns;		/* CLOCK_MONOTONIC when fabric time was 0 */
	bool has_service;
	pthread_t service;
	bool stop;
	int64_t sleeping_until_ns;	/* of the service thread; INT64_MIN while it is awake */
	pthread_cond_t earlier;		/* something is due before that, or it shall stop */

	/* Virtual clock. */
	struct waiter *waiters;
	unsigned int waiting;		/* of them not yet awake */
	unsigned int present;		/* threads that take part */
	pthread_cond_t quiet;		/* one more waits, or one poller of a closing handle less */
	bool complained;
};

static struct timespec timespec_at(int64_t at_ns)
{
	return (struct timespec){ .tv_sec = at_ns / NS_PER_S, .tv_nsec = at_ns % NS_PER_S };
}

static void cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

bool clock_is_virtual(const struct umadrig_fabric *fabric)
{
	return fabric->clock->is_virtual;
}

/* ---- fork ---- */

static unsigned int fork_generation;	/* counts in children */

static void in_child(void)
{
	fork_generation++;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

bool fabric_is_forked(const struct umadrig_fabric *fabric)
{
	return fabric->fork_generation != fork_generation;
}

static void complain_of_fork(void)
{
	static bool done;

	if (!__atomic_exchange_n(&done, true, __ATOMIC_RELAXED))
		fputs("umadrig: this process was forked from the one that has the fabric; its "
		      "handles are of no use here (open the fabric after the fork)\n", stderr);
}

/* ---- real clock ---- */

static void catch_up(struct umadrig_fabric *fabric)
{
	int64_t now_ns = monotonic_ns() - fabric->clock->base_ns;

	while (event_queue_fire(&fabric->queue, now_ns))
		;
	if (fabric->queue.now_ns < now_ns)
		fabric->queue.now_ns = now_ns;
}

static void *serve(void *data)
{
	struct umadrig_fabric *fabric = data;
	struct clock *clock = fabric->clock;

	pthread_mutex_lock(&fabric->lock);
	while (!clock->stop) {
		int64_t next_ns;

		catch_up(fabric);
		handles_settle(fabric);
		next_ns = event_queue_next(&fabric->queue);
		clock->sleeping_until_ns = next_ns;
		if (next_ns > INT64_MAX - clock->base_ns) {
			pthread_cond_wait(&clock->earlier, &fabric->lock);
		} else {
			struct timespec until = timespec_at(next_ns + clock->base_ns);

			pthread_cond_timedwait(&clock->earlier, &fabric->lock, &until);
		}
		clock->sleeping_until_ns = INT64_MIN;
	}
	pthread_mutex_unlock(&fabric->lock);
	return NULL;
}

/* The program's signal handlers must never run in a thread that it does not know. */
static int start_service(struct umadrig_fabric *fabric)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&fabric->clock->service, NULL, serve, fabric);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	fabric->clock->has_service = ret == 0;
	return -ret;
}

int clock_start(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct clock *clock = g_new0(struct clock, 1);
	int ret;

	pthread_once(&once, watch_forks);
	fabric->fork_generation = fork_generation;
	clock->is_virtual = fabric->options.virtual_clock;
	clock->base_ns = monotonic_ns();
	cond_init(&clock->earlier);
	cond_init(&clock->quiet);
	fabric->clock = clock;
	presence_fabric_made(fabric);
	/* Nobody sleeps yet, so that nobody is to be woken. */
	clock->sleeping_until_ns = INT64_MIN;
	if (clock->is_virtual || fabric->options.is_served)
		return 0;
	ret = start_service(fabric);
	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "%s: no thread for the real clock: %s",
			   fabric->name, strerror(-ret));
		presence_fabric_gone(fabric);
		g_clear_pointer(&fabric->clock, g_free);
	}
	return ret;
}

static void stop_service(struct umadrig_fabric *fabric)
{
	struct clock *clock = fabric->clock;

	if (!clock->has_service || fabric_is_forked(fabric))
		return;
	pthread_mutex_lock(&fabric->lock);
	clock->stop = true;
	pthread_cond_signal(&clock->earlier);
	pthread_mutex_unlock(&fabric->lock);
	pthread_join(clock->service, NULL);
	clock->has_service = false;
}

int64_t clock_due_ns(const struct umadrig_fabric *fabric)
{
	int64_t next_ns = event_queue_next(&fabric->queue);
	int64_t base_ns = fabric->clock->base_ns;

	return next_ns > INT64_MAX - base_ns ? TIME_NEVER : next_ns + base_ns;
}

void clock_stop(struct umadrig_fabric *fabric)
{
	struct clock *clock = fabric->clock;

	if (!clock)
		return;
	presence_fabric_gone(fabric);
	stop_service(fabric);
	pthread_cond_destroy(&clock->earlier);
	pthread_cond_destroy(&clock->quiet);
	g_free(clock);
	fabric->clock = NULL;
}

/* ---- entering and leaving ---- */

int fabric_enter(struct umadrig_fabric *fabric)
{
	int cancel_state;

	if (fabric_is_forked(fabric)) {
		complain_of_fork();
		return -EIO;
	}
	/*
	 * A thread that is cancelled in a call (OpenSM does that) must not take the lock with it.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_mutex_lock(&fabric->lock);
	fabric->is_shielded = true;
	fabric->cancel_state = cancel_state;
	if (!fabric->clock->is_virtual)
		catch_up(fabric);
	return 0;
}

void fabric_shield(struct umadrig_fabric *fabric)
{
	if (fabric->is_shielded)
		return;
	fabric->is_shielded = true;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &fabric->cancel_state);
}

/* Does what happens in the fabric reach files, or functions that are not ours? */
static bool reaches_out(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch || fabric->divert ||
	       fabric->replay_timed || fabric->tap_count > 0 || fabric->issm_count > 0;
}

int fabric_enter_quick(struct umadrig_fabric *fabric)
{
	if (fabric_is_forked(fabric)) {
		complain_of_fork();
		return -EIO;
	}
	pthread_mutex_lock(&fabric->lock);
	fabric->is_shielded = false;
	if (reaches_out(fabric))
		fabric_shield(fabric);
	if (!fabric->clock->is_virtual)
		catch_up(fabric);
	return 0;
}

void fabric_leave(struct umadrig_fabric *fabric)
{
	struct clock *clock = fabric->clock;
	bool was_shielded;
	int cancel_state;

	/* What this call brought about at this very instant shall not wait for the thread. */
	if (!clock->is_virtual)
		clock_settle(fabric);
	if (fabric->handles_changed)
		handles_settle(fabric);
	if (!clock->is_virtual && event_queue_next(&fabric->queue) < clock->sleeping_until_ns)
		pthread_cond_signal(&clock->earlier);
	was_shielded = fabric->is_shielded;
	cancel_state = fabric->cancel_state;
	pthread_mutex_unlock(&fabric->lock);
	if (was_shielded)
		pthread_setcancelstate(cancel_state, &cancel_state);
}

void clock_settle(struct umadrig_fabric *fabric)
{
	while (event_queue_fire(&fabric->queue, fabric->queue.now_ns))
		;
}

/* ---- virtual clock ---- */

bool clock_next_instant(struct umadrig_fabric *fabric, int64_t until_ns)
{
	int64_t next_ns = event_queue_next(&fabric->queue);

	if (next_ns == TIME_NEVER || next_ns > until_ns)
		return false;
	while (event_queue_fire(&fabric->queue, next_ns))
		;
	return true;
}

static void wake(struct waiter *waiter, int result)
{
	if (waiter->awake)
		return;
	waiter->awake = true;
	waiter->result = result;
	waiter->fabric->clock->waiting--;
	pthread_cond_signal(&waiter->cond);
}

void clock_wake(struct umadrig_fabric *fabric, const struct handle *handle, int result)
{
	for (struct waiter *waiter = fabric->clock->waiters; waiter; waiter = waiter->next) {
		if (waiter->handle == handle)
			wake(waiter, result);
	}
}

static void deadline_fire(struct event *event)
{
	wake(container_of(event, struct waiter, deadline), 0);
}

static void deadlock(struct umadrig_fabric *fabric)
{
	unsigned int count = fabric->clock->waiting;

	fabric_shield(fabric);
	fprintf(stderr, "umadrig: nothing can happen any more: %u %s for ever, no timer is armed "
			"and no packet is on its way\n", count,
		count == 1 ? "thread waits" : "threads wait");
	for (struct waiter *waiter = fabric->clock->waiters; waiter; waiter = waiter->next)
		wake(waiter, -EDEADLK);
}

/* Others have the lock meanwhile, and shields of their own. */
static int sleep_on(struct umadrig_fabric *fabric, pthread_cond_t *cond,
		    const struct timespec *until)
{
	int cancel_state, ret;

	fabric_shield(fabric);
	cancel_state = fabric->cancel_state;
	ret = until ? pthread_cond_timedwait(cond, &fabric->lock, until) :
		      pthread_cond_wait(cond, &fabric->lock);
	fabric->is_shielded = true;
	fabric->cancel_state = cancel_state;
	return ret;
}

/*
 * Somebody takes part in virtual time and does not wait in it: said once, so that nobody
 * searches.
 */
static void sleep_for_others(struct umadrig_fabric *fabric, pthread_cond_t *cond)
{
	struct clock *clock = fabric->clock;
	struct timespec until = timespec_at(monotonic_ns() + STANDSTILL_S * NS_PER_S);
	int ret = sleep_on(fabric, cond, &until);

	if (ret != ETIMEDOUT || clock->complained)
		return;
	clock->complained = true;
	fprintf(stderr, "umadrig: virtual time stands still: %u of %u threads that use the fabric "
			"wait in it (a thread that is done with it calls umadrig_thread_leave)\n",
		clock->waiting, clock->present);
}

static void unlink_waiter(struct clock *clock, struct waiter *waiter)
{
	struct waiter **at = &clock->waiters;

	while (*at != waiter)
		at = &(*at)->next;
	*at = waiter->next;
	for (struct waiter *other = clock->waiters; other; other = other->next) {
		if (other->handle == waiter->handle && other->awake)
			pthread_cond_signal(&other->cond);
	}
}

/*
 * Of several that wait for one handle and are woken at one instant the one that waits the longest
 * goes first (the list has the newest in front): no race decides who reads what there is.
 */
static bool has_turn(const struct waiter *waiter)
{
	for (const struct waiter *older = waiter->next; older; older = older->next) {
		if (older->handle == waiter->handle && older->awake)
			return false;
	}
	return true;
}

int clock_wait(struct umadrig_fabric *fabric, struct handle *handle, int64_t deadline_ns)
{
	struct clock *clock = fabric->clock;
	struct waiter waiter = {
		.handle = handle,
		.fabric = fabric,
		.deadline = { .kind = EVENT_USER, .fire = deadline_fire },
		.next = clock->waiters,
	};

	cond_init(&waiter.cond);
	clock->waiters = &waiter;
	clock->waiting++;
	pthread_cond_broadcast(&clock->quiet);
	if (deadline_ns != TIME_NEVER)
		event_queue_arm(&fabric->queue, &waiter.deadline, deadline_ns);
	while (!waiter.awake) {
		if (clock->waiting < clock->present)
			sleep_for_others(fabric, &waiter.cond);
		else if (!clock_next_instant(fabric, TIME_NEVER))
			deadlock(fabric);
		else
			handles_wake(fabric);
		/*
		 * Descriptors are told too; not where this wait ends, and will read what is
		 * there.
		 */
		if (!waiter.awake && fabric->handles_changed)
			handles_settle(fabric);
	}
	while (!has_turn(&waiter))
		sleep_for_others(fabric, &waiter.cond);
	event_queue_disarm(&fabric->queue, &waiter.deadline);
	unlink_waiter(clock, &waiter);
	pthread_cond_destroy(&waiter.cond);
	return waiter.result;
}

bool clock_step(struct umadrig_fabric *fabric, int64_t until_ns, bool once)
{
	struct clock *clock = fabric->clock;
	bool fired = false;

	clock_thread_enter(fabric);
	for (;;) {
		while (clock->waiting + 1 < clock->present)
			sleep_for_others(fabric, &clock->quiet);
		if ((once && fired) || !clock_next_instant(fabric, until_ns))
			break;
		handles_settle(fabric);
		fired = true;
	}
	if (!once && until_ns > fabric->queue.now_ns)
		fabric->queue.now_ns = until_ns;
	return fired;
}

void clock_await_pollers(struct umadrig_fabric *fabric, const unsigned int *pollers)
{
	while (*pollers > 0)
		sleep_on(fabric, &fabric->clock->quiet, NULL);
}

void clock_poller_left(struct umadrig_fabric *fabric)
{
	pthread_cond_broadcast(&fabric->clock->quiet);
}

/* ---- who takes part ---- */

void clock_thread_enter(struct umadrig_fabric *fabric)
{
	if (fabric->clock->is_virtual && presence_enter(fabric))
		fabric->clock->present++;
}

void clock_thread_gone(struct umadrig_fabric *fabric)
{
	struct clock *clock = fabric->clock;

	clock->present--;
	/* Perhaps it was the one that everybody waited for: they look again. */
	for (struct waiter *waiter = clock->waiters; waiter; waiter = waiter->next)
		pthread_cond_signal(&waiter->cond);
	pthread_cond_broadcast(&clock->quiet);
}

void clock_thread_leave(struct umadrig_fabric *fabric)
{
	if (presence_leave(fabric))
		clock_thread_gone(fabric);
}
