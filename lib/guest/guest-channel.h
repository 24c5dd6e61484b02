/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file by which a guest's init talks with the fabric, /dev/umadrig_guest: whole messages, one
 * for each read and write (kmod-stub/linux/hca/umadrig_hca.h).
 */
#ifndef UMADRIG_LIB_GUEST_GUEST_CHANNEL_H
#define UMADRIG_LIB_GUEST_GUEST_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

/* Where what a message carries begins, and the most that one up carries. */
enum {
	GUEST_HEADER_SIZE = sizeof(struct umadrig_hca_header),
	GUEST_CONTENT_MAX = UMADRIG_HCA_UP_MAX - GUEST_HEADER_SIZE,
};

/* A message of the fabric, as it is used here. */
struct guest_message {
	uint8_t type;		/* enum umadrig_hca_type */
	uint8_t flags;
	uint8_t port;		/* of a message about a file */
	uint32_t program;	/* its number, or that of a file */
	uint32_t value;
	const uint8_t *content;	/* in the bytes that it was taken from */
	size_t size;
};

/* Takes 'size' bytes apart. 0; -EBADMSG: that is no message of this version. */
int guest_message_parse(struct guest_message *message, const uint8_t *bytes, size_t size);

/*
 * Sends a message; 'content' of 'size' bytes, at most GUEST_CONTENT_MAX, may be NULL if there are
 * none. 0 or -errno.
 */
int guest_channel_send(int fd, uint8_t type, uint32_t program, uint32_t value,
		       const void *content, size_t size);

#endif
