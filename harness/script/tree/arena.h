/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory that is freed all at once: a script's, and that of what the checker makes of it.
 *
 * One thread at a time.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_ARENA_H
#define UMADRIG_HARNESS_SCRIPT_TREE_ARENA_H

#include <glib.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
/* With everything that came from it. NULL is allowed. */
void arena_free(struct arena *arena);

/* Zeroed memory, an empty array, a copy of 'size' bytes of text with a NUL: the arena's. */
void *arena_alloc(struct arena *arena, size_t size);
GPtrArray *arena_array(struct arena *arena);
const char *arena_text(struct arena *arena, const char *text, size_t size);

/* Bytes that were asked for so far, but for what arrays have grown to. */
size_t arena_size(const struct arena *arena);

#endif
