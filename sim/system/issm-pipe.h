/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A pipe in place of the device issmN, which an SM holds open while it is active.
 *
 * The writing end is ours, and poll(2) on it shows at any time whether a process has the other end
 * open, so open and close need not be intercepted. That one process at a time has it is the
 * openers' business (lib/base/issm-pipe-open.h). Nothing here knows of fabrics: the simulator and
 * the near end of a bridge both use it.
 */
#ifndef UMADRIG_SIM_SYSTEM_ISSM_PIPE_H
#define UMADRIG_SIM_SYSTEM_ISSM_PIPE_H

/*
 * Makes a pipe with the name 'path', or with NULL one that can be opened under /proc/self/fd only.
 * Whoever reaches it may open it: 'path' is in a private directory. It has a byte in it, so that
 * poll(2) finds it readable. Returns our end, which the caller closes (and removes the path), or
 * -errno.
 */
int issm_pipe_make(const char *path);
/* Does a process have it open? 1: yes, 0: no, -errno: that cannot be determined. */
int issm_pipe_is_open(int fd);

/* Tells when pipes are opened and closed. */
struct issm_watch {
	int fd;		/* readable then; -1: there is no watch */
	int inotify;	/* of the directory */
};

/*
 * Of pipes in 'directory'. 0, or -errno and there is none. -EUSERS: the user has no more inotify
 * descriptors, whose number the system limits (128).
 */
int issm_watch_open(struct issm_watch *watch, const char *directory);
/* What to say of an errno that may have come from there, with the cure. */
const char *issm_pipe_strerror(int err);
/* Of a pipe that issm_pipe_make() returned, until that is closed. 0 or -errno. */
int issm_watch_add(const struct issm_watch *watch, int fd);
/* It is readable no more, until something happens again. */
void issm_watch_drain(const struct issm_watch *watch);
void issm_watch_close(struct issm_watch *watch);

#endif
