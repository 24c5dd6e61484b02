/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The descriptors that a server's loop waits for.
 */
#ifndef UMADRIG_SIM_SERVER_WATCH_H
#define UMADRIG_SIM_SERVER_WATCH_H

#include <stdint.h>
#include <sys/epoll.h>

/* What a watched descriptor is. */
enum watch_kind {
	WATCH_LISTENER,
	WATCH_STOP,
	WATCH_TIMER,
	WATCH_CLIENT,
	WATCH_FILE,
	WATCH_ISSM,
	WATCH_BELL,
	WATCH_LOCKSTEP,
	WATCH_LOG,
	WATCH_EVENT,
	WATCH_MACHINE,
};

/* A member of what the descriptor belongs to: container_of() finds that. */
struct watch {
	enum watch_kind kind;
	int fd;
};

struct watch_set {
	int epoll;
	unsigned int count;	/* of watched descriptors */
	uint64_t closed_count;	/* of watches closed since the start */
	struct watch stop;	/* an eventfd */
	struct closer *closer;
};

/* 0, or -errno with nothing to be cleared. */
int watch_set_init(struct watch_set *set);
void watch_set_clear(struct watch_set *set);
/* Makes 'stop' readable. From any thread, or a signal handler. */
void watch_set_stop(const struct watch_set *set);

/*
 * Watches a descriptor for 'events' (EPOLLIN and the like); watch_change() changes them. 0 or
 * -errno.
 */
int watch_add(struct watch_set *set, struct watch *watch, uint32_t events);
int watch_change(struct watch_set *set, struct watch *watch, uint32_t events);
/* No longer watches it; watch_close() also closes it. */
void watch_remove(struct watch_set *set, struct watch *watch);
void watch_close(struct watch_set *set, struct watch *watch);
/*
 * As watch_close(), for a socket that programs can send descriptors through: ends the connection at
 * once, and leaves close(2), which may block, to the closer.
 */
void watch_close_socket(struct watch_set *set, struct watch *watch);

#endif
