/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The session's copy of ld.so's cache: lib/lockstep/library-cache.h says what for. */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_CACHE_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_CACHE_H

#include "lib/lockstep/table.h"

/*
 * Makes a copy of MAPPING_BASE_CACHE_MAX bytes, which all may read, and says in '*ret' where. Where
 * none can be made ret->path is empty. The caller removes it: lockstep_cache_remove().
 */
void lockstep_cache_make(struct lockstep_cache *ret);
void lockstep_cache_remove(const struct lockstep_cache *cache);

#endif
