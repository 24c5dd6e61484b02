/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The keeper: a small process between umadrig and the program.
 *
 * 	umadrig exec --- keeper --- the program --- what it starts
 * 	(the fabric)	   '------- what was left behind
 *
 * It is made first, before there is a fabric or a thread, and waits for an order. It is the
 * program's parent, and the subreaper of all that the program leaves behind, so that nothing is
 * lost sight of. It reports how the program ended, and then ends what that left: SIGTERM, and after
 * the job's grace SIGKILL. Terminal and process group are umadrig's: it has all signals blocked,
 * and gets those that are meant for the program as messages.
 *
 * Neither outlives the other for long. If umadrig is killed, the fabric is gone, and the keeper
 * ends what is left; if the keeper is killed, umadrig, which is the next subreaper, does.
 *
 * keeper.c is umadrig's side, keeper-process.c the keeper itself.
 */
#ifndef UMADRIG_HARNESS_EXEC_KEEPER_H
#define UMADRIG_HARNESS_EXEC_KEEPER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct exec_job;
struct exec_means;

/* umadrig's side. Zeros and 'link' -1: none. */
struct keeper {
	const struct exec_job *job;
	pid_t pid;
	int link;	/* to it; at its end when it has gone */
	int server;	/* when that is at its end, so is all that is kept; 0: none */
};

/*
 * Makes the keeper of a job whose program is at 'path'; all must stay. To be called before any
 * thread is made. 0 or -errno.
 */
int keeper_start(struct keeper *keeper, const struct exec_job *job, const struct exec_means *means,
		 const char *path);
/* What the program needs of its session; NULL: none. */
struct keeper_order {
	const char *backend;		/* for UMAD_BACKEND */
	const char *lockstep;		/* for LOCKSTEP_VARIABLE; NULL: they are in real time */
	const char *sysfs;		/* where its /sys/class is */
	const char *host;		/* for UMADRIG_HOST */
	const char *sm_cache;		/* for OSM_CACHE_DIR */
	bool has_attendant;		/* harness/exec/attendant.h */
	bool in_guest;			/* harness/exec/in-guest.h */
};

/* Orders it to start the program. 0 or -errno. */
int keeper_order(struct keeper *keeper, const struct keeper_order *order);
/*
 * From now on signals to this process are passed on to the program, and to no other keeper's.
 * 'first' is called before that, in the signal's handler; or NULL.
 */
void keeper_pass_signals(struct keeper *keeper, void (*first)(void));
/* Orders it to end the program, and what is below it, as it does with what is left. */
void keeper_stop(struct keeper *keeper);

enum keeper_news {
	KEEPER_FAILED,	/* the program could not be started: an errno */
	KEEPER_REFUSED,	/* it was not, and the reason has been printed */
	KEEPER_MET_VERBS,	/* it has loaded libibverbs */
	KEEPER_ENDED,	/* it ended: a wait status; what it left is being ended */
	KEEPER_LEFT,	/* it left something, which runs on (--detach) */
	KEEPER_OVER,	/* the last: nothing is left */
	KEEPER_LOST,	/* the last: it was killed; what it kept has been ended, and it was said */
};

/*
 * Waits for what the keeper reports next. 'except': children of this process that are not below the
 * program; zeros are nothing.
 */
enum keeper_news keeper_next(struct keeper *keeper, const pid_t *except, size_t except_count,
			     int *ret_value);
/* Ends one that had no order. Does nothing after the last report. */
void keeper_end(struct keeper *keeper);

/* ---- harness/exec/keeper-process.c ---- */

enum {
	KEEPER_ORDER_MAX = 16384,
};

/*
 * What umadrig sends: an order, once, the texts of struct keeper_order, each terminated, "" for
 * NULL, and "" or "yes" for each bool; and then signals, each as an int, or 0 for keeper_stop(),
 * which may also come instead of an order. So may signals before it. If its end closes without
 * that, umadrig was killed: the keeper ends the program, and removes what umadrig has left in
 * TMPDIR.
 *
 * What the keeper sends:
 */
struct keeper_report {
	enum keeper_news news;	/* but OVER and LOST, which are no reports */
	int value;
};

/* What the keeper is made with. */
struct keeper_setup {
	const struct exec_job *job;
	const struct exec_means *means;
	const char *path;
	pid_t parent, group;	/* umadrig, and its process group */
	int link;
	/* As umadrig inherited them. */
	sigset_t mask;
	struct sigaction child_action;	/* for SIGCHLD */
};

/* Is the keeper, from fork to end. All signals are blocked. */
void keeper_process(const struct keeper_setup *setup) __attribute__((noreturn));

#endif
