/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles by their descriptors, and all that were ever made.
 *
 * A descriptor leads to its handle through a table of tables, so that looking one up is two loads
 * and takes no lock. Handles are never freed, only reused: a thread that looks one up while another
 * thread closes it reads a handle that is not the descriptor's any more, sees that under the lock,
 * and returns -EBADF. Each function may be called with or without a fabric's lock, from any thread.
 */
#ifndef UMADRIG_SIM_HOST_HANDLE_INDEX_H
#define UMADRIG_SIM_HOST_HANDLE_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct handle;

enum {
	HANDLE_INDEX_CHUNK = 1024,
	HANDLE_INDEX_CHUNKS = 1024,	/* descriptors up to a million: Linux's own default limit */
};

extern struct handle **handle_index_chunks[HANDLE_INDEX_CHUNKS]
	__attribute__((visibility("hidden")));

/* The place of 'fd' in the table, which does not move. NULL: 'fd' has never had a handle. */
static inline struct handle **handle_index_place(int fd)
{
	unsigned int number = (unsigned int)fd;
	struct handle **chunk;

	if (number >= HANDLE_INDEX_CHUNK * HANDLE_INDEX_CHUNKS)
		return NULL;
	chunk = __atomic_load_n(&handle_index_chunks[number / HANDLE_INDEX_CHUNK],
				__ATOMIC_ACQUIRE);
	return chunk ? &chunk[number % HANDLE_INDEX_CHUNK] : NULL;
}

/* The handle of which 'fd' is the program's descriptor. NULL: none. */
static inline struct handle *handle_index_get(int fd)
{
	struct handle **place = handle_index_place(fd);

	return place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;
}

/* The handle of which a descriptor is a copy, with the id of both. NULL: none. */
struct handle *handle_index_find_copied(int fd, uint64_t *ret_id);

/* A handle for 'fd', which leads to it once it is published. NULL: 'fd' is too large. */
struct handle *handle_index_new(int fd);
/* From now on the handle's descriptor, which it was made for, leads to it. */
void handle_index_publish(struct handle *handle);
/* 'fd', which led to a handle, leads to none. */
void handle_index_clear(int fd);
/* The handle may be another's: no descriptor leads to it. */
void handle_index_give_back(struct handle *handle);

#endif
