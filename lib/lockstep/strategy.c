/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Which of several threads runs next: see lib/lockstep/strategy.h. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/mix64.h"
#include "lib/lockstep/strategy.h"

enum {
	WALK_YIELDS = 8,	/* a walk lets others in at 1 in so many points */
	POINTS_IN_A_ROW = 10000,	/* until others are let in, whatever their priority */
};

/* Above those of threads that have fallen. */
#define PRIORITY_FIRST (UINT64_C(1) << 63)
/* Above those of threads that have yielded, which are below it. */
#define PRIORITY_FALLEN (UINT64_C(1) << 62)

static SESSION_THREAD uint64_t row, row_switches;
static SESSION_THREAD bool lets_in;	/* the calling thread, which chooses next */

/* ---- chance ---- */

static uint64_t chance(void)
{
	uint64_t state = lockstep->schedule;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	lockstep->schedule = state;
	return state >> 16;
}

/* ---- priorities ---- */

/* From what a thread is, and not from when it came: so that a reversed order is one. */
static uint64_t pct_priority(const struct lockstep_slot *slot)
{
	uint64_t name = (uint64_t)slot->virtual_pid << 32 | slot->ordinal;
	uint64_t priority = mix64(mix64((lockstep->order >> 1) + MIX64_STEP) + name);

	if (lockstep->order & 1)
		priority = ~priority;
	return priority | PRIORITY_FIRST;
}

static uint64_t priority_of(struct lockstep_slot *slot)
{
	if (slot->priority == 0)
		slot->priority = lockstep->strategy == SCHEDULE_PCT ? pct_priority(slot) :
								      chance() | 1;
	return slot->priority;
}

/*
 * It was woken by a condition variable whose mutex somebody has, mostly the one that has woken it:
 * let in, it would do nothing but wait for that.
 */
static bool would_wait(const struct lockstep_slot *slot)
{
	const pthread_mutex_t *mutex = (const void *)(uintptr_t)slot->mutex;

	return mutex && slot->kind == LOCKSTEP_CONDITION && slot->pid == lockstep_self->pid &&
	       mutex->__data.__lock != 0;
}

static bool is_below_another(const struct lockstep_slot *self, uint64_t priority)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot != self && slot->state == LOCKSTEP_RUNNABLE && !slot->stopped &&
		    priority_of(slot) > priority && !would_wait(slot))
			return true;
	}
	return false;
}

/* ---- points ---- */

static void fall_to_lowest(void)
{
	lockstep_self->priority = --lockstep->lowest;
}

static bool is_alone_for_long(void)
{
	if (row_switches != lockstep->switches) {
		row_switches = lockstep->switches;
		row = 0;
	}
	return ++row % POINTS_IN_A_ROW == 0;
}

static void pct_point(uint64_t point)
{
	for (uint32_t i = 0; i < lockstep->falls && i < SCHEDULE_DEPTH_MAX; i++) {
		if (lockstep->fall[i] == point)
			lockstep_self->priority = PRIORITY_FALLEN + i;
	}
}

/* Numbers the point that the calling thread is at. */
static void pass_point(void)
{
	uint64_t point = lockstep->points++;

	switch ((enum schedule_strategy)lockstep->strategy) {
	case SCHEDULE_IN_ORDER:
	case SCHEDULE_WALK:
		break;
	case SCHEDULE_PCT:
		pct_point(point);
		if (is_alone_for_long())
			fall_to_lowest();
		break;
	case SCHEDULE_POS:
		lockstep_self->priority = 0;
		break;
	}
}

/* ---- switches ---- */

/* What is asked for at this choice of the calling thread; NULL: nothing is. */
static const struct schedule_switch *wish(void)
{
	const struct schedule_switch self = {
		.pid = lockstep_self->virtual_pid, .thread = lockstep_self->ordinal,
		.choice = lockstep_self->choices,
	};
	uint32_t first = 0, end = lockstep->wishes;

	if (end > LOCKSTEP_SWITCHES)
		end = 0;
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (schedule_switch_compare(&lockstep->wish[middle], &self) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first < lockstep->wishes && first < LOCKSTEP_SWITCHES &&
	       schedule_switch_compare(&self, &lockstep->wish[first]) == 0 ?
	       &lockstep->wish[first] : NULL;
}

static bool is_wished(const struct lockstep_slot *slot, const struct schedule_switch *one)
{
	return one && slot->virtual_pid == one->next_pid && slot->ordinal == one->next_thread;
}

static void note_switch(const struct lockstep_slot *next)
{
	const struct lockstep_slot *self = lockstep_self;
	struct lockstep_switch *at;

	if (lockstep->switched >= LOCKSTEP_SWITCHES) {
		lockstep->switched = LOCKSTEP_SWITCHES + 1;
		return;
	}
	at = &lockstep->switched_at[lockstep->switched++];
	at->at = (struct schedule_switch){
		.pid = self->virtual_pid, .thread = self->ordinal, .choice = self->choices,
		.next_pid = next->virtual_pid, .next_thread = next->ordinal,
	};
	at->kind = self->kind;
	memcpy(at->program, self->name, sizeof(at->program));
	memcpy(at->next_program, next->name, sizeof(at->next_program));
}

static bool chooses_others(void)
{
	switch ((enum schedule_strategy)lockstep->strategy) {
	case SCHEDULE_IN_ORDER:
		return wish() != NULL;
	case SCHEDULE_WALK:
		return chance() % WALK_YIELDS == 0;
	case SCHEDULE_PCT:
	case SCHEDULE_POS:
		return is_below_another(lockstep_self, priority_of(lockstep_self));
	}
	return false;
}

bool strategy_chooses_others(void)
{
	pass_point();
	lockstep_self->choices++;
	lets_in = chooses_others();
	return lets_in;
}

void strategy_waits(void)
{
	pass_point();
}

void strategy_yields(void)
{
	if (lockstep->strategy == SCHEDULE_PCT)
		fall_to_lowest();
	else
		lockstep_self->priority = 0;
}

/* ---- the choice ---- */

static bool is_better(struct lockstep_slot *slot, struct lockstep_slot *best, uint32_t n)
{
	switch ((enum schedule_strategy)lockstep->strategy) {
	case SCHEDULE_IN_ORDER:
		return false;
	case SCHEDULE_WALK:
		return chance() % n == 0;
	case SCHEDULE_PCT:
	case SCHEDULE_POS:
		return !best || priority_of(slot) > priority_of(best);
	}
	return false;
}

/* In order, or as is asked for. */
static struct lockstep_slot *pick_in_order(struct lockstep_slot *first)
{
	const struct schedule_switch *one = wish();

	for (uint32_t i = 0; one && i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state == LOCKSTEP_RUNNABLE && !slot->stopped && is_wished(slot, one))
			return slot;
	}
	return first;
}

struct lockstep_slot *strategy_pick(void)
{
	struct lockstep_slot *best = NULL, *first = NULL;
	uint32_t n = 0;

	if (!lets_in)
		lockstep_self->choices++;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state != LOCKSTEP_RUNNABLE || slot->stopped)
			continue;
		if (!first || slot->ready_seq < first->ready_seq)
			first = slot;
		if (is_better(slot, best, ++n))
			best = slot;
	}
	if (lockstep->strategy == SCHEDULE_IN_ORDER)
		best = pick_in_order(first);
	if (best && (lets_in ? best != lockstep_self : best != first))
		note_switch(best);
	lets_in = false;
	return best;
}
