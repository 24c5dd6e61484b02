/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file that a tap writes to (lib/mad-tap.h): there is one in a process.
 *
 * Records of several threads and processes follow each other, whole. The first that cannot be
 * written ends the tap of this process: a line on stderr says so, and a mark in the file's header.
 * No signal comes of it, and a descriptor that the program has closed and opened for something else
 * is not written to.
 *
 * All functions but the first may be called from any thread and by signal handlers.
 */
#ifndef UMADRIG_LIB_TAP_FILE_H
#define UMADRIG_LIB_TAP_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes 'path', a pcap file with nanoseconds and ERF records, the place of an earlier one. False,
 * with a message of at most 'reterr_size' bytes: it is none, or cannot be opened.
 */
bool tap_file_open(const char *path, char *reterr, size_t reterr_size);
/* False: there is none, or it has ended. */
bool tap_file_is_open(void);
void tap_file_append(const void *record, size_t size);
void tap_file_close(void);

#endif
