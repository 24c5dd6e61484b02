/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Opening the pipe of an issm device: see lib/base/issm-pipe-open.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/issm-pipe-open.h"

/*
 * The access mode of the device's open file, plus 1, is where all its copies have it, in this
 * process and in others: the number of a signal that is never sent, as nobody sets O_ASYNC.
 */
static void set_access(int fd, int flags)
{
	syscall(SYS_fcntl, fd, F_SETSIG, (flags & O_ACCMODE) + 1);
}

static int access_of(int fd)
{
	long number = syscall(SYS_fcntl, fd, F_GETSIG);

	return number > 0 ? (int)number - 1 : O_RDWR;
}

int issm_pipe_open(int at, const char *path, int flags)
{
	/* The calls themselves: libumadraw's own open() calls this. */
	int fd = (int)syscall(SYS_openat, at, path, O_RDWR | (flags & (O_NONBLOCK | O_CLOEXEC)));
	int err;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | (flags & O_NONBLOCK ? LOCK_NB : 0)) < 0) {
		err = errno;
		syscall(SYS_close, fd);
		return -err;
	}
	set_access(fd, flags);
	return fd;
}

/* The kernel's order: the mode of the file, then that the device has no such operation. */
int issm_pipe_refusal(int fd, bool reads)
{
	int access = access_of(fd);

	return access == O_RDWR || access == (reads ? O_RDONLY : O_WRONLY) ? -EINVAL : -EBADF;
}
