/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The processes below one: its children, theirs, and so on. Those whose parents have ended are
 * below the nearest ancestor that is a subreaper (PR_SET_CHILD_SUBREAPER), whatever sessions and
 * process groups they made.
 */
#ifndef UMADRIG_SIM_PROCESS_DESCENDANTS_H
#define UMADRIG_SIM_PROCESS_DESCENDANTS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns whether the processes below this one are to be visited, too. */
typedef bool descendant_fn(void *ctx, pid_t pid);

/*
 * Calls 'visit' for each process below this one that is there now, zombies included: parents before
 * their children, and as soon as it is found, so that little can happen in between.
 */
void descendants_visit(descendant_fn *visit, void *ctx);
/*
 * The same for kernels without the lists of children in /proc (CONFIG_PROC_CHILDREN): reads all
 * processes of the machine first.
 */
void descendants_visit_slowly(descendant_fn *visit, void *ctx);

/* The parent of any process; 0: it has gone, or is not to be seen. */
pid_t descendants_parent_of(pid_t pid);

/* Appends "NAME (PID)" of each that has not ended to 'names'. */
void descendants_names(GPtrArray *names);
/*
 * Sends SIGTERM, once, to each process that is not in 'told' yet, and wakes those that are stopped.
 * 'told' is a set of pids; afterwards it has those that are there now.
 */
void descendants_terminate(GHashTable *told);
/*
 * Sends SIGKILL to each process but 'except' and what is below those, and appends "NAME (PID)" of
 * each to 'names', unless that is NULL. How many there still are, after waiting for those that are
 * children of this process and have ended.
 */
unsigned int descendants_kill(const pid_t *except, size_t except_count, GPtrArray *names);

#endif
