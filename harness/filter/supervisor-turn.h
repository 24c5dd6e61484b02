/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The turn: which of a supervisor's threads may use what they share.
 *
 * One thread does all of it, as long as nothing holds it up. What a program decides the length of
 * is done *outside*: a page of its memory may be one of userfaultfd(2), or of a file system that
 * the program serves itself, and then only its end ends the supervisor's reading it. A thread that
 * is outside for long loses its turn to another (turn_depose()), and waits for it when it comes
 * back; so what was learnt before it went outside may be different by then.
 *
 * Turns come in the order in which they were asked for.
 */
#ifndef UMADRIG_HARNESS_FILTER_SUPERVISOR_TURN_H
#define UMADRIG_HARNESS_FILTER_SUPERVISOR_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

enum turn_place { TURN_INSIDE, TURN_OUTSIDE, TURN_AWAY };

/* A thread that takes turns. */
struct turn_taker {
	struct turn *turn;
	_Atomic int place;		/* AWAY: outside, and it has lost its turn */
	_Atomic unsigned int trips;	/* outside, so far */
	unsigned int seen_trips;	/* the watcher's: as of its last look */
	bool stays;			/* it must not lose its turn now */
	bool gives_way;			/* it leaves its turn whenever it goes outside */
	bool was_away;			/* since this was last set to false */
	pid_t answering;		/* the thread whose call it handles; 0: none */
	pid_t *on_return;		/* where that is written when its turn comes again; NULL */
	struct turn_taker *next;	/* of all */
};

struct turn_waiter;

struct turn {
	pthread_mutex_t lock;		/* of what follows; held for moments only */
	bool is_taken;
	struct turn_waiter *first, **end;
	struct turn_taker *all;
	struct turn_taker *taker;	/* whose turn it is; NULL: nobody's, or one's that stays */
};

void turn_init(struct turn *turn);

/* The calling thread is 'taker' from now on; and is none any more, without a turn. */
void turn_enter(struct turn *turn, struct turn_taker *taker);
void turn_exit(struct turn_taker *taker);

void turn_take(struct turn *turn);
void turn_leave(struct turn *turn);
bool turn_is_taken(struct turn *turn);

/*
 * Around what the length of is a program's: nothing shared may be used in between. Do nothing in a
 * thread that takes no turns. The errno stays as it is.
 */
void turn_outside_begin(void);
void turn_outside_end(void);
/* Whether the calling thread keeps its turn outside, too. */
void turn_stay(bool stays);

/*
 * Takes the turn from a thread that has been in the same place outside since the last call, and
 * returns the thread; it is the caller's turn then, for turn_leave(). NULL: there is none.
 */
struct turn_taker *turn_depose(struct turn *turn);

/* Is a call of this thread being handled by one that is away? In one's turn. */
bool turn_is_away_for(struct turn *turn, pid_t tid);
/* How many are away. */
unsigned int turn_away_count(struct turn *turn);

#endif
