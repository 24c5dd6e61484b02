/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad_recv(fd) = ...: waits for input.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_RECV_H
#define UMADRIG_HARNESS_SCRIPT_VERB_RECV_H

#include "harness/script/check/checker.h"
#include "harness/script/run/run.h"
#include "harness/script/verb/call-table.h"

void run_recv(struct run *run, const struct plan_step *step, const struct call_args *args,
	      const struct expected *expected);

#endif
