/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The owner of a server as one more party of virtual time: it starts programs at moments of its
 * own, and acts on the fabric while they wait (scenarios do so).
 *
 * When no thread of the session can run, the one that has the baton asks the server to move the
 * clock (ATTACH_ADVANCE). Here that call is not answered at once: until it is, all programs wait,
 * and the turn is the owner's. It answers when they are to go on: something of the fabric has
 * happened, a deadline has come, or a program was started. The owner's thread is the server's, so
 * nothing of this has a lock.
 */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_OWNER_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct lockstep_owner;
struct lockstep_table;
struct server_client;

/* The table stays the caller's, and outlives it. No program of the session is its first one. */
struct lockstep_owner *lockstep_owner_new(struct lockstep_table *table);
/* NULL is allowed. */
void lockstep_owner_free(struct lockstep_owner *owner);

/* A program asks for time to move, at most to 'deadline': it gets no reply so far. */
void lockstep_owner_asked(struct lockstep_owner *owner, struct server_client *client,
			  int64_t deadline);
/* The connection ends. 'owner' may be NULL. */
void lockstep_owner_forget(struct lockstep_owner *owner, const struct server_client *client);

/* Is it the owner's turn? All programs wait, or there are none: the last has ended. */
bool lockstep_owner_has_turn(struct lockstep_owner *owner);
/* Has the session been ended, because a program slept beyond virtual time? None goes on then. */
bool lockstep_owner_is_over(const struct lockstep_owner *owner);
/* Can a program run at this instant, which has not gone on since: a new one, or by a signal? */
bool lockstep_owner_others_can_run(const struct lockstep_owner *owner);
/* The first moment that a program waits for; INT64_MAX: none does. On the owner's turn. */
int64_t lockstep_owner_deadline(const struct lockstep_owner *owner);
/* Lets programs go on at 'now_ns'. On the owner's turn; if there are none, it stays so. */
void lockstep_owner_pass(struct lockstep_owner *owner, int64_t now_ns);

/*
 * On the owner's turn: it has started a program, which is in virtual time from its beginning on.
 * False: there is no room for it.
 */
bool lockstep_owner_adopt(struct lockstep_owner *owner, pid_t pid, const char *name);
/* It has sent this signal to a process group (0: to all programs): those that wait take it. */
void lockstep_owner_signalled(struct lockstep_owner *owner, pid_t group, int sig);
/* Kills the programs of a process group (0: all), and waits for their end. */
void lockstep_owner_kill(struct lockstep_owner *owner, pid_t group);

#endif
