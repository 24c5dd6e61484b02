/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The host's adapters in /sys, for programs in virtual time that no mount shows them to.
 *
 * The fabric server has them in a directory of its own, which it makes when the first program asks.
 * A path below /sys that leads to what is ours there, as the program writes it, is led into that
 * directory; links there lead on. So is one of udev's database (/run/udev/data). Paths that begin
 * at a descriptor, and the names in a directory that is the machine's (/sys/class), are the
 * machine's.
 */
#ifndef UMADRIG_LIB_RAW_SYSFS_PATH_H
#define UMADRIG_LIB_RAW_SYSFS_PATH_H

#include <stdbool.h>

/*
 * Leads '*path' to where it is, in memory of the thread's that the fourth next one takes. False: it
 * stays as it is. The path must be readable: the kernel has taken it. errno stays.
 */
bool sysfs_path_lead(const char **path);

/*
 * Does it lead there, and is to be opened for writing? That cannot be done: nobody would notice. A
 * relative path does if the working directory is there. errno stays.
 */
bool sysfs_path_leads(const char *path);

/* Takes out of an absolute path, in place, what that has put there. NULL is allowed. */
char *sysfs_path_plain(char *path);

#endif
