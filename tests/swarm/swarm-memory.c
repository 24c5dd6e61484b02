/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counted memory: see tests/swarm/swarm-memory.h.
 */
#include "tests/swarm/swarm-memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_reallocarray(void *block, size_t count, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_reallocarray(void *block, size_t count, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static long blocks;
static void (*watch_freed)(void *ctx, const void *block, size_t size);
static void *watch_ctx;

static long fail_after = -1;
static int fail_for_ever;
static int has_failed;

void swarm_memory_fail(long after, int for_ever)
{
	fail_after = after;
	fail_for_ever = for_ever;
	if (after >= 0)
		has_failed = 0;
}

int swarm_memory_has_failed(void)
{
	return has_failed;
}

static int must_fail(void)
{
	if (fail_after < 0 || (fail_after > 0 && fail_after--))
		return 0;
	if (!fail_for_ever)
		fail_after = -1;
	has_failed = 1;
	return 1;
}

long swarm_memory_blocks(void)
{
	return blocks;
}

void swarm_memory_watch(void (*freed)(void *ctx, const void *block, size_t size), void *ctx)
{
	watch_freed = freed;
	watch_ctx = ctx;
}

void *__wrap_malloc(size_t size)
{
	if (must_fail())
		return NULL;
	blocks++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	if (must_fail())
		return NULL;
	blocks++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	if (must_fail())
		return NULL;
	blocks += !block;
	return __real_realloc(block, size);
}

void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
	blocks += !block;
	return __real_reallocarray(block, count, size);
}

char *__wrap_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = __wrap_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

void __wrap_free(void *block)
{
	if (!block)
		return;
	if (watch_freed)
		watch_freed(watch_ctx, block, malloc_usable_size(block));
	blocks--;
	__real_free(block);
}
