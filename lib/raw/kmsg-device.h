/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * /dev/kmsg, and klogctl(3), of programs in virtual time: the messages of their simulated host's
 * kernel alone, at times of the session.
 *
 * A socket stands for the file (lib/attach/protocol.h, KERNEL_LOG), which waiting and polling are
 * the kernel's of. What opens it for writing alone has the machine's own; for reading and writing
 * it cannot be opened.
 */
#ifndef UMADRIG_LIB_RAW_KMSG_DEVICE_H
#define UMADRIG_LIB_RAW_KMSG_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Functions return a result, or -errno, if nothing else is said. */

#define KMSG_DEVICE_NOT (-2)

/*
 * open(2) of that path, as it is written; -1 with errno, or KMSG_DEVICE_NOT: another one, or no
 * virtual time. errno stays then.
 */
int kmsg_device_open(const char *path, int flags);

/* Of a descriptor that is one (descriptor_is()). */
long kmsg_device_read(int fd, void *bytes, size_t size);
long kmsg_device_readv(int fd, const struct iovec *parts, int count);
long kmsg_device_seek(int fd, off_t offset, int whence);

/* fstat(2). False: it is none. */
bool kmsg_device_fstat(int fd, struct stat *ret);

#endif
