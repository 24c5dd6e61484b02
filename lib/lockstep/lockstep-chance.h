/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel chooses by chance for a process: random bytes, and what ld.so makes of some.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LOCKSTEP_CHANCE_H
#define UMADRIG_LIB_LOCKSTEP_LOCKSTEP_CHANCE_H

#include <stddef.h>

#include "lib/lockstep/hooks.h"

/*
 * To be called first of all, before any function with a stack protector: sets the canary and the
 * pointer guard to constants, and wipes what ld.so has left on the stack. Programs send memory that
 * they have not set; it has to be the same each time.
 */
void chance_begin(void);

/* To be called when the table is there: the bytes that the kernel gives are of its seed. */
void chance_seed(void);

/* Bytes by chance: of the session's seed, and the process. In a thread that takes part. */
void chance_fill(void *ret, size_t size);

extern const struct hook chance_hooks[];

#endif
