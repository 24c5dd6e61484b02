/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that make or change files: the kernel's, and the session is told what they have changed, so
 * that it shows the times of them (lib/lockstep/file-times.h). Of those with a path that is when
 * the thread makes its next call: only then is it known what has become of this one.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_CHANGES_H
#define UMADRIG_LIB_STAND_IN_CALL_CHANGES_H

#include <limits.h>
#include <stdint.h>

#include "lib/stand-in/foreign-descriptor.h"

enum { OWN_PATH_MAX = PATH_MAX + 64 };

/*
 * How this process names a path of the foreign one: from that one's root, its directory, or one
 * that it has open; without a path the open file itself.
 */
void call_changes_own_path(int at, const char *path, char ret[OWN_PATH_MAX]);

/* The calling thread's call will change the file at a path that is so named. */
void call_changes_expect(const char *own_path, int flags);
/* It writes to this one, now. */
void call_changes_write(const struct foreign_descriptor *descriptor);

/* To be called before each answer: what the thread's call before has changed. */
void call_changes_note(void);

long call_changes_mkdir(void);
long call_changes_mkdirat(void);
long call_changes_symlink(void);
long call_changes_symlinkat(void);
long call_changes_truncate(void);
long call_changes_of_descriptor(void);	/* the first argument */
long call_changes_copy_file_range(void);
long call_changes_utimensat(void);
long call_changes_futimesat(void);
long call_changes_utimes(void);
long call_changes_utime(void);

#endif
