/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * handle.c: a table of descriptors in two levels, read without locks.
 *
 * Pages are allocated when a descriptor in their range is first opened or closed, and never freed:
 * send and receive find an entry with two loads.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lib/handle-table.h"

enum handle_state {
	HANDLE_FOREIGN = 0,	/* not ours; taken for good */
	HANDLE_OPEN,
	HANDLE_OPEN_OLD,	/* 56-byte headers */
	HANDLE_CLOSED,
};

struct handle {
	_Atomic uint32_t agents;	/* bit i: agent i is registered */
	_Atomic uint8_t state;
	_Atomic uint8_t has_register2;
};

enum {
	PAGE_BITS = 10,
	PAGE_SIZE = 1 << PAGE_BITS,
	PAGE_COUNT = 1024,	/* the kernel's default limit is 2^20 descriptors */
	AGENT_MAX = 32,
};

static struct handle *_Atomic pages[PAGE_COUNT];

static struct handle *handle_find(int fd)
{
	struct handle *page;

	if ((unsigned int)fd >> PAGE_BITS >= PAGE_COUNT)
		return NULL;
	page = atomic_load_explicit(&pages[fd >> PAGE_BITS], memory_order_acquire);
	return page ? &page[fd & (PAGE_SIZE - 1)] : NULL;
}

static struct handle *handle_make(int fd)
{
	struct handle *page, *none = NULL;

	if (handle_find(fd) || fd < 0 || fd >> PAGE_BITS >= PAGE_COUNT)
		return handle_find(fd);
	page = calloc(PAGE_SIZE, sizeof(*page));
	if (page && !atomic_compare_exchange_strong(&pages[fd >> PAGE_BITS], &none, page))
		free(page);
	return handle_find(fd);
}

int umad_handle_add(int fd, size_t header_size)
{
	struct handle *handle = handle_make(fd);

	if (!handle)
		return fd >> PAGE_BITS >= PAGE_COUNT ? -EMFILE : -ENOMEM;
	atomic_store(&handle->agents, 0);
	atomic_store(&handle->has_register2, 0);
	atomic_store(&handle->state, header_size == 64 ? HANDLE_OPEN : HANDLE_OPEN_OLD);
	return 0;
}

bool umad_handle_close(int fd)
{
	struct handle *handle;

	if (fd < 0)
		return false;
	handle = handle_make(fd);
	/* Without memory a foreign descriptor is closed all the same, only not remembered. */
	return !handle || atomic_exchange(&handle->state, HANDLE_CLOSED) != HANDLE_CLOSED;
}

void umad_handle_forget(int fd)
{
	struct handle *handle = handle_find(fd);
	uint8_t closed = HANDLE_CLOSED;

	if (handle)
		atomic_compare_exchange_strong(&handle->state, &closed, HANDLE_FOREIGN);
}

size_t umad_handle_header_size(int fd)
{
	static const uint8_t sizes[] = {
		[HANDLE_FOREIGN] = 64,
		[HANDLE_OPEN] = 64,
		[HANDLE_OPEN_OLD] = 56,
		[HANDLE_CLOSED] = 0,
	};
	struct handle *handle = handle_find(fd);

	if (!handle)
		return fd < 0 ? 0 : 64;
	return sizes[atomic_load_explicit(&handle->state, memory_order_relaxed)];
}

void umad_handle_set_agent(int fd, uint32_t id, bool registered)
{
	struct handle *handle = handle_find(fd);

	if (!handle || id >= AGENT_MAX)
		return;
	if (registered)
		atomic_fetch_or(&handle->agents, UINT32_C(1) << id);
	else
		atomic_fetch_and(&handle->agents, ~(UINT32_C(1) << id));
}

bool umad_handle_may_have_agent(int fd, uint32_t id)
{
	struct handle *handle = handle_find(fd);

	if (id >= AGENT_MAX)
		return false;
	if (!handle || atomic_load(&handle->state) == HANDLE_FOREIGN)
		return true;
	return atomic_load(&handle->agents) >> id & 1;
}

void umad_handle_set_register2(int fd)
{
	struct handle *handle = handle_find(fd);

	if (handle)
		atomic_store(&handle->has_register2, 1);
}

bool umad_handle_has_register2(int fd)
{
	struct handle *handle = handle_find(fd);

	return handle && atomic_load(&handle->has_register2);
}
