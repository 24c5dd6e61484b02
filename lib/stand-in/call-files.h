/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls with paths: those of the fabric's devices are opened and looked at here, as libumadraw has
 * it, and so are FIFOs, whose opening waits: the session knows those that it has made. All others
 * are the kernel's; what is looked at there has the times that the session gives.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_FILES_H
#define UMADRIG_LIB_STAND_IN_CALL_FILES_H

long call_files_open(void);
long call_files_openat(void);
long call_files_openat2(void);
long call_files_creat(void);
long call_files_mknod(void);
long call_files_mknodat(void);
long call_files_umask(void);
long call_files_stat(void);
long call_files_lstat(void);
long call_files_fstat(void);
long call_files_fstatat(void);
long call_files_statx(void);
long call_files_access(void);
long call_files_faccessat(void);	/* and faccessat2 */
long call_files_readlink(void);
long call_files_readlinkat(void);

#endif
