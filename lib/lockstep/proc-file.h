/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Small files of /proc, read past virtual time. Any thread may call these at any time. */
#ifndef UMADRIG_LIB_LOCKSTEP_PROC_FILE_H
#define UMADRIG_LIB_LOCKSTEP_PROC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the file 'path' into 'text', at most 'size' - 1 bytes, and terminates it with a 0. Returns
 * how many, or -errno; then 'text' is "".
 */
long proc_file_read(const char *path, char *text, size_t size);

/*
 * The text of /proc/TID/status of a process or thread, by its number in the kernel: "" if it is
 * gone. The thread that has the turn has it until the next call. It is never on the stack: programs
 * send what is left there.
 */
const char *proc_file_status(int tid);

#endif
