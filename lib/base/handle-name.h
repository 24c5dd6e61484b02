/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The name of a handle's socket, which a fabric server gives it (lib/attach/protocol.h), and those
 * of a file of kernel messages and of a netlink socket of uevents.
 *
 * It says that a descriptor is a handle to those who have not opened it: who inherited or received
 * it, or look at it with getsockname(2) or ss(8). It is in the abstract namespace, where
 * anybody can read it, so it says nothing else: the number in it is one that nobody could take
 * before.
 */
#ifndef UMADRIG_LIB_BASE_HANDLE_NAME_H
#define UMADRIG_LIB_BASE_HANDLE_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* Names the socket. A failure does not matter to programs that have opened the handle. */
void handle_name_set(int fd, uint64_t number);

/* Is it the socket of a handle? Async-signal-safe; errno stays. */
bool handle_name_is_there(int fd);

/* The same of a file of kernel messages, which is no handle. */
void log_name_set(int fd, uint64_t number);
bool log_name_is_there(int fd);

/* The same of a netlink socket of uevents. */
void uevent_name_set(int fd, uint64_t number);
bool uevent_name_is_there(int fd);

#endif
