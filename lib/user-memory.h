/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory at addresses that may be bad, for calls that then return -EFAULT, as the kernel's do.
 *
 * The kernel does the copying. Where it refuses (a seccomp filter without process_vm_readv(2)), a
 * bad address ends the program, as it does elsewhere in a library. On the way of a MAD one quick
 * call only asks whether there is memory: a program that receives into its constants is ended, too.
 */
#ifndef UMADRIG_LIB_USER_MEMORY_H
#define UMADRIG_LIB_USER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Copies from or to the program's address: 0 or -EFAULT. */
int user_memory_get(void *to, const void *address, size_t size);
int user_memory_put(void *address, const void *from, size_t size);

/* Is there memory, whether or not it may be read and written? */
bool user_memory_is_there(const void *address, size_t size);

#endif
