/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The socket that programs connect to.
 */
#ifndef UMADRIG_SIM_SERVER_LISTENER_H
#define UMADRIG_SIM_SERVER_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sim/server/users.h"
#include "sim/server/watch.h"

struct listener {
	struct watch watch;
	struct watch_set *watches;
	char *path;		/* absolute */
	struct server_users users;	/* besides our own and root */
	bool has_descendants;	/* and what this process has started */
	dev_t device;		/* of the path, while it is ours */
	ino_t inode;		/* 0: it never was */
	bool is_paused;		/* descriptors ran out: the socket is not watched */
	uint64_t closed_count;	/* the watches' count at that time */
	int64_t again_ns;	/* CLOCK_MONOTONIC: when it is tried again in any case */
	int64_t short_since_ns;	/* no descriptor was free since then; 0: one was */
	int spare_fd;		/* with which those are turned away that have waited for long */
};

/*
 * Listens at 'path' (absolute, taken over). A socket that a killed server left behind is replaced;
 * one that may still be in use is -EADDRINUSE. 'watches' outlives it. 0, or -errno with a message
 * and with nothing to be cleared.
 */
int listener_init(struct listener *listener, char *path, struct watch_set *watches, char *reterr,
		  size_t reterr_size);
/*
 * Admits these users, too (they are taken over), and lets them connect: the path's mode becomes
 * 0666. 0 or -errno.
 */
int listener_allow(struct listener *listener, struct server_users *users);
/*
 * Admits all that this process has started, too, whatever user it has become: the path's mode
 * becomes 0666. 0 or -errno.
 */
int listener_allow_descendants(struct listener *listener);
/* Removes the path, if it is still the one that was made. */
void listener_clear(struct listener *listener);

/*
 * The connected socket of the next client that may enter, owned by the caller; -1: there is none.
 * Where no descriptor is free clients wait; after five seconds in which none was they are turned
 * away: one that waits for the only server it can have would wait for ever.
 */
int listener_accept(struct listener *listener);
/*
 * To be called regularly: if descriptors had run out, and one has been closed or some time has
 * passed since, watches the socket again.
 */
void listener_resume(struct listener *listener);
/* How long to wait before that: at most 'timeout_ms' (negative: no limit), as for epoll_wait(2). */
int listener_timeout_ms(const struct listener *listener, int timeout_ms);

#endif
