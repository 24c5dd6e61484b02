/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock: what moves the time of an event queue, and the threads that wait for it. One lock
 * guards the queue and all that its events change.
 *
 * Real: time is CLOCK_MONOTONIC since the clock was made. Each thread that enters first fires what
 * is due; a service thread does so when no thread enters.
 *
 * Virtual: time stands still except in umad_recv, umad_poll and umadrig_step, which fire what is
 * due now and then go straight to the next event. Threads that use the clock take part in this:
 * time moves only while each of them waits. A thread takes part from its first send, receive, poll
 * or step (or umadrig_thread_enter()) until it ends (or umadrig_thread_leave()).
 *
 * What threads wait for, and descriptors that become readable, belong to the owner: the clock
 * reaches them through struct clock_sleepers.
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

/* To be called when events have fired, with the lock held; may call clock_wake(). */
struct clock_sleepers {
	/* Makes descriptors readable, or no longer, and wakes the threads that wait. */
	void (*settle)(void *ctx);
	/* Only wakes the threads that wait. */
	void (*wake)(void *ctx);
};

/*
 * Virtual clock: others that are in its time and live in processes of their own, such as programs
 * in lock-step, or guests. A clock has a list of them. All is called with the lock held, which may
 * be lent meanwhile.
 *
 * At each instant the first party leads: it goes there, fires what is due and lets its own run;
 * then the others let theirs run, in the order of the list. So no two ever run at once, and the
 * order is the same each time.
 */
struct clock_party {
	struct clock_party *next;	/* the clock's */
	/*
	 * As the first: lets those run that can run at this instant; or goes to the next one, of
	 * the clock or of any party (clock_next_ns()), fires what is due there, and lets them run.
	 * It returns when all wait again; false: there is no such instant up to 'until_ns'.
	 */
	bool (*advance)(void *ctx, int64_t until_ns);
	/* As a later one: lets those run that can at this instant, which has been fired. */
	void (*run)(void *ctx);
	/* The first moment at which one of them goes on; TIME_NEVER: none does. */
	int64_t (*due_ns)(void *ctx);
	void *ctx;
};

/* The arguments of clock_new(); all that they point to outlives the clock. */
struct clock_setup {
	pthread_mutex_t *lock;
	struct event_queue *queue;
	const struct clock_sleepers *sleepers;
	void *ctx;			/* passed to the sleepers */
	const char *name;		/* for messages */
	uint64_t serial;		/* no two clocks of a process have the same */
	bool is_virtual;
	bool is_served;			/* a real clock gets no thread: its owner does that work,
					 * and enters again when clock_due_ns() has come */
};

/*
 * The first member of a clock: what a thread looks at when it enters and leaves. It is visible here
 * so that the usual case, the only thread of a process under the virtual clock, takes a few
 * instructions.
 */
struct clock_gate {
	unsigned int fork_generation;	/* of the process that made it */
	struct clock_gate_state {
		bool is_virtual;
		bool is_alone;		/* the only thread is inside, without the lock */
		bool is_shielded;	/* the lock holder is not cancelled before it leaves */
		bool has_news;		/* for the sleepers */
	} state;
	bool has_usual;			/* virtual: one that takes part is the usual one */
};

/* Counts in forked children. */
extern unsigned int clock_fork_generation __attribute__((visibility("hidden")));

/*
 * The clock that the calling thread is in, from before it takes the lock until after it has
 * released it. A signal handler that finds its thread there would wait for ever for the thread that
 * it interrupts. (The lock cannot say so: while it is being taken or released it does not know its
 * owner.)
 */
extern __thread const struct clock *volatile clock_inside
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline struct clock_gate *clock_gate(struct clock *clock)
{
	return (struct clock_gate *)clock;
}

/* Makes a clock; a real one has a thread, unless it is served. NULL with a message. Lock free. */
struct clock *clock_new(const struct clock_setup *setup, char *reterr, size_t reterr_size);
/* Ends the thread, and frees the clock. No thread waits; lock free. NULL is allowed. */
void clock_free(struct clock *clock);

/* CLOCK_MONOTONIC when fabric time was 0; a virtual clock has no other time: 0. */
int64_t clock_base_ns(const struct clock *clock);

/* When the next event is due, in CLOCK_MONOTONIC; TIME_NEVER: nothing is armed. Lock held. */
int64_t clock_due_ns(const struct clock *clock);

static inline bool clock_is_virtual(const struct clock *clock)
{
	return ((const struct clock_gate *)clock)->state.is_virtual;
}

/*
 * Takes the lock and, with a real clock, fires what is due. The thread cannot be cancelled until
 * clock_leave(). -EIO in a forked child, with a message once: everything here is its parent's.
 * -EDEADLK in a signal handler that interrupts a thread which has entered this clock or another
 * one, and not left it: it would wait for itself.
 */
int clock_enter(struct clock *clock);
/*
 * Only takes the lock; -EIO and -EDEADLK as above. The thread can still be cancelled, so it must
 * not reach a cancellation point before it calls clock_shield(). clock_catch_up() is next.
 */
int clock_enter_quick(struct clock *clock);
/*
 * The same without the lock, and with clock_catch_up() done: for the only thread of the process, if
 * it calls no foreign functions, which might create another thread, until clock_leave().
 */
int clock_enter_alone(struct clock *clock);
/* The same, under the virtual clock only. False: not entered; clock_enter_alone() says why. */
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
/* Is the only thread inside, by clock_enter_alone()? For code that may have interrupted it. */
static inline bool clock_is_alone(const struct clock *clock)
{
	return ((const struct clock_gate *)clock)->state.is_alone;
}
/* With a real clock, fires what is due. Lock held. */
void clock_catch_up(struct clock *clock);
/* Allows cancellation points until clock_leave(). Lock held. */
void clock_shield(struct clock *clock);
/* As clock_leave() below, in the general case. */
void clock_leave_all(struct clock *clock);
/* Notifies the sleepers, if there is news for them, and releases the lock. */
static inline void clock_leave(struct clock *clock)
{
	static const struct clock_gate_state plain = { .is_virtual = true, .is_alone = true };
	struct clock_gate *gate = clock_gate(clock);

	if (INVARIANTS_ARE_CHECKED || memcmp(&gate->state, &plain, sizeof(plain)) != 0) {
		clock_leave_all(clock);
		return;
	}
	gate->state.is_alone = false;
	clock_inside = NULL;
}

/* Notes news for the sleepers: settle() is called before the lock is released. */
static inline void clock_note(struct clock *clock)
{
	clock_gate(clock)->state.has_news = true;
}

/* Withdraws that: there is no news for the sleepers any more. */
static inline void clock_note_nothing(struct clock *clock)
{
	clock_gate(clock)->state.has_news = false;
}

/*
 * From now on settle() is called whenever a thread leaves, with news or without: what
 * another process sees depends on more than descriptors. Lock held.
 */
void clock_share(struct clock *clock);

/* Is this process a child, forked after the clock was made? Needs no lock. */
bool clock_is_forked(const struct clock *clock);

/* Virtual clock: fires what is due at this instant. Parties do not run. */
void clock_settle(struct clock *clock);

/*
 * Real clock: fires what is due at this instant; of a served one so much that its owner can go on
 * soon. The rest is due now, as clock_due_ns() says.
 */
void clock_settle_burst(struct clock *clock);

/*
 * Virtual clock: goes to the next instant of the queue, if not after 'until_ns', and fires all of
 * it. Parties do not run.
 */
bool clock_next_instant(struct clock *clock, int64_t until_ns);

/*
 * Virtual clock: goes to the next instant of all that are in its time, if not after 'until_ns',
 * fires it, and lets the parties run. False: there is none.
 */
bool clock_advance(struct clock *clock, int64_t until_ns);

/*
 * Virtual clock: fires everything up to 'until_ns', or only the next instant ('once'), while all
 * other threads wait. Returns whether there was something to fire.
 */
bool clock_step(struct clock *clock, int64_t until_ns, bool once);

/*
 * Virtual clock: waits for 'what' until 'deadline_ns' (TIME_NEVER: for ever), moving time when all
 * threads wait. 1: woken by clock_wake() for it; 0: the deadline has come; -EDEADLK: nothing can
 * happen any more; or another result that it was woken with.
 */
int clock_wait(struct clock *clock, const void *what, int64_t deadline_ns);

/*
 * Virtual clock: from now on this party is in its time as well, after those that are already; or no
 * longer. It stays the caller's. Lock held.
 */
void clock_add_party(struct clock *clock, struct clock_party *party);
void clock_remove_party(struct clock *clock, struct clock_party *party);
/* When something happens next, in the queue or in a party; TIME_NEVER: nothing. Lock held. */
int64_t clock_next_ns(const struct clock *clock);
/*
 * How far a party whose turn it is may go on without asking: the first moment that belongs to
 * another, which is in the queue or another party, or where the step ends that time moves in.
 */
int64_t clock_limit_ns(const struct clock *clock, const struct clock_party *party);

/*
 * A thread that has the lock lends it to another one, for as long as it waits for that one and does
 * nothing else: it calls clock_lend() first, and clock_reclaim() after. The other one calls
 * clock_borrow(), after which it can enter and leave the clock as often as it likes, and
 * clock_return(). Whatever other threads want of the clock comes after both.
 */
void clock_lend(struct clock *clock);
void clock_reclaim(struct clock *clock);
void clock_borrow(const struct clock *clock);
void clock_return(void);

/* Does a thread wait that was not woken yet? Lock held. */
bool clock_is_waited_for(const struct clock *clock);

/* Wakes every thread that waits for 'what', with 'result'. */
void clock_wake(struct clock *clock, const void *what, int result);

/*
 * Real clock: waits until '*pollers' threads, which are in poll(2) on a handle that is being
 * closed, have noticed; each calls clock_poller_left().
 */
void clock_await_pollers(struct clock *clock, const unsigned int *pollers);
void clock_poller_left(struct clock *clock);

/* As clock_thread_enter() below, for a thread that may not be the usual one. */
void clock_thread_take_part(struct clock *clock);
/* Makes the calling thread take part in the clock's virtual time, or no longer. Lock held. */
static inline void clock_thread_enter(struct clock *clock)
{
	const struct clock_gate *gate = clock_gate(clock);

	/* If there is a usual thread, the only thread of the process is that one. */
	if (!gate->state.is_alone || !gate->has_usual)
		clock_thread_take_part(clock);
}
void clock_thread_leave(struct clock *clock);

#endif
