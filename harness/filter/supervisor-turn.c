/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/supervisor-turn.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

struct turn_waiter {
	pthread_cond_t granted;
	bool is_granted;
	struct turn_waiter *next;
};

static __thread struct turn_taker *self;

void turn_init(struct turn *turn)
{
	*turn = (struct turn){ .end = &turn->first };
	pthread_mutex_init(&turn->lock, NULL);
}

void turn_enter(struct turn *turn, struct turn_taker *taker)
{
	*taker = (struct turn_taker){ .turn = turn };
	pthread_mutex_lock(&turn->lock);
	taker->next = turn->all;
	turn->all = taker;
	pthread_mutex_unlock(&turn->lock);
	self = taker;
}

void turn_exit(struct turn_taker *taker)
{
	struct turn_taker **at;

	pthread_mutex_lock(&taker->turn->lock);
	for (at = &taker->turn->all; *at != taker; at = &(*at)->next)
		continue;
	*at = taker->next;
	pthread_mutex_unlock(&taker->turn->lock);
	self = NULL;
}

/* ---- turns ---- */

/* With the lock held. */
static void wait_for_grant(struct turn *turn)
{
	struct turn_waiter waiter = { .granted = PTHREAD_COND_INITIALIZER };

	*turn->end = &waiter;
	turn->end = &waiter.next;
	while (!waiter.is_granted)
		pthread_cond_wait(&waiter.granted, &turn->lock);
	pthread_cond_destroy(&waiter.granted);
}

void turn_take(struct turn *turn)
{
	pthread_mutex_lock(&turn->lock);
	if (turn->is_taken)
		wait_for_grant(turn);
	turn->is_taken = true;
	turn->taker = self;
	pthread_mutex_unlock(&turn->lock);
}

/* It stays taken where one waits: by that one. */
void turn_leave(struct turn *turn)
{
	struct turn_waiter *waiter;

	pthread_mutex_lock(&turn->lock);
	waiter = turn->first;
	turn->taker = NULL;
	turn->is_taken = waiter;
	if (waiter) {
		turn->first = waiter->next;
		if (!turn->first)
			turn->end = &turn->first;
		waiter->is_granted = true;
		pthread_cond_signal(&waiter->granted);
	}
	pthread_mutex_unlock(&turn->lock);
}

bool turn_is_taken(struct turn *turn)
{
	bool is_taken;

	pthread_mutex_lock(&turn->lock);
	is_taken = turn->is_taken;
	pthread_mutex_unlock(&turn->lock);
	return is_taken;
}

/* ---- outside ---- */

void turn_outside_begin(void)
{
	int err = errno;

	if (!self || self->stays)
		return;
	atomic_fetch_add_explicit(&self->trips, 1, memory_order_relaxed);
	if (self->gives_way) {
		self->was_away = true;
		atomic_store(&self->place, TURN_AWAY);
		turn_leave(self->turn);
	} else {
		atomic_store_explicit(&self->place, TURN_OUTSIDE, memory_order_release);
	}
	errno = err;
}

void turn_outside_end(void)
{
	int expected = TURN_OUTSIDE, err = errno;

	if (!self || self->stays)
		return;
	if (!atomic_compare_exchange_strong(&self->place, &expected, TURN_INSIDE)) {
		turn_take(self->turn);
		atomic_store(&self->place, TURN_INSIDE);
		if (self->on_return)
			*self->on_return = self->answering;
	}
	errno = err;
}

void turn_stay(bool stays)
{
	if (self)
		self->stays = stays;
}

struct turn_taker *turn_depose(struct turn *turn)
{
	int expected = TURN_OUTSIDE;
	struct turn_taker *taker;
	bool is_late = false;

	pthread_mutex_lock(&turn->lock);
	taker = turn->taker;
	if (taker) {
		unsigned int trips = atomic_load(&taker->trips);

		is_late = trips == taker->seen_trips &&
			  atomic_compare_exchange_strong(&taker->place, &expected, TURN_AWAY);
		taker->seen_trips = trips;
	}
	if (is_late) {
		taker->was_away = true;
		turn->taker = NULL;
	}
	pthread_mutex_unlock(&turn->lock);
	return is_late ? taker : NULL;
}

bool turn_is_away_for(struct turn *turn, pid_t tid)
{
	bool is_away = false;

	pthread_mutex_lock(&turn->lock);
	for (const struct turn_taker *taker = turn->all; taker && !is_away; taker = taker->next)
		is_away = taker->answering == tid && atomic_load(&taker->place) == TURN_AWAY;
	pthread_mutex_unlock(&turn->lock);
	return is_away;
}

unsigned int turn_away_count(struct turn *turn)
{
	unsigned int count = 0;

	pthread_mutex_lock(&turn->lock);
	for (const struct turn_taker *taker = turn->all; taker; taker = taker->next)
		count += atomic_load(&taker->place) == TURN_AWAY;
	pthread_mutex_unlock(&turn->lock);
	return count;
}
