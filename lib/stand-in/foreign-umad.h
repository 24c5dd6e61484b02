/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Umad files, /dev/kmsg, and netlink sockets of uevents (foreign-socket.h) that the foreign program
 * has open. This process has opened them, and makes the calls on them. The foreign program's
 * descriptor is a copy with a high number, so that the filter sees when it is closed; this
 * process's goes with the last copy.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_UMAD_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_UMAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers from here on: the program's limit is 1024 at least, and select(2) knows no more. */
enum { FOREIGN_UMAD_FIRST = 960 };

/* The answer of a call that opens a file: a descriptor for 'fd', which this process keeps. */
long foreign_umad_open(int fd, bool closes_on_exec);
/* The calls on a file; 'fd' is this process's. */
long foreign_umad_read(int fd);
long foreign_umad_readv(int fd);
long foreign_umad_write(int fd);

/* The calls on a descriptor with a high number. */
long foreign_umad_close(void);
long foreign_umad_ioctl(void);
long foreign_umad_seek(void);

#endif
