/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Presence: see sim/time/presence.h.
 *
 * Each thread has a list of the places that it takes part in. When a thread ends, its destructor
 * must know which places still exist: there is a list of those, under a lock of its own, which is
 * taken before a clock's.
 */
#include "sim/time/presence.h"

#include <glib.h>
#include <pthread.h>

struct presence {
	struct presence *next;
	struct presence_place *place;
	uint64_t serial;		/* the place's: its address may be used again */
};

struct living {
	struct living *next;
	struct presence_place *place;
};

static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;
static struct living *living;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread struct presence *presences;
static __thread uint64_t last_serial;	/* of the place used last: the usual case */

static bool is_alive(const struct presence *presence)
{
	for (const struct living *at = living; at; at = at->next) {
		if (at->place == presence->place && at->place->serial == presence->serial)
			return true;
	}
	return false;
}

static void thread_ends(void *first)
{
	struct presence *presence = first;

	last_serial = 0;
	presences = NULL;
	pthread_mutex_lock(&living_lock);
	while (presence) {
		struct presence *next = presence->next;

		if (is_alive(presence))
			presence->place->gone(presence->place);
		g_free(presence);
		presence = next;
	}
	pthread_mutex_unlock(&living_lock);
}

static void make_key(void)
{
	pthread_key_create(&key, thread_ends);
}

bool presence_enter(struct presence_place *place)
{
	struct presence *presence;

	if (last_serial == place->serial)
		return false;
	for (presence = presences; presence; presence = presence->next) {
		if (presence->serial == place->serial) {
			last_serial = place->serial;
			return false;
		}
	}
	presence = g_new(struct presence, 1);
	*presence = (struct presence) {
		.next = presences,
		.place = place,
		.serial = place->serial,
	};
	presences = presence;
	last_serial = place->serial;
	pthread_setspecific(key, presences);
	return true;
}

bool presence_leave(struct presence_place *place)
{
	for (struct presence **at = &presences; *at; at = &(*at)->next) {
		struct presence *presence = *at;

		if (presence->serial != place->serial)
			continue;
		*at = presence->next;
		g_free(presence);
		last_serial = 0;
		pthread_setspecific(key, presences);
		return true;
	}
	return false;
}

void presence_place_made(struct presence_place *place)
{
	struct living *entry = g_new(struct living, 1);

	pthread_once(&key_once, make_key);
	pthread_mutex_lock(&living_lock);
	*entry = (struct living){ .next = living, .place = place };
	living = entry;
	pthread_mutex_unlock(&living_lock);
}

void presence_place_gone(struct presence_place *place)
{
	/* The thread that frees a clock usually has used it: its own note is removed now. */
	presence_leave(place);
	pthread_mutex_lock(&living_lock);
	for (struct living **at = &living; *at; at = &(*at)->next) {
		struct living *entry = *at;

		if (entry->place != place)
			continue;
		*at = entry->next;
		g_free(entry);
		break;
	}
	pthread_mutex_unlock(&living_lock);
}
