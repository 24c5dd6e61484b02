/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rows of one size, counted from 0. They are allocated in blocks, which never move and leave at
 * most one block unused: an array of hundreds of megabytes that doubles would leave half of itself.
 */
#ifndef UMADRIG_SIM_CAPTURE_ROWS_H
#define UMADRIG_SIM_CAPTURE_ROWS_H

#include <glib.h>
#include <stdint.h>

enum { ROWS_IN_BLOCK = 512 };

struct rows {
	GPtrArray *blocks;
	size_t size;		/* of a row */
	uint32_t count;
};

static inline void rows_init(struct rows *rows, size_t size)
{
	rows->blocks = g_ptr_array_new_with_free_func(g_free);
	rows->size = size;
	rows->count = 0;
}

static inline void rows_clear(struct rows *rows)
{
	g_ptr_array_unref(rows->blocks);
}

/* A row that is there. */
static inline void *rows_at(const struct rows *rows, uint32_t number)
{
	uint8_t *block = g_ptr_array_index(rows->blocks, number / ROWS_IN_BLOCK);

	return block + number % ROWS_IN_BLOCK * rows->size;
}

/* The number of a new row, its contents undefined. */
static inline uint32_t rows_add(struct rows *rows)
{
	if (rows->count == rows->blocks->len * ROWS_IN_BLOCK)
		g_ptr_array_add(rows->blocks, g_malloc(ROWS_IN_BLOCK * rows->size));
	return rows->count++;
}

/* What they take, in bytes. */
static inline size_t rows_size(const struct rows *rows)
{
	return rows->blocks->len * (ROWS_IN_BLOCK * rows->size + sizeof(void *));
}

#endif
