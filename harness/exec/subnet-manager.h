/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec --with-sm: opensm on the fabric, started before the program and ended after all else.
 *
 * It has a keeper of its own, in a session of its own, so that ctrl-C is for the program alone. It
 * is a client like any other, but its session has another name: that it uses the fabric says
 * nothing of the program.
 */
#ifndef UMADRIG_HARNESS_EXEC_SUBNET_MANAGER_H
#define UMADRIG_HARNESS_EXEC_SUBNET_MANAGER_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/exec/exec.h"
#include "harness/exec/keeper.h"
#include "sim/system/private-directory.h"

/* Zeros and 'keeper.link' -1: none. */
struct subnet_manager {
	struct exec_job job;
	struct exec_means means;
	struct keeper keeper;
	struct private_directory directory;	/* for its log and its files */
	char *path;	/* of opensm */
	char *argv[5];
	int64_t sweep_ns;	/* how long its first sweep may take */
	bool runs;		/* as far as this is known */
	bool has_failed;	/* which was said */
};

/*
 * Finds opensm, and makes its keeper for a job that asks for one. 'sm' must stay where it is. To be
 * called before any thread is made. False with COMMAND_REFUSED or COMMAND_NOT_FOUND.
 */
bool subnet_manager_prepare(struct subnet_manager *sm, const struct exec_job *job, GError **error);
/*
 * Starts it in a session that is served, and waits until the subnet is up. 'except': children of
 * this process that are not below it. False: it did not come to that, which is said in 'error', or
 * a signal came, '*ret_signal'.
 */
bool subnet_manager_begin(struct subnet_manager *sm, const struct exec_session *session,
			  const pid_t *except, size_t except_count, int *ret_signal,
			  GError **error);
/* Ends it, and says so if it has ended before. */
void subnet_manager_end(struct subnet_manager *sm, const pid_t *except, size_t except_count);

#endif
