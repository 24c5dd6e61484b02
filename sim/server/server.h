/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server: one fabric for many processes. libibumad reaches it as UMAD_BACKEND=attach:SOCKET;
 * lib/attach/protocol.h says how they talk.
 *
 * One thread does everything, and waits only for the next event of all. server.c has the loop; from
 * the top down: exchange.c (one message of a client and its reply), server-call.c and
 * server-console.c (what clients call), client.c (connections), server-ring.c (what they send
 * without a call), served-fabric.c (the fabric, with handles in file.c and views of /sys in
 * sysfs-views.c), page.c (what programs know of a handle), letter-queue.c, watch.c. The clock is
 * the real one, and the server's loop moves it.
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_H
#define UMADRIG_SIM_SERVER_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/server/limits.h"

struct server;
struct umadrig_fabric;

/*
 * Loads the fabric of 'spec' (as umadrig_fabric_open()) and listens on 'socket_path', or with
 * NULL on "socket" in a directory of its own, that only its user may enter and where issm paths
 * lie. NULL with a message: the fabric cannot be had, another server is there, clock=virtual was
 * asked for.
 */
struct server *server_new(const char *spec, const char *socket_path, char *reterr,
			  size_t reterr_size);

/* Takes everything away: handles say end of file, paths are gone. NULL is allowed. */
void server_free(struct server *server);

/*
 * How much of the server each process may have from now on; before the first one comes. See
 * sim/server/limits.h for the defaults, and for what happens beyond them.
 */
void server_set_limits(struct server *server, const struct server_limits *limits);

/* The absolute path of the socket. */
const char *server_socket(const struct server *server);

/*
 * The fabric, for captures; the functions of sim/api/umadrig.h may be called while the server does
 * not run.
 */
struct umadrig_fabric *server_fabric(struct server *server);

/*
 * What programs on a host ("": the default) say at the start, in 'text'. Those of 'session' ("":
 * none) do not say it from now on: the caller does. -ENOENT, with the reason: no such host.
 */
int server_announce(struct server *server, const char *session, const char *host, char *text,
		    size_t size);

/*
 * A directory with infiniband and infiniband_mad as in a host's /sys/class, which the server keeps
 * up to date; '*ret_path' is good as long as the server. (One that a client asks for is removed
 * when its host has no client any more.) -ENOENT: no such host; other -errno.
 */
int server_sysfs(struct server *server, const char *host, const char **ret_path);

/* Serves until server_stop(). 0, or -errno of what should not fail. */
int server_run(struct server *server);
/*
 * Serves what there is to do now, or what comes within 'timeout_ms' (negative: for ever); for
 * tests.
 */
int server_step(struct server *server, int timeout_ms);
/* Makes server_run() return. From any thread, or a signal handler. */
void server_stop(struct server *server);

/* Has any program looked at the fabric's devices? */
bool server_was_used(const struct server *server);

/* Takes a connected socket (and its ownership) for a client's, its rights unchecked. For tests. */
int server_admit(struct server *server, int fd);

/* How much is there: for tests. */
unsigned int server_client_count(const struct server *server);
unsigned int server_file_count(const struct server *server);
/* Devices that were compared with what server_sysfs() shows of them, since the start. */
uint64_t server_sysfs_work(const struct server *server);

#endif
