/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What /proc says of a thread of a program.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_STATUS_H
#define UMADRIG_HARNESS_FILTER_THREAD_STATUS_H

#include <stdbool.h>
#include <sys/types.h>

/* Room for all of its status; its first lines, up to PPid, fit into the smaller one. */
enum { THREAD_STATUS_SIZE = 4096, THREAD_STATUS_BEGIN_SIZE = 512 };

/* Reads /proc/TID/status, at most 'size' - 1 bytes and a NUL. False: the thread has gone. */
bool thread_status_read(pid_t tid, char *ret_text, size_t size);
/* The same of another file of the thread. */
bool thread_file_read(pid_t tid, const char *name, char *ret_text, size_t size);

#endif
