/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * open(2): see lib/lockstep/opens.h.
 *
 * A FIFO's end is opened in the form that does not wait, and that is repeated, or looked at, when
 * others have run. What differs from the kernel: while an end for writing waits it is no writer
 * yet, so an end for reading that does not wait (O_NONBLOCK), and is closed before others run, has
 * not woken it.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/opens.h"
#include "lib/lockstep/proc-names.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/turn.h"

/* ---- FIFOs ---- */

static bool may_wait(int flags)
{
	return !(flags & (O_NONBLOCK | O_PATH | O_DIRECTORY)) && (flags & O_ACCMODE) != O_RDWR;
}

/*
 * Has there been a writer since the FIFO was opened? Of one that has gone poll(2) tells. Of one
 * that has written nothing so far only tee(2) does, by what it says instead of 0.
 */
static bool has_writer(int fd, const int spare[2])
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	const struct timespec at_once = { .tv_sec = 0 };

	if (CALL_5(SYS_ppoll, &pollfd, 1, &at_once, NULL, 0) != 0)
		return true;
	return CALL_4(SYS_tee, fd, spare[1], 1, SPLICE_F_NONBLOCK) == -EAGAIN;
}

/* As in the kernel, a signal that comes with the writer, or behind it, is not in the way. */
static long await_writer(int fd)
{
	int spare[2];
	long r = CALL_2(SYS_pipe2, spare, O_CLOEXEC);
	bool has;

	if (r < 0)
		return r;
	descriptors_begin_tries();
	while (!(has = has_writer(fd, spare)) && r == 0)
		r = descriptors_await_try(fd);
	CALL_1(SYS_close, spare[0]);
	CALL_1(SYS_close, spare[1]);
	return has ? 0 : r;
}

static long open_to_read(int at, const char *path, int flags)
{
	long fd = CALL_4(SYS_openat, at, path, flags | O_NONBLOCK, 0);
	long r;

	if (fd < 0)
		return fd;
	r = await_writer((int)fd);
	if (r == 0)
		return fd;
	CALL_1(SYS_close, fd);
	return r;
}

static long open_to_write(int at, const char *path, int flags)
{
	long fd, r = 0;

	descriptors_begin_tries();
	while ((fd = CALL_4(SYS_openat, at, path, flags | O_NONBLOCK, 0)) == -ENXIO && r == 0)
		r = descriptors_await_try(-1);
	return fd == -ENXIO ? r : fd;
}

static long open_fifo(int at, const char *path, int flags)
{
	long fd = (flags & O_ACCMODE) == O_RDONLY ? open_to_read(at, path, flags) :
						    open_to_write(at, path, flags);

	if (fd >= 0)
		CALL_3(SYS_fcntl, fd, F_SETFL, flags & ~(O_NONBLOCK | O_CREAT | O_EXCL | O_TRUNC));
	return fd;
}

/* ---- all files ---- */

static bool makes_new(int at, const char *path, int flags)
{
	if ((flags & O_TRUNC) || (flags & O_TMPFILE) == O_TMPFILE)
		return true;
	return (flags & O_CREAT) && CALL_3(SYS_faccessat, at, path, F_OK) < 0;
}

static int hooked_openat(int at, const char *path, int flags, mode_t mode)
{
	bool is_new;
	long fd;

	path = proc_names_to_kernel(at, path);
	is_new = session_is_on() && makes_new(at, path, flags);

	pthread_testcancel();
	if (session_is_on() && may_wait(flags) && file_times_is_own_fifo(at, path))
		fd = open_fifo(at, path, flags);
	else
		fd = CALL_4(SYS_openat, at, path, flags, mode);
	if (fd >= 0 && is_new)
		file_times_changed((int)fd);
	return (int)call_result(fd);
}

static int hooked_open(const char *path, int flags, mode_t mode)
{
	return hooked_openat(AT_FDCWD, path, flags, mode);
}

static int hooked_creat(const char *path, mode_t mode)
{
	return hooked_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

/* libc's own, of opendir(3) among others. */
static int hooked_open_nocancel(const char *path, int flags, mode_t mode)
{
	path = proc_names_to_kernel(AT_FDCWD, path);
	return (int)call_result(CALL_4(SYS_openat, AT_FDCWD, path, flags, mode));
}

const struct hook opens_hooks[] = {
	{ "open", hooked_open },
	{ "openat", hooked_openat },
	{ "creat", hooked_creat },
	{ "__open_nocancel", hooked_open_nocancel },
	{ "getdents64", hooked_getdents64 },
	{ "readlink", hooked_readlink },
	{ "readlinkat", hooked_readlinkat },
	{ "access", hooked_access },
	{ "faccessat", hooked_faccessat },
	{ "chdir", hooked_chdir },
	{ NULL, NULL },
};
