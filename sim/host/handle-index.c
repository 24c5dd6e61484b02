/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Handles by their descriptors: see handle-index.h. */
#include "sim/host/handle-index.h"

#include <glib.h>
#include <pthread.h>

#include "sim/host/eventfd-id.h"
#include "sim/host/handle.h"

struct handle **handle_index_chunks[HANDLE_INDEX_CHUNKS];
static struct handle *unused;

/* All handles that were ever made; only added to. */
struct made_handle {
	struct handle handle;
	struct made_handle *next;
};
static struct made_handle *made;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

void handle_index_clear(int fd)
{
	__atomic_store_n(handle_index_place(fd), NULL, __ATOMIC_RELEASE);
}

static struct handle *make(void)
{
	struct made_handle *new = g_new0(struct made_handle, 1);

	new->next = made;
	__atomic_store_n(&made, new, __ATOMIC_RELEASE);
	return &new->handle;
}

struct handle *handle_index_new(int fd)
{
	struct handle *handle, ***chunk;

	if (fd >= HANDLE_INDEX_CHUNK * HANDLE_INDEX_CHUNKS)
		return NULL;
	chunk = &handle_index_chunks[fd / HANDLE_INDEX_CHUNK];
	pthread_mutex_lock(&table_lock);
	if (!*chunk)
		__atomic_store_n(chunk, g_new0(struct handle *, HANDLE_INDEX_CHUNK),
				 __ATOMIC_RELEASE);
	handle = unused;
	if (handle)
		unused = handle->next;
	else
		handle = make();
	pthread_mutex_unlock(&table_lock);
	return handle;
}

struct handle *handle_index_find_copied(int fd, uint64_t *ret_id)
{
	uint64_t id = eventfd_id(fd);
	struct made_handle *at = id ? __atomic_load_n(&made, __ATOMIC_ACQUIRE) : NULL;

	while (at && __atomic_load_n(&at->handle.id, __ATOMIC_ACQUIRE) != id)
		at = at->next;
	*ret_id = id;
	return at ? &at->handle : NULL;
}

void handle_index_publish(struct handle *handle)
{
	__atomic_store_n(handle_index_place(handle->fd), handle, __ATOMIC_RELEASE);
}

void handle_index_give_back(struct handle *handle)
{
	pthread_mutex_lock(&table_lock);
	handle->next = unused;
	unused = handle;
	pthread_mutex_unlock(&table_lock);
}
