/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What comes from a fabric server: how it is taken out of handles' sockets and mailboxes, and
 * waited for.
 */
#ifndef UMADRIG_LIB_ATTACH_RECEIVE_H
#define UMADRIG_LIB_ATTACH_RECEIVE_H

#include <stddef.h>

/* As struct umad_backend's functions of these names (backend.h). */
long attach_recv(int fd, void *umad, size_t size);
int attach_poll(int fd, int timeout_ms);
long attach_recv_wait(int fd, void *umad, size_t size, int timeout_ms);
long attach_recv_soon(int fd, void *umad, size_t size);

/* An agent for which the kernel's part does RMPP has been registered: messages may be large. */
void attach_receive_large(void);

#endif
