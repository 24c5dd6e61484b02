/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file systems of a guest. Its root is that of its host, read only (hostfs); what belongs to
 * the kernel is its own, and so is where programs keep what they need while they run.
 */
#ifndef UMADRIG_LIB_GUEST_GUEST_MOUNTS_H
#define UMADRIG_LIB_GUEST_GUEST_MOUNTS_H

/*
 * Mounts them. 'files': the directory below which programs may change the host's files; NULL: there
 * is none. What cannot be mounted is given to 'say', which may be called before /dev is there.
 */
void guest_mounts_make(const char *files, void (*say)(const char *text));

#endif
