/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory that is freed all at once: for a script, and for what the checker makes of it.
 *
 * One thread at a time.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_ARENA_H
#define UMADRIG_HARNESS_SCRIPT_TREE_ARENA_H

#include <glib.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
/* Frees the arena and everything allocated from it. NULL is allowed. */
void arena_free(struct arena *arena);

/*
 * Zeroed memory, an empty array, a copy of 'size' bytes of text and a NUL: all belong to the arena.
 */
void *arena_alloc(struct arena *arena, size_t size);
GPtrArray *arena_array(struct arena *arena);
const char *arena_text(struct arena *arena, const char *text, size_t size);

#endif
