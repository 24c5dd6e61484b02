/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of the calling thread's host says by itself, as the fabric server has it. The
 * functions do what those of struct umad_backend do (lib/backend.h).
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_KERNEL_H
#define UMADRIG_LIB_ATTACH_ATTACH_KERNEL_H

#include "lib/attach/protocol.h"

long attach_kernel_log(enum umad_backend_log action, int fd, void *text, size_t size);
long attach_uevent(const struct umad_backend_uevent *call, int fd, const void *value, void *reply,
		   size_t room);

#endif
