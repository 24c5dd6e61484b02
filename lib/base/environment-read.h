/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment that another process was started with.
 */
#ifndef UMADRIG_LIB_BASE_ENVIRONMENT_READ_H
#define UMADRIG_LIB_BASE_ENVIRONMENT_READ_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads variable 'name' of the process of thread 'tid' into 'value', of 'size' bytes. 0; -ENOENT:
 * it is not there; -ENAMETOOLONG: it has no room; -EIO: the environment cannot be read to its end.
 * The process decides how long that takes: it may serve that memory itself (userfaultfd(2)).
 */
int environment_read(pid_t tid, const char *name, char *value, size_t size);

#endif
