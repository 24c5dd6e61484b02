/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages in flight: put into the socket that stands for a umad file in a program, and not read
 * yet. One record of the socket is one message.
 *
 * The program reads them itself, and nothing says so to the sender, except that less of what it has
 * sent is outstanding (SIOCOUTQ). The kernel counts memory there, not bytes: what a record weighs
 * depends on its size alone, and is found out by weighing one of the same size.
 */
#ifndef UMADRIG_HARNESS_FILTER_FLIGHT_H
#define UMADRIG_HARNESS_FILTER_FLIGHT_H

#include <stddef.h>
#include <stdint.h>

enum {
	FLIGHT_MAX = 64,		/* messages in one socket */
	FLIGHT_SMALL_MAX = 320,		/* bytes: their weights are remembered */
};

/* Weighs records, in a socket that nobody else reads. */
struct flight_scale {
	int ends[2];
	size_t record_max;	/* bytes: longer records do not fit into any socket of ours */
	int weights[FLIGHT_SMALL_MAX + 1];	/* by size; 0: not known yet */
};

struct flight {
	struct {
		uint32_t size;		/* bytes */
		int weight;
	} messages[FLIGHT_MAX];		/* a ring */
	unsigned int first, count;
};

/* 0 or -errno. */
int flight_scale_init(struct flight_scale *scale);
void flight_scale_free(struct flight_scale *scale);

/* Lets 'socket' have as much in flight as the system allows. */
void flight_set_room(int socket);

/* Forgets messages that were read since the last call. */
void flight_look(struct flight *flight, int socket);

/*
 * Puts a message into the other end of 'socket'. 0; -EAGAIN: no room; another -errno, most likely
 * because that end was closed.
 */
int flight_put(struct flight *flight, struct flight_scale *scale, int socket, const void *bytes,
	       size_t size);

/* Size of the message that is read next, as of the last flight_look(); 0: there is none. */
static inline size_t flight_head(const struct flight *flight)
{
	return flight->count ? flight->messages[flight->first].size : 0;
}

#endif
