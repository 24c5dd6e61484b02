/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * System calls as a program under the filter makes them, without a filter: this process is the
 * program and its supervisor. A call goes to its handler, and to the kernel if the supervisor says
 * so; what the listener would do to the program is done to this process.
 */
#ifndef UMADRIG_TESTS_RIG_FILTER_RIG_H
#define UMADRIG_TESTS_RIG_FILTER_RIG_H

#include <stddef.h>

#include "harness/filter/file-table.h"
#include "harness/filter/supervisor.h"

enum { FILTER_RIG_FIRST = 960, FILTER_RIG_END = 1024 };

/* Begins with no file open; ends with none, however many were. */
void filter_rig_begin(const struct umad_backend *fabric);
void filter_rig_end(void);

struct supervisor *filter_rig_supervisor(void);

/* Takes notice of what has happened, as the supervisor's loop does. */
void filter_rig_settle(void);

/* open(2) of a port's umad device; all return what the system call does, or -errno. */
long filter_rig_open(const char *ca_name, unsigned int portnum, int flags);
/* Call 'number', one of those that are trapped for high descriptors. */
long filter_rig_call(int number, uint64_t a, uint64_t b, uint64_t c);

long filter_rig_read(int fd, void *bytes, size_t size);
long filter_rig_write(int fd, const void *bytes, size_t size);
long filter_rig_ioctl(int fd, unsigned long request, void *argument);

/*
 * poll(2) for one descriptor, while the supervisor works: its events, 0: none in time, or -errno.
 */
long filter_rig_poll(int fd, short events, int timeout_ms);

#endif
