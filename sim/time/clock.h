/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock: what moves the time of an event queue, and the threads that wait for it. One lock
 * guards the queue and all that its events change.
 *
 * Real: time is CLOCK_MONOTONIC since the clock was made. Each thread that enters first lets happen
 * what is due; a service thread does the same when nobody enters.
 *
 * Virtual: time stands still but in umad_recv, umad_poll and umadrig_step, which let happen what is
 * due now and then go straight to the next event. Threads that use the clock take part in this:
 * time moves only while each of them waits. A thread takes part from its first send, receive,
 * poll or step (or umadrig_thread_enter()) until it ends (or umadrig_thread_leave()).
 *
 * What threads wait for, and descriptors that become readable, are the owner's affair: the clock
 * knows them by struct clock_sleepers.
 */
#ifndef UMADRIG_SIM_TIME_CLOCK_H
#define UMADRIG_SIM_TIME_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/time/event-queue.h"

struct clock;

/* What is to be told when events have fired. Called with the lock held; may call clock_wake(). */
struct clock_sleepers {
	/* Makes descriptors readable, or no longer, and wakes the threads that wait. */
	void (*settle)(void *ctx);
	/* Only wakes the threads that wait. */
	void (*wake)(void *ctx);
};

/* What a clock is made with; all that it points to outlives the clock. */
struct clock_setup {
	pthread_mutex_t *lock;
	struct event_queue *queue;
	const struct clock_sleepers *sleepers;
	void *ctx;			/* of the sleepers */
	const char *name;		/* for messages */
	uint64_t serial;		/* no two clocks of a process have the same */
	bool is_virtual;
	bool is_served;			/* a real one gets no thread: its owner does that work */
};

/*
 * What a clock begins with: what a thread looks at on its way in and out, here so that the usual
 * way, of the only thread of a process under the virtual clock, is a few instructions.
 */
struct clock_gate {
	unsigned int fork_generation;	/* of the process that made it */
	struct clock_gate_state {
		bool is_virtual;
		bool is_alone;		/* the only thread is inside, without the lock */
		bool is_shielded;	/* the lock holder is not cancelled before it leaves */
		bool has_news;		/* for the sleepers */
	} state;
	bool has_usual;			/* virtual: one of those that take part is the usual one */
};

/* Counts in forked children. */
extern unsigned int clock_fork_generation __attribute__((visibility("hidden")));

/*
 * Where the calling thread is, from before it takes the lock until after it has given it back. A
 * signal's handler that finds itself there would wait for ever for the thread that it interrupts.
 * (Not asked of the lock: while it is being taken or given back it does not know its owner.)
 */
extern __thread const struct clock *volatile clock_inside
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline struct clock_gate *clock_gate(struct clock *clock)
{
	return (struct clock_gate *)clock;
}

/* Makes a clock; a real one has a thread, unless it is served. NULL with a message. Lock free. */
struct clock *clock_new(const struct clock_setup *setup, char *reterr, size_t reterr_size);
/* Ends the thread, and frees it. Nobody waits; lock free. NULL is allowed. */
void clock_free(struct clock *clock);

/* When the next event is due, in CLOCK_MONOTONIC; TIME_NEVER: nothing is armed. Lock held. */
int64_t clock_due_ns(const struct clock *clock);

static inline bool clock_is_virtual(const struct clock *clock)
{
	return ((const struct clock_gate *)clock)->state.is_virtual;
}

/*
 * Takes the lock and, with a real clock, lets happen what is due. The thread cannot be cancelled
 * until clock_leave(). -EIO in a forked child, which gets a message once: all of this is its
 * parent's. -EDEADLK in a signal's handler that interrupts a thread which has entered this clock or
 * another one, and not left it: it must not wait for itself.
 */
int clock_enter(struct clock *clock);
/*
 * Only takes the lock; -EIO and -EDEADLK as above. The thread can still be cancelled, so that
 * nothing that it does may be a cancellation point, until it says clock_shield(). clock_catch_up()
 * is next.
 */
int clock_enter_quick(struct clock *clock);
/*
 * The same without the lock, and clock_catch_up() is done: for the only thread of the process,
 * where nothing that it does until clock_leave() is a function that is not ours, and might make
 * another.
 */
int clock_enter_alone(struct clock *clock);
/* The same, under the virtual clock alone. False: not entered; clock_enter_alone() says why. */
static inline bool clock_try_alone(struct clock *clock)
{
	struct clock_gate *gate = clock_gate(clock);

	if (!gate->state.is_virtual || gate->fork_generation != clock_fork_generation ||
	    clock_inside)
		return false;
	clock_inside = clock;
	gate->state.is_alone = true;
	gate->state.is_shielded = false;
	return true;
}
/* Is the only thread inside, by clock_enter_alone()? Asked by what may have interrupted it. */
static inline bool clock_is_alone(const struct clock *clock)
{
	return ((const struct clock_gate *)clock)->state.is_alone;
}
/* With a real clock, lets happen what is due. Lock held. */
void clock_catch_up(struct clock *clock);
/* From here on there may be cancellation points, until clock_leave(). Lock held. */
void clock_shield(struct clock *clock);
/* As clock_leave() below, whatever there is to do. */
void clock_leave_all(struct clock *clock);
/* Tells the sleepers what there is for them, and gives the lock back. */
static inline void clock_leave(struct clock *clock)
{
	static const struct clock_gate_state plain = { .is_virtual = true, .is_alone = true };
	struct clock_gate *gate = clock_gate(clock);

	if (memcmp(&gate->state, &plain, sizeof(plain)) != 0) {
		clock_leave_all(clock);
		return;
	}
	gate->state.is_alone = false;
	clock_inside = NULL;
}

/* There is something for the sleepers: settle() is called before the lock is given back. */
static inline void clock_note(struct clock *clock)
{
	clock_gate(clock)->state.has_news = true;
}

/* What was noted is no news any more: there is nothing for the sleepers. */
static inline void clock_note_nothing(struct clock *clock)
{
	clock_gate(clock)->state.has_news = false;
}

/* Is this process a child, forked after the clock was made? Needs no lock. */
bool clock_is_forked(const struct clock *clock);

/* Virtual clock: lets happen what is due at this instant. */
void clock_settle(struct clock *clock);

/* Virtual clock: goes to the next instant, if not after 'until_ns', and fires all of it. */
bool clock_next_instant(struct clock *clock, int64_t until_ns);

/*
 * Virtual clock: fires everything up to 'until_ns', or only the next instant ('once'), while all
 * other threads wait. Was there something to fire?
 */
bool clock_step(struct clock *clock, int64_t until_ns, bool once);

/*
 * Virtual clock: waits for 'what' until 'deadline_ns' (TIME_NEVER: for ever), moving time when
 * all threads wait. 1: woken by clock_wake() for it; 0: the deadline has come; -EDEADLK: nothing
 * can happen any more; or what else it was woken with.
 */
int clock_wait(struct clock *clock, const void *what, int64_t deadline_ns);

/* Does any thread wait that was not woken yet? Lock held. */
bool clock_is_waited_for(const struct clock *clock);

/* Lets every thread go on that waits for 'what', with 'result'. */
void clock_wake(struct clock *clock, const void *what, int result);

/*
 * Real clock: waits until '*pollers' threads, which are in poll(2) on a handle that is being
 * closed, have seen it; each says so with clock_poller_left().
 */
void clock_await_pollers(struct clock *clock, const unsigned int *pollers);
void clock_poller_left(struct clock *clock);

/* As clock_thread_enter() below, for a thread that is perhaps not the usual one. */
void clock_thread_take_part(struct clock *clock);
/* The calling thread takes part in the clock's virtual time, or no longer. Lock held. */
static inline void clock_thread_enter(struct clock *clock)
{
	const struct clock_gate *gate = clock_gate(clock);

	/* The only thread of the process, if there is a usual one, is that. */
	if (!gate->state.is_alone || !gate->has_usual)
		clock_thread_take_part(clock);
}
void clock_thread_leave(struct clock *clock);

#endif
