/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The socket that programs connect to.
 */
#ifndef UMADRIG_SIM_SERVER_LISTENER_H
#define UMADRIG_SIM_SERVER_LISTENER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/server/watch.h"

struct listener {
	struct watch watch;
	struct watch_set *watches;
	char *path;		/* absolute */
	bool is_bound;		/* the path is ours */
	bool is_deaf;		/* no descriptor was left: it is not watched */
	uint64_t closed_count;	/* of the watches at that time */
};

/*
 * Listens at 'path' (absolute, taken over), in the place of a server that was killed. 'watches'
 * outlives it. 0, or -errno with a message and with nothing to be cleared.
 */
int listener_init(struct listener *listener, char *path, struct watch_set *watches, char *reterr,
		  size_t reterr_size);
/* Removes the path. */
void listener_clear(struct listener *listener);

/* The connected socket of the next client that may enter, the caller's now; -1: there is none. */
int listener_accept(struct listener *listener);
/* Where descriptors ran out, and one has been closed since: watches the socket again. */
void listener_hear_again(struct listener *listener);

#endif
