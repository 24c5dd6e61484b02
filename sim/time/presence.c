/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Presence: see sim/time/presence.h.
 *
 * Each thread has a list of the fabrics it takes part in. What ends a thread's part when the thread
 * ends must know whether the fabric still exists: a list of those that do, under a lock of its own,
 * which is taken before a fabric's.
 */
#include "sim/time/presence.h"

#include "sim/time/clock.h"

struct presence {
	struct presence *next;
	struct umadrig_fabric *fabric;
	uint64_t serial;		/* the fabric's: its address may be used again */
};

struct living {
	struct living *next;
	struct umadrig_fabric *fabric;
};

static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;
static struct living *living;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread struct presence *presences;
static __thread uint64_t last_serial;	/* of the fabric used last: the usual case */

static bool is_alive(const struct presence *presence)
{
	for (const struct living *at = living; at; at = at->next) {
		if (at->fabric == presence->fabric && at->fabric->serial == presence->serial)
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

		if (is_alive(presence) && fabric_enter(presence->fabric) == 0) {
			clock_thread_gone(presence->fabric);
			fabric_leave(presence->fabric);
		}
		g_free(presence);
		presence = next;
	}
	pthread_mutex_unlock(&living_lock);
}

static void make_key(void)
{
	pthread_key_create(&key, thread_ends);
}

bool presence_enter(struct umadrig_fabric *fabric)
{
	struct presence *presence;

	if (last_serial == fabric->serial)
		return false;
	for (presence = presences; presence; presence = presence->next) {
		if (presence->serial == fabric->serial) {
			last_serial = fabric->serial;
			return false;
		}
	}
	presence = g_new(struct presence, 1);
	*presence = (struct presence) {
		.next = presences,
		.fabric = fabric,
		.serial = fabric->serial,
	};
	presences = presence;
	last_serial = fabric->serial;
	pthread_setspecific(key, presences);
	return true;
}

bool presence_leave(struct umadrig_fabric *fabric)
{
	for (struct presence **at = &presences; *at; at = &(*at)->next) {
		struct presence *presence = *at;

		if (presence->serial != fabric->serial)
			continue;
		*at = presence->next;
		g_free(presence);
		last_serial = 0;
		pthread_setspecific(key, presences);
		return true;
	}
	return false;
}

void presence_fabric_made(struct umadrig_fabric *fabric)
{
	struct living *entry = g_new(struct living, 1);

	pthread_once(&key_once, make_key);
	pthread_mutex_lock(&living_lock);
	*entry = (struct living){ .next = living, .fabric = fabric };
	living = entry;
	pthread_mutex_unlock(&living_lock);
}

void presence_fabric_gone(struct umadrig_fabric *fabric)
{
	/* The usual thread that frees a fabric has used it: its own note goes now. */
	presence_leave(fabric);
	pthread_mutex_lock(&living_lock);
	for (struct living **at = &living; *at; at = &(*at)->next) {
		struct living *entry = *at;

		if (entry->fabric != fabric)
			continue;
		*at = entry->next;
		g_free(entry);
		break;
	}
	pthread_mutex_unlock(&living_lock);
}
