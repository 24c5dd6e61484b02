/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What calls tell of the machine and of what programs have used of it: the same on every one.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_MACHINE_H
#define UMADRIG_LIB_LOCKSTEP_MACHINE_H

#include <stdint.h>
#include <sys/resource.h>

#include "lib/lockstep/hooks.h"

/* How many processes of the session there are. */
uint32_t machine_processes(void);

/* What getrusage(2) is to tell of children that have ended: nothing. NULL is allowed. */
void machine_no_usage(struct rusage *usage);

extern const struct hook machine_hooks[];

#endif
