/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server: one fabric for many processes. libibumad reaches it as UMAD_BACKEND=attach:SOCKET;
 * lib/attach/protocol.h describes the protocol.
 *
 * One thread does everything, and waits only for the next event of any kind. server.c has the loop;
 * from the top down: exchange.c (one message of a client and its reply), server-call.c and
 * server-console.c (what clients call), client.c (connections), server-ring.c (their sends without
 * a call), served-fabric.c (the fabric, with handles in file.c and views of /sys in sysfs-views.c),
 * page.c (what programs know of a handle), letter-queue.c, watch.c. The clock is the real one, and
 * the server's loop moves it; or it is virtual, and the programs do (lockstep.c).
 */
#ifndef UMADRIG_SIM_SERVER_SERVER_H
#define UMADRIG_SIM_SERVER_SERVER_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/host/sm-missed.h"
#include "sim/server/limits.h"
#include "sim/server/lockstep.h"
#include "sim/server/users.h"

struct lockstep_end;
struct lockstep_owner;
struct server;
struct umadrig_fabric;

/*
 * Loads the fabric of 'spec' (as umadrig_fabric_open()) and listens on 'socket_path', or with NULL
 * on "socket" in a directory of its own, which only its user may enter and which holds the issm
 * paths. Returns NULL with a message if the fabric cannot be made, another server is there, or
 * clock=virtual was asked for.
 */
struct server *server_new(const char *spec, const char *socket_path, char *reterr,
			  size_t reterr_size);

/*
 * The same for a fabric of clock=virtual, and programs that are in lock-step with it: each has
 * libumadlockstep.so, and server_lockstep_table() in LOCKSTEP_VARIABLE.
 */
struct server *server_new_lockstep(const char *spec, const struct lockstep_wishes *wishes,
				   char *reterr, size_t reterr_size);
/*
 * That one's owner takes part in its programs' time, if the wishes say so: sim/server/
 * lockstep-owner.h. NULL: they do not. What these functions do programs see at once.
 */
struct lockstep_owner *server_owner(struct server *server);
/* Lets programs go on, after all that has happened at this instant. To be called on its turn. */
void server_pass_turn(struct server *server);
/* The path of the table that these programs share. NULL: they are in real time. */
const char *server_lockstep_table(const struct server *server);
/*
 * The programs are about to begin: are they to have an attendant (sim/server/errands.h)? To be
 * called once, after all that is said before.
 */
bool server_wants_attendant(struct server *server);
/* Can these programs not go on any more? False also where they are in real time. */
bool server_lockstep_is_over(const struct server *server);
/*
 * Notes what they do now, before they are made to end; async-signal-safe. The first call counts,
 * of a session that tells crashes.
 */
void server_lockstep_note(struct server *server);
/*
 * To be called before it runs: 'told' is called soon after that, in its thread, for programs may
 * not end. Of 'end' what was noted is filled in.
 */
void server_lockstep_when_noted(struct server *server,
				void (*told)(void *ctx, const struct lockstep_end *end), void *ctx);
/*
 * What these programs leave in the table, when they have ended; zeros in real time. What they
 * waited for is what was noted.
 */
void server_lockstep_end(const struct server *server, struct lockstep_end *ret);
/* As lockstep_switches_end(); NULL also in real time. */
char *server_lockstep_switches(const struct server *server);

/*
 * The same for a fabric that its owner keeps, and whose clock, a real one, has a thread: any thread
 * may call sim/api/umadrig.h while the server runs. It is to be ended before the fabric.
 */
struct server *server_new_on(struct umadrig_fabric *fabric, const char *socket_path, char *reterr,
			     size_t reterr_size);
/*
 * The same for a fabric of clock=virtual that its owner keeps: programs are in lock-step with it,
 * as those of server_new_lockstep(), and the wishes say that the owner takes part. The thread that
 * calls this is the only one to run the server, and ends it.
 */
struct server *server_new_lockstep_on(struct umadrig_fabric *fabric,
				      const struct lockstep_wishes *wishes, char *reterr,
				      size_t reterr_size);

/*
 * Ends the server: handles report end of file, paths are removed. NULL is allowed. Returns 0, or,
 * after a message on stderr, the -errno with which the fabric's capture= or report= ended.
 */
int server_free(struct server *server);

/*
 * Sets how much of the server each process may use. To be called before the first one connects. See
 * sim/server/limits.h for the defaults, and for what happens beyond them.
 */
void server_set_limits(struct server *server, const struct server_limits *limits);

/*
 * Admits processes of these users, too, which are taken over; without it only those of our own user
 * and of root. 0, or -errno: the socket's mode cannot be changed.
 */
int server_allow_users(struct server *server, struct server_users *users);

/* The absolute path of the socket. */
const char *server_socket(const struct server *server);

/*
 * The fabric, for captures; the functions of sim/api/umadrig.h may be called while a server of
 * server_new() does not run.
 */
struct umadrig_fabric *server_fabric(struct server *server);

/*
 * Puts the banner that programs on a host ("": the default) print at the start into 'text'.
 * Programs of 'session' ("": none) no longer print it: the caller does. -ENOENT, with the reason:
 * no such host.
 */
int server_announce(struct server *server, const char *session, const char *host, char *text,
		    size_t size);

/*
 * A directory with infiniband and infiniband_mad as in a host's /sys/class, which the server keeps
 * up to date; '*ret_path' is valid as long as the server. (One that a client asks for is removed
 * when its host has no client any more.) -ENOENT: no such host; or another -errno.
 */
int server_sysfs(struct server *server, const char *host, const char **ret_path);

/* Is a host ("": the default) a guest, in which its programs run? False: or there is none. */
bool server_host_is_guest(struct server *server, const char *host);

/*
 * The kernel of this machine has the HCAs of the hosts of this list ("H1,H2") from now on, by its
 * driver's 'device': sim/guests/hca-machine.h. Before there are clients. 0, or -errno with a
 * message.
 */
int server_take_hosts(struct server *server, const char *hosts, const char *device, char *reterr,
		      size_t reterr_size);
/*
 * Serves until all of these HCAs have come, or failed to; appends a line for each to 'text'. 0;
 * -ENODEV: one has not come; -ETIMEDOUT; -EPIPE: the driver has gone, as stderr says; or another
 * -errno.
 */
int server_await_hosts(struct server *server, int timeout_ms, GString *text);

/* Serves until server_stop(). 0, or -errno of a call that should not fail. */
int server_run(struct server *server);
/*
 * Serves what is pending, or what arrives within 'timeout_ms' (negative: for ever). For tests.
 */
int server_step(struct server *server, int timeout_ms);
/* Makes server_run() return. From any thread, or a signal handler. */
void server_stop(struct server *server);

/* What programs of 'session' do is not for server_was_used(). */
void server_disregard(struct server *server, const char *session);
/* Has any program looked at the fabric's devices? */
bool server_was_used(const struct server *server);
/*
 * From now on the server notes whether programs of 'session' look at devices, which
 * server_session_was_used() then tells. Neither is for another thread than the one that serves.
 */
void server_expect(struct server *server, const char *session);
bool server_session_was_used(const struct server *server, const char *session);

/*
 * What programs of a host ("": the default) missed because no subnet manager has run on the fabric.
 * To be called when the server does not run.
 */
enum sm_missed server_sm_missed(struct server *server, const char *host);

/*
 * Admits a client on a connected socket, which is taken over, without a check of its rights. For
 * tests.
 */
int server_admit(struct server *server, int fd);

/* For tests: how many there are. */
unsigned int server_client_count(const struct server *server);
unsigned int server_file_count(const struct server *server);
/* For tests: how often a device was compared with its files of server_sysfs(), since the start. */
uint64_t server_sysfs_work(const struct server *server);

#endif
