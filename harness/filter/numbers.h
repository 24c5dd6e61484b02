/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers for the descriptors that programs get from the supervisor (harness/filter/call-trap.h).
 */
#ifndef UMADRIG_HARNESS_FILTER_NUMBERS_H
#define UMADRIG_HARNESS_FILTER_NUMBERS_H

#include <sys/types.h>

struct supervisor;

/*
 * The lowest high number from 'from' on that is free in the process of 'tid'; -1: there is none,
 * as for a process with too many open files (EMFILE).
 */
int number_free_from(struct supervisor *supervisor, pid_t tid, int from);

/* The same from the first high number on. */
int number_free(struct supervisor *supervisor, pid_t tid);

#endif
