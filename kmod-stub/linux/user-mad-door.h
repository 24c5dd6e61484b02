/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the shim asks of user_mad.c beyond its file operations. user-mad-door.c includes the
 * kernel's file, and so knows its structs.
 *
 * 'private' is the private_data of an open umad file.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_USER_MAD_DOOR_H
#define UMADRIG_KMOD_STUB_LINUX_USER_MAD_DOOR_H

#include <stddef.h>
#include <stdint.h>

/* What a read would return next. */
enum user_mad_next {
	USER_MAD_NOTHING,
	USER_MAD_MESSAGE,
	USER_MAD_REPORT,
};

enum user_mad_next user_mad_door_next(const void *private);
/* Of a read that gives a message: how many bytes it has with its header. */
size_t user_mad_door_next_size(const void *private);
/* Bytes of the user's header. */
size_t user_mad_door_header_size(const void *private);

/*
 * Ends the file's requests with this TID (as sent) and class that wait for answers, as if their
 * time was over. Returns how many there were; their reports come with work that is queued now.
 */
unsigned int user_mad_door_expire(void *private, uint64_t tid, uint8_t mgmt_class);

#endif
