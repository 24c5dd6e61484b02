/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The foreign program's memory: of the process that foreign.pid is, by its addresses. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_MEMORY_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

/* All 'size' bytes: 0, or -EFAULT. */
int foreign_memory_get(uint64_t at, void *ret, size_t size);
int foreign_memory_put(uint64_t at, const void *bytes, size_t size);

/* The first 'size' bytes, in parts of the foreign program's. 0, or -EFAULT. */
int foreign_memory_put_parts(const struct iovec *parts, size_t count, const uint8_t *bytes,
			     size_t size);
/* What has room in so many parts, up to 'most'. */
size_t foreign_memory_room(const struct iovec *parts, size_t count, size_t most);

/*
 * What recvmsg(2) has put into 'got', whose parts and control data are in this program's memory,
 * for the header 'there', which the foreign program has at 'at': 'size' bytes of 'bytes' into its
 * 'parts', the sender's name, cut off to what there is room for, the control data, and the header
 * itself. 0, or -EFAULT.
 */
int foreign_memory_put_message(uint64_t at, struct msghdr *there, const struct iovec *parts,
			       const struct msghdr *got, const uint8_t *bytes, size_t size);

/*
 * An address of 'size' bytes, cut off to what there is room for, as accept(2) and its kin have it:
 * the word at 'size_at' says how much, and gets the size. 0, -EFAULT or -EINVAL.
 */
int foreign_memory_put_address(uint64_t at, uint64_t size_at, const void *address, socklen_t size);

/* A text with its end. 0, -EFAULT, or -ENAMETOOLONG where it has no room. */
int foreign_memory_get_text(uint64_t at, char *ret, size_t size);

/* A time, read into 'buf'; where 'at' is 0, '*ret' is NULL. 0 or -EFAULT. */
int foreign_memory_get_time(uint64_t at, struct timespec *buf, const struct timespec **ret);

#endif
