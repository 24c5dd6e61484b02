/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clock: who moves a fabric's time, and who waits for it.
 *
 * Real: fabric time is CLOCK_MONOTONIC since the fabric was made. Every public call first lets
 * happen what is due; a service thread does the same when nobody calls.
 *
 * Virtual: time stands still but in umad_recv, umad_poll and umadrig_step, which let happen what is
 * due now and then go straight to the next event. Threads that use the fabric take part in this:
 * time moves only while each of them waits. A thread takes part from its first send, receive,
 * poll or step (or umadrig_thread_enter()) until it ends (or umadrig_thread_leave()).
 */
#ifndef UMADRIG_SIM_TIME_CLOCK_H
#define UMADRIG_SIM_TIME_CLOCK_H

#include "sim/fabric/fabric.h"

/* A thread that waits under the virtual clock. */
struct waiter {
	struct waiter *next;
	struct handle *handle;		/* what it waits for */
	struct umadrig_fabric *fabric;
	struct event deadline;
	bool awake;			/* it may go on, with 'result' */
	int result;
	pthread_cond_t cond;
};

/*
 * Makes the clock that the options ask for; a real one has a thread, unless it is served
 * (fabric_open_served()). 0, or -errno with a message.
 */
int clock_start(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size);
/* Ends the thread. Nobody waits. Does nothing where there is no clock. */
void clock_stop(struct umadrig_fabric *fabric);

/* When the next event is due, in CLOCK_MONOTONIC; TIME_NEVER: nothing is armed. Lock held. */
int64_t clock_due_ns(const struct umadrig_fabric *fabric);

bool clock_is_virtual(const struct umadrig_fabric *fabric);

/*
 * Every public function begins and ends so. Takes the lock and, with a real clock, lets happen
 * what is due. -EIO in a forked child, which gets a message once: the fabric is its parent's.
 */
int fabric_enter(struct umadrig_fabric *fabric);
/*
 * The same for sends and receives, of which there are many: the thread can still be cancelled, so
 * that none of what they do may be a cancellation point. Where something is attached that may be
 * one (a capture, a tap, an issm path), it cannot.
 */
int fabric_enter_quick(struct umadrig_fabric *fabric);
/* From here on there may be cancellation points, until fabric_leave(). */
void fabric_shield(struct umadrig_fabric *fabric);
/* Makes handles readable, or no longer, wakes who waits for that, and gives the lock back. */
void fabric_leave(struct umadrig_fabric *fabric);

/* Is this process a child, forked after the fabric was made? Needs no lock. */
bool fabric_is_forked(const struct umadrig_fabric *fabric);

/* Virtual clock: lets happen what is due at this instant. */
void clock_settle(struct umadrig_fabric *fabric);

/* Virtual clock: goes to the next instant, if not after 'until_ns', and fires all of it. */
bool clock_next_instant(struct umadrig_fabric *fabric, int64_t until_ns);

/*
 * Virtual clock: fires everything up to 'until_ns', or only the next instant ('once'), while all
 * other threads wait. Was there something to fire?
 */
bool clock_step(struct umadrig_fabric *fabric, int64_t until_ns, bool once);

/*
 * Virtual clock: waits for 'handle' until 'deadline_ns' (TIME_NEVER: for ever), moving time when
 * all threads wait. 1: woken by waiter_wake() (through the handle); 0: the deadline has come;
 * -EDEADLK: nothing can happen any more; or what else it was woken with.
 */
int clock_wait(struct umadrig_fabric *fabric, struct handle *handle, int64_t deadline_ns);

/* Lets everybody go on who waits for 'handle', with 'result'. */
void clock_wake(struct umadrig_fabric *fabric, const struct handle *handle, int result);

/*
 * Real clock: waits until '*pollers' threads, which are in poll(2) on a handle that is being
 * closed, have seen it; each says so with clock_poller_left().
 */
void clock_await_pollers(struct umadrig_fabric *fabric, const unsigned int *pollers);
void clock_poller_left(struct umadrig_fabric *fabric);

/* The calling thread takes part in the fabric's virtual time, or no longer. Lock held. */
void clock_thread_enter(struct umadrig_fabric *fabric);
void clock_thread_leave(struct umadrig_fabric *fabric);
/* The same for one whose note is gone already (sim/time/presence.c). */
void clock_thread_gone(struct umadrig_fabric *fabric);

#endif
