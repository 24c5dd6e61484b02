/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Handlers of trapped calls that name a path (harness/filter/call-trap.h). What is not of the
 * simulated devices is the kernel's business.
 */
#ifndef UMADRIG_HARNESS_FILTER_PATH_CALL_H
#define UMADRIG_HARNESS_FILTER_PATH_CALL_H

#include "harness/filter/supervisor.h"

/* ---- harness/filter/path-open.c ---- */

supervisor_call_fn path_on_open, path_on_creat, path_on_openat, path_on_openat2;

/* ---- harness/filter/path-stat.c ---- */

supervisor_call_fn path_on_stat, path_on_lstat, path_on_newfstatat, path_on_statx;
/* Of a descriptor: a umad file's, or one of its name (O_PATH). */
supervisor_call_fn path_on_fstat;

/* ---- harness/filter/path-look.c ---- */

supervisor_call_fn path_on_access, path_on_faccessat, path_on_readlink, path_on_readlinkat,
	path_on_statfs;
/* Of a umad file's descriptor. */
supervisor_call_fn path_on_fstatfs;
/* getxattr, lgetxattr: there is no such attribute; listxattr, llistxattr: there are none. */
supervisor_call_fn path_on_xattr_none, path_on_xattr_empty;

/* ---- harness/filter/path-directory.c ---- */

supervisor_call_fn path_on_chdir, path_on_getcwd;

/*
 * dup and F_DUPFD of a directory that leads to ours: the copy gets a high number, too. Any other
 * descriptor is the kernel's business.
 */
long path_on_dup_directory(struct supervisor *supervisor, const struct seccomp_notif *call,
			   bool cloexec);

/* ---- harness/filter/path-watch.c ---- */

supervisor_call_fn path_on_inotify_add_watch;

#endif
