/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The token of a handle: a number by which its fabric server knows it, and which only those can
 * name who have its descriptor (lib/attach/protocol.h: handles).
 *
 * The kernel keeps it in the handle's socket, as a timeout for sending: nobody sends there, so it
 * means nothing else, and every copy of the descriptor has it, whatever way it has come.
 */
#ifndef UMADRIG_LIB_BASE_HANDLE_TOKEN_H
#define UMADRIG_LIB_BASE_HANDLE_TOKEN_H

#include <stdint.h>

/*
 * Gives the socket a new token: 51 bits that nobody can guess, fewer where the kernel's long has 32
 * bits. 0 or -errno.
 */
int handle_token_set(int fd, uint64_t *ret_token);

/* The token of a descriptor; 0: it is no handle. Async-signal-safe; changes errno. */
uint64_t handle_token(int fd);

/* A number that nobody can guess. 0 or -errno. */
int handle_token_random(uint64_t *ret);

#endif
