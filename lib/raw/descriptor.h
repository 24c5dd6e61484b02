/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which descriptors are handles, which issm devices, which files of kernel messages, and which
 * netlink sockets of uevents.
 *
 * A byte for each number says what is known. Only DESCRIPTOR_OTHER is trusted, so that a call on
 * any other file costs one look at a byte. Whatever may be one of ours is asked again each time,
 * because a number may be another file's since, without this library. Another file's number can
 * become one of ours in few ways, and each changes the byte: umad_open_port(), open(2) of an issm
 * device, the dup family and messages with descriptors. What a program has inherited is unknown at
 * its start.
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
	DESCRIPTOR_ISSM,	/* it was an issm device (lib/raw/issm-device.h) */
	DESCRIPTOR_LOG,		/* it was a file of kernel messages (lib/raw/kmsg-device.h) */
	DESCRIPTOR_UEVENT,	/* it was a netlink socket of ours (lib/raw/netlink-socket.h) */
};

enum { DESCRIPTOR_COUNT = 65536 };	/* numbers from here on are always unknown */

extern _Atomic uint8_t descriptor_states[DESCRIPTOR_COUNT] __attribute__((visibility("hidden")));

/* Asks what a descriptor is, and remembers it: never DESCRIPTOR_UNKNOWN. */
enum descriptor_state descriptor_ask(int fd);

/* What is it? errno stays. */
static inline enum descriptor_state descriptor_is(int fd)
{
	if ((unsigned int)fd < DESCRIPTOR_COUNT &&
	    atomic_load_explicit(&descriptor_states[fd], memory_order_relaxed) == DESCRIPTOR_OTHER)
		return DESCRIPTOR_OTHER;
	return descriptor_ask(fd);
}

static inline bool descriptor_is_handle(int fd)
{
	return descriptor_is(fd) == DESCRIPTOR_HANDLE;
}

/* Does a socket stand for it, which the program is not to know of? */
static inline bool descriptor_state_is_disguised(enum descriptor_state is)
{
	return is == DESCRIPTOR_HANDLE || is == DESCRIPTOR_LOG;
}

/* Has this process opened a handle of a fabric of its own? */
bool descriptor_has_unnamed(void);

/* 'to', if it is a descriptor, is a copy of 'from' now. */
void descriptor_copied(int from, int to);

/* An issm device has been opened here. */
void descriptor_is_issm_now(int fd);
/* Was it one when last seen? */
bool descriptor_was_issm(int fd);

/* A file of kernel messages has been opened here; was it one when last seen? */
void descriptor_is_log_now(int fd);
bool descriptor_was_log(int fd);

/* A netlink socket of uevents has been opened here. */
void descriptor_is_uevent_now(int fd);

/* It came from elsewhere. */
void descriptor_received(int fd);

/* What a handle is to the program: bits. None of them: what umad_open_port() has opened. */
enum {
	DESCRIPTOR_SHORT = 1,		/* headers of 56 bytes */
	DESCRIPTOR_NO_READ = 2,		/* opened for writing only, and the reverse */
	DESCRIPTOR_NO_WRITE = 4,
	DESCRIPTOR_BY_PATH = 8,		/* opened by its path; above are the bits of its number */
	DESCRIPTOR_NUMBER_SHIFT = 4,
	DESCRIPTOR_NUMBER_MAX = 4095,
};

/* Copies have it, too. Numbers from DESCRIPTOR_COUNT on have none. */
unsigned int descriptor_form(int fd);
void descriptor_set_form(int fd, unsigned int form);
/* Is it a handle that was opened by its path? */
bool descriptor_was_opened_by_path(int fd, unsigned int *ret_number);

#endif
