/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A pipe in the place of the device issmN: what an SM holds open as long as it is one.
 *
 * The writing end is ours, and poll(2) on it says at every moment whether anybody has the other end
 * open, so nothing need intercept open and close. Nothing here knows of fabrics: the simulator and
 * the near end of a bridge both use it.
 */
#ifndef UMADRIG_SIM_SYSTEM_ISSM_PIPE_H
#define UMADRIG_SIM_SYSTEM_ISSM_PIPE_H

/*
 * Makes one with the name 'path', or with NULL one that can be opened under /proc/self/fd only. Our
 * end, which the caller closes (and removes the path), or -errno.
 */
int issm_pipe_make(const char *path);
/* Does anybody have it open? 1: yes, 0: no, -errno: it cannot be seen. */
int issm_pipe_is_open(int fd);
/*
 * An inotify descriptor that becomes readable when a pipe in 'directory' is opened or closed;
 * -errno.
 */
int issm_pipe_watch(const char *directory);

#endif
