/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory that is freed all at once: see harness/script/tree/arena.h.
 */
#include "harness/script/tree/arena.h"

#include <string.h>

struct arena {
	GPtrArray *memory;
	GPtrArray *arrays;
};

struct arena *arena_new(void)
{
	struct arena *arena = g_new0(struct arena, 1);

	arena->memory = g_ptr_array_new_with_free_func(g_free);
	arena->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	return arena;
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	g_ptr_array_unref(arena->arrays);
	g_ptr_array_unref(arena->memory);
	g_free(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
	void *memory = g_malloc0(size);

	g_ptr_array_add(arena->memory, memory);
	return memory;
}

GPtrArray *arena_array(struct arena *arena)
{
	GPtrArray *array = g_ptr_array_new();

	g_ptr_array_add(arena->arrays, array);
	return array;
}

const char *arena_text(struct arena *arena, const char *text, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	memcpy(copy, text, size);
	return copy;
}
