/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The netlink sockets of uevents that programs in virtual time have open: what each has joined, and
 * what of its host's uevents (sim/server/sysfs-kernel.h) it has not read, as Linux 6.1 keeps it. A
 * message counts as much of the receive buffer as it takes there. One for which there is no room is
 * lost, and so are all until the program has read what is there: ENOBUFS says so, before anything
 * else. All functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_EVENT_SOCKET_H
#define UMADRIG_SIM_SERVER_EVENT_SOCKET_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"
#include "sim/server/event-filter.h"
#include "sim/server/lockstep.h"
#include "sim/server/ready-socket.h"
#include "sim/server/sysfs-views.h"

/* Bits of nl_groups. */
enum {
	EVENT_GROUP_KERNEL = 1,
	EVENT_GROUP_UDEV = 2,
};

struct event_sockets {
	struct server_lockstep *lockstep;
	struct watch_set *watches;
	struct sysfs_views *views;	/* they have the uevents */
	struct event_sieve sieve;
	GPtrArray *all;			/* of struct event_socket *, in the order of opening */
	uint64_t opened;		/* since the start */
};

/* A message that has not been read. */
struct event_letter {
	GBytes *record;			/* the uevent's, which all sockets share */
	uint32_t size;			/* less than the whole where a filter cuts it off */
	uint32_t cost;			/* of the receive buffer */
	bool is_udev;			/* udev's message, or the kernel's */
};

struct event_socket {
	struct ready_socket ready;
	struct event_sockets *sockets;
	struct umadrig_host *host;
	uint64_t cookie;		/* SO_COOKIE */
	uint32_t type;			/* SOCK_RAW or SOCK_DGRAM */
	bool is_bound;
	uint32_t number, groups;	/* 0 before it is bound; what it has joined */
	bool has_groups;		/* it has joined one, if only for a while */
	uint32_t peer_number, peer_groups;
	uint32_t options;		/* bit N: option N of SOL_NETLINK is set */
	struct event_filter filter;
	uint64_t seen;			/* uevents that have been looked at */
	GArray *letters;		/* of struct event_letter, the oldest first */
	uint32_t used, room;		/* of the receive buffer */
	bool is_congested;		/* some were lost, and there are letters still */
	bool has_lost;			/* which is to be told */
};

/* All outlive the sockets, and so do the accounts and hosts that they are opened for. */
void event_sockets_init(struct event_sockets *sockets, struct watch_set *watches,
			struct sysfs_views *views);
/* Closes all of them. */
void event_sockets_clear(struct event_sockets *sockets);

/*
 * Opens one, which counts as a handle of 'account'; '*ret_fd': the program's end. 0 or -errno.
 */
int event_socket_open(struct event_sockets *sockets, struct umadrig_host *host,
		      struct server_account *account, uint32_t type, int *ret_fd);
void event_socket_close(struct event_socket *socket);
/* The socket of a token, or NULL. */
struct event_socket *event_socket_find(const struct event_sockets *sockets, uint64_t token);

/*
 * Joins 'groups' alone, as 'number': 0 stands for 'process', or another if that is taken. 0,
 * -EINVAL or -EADDRINUSE as bind(2).
 */
int event_socket_bind(struct event_socket *socket, uint32_t process, uint32_t number,
		      uint32_t groups);
/* The same as connect(2): it has a number then. */
int event_socket_connect(struct event_socket *socket, uint32_t process, uint32_t number,
			 uint32_t groups);

/*
 * The next message is appended to 'bytes', and taken if it does not stay; '*ret_is_udev': whose it
 * is. 0; -ENOBUFS: some were lost; -EAGAIN: there is none.
 */
int event_socket_receive(struct event_socket *socket, bool stays, GByteArray *bytes,
			 bool *ret_is_udev);
/* What SO_ERROR has: 0 or ENOBUFS, which it has no more then. */
int event_socket_take_error(struct event_socket *socket);
/* Its receive buffer is so large from now on, within what Linux allows (SO_RCVBUF). */
void event_socket_set_room(struct event_socket *socket, uint32_t asked);
/* NETLINK_NO_ENOBUFS has been set: what was lost is no matter any more. */
void event_socket_forget_losses(struct event_socket *socket);

/* Is none left for it, while its socket still says so? */
bool event_socket_is_at_end(const struct event_socket *socket);

/* What has happened since: to be called before any program goes on. */
void event_sockets_look(struct event_sockets *sockets);

#endif
