/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Writing without signals: a reader that has gone (EPIPE) and a limit of files' sizes (EFBIG) are
 * errors, and do not end a program that knows nothing of the file.
 */
#ifndef UMADRIG_LIB_BASE_WRITE_QUIETLY_H
#define UMADRIG_LIB_BASE_WRITE_QUIETLY_H

#include <stddef.h>
#include <sys/types.h>

/* write(2) that raises neither SIGPIPE nor SIGXFSZ. From any thread. */
ssize_t write_quietly(int fd, const void *bytes, size_t size);

/* The same until all 'size' bytes are written. 0 or -errno. */
int write_all_quietly(int fd, const void *bytes, size_t size);

#endif
