/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which of the server's handles a descriptor is.
 *
 * The kernel knows, by the socket's token (lib/attach/protocol.h: handles). A token that it has
 * returned is trusted for one send and for one wait of the same thread: so a thread that sends a
 * request and receives the answer needs no system call to know its handle.
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_HANDLE_H
#define UMADRIG_LIB_ATTACH_ATTACH_HANDLE_H

#include <stdint.h>

/* Asks the kernel: 0 and the token, or -EBADF: it is no socket. */
int attach_handle_token(int fd, uint64_t *ret_token);

/* The kernel has just returned this token to the calling thread. */
void attach_handle_told(int fd, uint64_t token);

/* The token, if it is still trusted, which this call ends; 0: ask the kernel. */
uint64_t attach_handle_to_send(int fd);
uint64_t attach_handle_to_wait(int fd);

/* To be called when a handle is opened or closed: a descriptor may mean another one now. */
void attach_handle_changed(void);

#endif
