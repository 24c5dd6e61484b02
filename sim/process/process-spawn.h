/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * New processes: those that go on as this program, and those that become another.
 *
 * What a new process inherits is what this one has, but for what struct spawn lists. Until it is
 * complete the new process has all signals blocked, so that no handler of ours runs in it, and it
 * makes system calls alone: a lock that another thread holds is never released there.
 */
#ifndef UMADRIG_SIM_PROCESS_PROCESS_SPAWN_H
#define UMADRIG_SIM_PROCESS_PROCESS_SPAWN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum spawn_leads {
	SPAWN_LEADS_NOTHING,
	SPAWN_LEADS_GROUP,	/* a process group of its own */
	SPAWN_LEADS_SESSION,
};

/* In place of a descriptor: /dev/null. */
enum { SPAWN_NULL = -1 };

/* Zeros: all as here. Nothing of it is kept. */
struct spawn {
	const sigset_t *mask;	/* the signals that it blocks; NULL: as the calling thread */
	const int *ignored;	/* signals that it ignores, up to 0; NULL: no others than we do */
	const int *usual;	/* signals with their usual action, up to 0; NULL: as here */
	int dies_with;		/* the signal that it gets when the calling thread ends; 0: none */
	enum spawn_leads leads;

	/* Of those that become another program. */
	const char *path;	/* looked for as execvp(3) does; NULL: argv[0] */
	char *const *argv;	/* NULL at the end */
	/* The same; NULL: ours. Of programs in virtual time it gets one size. */
	char *const *environment;
	const char *directory;	/* where it starts, and where 'path' is looked for; NULL: ours */
	int input, output, errors;	/* its first three descriptors; 0: ours; or SPAWN_NULL */
	bool keeps_open;	/* it gets all that are not closed by exec; or those three alone */
	/* The last that is done before it. Not 0: it cannot become that program. May be NULL. */
	int (*prepare)(void *ctx);
	void *ctx;
};

/*
 * fork(2): 0 in the new process, its number in the other, or -errno. 'spawn' NULL: all is as here.
 * What stdio has buffered is written first, or it would be written twice.
 */
pid_t spawn_fork(const struct spawn *spawn);
/* The same for one that makes system calls alone until _exit(2): stdio is left alone. */
pid_t spawn_fork_bare(const struct spawn *spawn);

/* In a new process: closes all descriptors but these 'count', at most SPAWN_KEPT_MAX. */
enum { SPAWN_KEPT_MAX = 8 };
void spawn_close_others(const int *kept, size_t count);

enum spawn_step {
	SPAWN_FORK,
	SPAWN_DIRECTORY,
	SPAWN_DESCRIPTORS,
	SPAWN_PREPARE,
	SPAWN_EXEC,
};

/* Why a process has not become the program. */
struct spawn_failure {
	enum spawn_step at;
	int err;	/* an errno, or what 'prepare' returned */
};

/*
 * Starts a program, and waits until it runs: its number, or -1 with '*ret'; then there is no such
 * process any more.
 */
pid_t spawn_program(const struct spawn *spawn, struct spawn_failure *ret);
/*
 * Starts it without waiting: its number, or -errno. '*ret_report' becomes readable when it runs, or
 * has failed and ended; the caller closes it.
 */
pid_t spawn_begin(const struct spawn *spawn, int *ret_report);
/* Reads that: 1: it has failed, '*ret'; 0: it runs, or was killed before; -EAGAIN: not yet. */
int spawn_take_report(int report, struct spawn_failure *ret);
/*
 * This process becomes the program at 'path' (as execvp(3) finds it), with an environment as of
 * struct spawn. -errno.
 */
int spawn_become(const char *path, char *const *argv, char *const *environment);

#endif
