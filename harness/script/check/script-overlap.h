/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that wait while the script goes on:
 *
 *	0        start r = umad_recv(fd, timeout=100ms)
 *	+10ms    < VendGet(0x0010) class=0x32
 *	+0       end r = a, status=0 VendGet(0x0010)
 *
 * Each has a thread of its own, in both worlds. On the simulator it takes part in virtual time,
 * which moves only while it waits; of several that wait for one handle the one that was started
 * first is served first, so that a run is the same every time. On real ports the kernel decides.
 *
 * Parsing and checking the two lines are declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_OVERLAP_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_OVERLAP_H

#include "harness/script/run/script-run.h"

struct overlap *overlap_new(struct world *world);

/* Takes note of what has come back, so that its handle is the runner's again. */
void overlap_collect(struct overlap *overlap);

/* Readable when a call has come back since; -1 where none was started. */
int overlap_fd(const struct overlap *overlap);

/* What still waits is told to give up; it does so at the latest when its handle is closed. */
void overlap_cancel(struct overlap *overlap);

/* All handles are closed: waits for the threads. NULL is allowed. */
void overlap_free(struct overlap *overlap);

void run_start(struct run *run, const struct step *step);
void run_ended(struct run *run, const struct step *step);

#endif
