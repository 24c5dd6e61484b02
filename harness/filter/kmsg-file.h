/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * /dev/kmsg, and syslog(2), of programs: the messages of the simulated host's kernel alone.
 *
 * A file is a reader (harness/filter/kernel-reader.h): each read(2) returns one record, EINVAL
 * where there is too little room for it, and EPIPE once where some were overwritten before they
 * could be read. Nothing can be written: what opens it for writing alone has the machine's own.
 */
#ifndef UMADRIG_HARNESS_FILTER_KMSG_FILE_H
#define UMADRIG_HARNESS_FILTER_KMSG_FILE_H

#include "harness/filter/call-trap.h"
#include "harness/filter/supervisor.h"

struct host_view;

/* open(2) with these flags: as supervisor_call_fn. */
long kmsg_open(struct supervisor *supervisor, const struct seccomp_notif *call,
	       struct host_view *view, int flags);

/* A call whose first argument is such a file. CALL_OF_ANOTHER: it is none. */
supervisor_call_fn kmsg_on_call;

/* Is descriptor 'fd' of thread 'tid' one? */
bool kmsg_is(struct supervisor *supervisor, pid_t tid, int fd);

/* lseek: to the first message, the first since they were cleared, or behind the last one. */
supervisor_call_fn kmsg_on_lseek;

/* syslog: what dmesg reads, and clears, where there is no /dev/kmsg. */
supervisor_call_fn kmsg_on_syslog;

#endif
