/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the kernel begins to map files in a new program, so that a program in virtual time has its
 * libraries, and the stacks of its threads, at the same addresses on every machine.
 *
 * The kernel maps pages of its own (vvar, vdso) behind ld.so, which maps /etc/ld.so.cache before it
 * maps libraries: these therefore lie lower by the size of both. Mappings begin below the room that
 * the kernel leaves for the stack, which is its soft limit where that is 128 MiB at least (Linux,
 * mmap_base()): the session makes it greater by what both are smaller than KERNEL_MAX and
 * CACHE_MAX. The new program, once it is loaded, has MAPPING_BASE_STACK again, which is what sizes
 * the stacks of its threads.
 */
#ifndef UMADRIG_LIB_BASE_MAPPING_BASE_H
#define UMADRIG_LIB_BASE_MAPPING_BASE_H

#include <stdbool.h>
#include <stdint.h>

#define MAPPING_BASE_CACHE "/etc/ld.so.cache"

/* Bytes. */
enum {
	MAPPING_BASE_STACK = 8 << 20,	/* as most distributions have it */
	/*
	 * No limit that somebody would choose. With a cache of less than 160 KiB, ld.so and the
	 * libraries of a small program lie within two tables of pages, of 2 MiB each: fork(2)
	 * copies each.
	 */
	MAPPING_BASE_ROOM = (257 << 20) + (96 << 10),
	MAPPING_BASE_CACHE_MAX = 4 << 20,
	MAPPING_BASE_KERNEL_MAX = 64 << 10,	/* Linux 6.1: 24 KiB; 6.18: 32 KiB */
	MAPPING_BASE_MAX =
		MAPPING_BASE_ROOM + MAPPING_BASE_CACHE_MAX + MAPPING_BASE_KERNEL_MAX,
};

/*
 * The soft limit with which to execute a program where ld.so's cache has that size (0: no file),
 * the kernel maps so much by itself, and its pages have that size, in bytes.
 */
static inline uint64_t mapping_base_limit(uint64_t cache_size, uint64_t kernel_size,
					  uint64_t page_size)
{
	uint64_t size = (cache_size + page_size - 1) / page_size * page_size;

	if (size > MAPPING_BASE_CACHE_MAX)
		size = MAPPING_BASE_CACHE_MAX;
	if (kernel_size > MAPPING_BASE_KERNEL_MAX)
		kernel_size = MAPPING_BASE_KERNEL_MAX;
	return MAPPING_BASE_MAX - size - kernel_size;
}

/* May a session raise the limit of a process that has these? A program may have chosen its own. */
static inline bool mapping_base_applies(uint64_t soft, uint64_t hard)
{
	return soft == MAPPING_BASE_STACK && hard >= MAPPING_BASE_MAX;
}

/* Is that such a limit? */
static inline bool mapping_base_is_raised(uint64_t soft)
{
	return soft >= MAPPING_BASE_ROOM && soft <= MAPPING_BASE_MAX;
}

#endif
