/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment that another process was started with.
 */
#ifndef UMADRIG_HARNESS_FILTER_ENVIRONMENT_READ_H
#define UMADRIG_HARNESS_FILTER_ENVIRONMENT_READ_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads variable 'name' of the process of thread 'tid'. 0; -ENOENT: it is not there;
 * -ENAMETOOLONG: it has no room in 'value'; -EIO: the environment cannot be read.
 */
int environment_read(pid_t tid, const char *name, char *value, size_t size);

#endif
