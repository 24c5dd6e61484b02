/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The owner of a file, who gets SIGIO, and the foreground of a terminal: the session's numbers.
 *
 * These functions return what the system call of their kind does, or a negative errno. A process is
 * named by a positive number, a group by a negative one, as fcntl(2) has it.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_FILE_OWNER_H
#define UMADRIG_LIB_LOCKSTEP_FILE_OWNER_H

#include "lib/lockstep/hooks.h"

struct f_owner_ex;

extern const struct hook file_owner_hooks[];

/* It gets SIGIO, or what F_SETSIG says, when the kernel finds that the file is ready. */
long file_owner_set(int fd, int number);
long file_owner_set_ex(int fd, const struct f_owner_ex *owner);

long file_owner_get_ex(int fd, struct f_owner_ex *ret);

/*
 * As fcntl(2) with F_GETOWN, with 0 if there is none; -1 and errno. It asks as libc does: the
 * kernel's own F_GETOWN cannot tell a group from an error.
 */
int file_owner_get(int fd);

#endif
