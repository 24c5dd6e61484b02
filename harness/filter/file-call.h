/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls with the descriptor of a umad file: read and readv in file-read.c, write and writev in
 * file-write.c, ioctl in file-ioctl.c, all others in file-call.c. On other descriptors
 * the kernel goes on with them.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILE_CALL_H
#define UMADRIG_HARNESS_FILTER_FILE_CALL_H

#include "harness/filter/call-trap.h"
#include "harness/filter/file-buffer.h"

struct umad_file;

supervisor_call_fn file_on_read, file_on_readv, file_on_write, file_on_writev, file_on_ioctl,
	file_on_dup, file_on_fcntl;
/* What the socket that stands for a file could do, and the file cannot. */
supervisor_call_fn file_on_socket_call, file_on_sendto, file_on_sendmsg, file_on_sendfile,
	file_on_splice;

/*
 * The file that the first argument of a call is; NULL: none. What had happened before the call was
 * made has been seen to (supervisor_serve()).
 */
struct umad_file *file_of_call(struct supervisor *supervisor, const struct seccomp_notif *call);

/* Then it may be of another device; if not, the kernel goes on with it. */
supervisor_call_fn file_on_other;

#endif
