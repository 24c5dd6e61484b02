/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A supervisor whose programs have the files and devices of a fabric. */
#ifndef UMADRIG_HARNESS_FILTER_FABRIC_SUPERVISOR_H
#define UMADRIG_HARNESS_FILTER_FABRIC_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/filter/supervisor.h"

/*
 * Chooses which numbers are for descriptors of ours, by the limit of open files that the program
 * inherits from this process. Below 1024 where possible: select(2) knows no others.
 */
void fabric_supervisor_choose_numbers(int *ret_first, int *ret_end);

/*
 * 'start' as for supervisor_new(), but for its table. 'server': SOCKET[,OPTION=VALUE...] as for the
 * attach backend, which this process must not use otherwise. 'host': of programs that name none;
 * NULL: the server's choice. NULL with a message in 'reterr'; the listener is closed then.
 */
struct supervisor *fabric_supervisor_new(const struct supervisor_start *start, const char *server,
					 const char *host, char *reterr, size_t size);
/* Closes what programs left open. In its turn, for good: it answers no call any more. */
void fabric_supervisor_close(struct supervisor *supervisor);

#endif
