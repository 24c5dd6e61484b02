/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock: see sim/time/clock.h.
 */
#include "sim/time/clock.h"

#include <errno.h>
#include <glib.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/base/monotonic.h"
#include "sim/time/presence.h"
#include "sim/time/quiet-thread.h"

enum { STANDSTILL_S = 5 };	/* real seconds until a virtual clock at a standstill is reported */

/* What a server fires before it looks at its clients again: a millisecond or two of work. */
enum { SERVED_BURST_EVENTS = 1024 };

/* A thread that waits under the virtual clock. */
struct waiter {
	struct waiter *next;
	const void *what;		/* it waits for */
	struct clock *clock;
	struct event deadline;
	bool awake;			/* it may go on, with 'result' */
	int result;
	pthread_cond_t cond;
};

struct clock {
	struct clock_gate gate;		/* first: clock_gate() */
	struct clock_setup setup;
	struct presence_place place;	/* the threads that take part */
	int cancel_state;		/* of the lock holder, before it was shielded */

	/* Real clock. */
	int64_t base_ns;		/* CLOCK_MONOTONIC when fabric time was 0 */
	bool has_service;
	bool is_shared;			/* clock_share() */
	pthread_t service;
	bool stop;
	int64_t sleeping_until_ns;	/* the service thread's; INT64_MIN while it is awake */
	pthread_cond_t earlier;		/* something is due before that, or it is to stop */
	unsigned int burst_events;	/* of a server: may still fire until it enters again */

	/* Virtual clock. */
	struct waiter *waiters;
	unsigned int waiting;		/* waiters that are not awake yet */
	unsigned int present;		/* threads that take part */
	pthread_t usual;		/* the last that took part as usual: gate.has_usual */
	pthread_cond_t quiet;		/* another thread waits, or a poller has left */
	struct clock_party *parties;	/* in their order; NULL: there are none */
	int64_t until_ns;		/* the end of the step that time moves in */
	int lent_cancel_state;		/* of the lock holder that has lent it */
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

static void settle_sleepers(struct clock *clock)
{
	clock->gate.state.has_news = false;
	clock->setup.sleepers->settle(clock->setup.ctx);
}

/* ---- fork ---- */

unsigned int clock_fork_generation;

static void in_child(void)
{
	clock_fork_generation++;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

bool clock_is_forked(const struct clock *clock)
{
	return clock->gate.fork_generation != clock_fork_generation;
}

static void complain_of_fork(void)
{
	static bool done;

	if (!__atomic_exchange_n(&done, true, __ATOMIC_RELAXED))
		fputs("umadrig: this process was forked from the one that has the fabric; its "
		      "handles are of no use here (open the fabric after the fork)\n", stderr);
}

/* ---- real clock ---- */

/*
 * A server that has fired a burst returns before the rest, and false: a program's long message must
 * not keep all other programs waiting.
 */
static bool fire_burst(struct clock *clock, int64_t until_ns)
{
	struct event_queue *queue = clock->setup.queue;

	while (clock->burst_events > 0) {
		if (!event_queue_fire(queue, until_ns))
			return true;
		clock->burst_events--;
	}
	return event_queue_next(queue) > until_ns;
}

/* Fires what is due until then; false: there is more. */
static bool fire_until(struct clock *clock, int64_t until_ns)
{
	struct event_queue *queue = clock->setup.queue;

	if (clock->setup.is_served)
		return fire_burst(clock, until_ns);
	while (event_queue_fire(queue, until_ns))
		;
	return true;
}

static void catch_up(struct clock *clock)
{
	struct event_queue *queue = clock->setup.queue;
	int64_t now_ns = monotonic_ns() - clock->base_ns;

	clock->burst_events = SERVED_BURST_EVENTS;
	/* What comes next comes after what is due, so until that has fired time stands still. */
	if (fire_until(clock, now_ns) && queue->now_ns < now_ns)
		queue->now_ns = now_ns;
}

static void *serve(void *data)
{
	struct clock *clock = data;
	pthread_mutex_t *lock = clock->setup.lock;

	pthread_mutex_lock(lock);
	while (!clock->stop) {
		int64_t next_ns;

		catch_up(clock);
		settle_sleepers(clock);
		next_ns = event_queue_next(clock->setup.queue);
		clock->sleeping_until_ns = next_ns;
		if (next_ns > INT64_MAX - clock->base_ns) {
			pthread_cond_wait(&clock->earlier, lock);
		} else {
			struct timespec until = timespec_at(next_ns + clock->base_ns);

			pthread_cond_timedwait(&clock->earlier, lock, &until);
		}
		clock->sleeping_until_ns = INT64_MIN;
	}
	pthread_mutex_unlock(lock);
	return NULL;
}

static int start_service(struct clock *clock)
{
	int ret = quiet_thread_start(&clock->service, NULL, serve, clock);

	clock->has_service = ret == 0;
	return ret;
}

static void thread_gone(struct presence_place *place);

struct clock *clock_new(const struct clock_setup *setup, char *reterr, size_t reterr_size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct clock *clock = g_new0(struct clock, 1);
	int ret;

	pthread_once(&once, watch_forks);
	clock->setup = *setup;
	clock->gate.fork_generation = clock_fork_generation;
	clock->gate.state.is_virtual = setup->is_virtual;
	clock->base_ns = monotonic_ns();
	cond_init(&clock->earlier);
	cond_init(&clock->quiet);
	clock->place = (struct presence_place){ .serial = setup->serial, .gone = thread_gone };
	presence_place_made(&clock->place);
	/* The thread does not sleep yet, so it need not be woken. */
	clock->sleeping_until_ns = INT64_MIN;
	if (setup->is_virtual || setup->is_served)
		return clock;
	ret = start_service(clock);
	if (ret == 0)
		return clock;
	g_snprintf(reterr, reterr_size, "%s: no thread for the real clock: %s", setup->name,
		   strerror(-ret));
	clock_free(clock);
	return NULL;
}

static void stop_service(struct clock *clock)
{
	if (!clock->has_service || clock_is_forked(clock))
		return;
	pthread_mutex_lock(clock->setup.lock);
	clock->stop = true;
	pthread_cond_signal(&clock->earlier);
	pthread_mutex_unlock(clock->setup.lock);
	pthread_join(clock->service, NULL);
	clock->has_service = false;
}

int64_t clock_base_ns(const struct clock *clock)
{
	return clock_is_virtual(clock) ? 0 : clock->base_ns;
}

int64_t clock_due_ns(const struct clock *clock)
{
	int64_t next_ns = event_queue_next(clock->setup.queue);

	return next_ns > INT64_MAX - clock->base_ns ? TIME_NEVER : next_ns + clock->base_ns;
}

void clock_share(struct clock *clock)
{
	clock->is_shared = true;
}

void clock_free(struct clock *clock)
{
	if (!clock)
		return;
	presence_place_gone(&clock->place);
	stop_service(clock);
	pthread_cond_destroy(&clock->earlier);
	pthread_cond_destroy(&clock->quiet);
	g_free(clock);
}

/* ---- entering and leaving ---- */

/* The clock whose lock another thread has, and lends to this one. */
static __thread const struct clock *borrowed;

__thread const struct clock *volatile clock_inside __attribute__((tls_model("initial-exec")));

static int go_inside(const struct clock *clock)
{
	if (clock_is_forked(clock)) {
		complain_of_fork();
		return -EIO;
	}
	if (clock_inside)
		return -EDEADLK;
	clock_inside = clock;
	return 0;
}

int clock_enter(struct clock *clock)
{
	int cancel_state, ret = go_inside(clock);

	if (ret < 0 || borrowed == clock)
		return ret;
	/*
	 * A thread that is cancelled in a call (OpenSM does that) must not take the lock with it.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_mutex_lock(clock->setup.lock);
	clock->gate.state.is_shielded = true;
	clock->cancel_state = cancel_state;
	clock_catch_up(clock);
	return 0;
}

void clock_shield(struct clock *clock)
{
	if (clock->gate.state.is_shielded)
		return;
	clock->gate.state.is_shielded = true;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &clock->cancel_state);
}

int clock_enter_quick(struct clock *clock)
{
	int ret = go_inside(clock);

	if (ret < 0 || borrowed == clock)
		return ret;
	pthread_mutex_lock(clock->setup.lock);
	clock->gate.state.is_shielded = false;
	return 0;
}

int clock_enter_alone(struct clock *clock)
{
	int ret = go_inside(clock);

	if (ret < 0)
		return ret;
	clock->gate.state.is_alone = true;
	clock->gate.state.is_shielded = false;
	clock_catch_up(clock);
	return 0;
}

/* The lock is needed for what takes longer, or lets other threads in. */
static void take_lock(struct clock *clock)
{
	if (!clock->gate.state.is_alone)
		return;
	pthread_mutex_lock(clock->setup.lock);
	clock->gate.state.is_alone = false;
}

void clock_catch_up(struct clock *clock)
{
	if (!clock->gate.state.is_virtual)
		catch_up(clock);
}

void clock_leave_all(struct clock *clock)
{
	bool is_virtual = clock->gate.state.is_virtual, was_shielded;
	int cancel_state;

	/* What this call caused at this very instant must not wait for the thread. */
	if (!is_virtual)
		clock_settle_burst(clock);
	if (clock->gate.state.has_news || clock->is_shared)
		settle_sleepers(clock);
	if (borrowed == clock) {
		clock_inside = NULL;
		return;
	}
	event_queue_checked(clock->setup.queue);
	if (!is_virtual && event_queue_next(clock->setup.queue) < clock->sleeping_until_ns)
		pthread_cond_signal(&clock->earlier);
	was_shielded = clock->gate.state.is_shielded;
	cancel_state = clock->cancel_state;
	if (clock->gate.state.is_alone)
		clock->gate.state.is_alone = false;
	else
		pthread_mutex_unlock(clock->setup.lock);
	clock_inside = NULL;
	if (was_shielded)
		pthread_setcancelstate(cancel_state, &cancel_state);
}

/* Of a round trip's few thousand instructions, so it asks nothing. */
void clock_settle(struct clock *clock)
{
	while (event_queue_fire(clock->setup.queue, clock->setup.queue->now_ns))
		;
}

void clock_settle_burst(struct clock *clock)
{
	fire_until(clock, clock->setup.queue->now_ns);
}

/* ---- lending the lock ---- */

void clock_lend(struct clock *clock)
{
	take_lock(clock);
	clock_shield(clock);
	clock->lent_cancel_state = clock->cancel_state;
}

void clock_reclaim(struct clock *clock)
{
	clock->gate.state.is_shielded = true;
	clock->cancel_state = clock->lent_cancel_state;
}

void clock_borrow(const struct clock *clock)
{
	borrowed = clock;
}

void clock_return(void)
{
	borrowed = NULL;
}

/* ---- virtual clock ---- */

void clock_add_party(struct clock *clock, struct clock_party *party)
{
	struct clock_party **at = &clock->parties;

	while (*at)
		at = &(*at)->next;
	party->next = NULL;
	*at = party;
}

void clock_remove_party(struct clock *clock, struct clock_party *party)
{
	struct clock_party **at = &clock->parties;

	while (*at && *at != party)
		at = &(*at)->next;
	if (*at)
		*at = party->next;
}

/* The first moment of the queue and of all parties but one. */
static int64_t next_but_of(const struct clock *clock, const struct clock_party *but)
{
	int64_t next_ns = event_queue_next(clock->setup.queue);

	for (const struct clock_party *party = clock->parties; party; party = party->next) {
		int64_t due_ns = party == but ? TIME_NEVER : party->due_ns(party->ctx);

		next_ns = due_ns < next_ns ? due_ns : next_ns;
	}
	return next_ns;
}

int64_t clock_next_ns(const struct clock *clock)
{
	return next_but_of(clock, NULL);
}

/* A thread that has been woken goes on at this instant. */
static bool has_woken(const struct clock *clock)
{
	const struct waiter *waiter = clock->waiters;

	while (waiter && !waiter->awake)
		waiter = waiter->next;
	return waiter;
}

int64_t clock_limit_ns(const struct clock *clock, const struct clock_party *party)
{
	int64_t next_ns = next_but_of(clock, party);

	if (has_woken(clock))
		return clock->setup.queue->now_ns;
	return next_ns < clock->until_ns ? next_ns : clock->until_ns;
}

bool clock_advance(struct clock *clock, int64_t until_ns)
{
	struct clock_party *party = clock->parties;

	if (!party)
		return clock_next_instant(clock, until_ns);
	clock->until_ns = until_ns;
	if (!party->advance(party->ctx, until_ns))
		return false;
	while ((party = party->next))
		party->run(party->ctx);
	return true;
}

bool clock_next_instant(struct clock *clock, int64_t until_ns)
{
	int64_t next_ns = event_queue_next(clock->setup.queue);

	if (next_ns == TIME_NEVER || next_ns > until_ns)
		return false;
	while (event_queue_fire(clock->setup.queue, next_ns))
		;
	return true;
}

static void wake(struct waiter *waiter, int result)
{
	if (waiter->awake)
		return;
	waiter->awake = true;
	waiter->result = result;
	waiter->clock->waiting--;
	pthread_cond_signal(&waiter->cond);
}

bool clock_is_waited_for(const struct clock *clock)
{
	return clock->waiting > 0;
}

void clock_wake(struct clock *clock, const void *what, int result)
{
	for (struct waiter *waiter = clock->waiters; waiter; waiter = waiter->next) {
		if (waiter->what == what)
			wake(waiter, result);
	}
}

static void deadline_fire(struct event *event)
{
	wake(container_of(event, struct waiter, deadline), 0);
}

static void deadlock(struct clock *clock)
{
	unsigned int count = clock->waiting;

	clock_shield(clock);
	fprintf(stderr, "umadrig: nothing can happen any more: %u %s for ever, no timer is armed "
			"and no packet is on its way\n", count,
		count == 1 ? "thread waits" : "threads wait");
	for (struct waiter *waiter = clock->waiters; waiter; waiter = waiter->next)
		wake(waiter, -EDEADLK);
}

/* Other threads have the lock meanwhile, with their own cancellation states. */
static int sleep_on(struct clock *clock, pthread_cond_t *cond,
		    const struct timespec *until)
{
	int cancel_state, ret;

	take_lock(clock);
	clock_shield(clock);
	cancel_state = clock->cancel_state;
	ret = until ? pthread_cond_timedwait(cond, clock->setup.lock, until) :
		      pthread_cond_wait(cond, clock->setup.lock);
	clock->gate.state.is_shielded = true;
	clock->cancel_state = cancel_state;
	return ret;
}

/*
 * A thread takes part in virtual time and does not wait in it: this is reported once, to help find
 * the cause.
 */
static void sleep_for_others(struct clock *clock, pthread_cond_t *cond)
{
	struct timespec until = timespec_at(monotonic_ns() + STANDSTILL_S * NS_PER_S);
	int ret = sleep_on(clock, cond, &until);

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
		if (other->what == waiter->what && other->awake)
			pthread_cond_signal(&other->cond);
	}
}

/*
 * Of several threads that wait for one handle and are woken at one instant, the one that has waited
 * longest goes first (the list has the newest in front): no race decides which of them reads.
 */
static bool has_turn(const struct waiter *waiter)
{
	for (const struct waiter *older = waiter->next; older; older = older->next) {
		if (older->what == waiter->what && older->awake)
			return false;
	}
	return true;
}

int clock_wait(struct clock *clock, const void *what, int64_t deadline_ns)
{
	struct waiter waiter = {
		.what = what,
		.clock = clock,
		.deadline = { .kind = EVENT_USER, .fire = deadline_fire },
		.next = clock->waiters,
	};

	cond_init(&waiter.cond);
	clock->waiters = &waiter;
	clock->waiting++;
	pthread_cond_broadcast(&clock->quiet);
	if (deadline_ns != TIME_NEVER)
		event_queue_arm(clock->setup.queue, &waiter.deadline, deadline_ns);
	while (!waiter.awake) {
		if (clock->waiting < clock->present)
			sleep_for_others(clock, &waiter.cond);
		else if (!clock_advance(clock, TIME_NEVER))
			deadlock(clock);
		else
			clock->setup.sleepers->wake(clock->setup.ctx);
		/*
		 * Descriptors are settled too, unless this wait ends, because its thread will read
		 * what is there.
		 */
		if (!waiter.awake && clock->gate.state.has_news)
			settle_sleepers(clock);
	}
	while (!has_turn(&waiter))
		sleep_for_others(clock, &waiter.cond);
	event_queue_disarm(clock->setup.queue, &waiter.deadline);
	unlink_waiter(clock, &waiter);
	pthread_cond_destroy(&waiter.cond);
	return waiter.result;
}

bool clock_step(struct clock *clock, int64_t until_ns, bool once)
{
	bool fired = false;

	clock_thread_enter(clock);
	for (;;) {
		while (clock->waiting + 1 < clock->present)
			sleep_for_others(clock, &clock->quiet);
		if ((once && fired) || !clock_advance(clock, until_ns))
			break;
		settle_sleepers(clock);
		fired = true;
	}
	if (!once && until_ns > clock->setup.queue->now_ns)
		clock->setup.queue->now_ns = until_ns;
	return fired;
}

void clock_await_pollers(struct clock *clock, const unsigned int *pollers)
{
	while (*pollers > 0)
		sleep_on(clock, &clock->quiet, NULL);
}

void clock_poller_left(struct clock *clock)
{
	pthread_cond_broadcast(&clock->quiet);
}

/* ---- threads that take part ---- */

void clock_thread_take_part(struct clock *clock)
{
	if (!clock->gate.state.is_virtual)
		return;
	if (clock->gate.has_usual && pthread_equal(clock->usual, pthread_self()))
		return;
	if (presence_enter(&clock->place))
		clock->present++;
	clock->usual = pthread_self();
	clock->gate.has_usual = true;
}

static void thread_left(struct clock *clock)
{
	clock->present--;
	clock->gate.has_usual = false;
	/* Perhaps all others waited for this thread: they look again. */
	for (struct waiter *waiter = clock->waiters; waiter; waiter = waiter->next)
		pthread_cond_signal(&waiter->cond);
	pthread_cond_broadcast(&clock->quiet);
}

/* presence_place.gone: the thread has ended, and has already forgotten the place. */
static void thread_gone(struct presence_place *place)
{
	struct clock *clock = container_of(place, struct clock, place);

	if (clock_enter(clock) < 0)
		return;
	thread_left(clock);
	clock_leave(clock);
}

void clock_thread_leave(struct clock *clock)
{
	if (presence_leave(&clock->place))
		thread_left(clock);
}
