/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A table of descriptors: see lib/handle-table.h.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lib/handle-table.h"

enum { AGENT_MAX = 32 };

struct umad_handle *_Atomic umad_handle_pages[UMAD_HANDLE_PAGE_COUNT];
atomic_uint umad_handle_doubts = 1;
static atomic_bool is_trusted;

void umad_handle_trust(bool trusted)
{
	if (atomic_exchange(&is_trusted, trusted) == trusted)
		return;
	if (trusted)
		atomic_fetch_sub(&umad_handle_doubts, 1);
	else
		atomic_fetch_add(&umad_handle_doubts, 1);
}

/* Returns the state before. */
static enum umad_handle_state set_state(struct umad_handle *handle, enum umad_handle_state state)
{
	uint8_t before = atomic_exchange(&handle->state, (uint8_t)state);

	if (before == UMAD_HANDLE_CLOSED && state != UMAD_HANDLE_CLOSED)
		atomic_fetch_sub(&umad_handle_doubts, 1);
	else if (before != UMAD_HANDLE_CLOSED && state == UMAD_HANDLE_CLOSED)
		atomic_fetch_add(&umad_handle_doubts, 1);
	return (enum umad_handle_state)before;
}

static struct umad_handle *handle_make(int fd)
{
	struct umad_handle *page, *none = NULL;
	struct umad_handle *_Atomic *place;

	if (umad_handle_find(fd) || fd < 0 ||
	    fd >> UMAD_HANDLE_PAGE_BITS >= UMAD_HANDLE_PAGE_COUNT)
		return umad_handle_find(fd);
	place = &umad_handle_pages[fd >> UMAD_HANDLE_PAGE_BITS];
	page = calloc(UMAD_HANDLE_PAGE_SIZE, sizeof(*page));
	if (page && !atomic_compare_exchange_strong(place, &none, page))
		free(page);
	return umad_handle_find(fd);
}

int umad_handle_add(int fd, size_t header_size)
{
	struct umad_handle *handle = handle_make(fd);

	if (!handle)
		return fd >> UMAD_HANDLE_PAGE_BITS >= UMAD_HANDLE_PAGE_COUNT ? -EMFILE : -ENOMEM;
	atomic_store(&handle->agents, 0);
	atomic_store(&handle->has_register2, 0);
	set_state(handle, header_size == 64 ? UMAD_HANDLE_OPEN : UMAD_HANDLE_OPEN_OLD);
	return 0;
}

bool umad_handle_close(int fd)
{
	struct umad_handle *handle;

	if (fd < 0)
		return false;
	handle = handle_make(fd);
	/* Without memory a foreign descriptor is closed all the same, but not remembered. */
	return !handle || set_state(handle, UMAD_HANDLE_CLOSED) != UMAD_HANDLE_CLOSED;
}

void umad_handle_forget(int fd)
{
	struct umad_handle *handle = umad_handle_find(fd);
	uint8_t closed = UMAD_HANDLE_CLOSED;

	if (handle &&
	    atomic_compare_exchange_strong(&handle->state, &closed, UMAD_HANDLE_FOREIGN))
		atomic_fetch_sub(&umad_handle_doubts, 1);
}

void umad_handle_set_agent(int fd, uint32_t id, bool registered)
{
	struct umad_handle *handle = umad_handle_find(fd);

	if (!handle || id >= AGENT_MAX)
		return;
	if (registered)
		atomic_fetch_or(&handle->agents, UINT32_C(1) << id);
	else
		atomic_fetch_and(&handle->agents, ~(UINT32_C(1) << id));
}

bool umad_handle_may_have_agent(int fd, uint32_t id)
{
	struct umad_handle *handle = umad_handle_find(fd);

	if (id >= AGENT_MAX)
		return false;
	if (!handle || atomic_load(&handle->state) == UMAD_HANDLE_FOREIGN)
		return true;
	return atomic_load(&handle->agents) >> id & 1;
}

void umad_handle_set_register2(int fd)
{
	struct umad_handle *handle = umad_handle_find(fd);

	if (handle)
		atomic_store(&handle->has_register2, 1);
}

bool umad_handle_has_register2(int fd)
{
	struct umad_handle *handle = umad_handle_find(fd);

	return handle && atomic_load(&handle->has_register2);
}
