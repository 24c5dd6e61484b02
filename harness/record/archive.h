/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bundles as one file: a tar archive, compressed by zstd. The capture in one is read like any other
 * capture (sim/capture/tar.h).
 */
#ifndef UMADRIG_HARNESS_RECORD_ARCHIVE_H
#define UMADRIG_HARNESS_RECORD_ARCHIVE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Writes the files 'names' (NULL-terminated) of 'directory' to the new archive 'path', mode 0600,
 * without owners and times. Files that are not there are left out. False with an error of
 * COMMAND_ERROR; there is no archive then.
 */
bool archive_write(const char *path, const char *directory, const char *const *names,
		   GError **error);

#endif
