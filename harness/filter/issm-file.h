/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Issm devices of programs: what open(2) of /dev/infiniband/issmN gives them.
 *
 * It is the server's pipe (sim/system/issm-pipe.h) at a high number: poll, dup, fork and close are
 * the kernel's; read, write and ioctl are trapped, and fail as the device's. One program has it at
 * a time; calls that wait for it are answered when it is free, in the order in which they came, or
 * when a signal has come.
 */
#ifndef UMADRIG_HARNESS_FILTER_ISSM_FILE_H
#define UMADRIG_HARNESS_FILTER_ISSM_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/filter/supervisor.h"

struct issm_files;

struct issm_files *issm_files_new(struct supervisor *supervisor);
/* NULL is allowed. Calls that wait are left. */
void issm_files_free(struct issm_files *files);

/* As file_open() (harness/filter/file-table.h), of issm number 'number'. */
long issm_file_open(struct supervisor *supervisor, const struct seccomp_notif *call,
		    const char *host, const char *ca_name, unsigned int portnum,
		    unsigned int number, int flags);

/* An issm device that is open, or was. */
struct issm_file {
	char *host;		/* NULL: the default */
	unsigned int number;	/* N of issmN */
};

/* What descriptor 'fd' of thread 'tid' is. NULL: none. */
const struct issm_file *issm_file_find(struct supervisor *supervisor, pid_t tid, int fd);

/* read, write and their kin, and ioctl. CALL_OF_ANOTHER: on no such descriptor. */
supervisor_call_fn issm_file_on_call;

/* Does that thread wait in open(2) of one? */
bool issm_file_is_awaited(const struct supervisor *supervisor, pid_t tid);

#endif
