/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Umad files that a program opens by their paths, without umad_open_port(): /dev/infiniband/umadN
 * of a simulated port, which /sys/class/infiniband_mad shows. The path is compared as it is
 * written: links, and names that are relative to the directory, lead to the kernel.
 *
 * Such a file begins with headers of 56 bytes, as in Linux, until ENABLE_PKEY or REGISTER_AGENT2
 * (linux-mad A.3, A.4), and is read and written as it was opened. Copies of its descriptor know
 * both; a program that inherits one by exec(3) has headers of 64 bytes.
 *
 * Nothing is allocated but by mmap(2): signal handlers may read and write.
 */
#ifndef UMADRIG_LIB_RAW_UMAD_DEVICE_H
#define UMADRIG_LIB_RAW_UMAD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * To be called where the kernel has no such file (ENOENT); below umadrig's filter it has. As the
 * system calls of these names, with errno; ENOENT: we have none either.
 */
int umad_device_open(const char *path, int flags);
int umad_device_access(const char *path, int mode);
int umad_device_stat(const char *path, struct stat *ret);
int umad_device_statx(const char *path, struct statx *ret);

/* As fstat(2), of a descriptor that was opened so. False: it was not. */
bool umad_device_fstat(int fd, struct stat *ret);

/* As struct umad_raw_calls's functions of these names, for any handle (lib/raw-door.h). */
long umad_device_read(int fd, void *bytes, size_t size);
long umad_device_write(int fd, const void *bytes, size_t size);
int umad_device_ioctl(int fd, unsigned long request, void *argument);

#endif
