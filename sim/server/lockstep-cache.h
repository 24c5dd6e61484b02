/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The session's copy of ld.so's cache: lib/lockstep/library-cache.h says what for. */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_CACHE_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_CACHE_H

#include "lib/lockstep/table.h"

/*
 * Makes a copy of MAPPING_BASE_CACHE_MAX bytes, which all may read, and says in '*ret' where; the
 * first time in a process, removes what is left of others first. A descriptor that has it locked,
 * for lockstep_cache_remove(), to which the caller passes both; -1: there is none, and ret->path is
 * empty.
 */
int lockstep_cache_make(struct lockstep_cache *ret);
void lockstep_cache_remove(const struct lockstep_cache *cache, int lock);

/* Removes those of this user whose servers were killed. */
void lockstep_cache_remove_left(void);

#endif
