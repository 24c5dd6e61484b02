/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * libumadraw: what a program calls on a handle, as if it were a umad file of the kernel.
 *
 * umadrig exec preloads it beside libibumad. It defines read, write, readv, writev and ioctl, and
 * passes calls on handles to libibumad (lib/raw-door.h), all others to the next definition: a
 * sanitizer's, or libc's. It defines what copies descriptors, too (lib/raw/copy.c), only to know
 * copies of handles; what waits for them, to let virtual time pass (lib/raw/virtual-wait.h);
 * what a socket can do, and a umad file cannot (lib/raw/no-socket.c, lib/raw/no-message.c); what no
 * signal may interrupt (lib/raw/uninterrupted.c); what opens umad files by their paths
 * (lib/raw/umad-device.h); what opens and closes issm devices (lib/raw/issm-device.h); and what
 * reads the kernel's messages and its uevents in virtual time (lib/raw/kmsg-device.h,
 * lib/raw/netlink-socket.h). Calls that libc makes for
 * itself, in stdio for instance, do not come here.
 */
#ifndef UMADRIG_LIB_RAW_RAW_H
#define UMADRIG_LIB_RAW_RAW_H

#include <sys/stat.h>

#include "lib/raw-door.h"

/* libibumad's; NULL: it is not there. */
const struct umad_raw_calls *raw_calls(void);

/* Finds the next definition of a function; NULL: there is none. */
void *raw_next(const char *name);

/* fstat(2) as the kernel answers it, whatever this library says of a descriptor. */
int raw_fstat(int fd, struct stat *ret);

/* The result of a system call that failed with -errno, or did not. */
long raw_result(long n);

#endif
