/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which descriptors are handles.
 *
 * A byte for each number says what is known. Only DESCRIPTOR_OTHER is trusted, so that a call on
 * any other file costs one look at a byte. Whatever may be a handle is asked again each time,
 * because a number may be another file's since, without this library. Another file's number can
 * become a handle in few ways, and each changes the byte: umad_open_port(), the dup family and
 * messages with descriptors. What a program has inherited is unknown at its start.
 *
 * Async-signal-safe, without locks. A child of vfork(2) that copies descriptors changes its
 * parent's bytes: only to values that are checked before use.
 */
#ifndef UMADRIG_LIB_RAW_DESCRIPTOR_H
#define UMADRIG_LIB_RAW_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum descriptor_state {
	DESCRIPTOR_UNKNOWN = 0,
	DESCRIPTOR_OTHER,	/* no handle */
	DESCRIPTOR_HANDLE,	/* it was one */
};

enum { DESCRIPTOR_COUNT = 65536 };	/* numbers from here on are always unknown */

extern _Atomic uint8_t descriptor_states[DESCRIPTOR_COUNT] __attribute__((visibility("hidden")));

/* Asks what a descriptor is, and remembers it. */
bool descriptor_ask(int fd);

/* Is it a handle? errno stays. */
static inline bool descriptor_is_handle(int fd)
{
	if ((unsigned int)fd < DESCRIPTOR_COUNT &&
	    atomic_load_explicit(&descriptor_states[fd], memory_order_relaxed) == DESCRIPTOR_OTHER)
		return false;
	return descriptor_ask(fd);
}

/* Has this process opened a handle of a fabric of its own? */
bool descriptor_has_unnamed(void);

/* 'to', if it is a descriptor, is a copy of 'from' now. */
void descriptor_copied(int from, int to);

/* It came from elsewhere. */
void descriptor_received(int fd);

#endif
