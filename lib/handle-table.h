/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handles: what lib remembers about the descriptors that it opened.
 *
 * A handle is bad if it is negative, or was closed through us and not opened again, or the call
 * itself returns EBADF. A descriptor that we did not open (dup, inherited) is unknown here and
 * assumed to be good. A good handle costs no additional system call.
 *
 * Everything may be called from any thread; only umad_handle_add() and umad_handle_close()
 * allocate.
 */
#ifndef UMADRIG_LIB_HANDLE_TABLE_H
#define UMADRIG_LIB_HANDLE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum umad_handle_state {
	UMAD_HANDLE_FOREIGN = 0,	/* not ours; assumed to be good */
	UMAD_HANDLE_OPEN,
	UMAD_HANDLE_OPEN_OLD,		/* 56-byte headers */
	UMAD_HANDLE_CLOSED,
};

struct umad_handle {
	_Atomic uint32_t agents;	/* bit i: agent i is registered */
	_Atomic uint8_t state;
	_Atomic uint8_t has_register2;
};

/*
 * The table has two levels and is read without locks: pages are allocated when a descriptor in
 * their range is first opened or closed, and never freed, so that two loads find an entry.
 */
enum {
	UMAD_HANDLE_PAGE_BITS = 10,
	UMAD_HANDLE_PAGE_SIZE = 1 << UMAD_HANDLE_PAGE_BITS,
	UMAD_HANDLE_PAGE_COUNT = 1024,	/* the kernel's default limit is 2^20 descriptors */
};

extern struct umad_handle *_Atomic umad_handle_pages[UMAD_HANDLE_PAGE_COUNT]
	__attribute__((visibility("hidden")));

/*
 * How many reasons there are to look here before a send or receive: numbers that are known to be
 * closed, and one more if the backend does not find its handles itself (umad_handle_trust()).
 */
extern atomic_uint umad_handle_doubts __attribute__((visibility("hidden")));

/* Does the backend find its handles itself (struct umad_backend)? At first it does not. */
void umad_handle_trust(bool trusted);

/* What is remembered about 'fd'; NULL: nothing. */
static inline struct umad_handle *umad_handle_find(int fd)
{
	struct umad_handle *page;

	if ((unsigned int)fd >> UMAD_HANDLE_PAGE_BITS >= UMAD_HANDLE_PAGE_COUNT)
		return NULL;
	page = atomic_load_explicit(&umad_handle_pages[fd >> UMAD_HANDLE_PAGE_BITS],
				    memory_order_acquire);
	return page ? &page[fd & (UMAD_HANDLE_PAGE_SIZE - 1)] : NULL;
}

/* Remembers 'fd' as just opened. 0, -ENOMEM, or -EMFILE for a descriptor of a million or more. */
int umad_handle_add(int fd, size_t header_size);

/*
 * Marks 'fd' closed; false if it was bad already. To be called before close(2), after which another
 * thread may be given the same number.
 */
bool umad_handle_close(int fd);

/* Forgets that 'fd' was closed: another owner has it now. */
void umad_handle_forget(int fd);

/* 64, or 56 if we opened 'fd' on a kernel without ENABLE_PKEY; 0: it is bad. */
static inline size_t umad_handle_header_size(int fd)
{
	const struct umad_handle *handle = umad_handle_find(fd);
	enum umad_handle_state state;

	if (!handle)
		return fd < 0 ? 0 : 64;
	state = (enum umad_handle_state)atomic_load_explicit(&handle->state, memory_order_relaxed);
	if (state == UMAD_HANDLE_CLOSED)
		return 0;
	return state == UMAD_HANDLE_OPEN_OLD ? 56 : 64;
}

/* Remembers that agent 'id' of 'fd' is registered, or no longer. */
void umad_handle_set_agent(int fd, uint32_t id, bool registered);

/* False only if we know it: 'fd' is ours and no agent 'id' was registered through us. */
bool umad_handle_may_have_agent(int fd, uint32_t id);

/* Whether the file behind 'fd' supports REGISTER_AGENT2: known once it has accepted one. */
void umad_handle_set_register2(int fd);
bool umad_handle_has_register2(int fd);

#endif
