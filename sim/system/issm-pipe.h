/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A pipe in place of the device issmN, which an SM holds open while it is active.
 *
 * The writing end is ours, and poll(2) on it shows at any time whether a process has the other end
 * open, so open and close need not be intercepted. Nothing here knows of fabrics: the simulator and
 * the near end of a bridge both use it.
 */
#ifndef UMADRIG_SIM_SYSTEM_ISSM_PIPE_H
#define UMADRIG_SIM_SYSTEM_ISSM_PIPE_H

/*
 * Makes a pipe with the name 'path', or with NULL one that can be opened under /proc/self/fd only.
 * Whoever reaches it may open it: 'path' is in a private directory.
 * Returns our end, which the caller closes (and removes the path), or -errno.
 */
int issm_pipe_make(const char *path);
/* Does a process have it open? 1: yes, 0: no, -errno: that cannot be determined. */
int issm_pipe_is_open(int fd);
/*
 * An inotify descriptor that becomes readable when a pipe in 'directory' is opened or closed;
 * -errno. -EUSERS: the user has no more such descriptors, whose number the system limits (128).
 */
int issm_pipe_watch(const char *directory);
/* What to say of an errno that may have come from there, with the cure. */
const char *issm_pipe_strerror(int err);

#endif
