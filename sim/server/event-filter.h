/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The filter that a program has put on a socket (SO_ATTACH_FILTER): which messages come there, and
 * how much of each. The kernel runs it, on a message that is sent through a pair of sockets of the
 * server's own. All functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_EVENT_FILTER_H
#define UMADRIG_SIM_SERVER_EVENT_FILTER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The pair, which all filters of a server share; made for the first one. */
struct event_sieve {
	int in, out;			/* -1: there is none yet */
};

struct event_filter {
	GBytes *code;			/* of struct sock_filter; NULL: everything comes */
	bool is_locked;			/* SO_LOCK_FILTER */
};

void event_sieve_init(struct event_sieve *sieve);
void event_sieve_clear(struct event_sieve *sieve);

/* 0, or -errno as of setsockopt(2), and the filter stays as it was. */
int event_filter_attach(struct event_filter *filter, struct event_sieve *sieve, const void *code,
			size_t size);
int event_filter_detach(struct event_filter *filter);
int event_filter_lock(struct event_filter *filter, bool is_locked);
void event_filter_clear(struct event_filter *filter);

/* How much of a message comes; 0: nothing. */
size_t event_filter_pass(const struct event_filter *filter, const struct event_sieve *sieve,
			 const void *message, size_t size);

#endif
