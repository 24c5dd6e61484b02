/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What happens between fork(2) and execve(2): a new process becomes the program.
 */
#ifndef UMADRIG_HARNESS_EXEC_LAUNCH_H
#define UMADRIG_HARNESS_EXEC_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct exec_mounts;
struct seccomp_filter;

/* A filter for the program: what the new process installs, and what it sends up. */
struct launch_filter {
	const struct seccomp_filter *filter;
	int listener;		/* negative: it has not come to that */
	bool waits_killable;	/* see harness/filter/filter-listener.h */
};

/* What the new process needs: it can make nothing itself. */
struct launch {
	const char *name;		/* "umadrig exec", for messages */
	const char *path;
	char *const *argv, *const *env;
	const struct exec_mounts *hidden;	/* what hides the real devices, or NULL */
	const struct exec_mounts *shown;	/* what shows simulated ones in /sys, or NULL */
	bool same_addresses;		/* without ASLR, so that it does the same each time */
	bool is_apart;			/* it becomes the leader of a session; or is in: */
	pid_t group;			/* a process group of the caller's session */
	struct launch_filter *filtered;	/* or NULL */
	/* As umadrig inherited them. */
	sigset_t mask;
	struct sigaction child_action;	/* for SIGCHLD */
};

/*
 * Forks. Returns the new process, and a report as of spawn_begin(): where SPAWN_PREPARE failed, the
 * new process has printed why. Or -errno.
 */
pid_t launch_program(const struct launch *launch, int *ret_report);

#endif
