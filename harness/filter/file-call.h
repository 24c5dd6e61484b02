/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls with the descriptor of a umad file: read and readv in file-read.c, write and writev in
 * file-write.c, ioctl in file-ioctl.c, all others in file-call.c. On other descriptors
 * the kernel goes on with them.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILE_CALL_H
#define UMADRIG_HARNESS_FILTER_FILE_CALL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "harness/filter/call-trap.h"

struct umad_file;

supervisor_call_fn file_on_read, file_on_readv, file_on_write, file_on_writev, file_on_ioctl,
	file_on_dup, file_on_fcntl;
/* What the socket that stands for a file could do, and the file cannot. */
supervisor_call_fn file_on_socket_call, file_on_sendfile, file_on_splice;

/* A result: the kernel goes on with the call. */
enum { FILE_CALL_GOES_ON = -4096 };

/* 'result' is what the call returns, -errno, or FILE_CALL_GOES_ON. */
void file_call_end(struct supervisor *supervisor, const struct seccomp_notif *call, long result);

/*
 * The file that the first argument of a call is; NULL: none, and the kernel goes on with it. What
 * had happened before the call was made has been seen to (supervisor_serve()).
 */
struct umad_file *file_of_call(struct supervisor *supervisor, const struct seccomp_notif *call);

/* As read(2) and write(2) check it: 0 and how much is wanted, or -errno. */
int file_check_buffer(uint64_t at, uint64_t wanted, size_t *ret_size);

/*
 * The parts of a readv(2) or writev(2): how many, copied into 'parts', which has room for
 * UIO_MAXIOV of them; or -errno.
 */
int file_get_parts(const struct seccomp_notif *call, struct iovec *parts);

#endif
