/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory of kmod-stub: the linker redirects its malloc(3), calloc(3), realloc(3), strdup(3) and
 * free(3) to here, where blocks are counted and a watcher is called for each that is freed.
 */
#ifndef UMADRIG_TESTS_SWARM_SWARM_MEMORY_H
#define UMADRIG_TESTS_SWARM_SWARM_MEMORY_H

#include <stddef.h>

/* Blocks in existence. */
long swarm_memory_blocks(void);

/* From now on 'freed' is called for every block before it is freed; NULL: no function is. */
void swarm_memory_watch(void (*freed)(void *ctx, const void *block, size_t size), void *ctx);

/*
 * The allocation after the next 'after' ones fails, and with 'for_ever' so do all later ones; -1:
 * there is enough memory again. (reallocarray(3) always succeeds.)
 */
void swarm_memory_fail(long after, int for_ever);
/* Has an allocation failed since then? */
int swarm_memory_has_failed(void);

#endif
