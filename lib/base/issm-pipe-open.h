/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Opening the pipe that stands for an issm device (sim/system/issm-pipe.h), as open(2) of the
 * device: one program at a time has it.
 *
 * The lock of flock(2) on the pipe is what the kernel has a semaphore for: it belongs to the open
 * file, whatever copies its descriptor has, and goes with it; a signal interrupts the wait for it
 * in the same way. A program that opens the pipe by itself has no lock, and keeps nobody out.
 */
#ifndef UMADRIG_LIB_BASE_ISSM_PIPE_OPEN_H
#define UMADRIG_LIB_BASE_ISSM_PIPE_OPEN_H

#include <stdbool.h>
#include <sys/stat.h>

/* The mode by which such a pipe is known, wherever it is seen: no other pipe is sticky. */
#define ISSM_PIPE_MODE (S_ISVTX | 0666)

static inline bool issm_pipe_is(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) && (st->st_mode & 07777) == ISSM_PIPE_MODE;
}

/*
 * Opens the pipe 'path' as open(2) opens the device, with the flags of open(2): it waits as long as
 * another has it. The descriptor, or -errno: -EAGAIN, with O_NONBLOCK; -EINTR. poll(2) finds it
 * ready for all, as the device; for that, it can be read and written, whatever the flags say.
 */
int issm_pipe_open(int at, const char *path, int flags);

/* What read(2), and write(2), of the device are to return: -EINVAL, or what its mode forbids. */
int issm_pipe_refusal(int fd, bool reads);

#endif
