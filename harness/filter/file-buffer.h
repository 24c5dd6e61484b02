/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Buffers that read(2), write(2) and their kin are given, checked as the kernel does it.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILE_BUFFER_H
#define UMADRIG_HARNESS_FILTER_FILE_BUFFER_H

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* As read(2) and write(2) check it: 0 and how much is wanted, or -errno. */
int file_check_buffer(uint64_t at, uint64_t wanted, size_t *ret_size);

/*
 * The parts of a readv(2) or writev(2): how many, copied into 'parts', which has room for
 * UIO_MAXIOV of them; or -errno.
 */
int file_get_parts(const struct seccomp_notif *call, struct iovec *parts);

#endif
