/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers of processes in the names of /proc: /proc/1003/fd is that of the session's process 1003,
 * and a list of /proc has the session's processes alone. Paths count that begin so, as they are
 * written, and those that begin in the directory /proc with a number.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PROC_NAMES_H
#define UMADRIG_LIB_LOCKSTEP_PROC_NAMES_H

#include <stddef.h>

#include "lib/lockstep/hooks.h"

/*
 * 'path', from the directory 'at', as the kernel has it: itself, or a text that is there until the
 * next call. One of more than 255 bytes stays as it is.
 */
const char *proc_names_to_kernel(int at, const char *path);

/* In the place of libc's functions (opens_hooks). */
long hooked_getdents64(int fd, void *bytes, size_t size);
long hooked_readlinkat(int at, const char *path, char *to, size_t size);
long hooked_readlink(const char *path, char *to, size_t size);
int hooked_faccessat(int at, const char *path, int mode, int flags);
int hooked_access(const char *path, int mode);
int hooked_chdir(const char *path);

#endif
