/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which handle of the server's a descriptor is.
 *
 * The kernel knows, by the socket's cookie (lib/attach/protocol.h: handles). What it has said is
 * believed for one send, and for one wait, of the thread that heard it: so a thread that asks and
 * is answered needs no system call to know its handle.
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_HANDLE_H
#define UMADRIG_LIB_ATTACH_ATTACH_HANDLE_H

#include <stdint.h>

/* Asks the kernel: 0 and the cookie, or -EBADF: it is no socket. */
int attach_handle_cookie(int fd, uint64_t *ret_cookie);

/* The kernel has just said so, to the calling thread. */
void attach_handle_told(int fd, uint64_t cookie);

/* The cookie, if it is still believed, and no longer then; 0: ask. */
uint64_t attach_handle_to_send(int fd);
uint64_t attach_handle_to_wait(int fd);

/* A handle is opened, or closed: a number may mean another one now. */
void attach_handle_changed(void);

#endif
