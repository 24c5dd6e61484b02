/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's part in a session in virtual time (lib/lockstep/table.h): it makes the table, has
 * the clock, wakes the threads that wait for handles, and watches over the thread that has the
 * baton. It writes the table only while it answers a call of that thread, or when its process has
 * died.
 */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fabric/options.h"

struct attach_signal;
struct lockstep_table;
struct umadrig_fabric;

/* How a session in virtual time is to run. */
struct lockstep_wishes {
	struct schedule schedule;	/* which thread runs next */
	const char *switches;	/* exceptions to one in order (lib/words/schedule-switch.h); NULL */
	enum lockstep_audit audit;
	bool how_filter;	/* all programs are below the filter (lib/stand-in/) */
	int64_t grace_ns;	/* from the end of the first program to SIGKILL for the others */
	int64_t limit_ns;	/* after the start, when nothing goes on any more; 0: never */
	bool tells_crashes;	/* programs that end by an error leave where they were */
	bool is_owned;		/* the server's owner takes part (sim/server/lockstep-owner.h) */
};

struct server_lockstep;

/*
 * Makes the table in 'directory', which only this user may enter; the file goes with the directory.
 * 'seed': of the random bytes that programs get.
 * NULL with a message. From then on the calling thread, and what it starts, is on one processor, as
 * the session's programs are, until the same thread frees it.
 */
struct server_lockstep *server_lockstep_new(const char *directory,
					    const struct lockstep_wishes *wishes, uint64_t seed,
					    char *reterr, size_t reterr_size);
/* Ends what still waits. NULL is allowed. */
void server_lockstep_free(struct server_lockstep *lockstep);
/* The table itself, for the server's owner. */
struct lockstep_table *server_lockstep_map(const struct server_lockstep *lockstep);
/* The path of the table, for LOCKSTEP_VARIABLE. */
const char *server_lockstep_path(const struct server_lockstep *lockstep);

/*
 * What the fabric's guests write for programs, these see at once: they can run. Its owner, a party
 * of the clock, lets them. To be called before either runs. The fabric outlives it, and its lock is
 * held, but in server_lockstep_free().
 */
void server_lockstep_hear_guests(struct server_lockstep *lockstep, struct umadrig_fabric *fabric);
/* And it is that party itself, for one without an owner: none runs on while a program can. */
void server_lockstep_join_guests(struct server_lockstep *lockstep, struct umadrig_fabric *fabric);

/*
 * Moves the fabric's clock: ATTACH_ADVANCE. The time then; -EDEADLK: nothing is to come; -ETIME:
 * that is beyond the limit. The lock is held, and the caller settles before it replies.
 */
int64_t server_lockstep_advance(struct server_lockstep *lockstep, struct umadrig_fabric *fabric,
				int64_t deadline);

/* While all wait: is there a program that can go on? */
bool server_lockstep_can_run(const struct server_lockstep *lockstep);

/* Sends what virtual time owes a program: ATTACH_SIGNAL. 0 or -errno. */
int server_lockstep_signal(const struct server_lockstep *lockstep, int sig,
			   const struct attach_signal *signal);

/*
 * A process has died that nobody of the session has ended: its parent is told. If it had the baton,
 * another gets it from server_lockstep_pass_on(), which is to be called when the server has done
 * what it was asked for: until then nobody else may run.
 */
void server_lockstep_died(struct server_lockstep *lockstep, int pid);
void server_lockstep_pass_on(struct server_lockstep *lockstep);

/* A child has ended, stopped or gone on: its parent looks, and goes on to take SIGCHLD. */
void server_lockstep_tell_parent(struct lockstep_table *table, int parent);

/* A handle has been opened, or closed. 'lockstep' may be NULL in these three. */
void server_lockstep_opened(struct server_lockstep *lockstep, uint64_t cookie);
void server_lockstep_closed(struct server_lockstep *lockstep, uint64_t cookie);
/* It can be read: the threads that wait for it can run. */
void server_lockstep_written(struct server_lockstep *lockstep, uint64_t cookie);
/*
 * Something has been written that programs may read, or read that they have written: those that
 * wait for any other descriptor than a handle look again. While all programs wait. 'lockstep' may
 * be NULL.
 */
void server_lockstep_wrote(struct server_lockstep *lockstep);

/*
 * To be called ten times a second, in real time: whether the process that has the baton is still
 * there. If it has died, another gets the baton. If it makes no progress, a line on stderr says
 * which thread that is, and what it does; one that is stopped, or sleeps in a system call beyond
 * lock-step's, ends the session. True: such a line has just come, and time may stand still until
 * somebody kills all of this.
 */
bool server_lockstep_watch(struct server_lockstep *lockstep);

/*
 * What the audit has found, on stderr; nothing without one. -EPROTO: it has found something, or
 * has looked at no program, and that was to fail (audit=fail). NULL is allowed.
 */
int server_lockstep_report(const struct server_lockstep *lockstep);

#endif
