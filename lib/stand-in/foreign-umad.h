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

/* Ends the call with a new descriptor for 'fd', which this process has opened and keeps. */
void foreign_umad_answer_open(int fd, bool closes_on_exec);
/* The calls on a file; 'fd' is this process's. */
void foreign_umad_read(int fd);
void foreign_umad_readv(int fd);
void foreign_umad_write(int fd);

/* The calls on a descriptor with a high number. */
void foreign_umad_close(void);
void foreign_umad_ioctl(void);
void foreign_umad_seek(void);

#endif
