/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls with paths: those of the fabric's devices are opened and looked at here, as libumadraw has
 * it, and so are FIFOs, whose opening waits: the session knows those that it has made. All others
 * are the kernel's; what is looked at there has the times that the session gives.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_FILES_H
#define UMADRIG_LIB_STAND_IN_CALL_FILES_H

void call_files_open(void);
void call_files_openat(void);
void call_files_openat2(void);
void call_files_creat(void);
void call_files_mknod(void);
void call_files_mknodat(void);
void call_files_umask(void);
void call_files_stat(void);
void call_files_lstat(void);
void call_files_fstat(void);
void call_files_fstatat(void);
void call_files_statx(void);
void call_files_access(void);
void call_files_faccessat(void);	/* and faccessat2 */
void call_files_readlink(void);
void call_files_readlinkat(void);
void call_files_elsewhere(void);	/* setuid(2), chroot(2) and their kin */

#endif
