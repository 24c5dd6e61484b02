/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-changes.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-view.h"

struct changed_path {
	int flags;
	int directory;		/* of this process, where the path begins; -1: it is absolute */
	char path[OWN_PATH_MAX];
};

/* What follows a directory at the path's beginning; NULL: that is another one. */
static const char *below(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0') ? path + n :
											NULL;
}

void call_changes_own_path(int at, const char *path, char ret[OWN_PATH_MAX])
{
	const char *between = *path ? "/" : "", *rest;

	if ((rest = below(path, "/proc/self")))		/* which this process has, too */
		snprintf(ret, OWN_PATH_MAX, "/proc/%d%s", foreign.pid, rest);
	else if ((rest = below(path, "/proc/thread-self")))
		snprintf(ret, OWN_PATH_MAX, "/proc/%d/task/%d%s", foreign.pid, foreign_self->tid,
			 rest);
	else if (*path == '/')
		snprintf(ret, OWN_PATH_MAX, "/proc/%d/root%s", foreign.pid, path);
	else if (at == AT_FDCWD)
		snprintf(ret, OWN_PATH_MAX, "/proc/%d/cwd%s%s", foreign.pid, between, path);
	else
		snprintf(ret, OWN_PATH_MAX, "/proc/%d/fd/%d%s%s", foreign.pid, at, between, path);
}

/* ---- later ---- */

static void forget(void)
{
	struct changed_path *changed = foreign_self->changed;

	foreign_self->changed = NULL;
	if (changed && changed->directory >= 0)
		CALL_1(SYS_close, changed->directory);
	free(changed);
}

/*
 * Where a path of the foreign program's begins that is not absolute: its own directory, or one that
 * it has open. The length of what names that for this process; 0: it is absolute.
 */
static size_t beginning(const char *own_path)
{
	char start[64];
	size_t n = (size_t)snprintf(start, sizeof(start), "/proc/%d/cwd", foreign.pid);

	if (strncmp(own_path, start, n) == 0)
		return n;
	n = (size_t)snprintf(start, sizeof(start), "/proc/%d/fd/", foreign.pid);
	return strncmp(own_path, start, n) == 0 ? n + strspn(own_path + n, "0123456789") : 0;
}

/*
 * The program may be elsewhere when it makes its next call, and have closed the directory. Without
 * memory or a descriptor here the file's times are what they were.
 */
void call_changes_expect(const char *own_path, int flags)
{
	struct changed_path *changed = calloc(1, sizeof(*changed));
	size_t n = beginning(own_path);
	char start[64] = "";

	forget();
	if (!changed)
		return;
	changed->flags = flags;
	changed->directory = -1;
	if (n > 0) {
		memcpy(start, own_path, n);
		changed->directory = (int)CALL_4(SYS_openat, AT_FDCWD, start,
						 O_PATH | O_CLOEXEC, 0);
		snprintf(start, sizeof(start), "/proc/self/fd/%d", changed->directory);
	}
	snprintf(changed->path, sizeof(changed->path), "%s%s", start, own_path + n);
	foreign_self->changed = changed;
}

void call_changes_note(void)
{
	struct changed_path *changed = foreign_self->changed;

	if (!changed)
		return;
	umadrig_session_path_changed(changed->path, changed->flags);
	forget();
}

/* ---- paths ---- */

/* How this process names the path, which is the argument 'path_at'. False: it cannot. */
static bool get_own_path(int at, uint64_t path_at, char own[OWN_PATH_MAX])
{
	char path[PATH_MAX];

	if (foreign_view_is_elsewhere() ||
	    foreign_memory_get_text(path_at, path, sizeof(path)) < 0)
		return false;
	call_changes_own_path(at, path, own);
	return true;
}

/*
 * Not what is there already: the call fails, and changes nothing. (Of a link that leads nowhere the
 * entry is looked at.)
 */
static long expect_new(int at, uint64_t path_at)
{
	char own[OWN_PATH_MAX];
	struct stat st;

	if (get_own_path(at, path_at, own) &&
	    CALL_4(SYS_newfstatat, AT_FDCWD, own, &st, AT_SYMLINK_NOFOLLOW) < 0)
		call_changes_expect(own, AT_SYMLINK_NOFOLLOW);
	return CALL_GOES_ON;
}

long call_changes_mkdir(void)
{
	return expect_new(AT_FDCWD, foreign_argument(0));
}

long call_changes_mkdirat(void)
{
	return expect_new((int)foreign_argument(0), foreign_argument(1));
}

long call_changes_symlink(void)
{
	return expect_new(AT_FDCWD, foreign_argument(1));
}

long call_changes_symlinkat(void)
{
	return expect_new((int)foreign_argument(1), foreign_argument(2));
}

long call_changes_truncate(void)
{
	char own[OWN_PATH_MAX];

	if (get_own_path(AT_FDCWD, foreign_argument(0), own))
		call_changes_expect(own, 0);
	return CALL_GOES_ON;
}

/* ---- times ---- */

/* This process sets them. NULL: now. Where it cannot, the kernel says why. */
static long set_time_at(int at, uint64_t path_at, int flags, const struct timespec *times)
{
	char own[OWN_PATH_MAX];

	if (!get_own_path(at, path_at, own) || strlen(own) >= PATH_MAX)
		return CALL_GOES_ON;
	return utimensat(AT_FDCWD, own, times, flags) < 0 ? CALL_GOES_ON : 0;
}

/* Of an open file. */
static long set_time_of(int number, const struct timespec *times)
{
	struct foreign_descriptor descriptor;
	int ret;

	if (foreign_view_is_elsewhere())
		return CALL_GOES_ON;
	foreign_descriptor_get(number, &descriptor);
	ret = futimens(descriptor.fd, times);
	foreign_descriptor_put(&descriptor);
	return foreign_call_result(ret);
}

long call_changes_utimensat(void)
{
	struct timespec times[2];
	bool sets = foreign_argument(2) &&
		    foreign_memory_get(foreign_argument(2), times, sizeof(times)) == 0;

	if (foreign_argument(2) && !sets)
		return -EFAULT;
	if (!foreign_argument(1))
		return set_time_of((int)foreign_argument(0), sets ? times : NULL);
	return set_time_at((int)foreign_argument(0), foreign_argument(1), (int)foreign_argument(3),
			   sets ? times : NULL);
}

/* Of two times, in microseconds. */
static long set_microseconds(int at, uint64_t path_at, uint64_t times_at)
{
	int64_t times[4];
	struct timespec both[2] = { { 0 } };

	if (times_at && foreign_memory_get(times_at, times, sizeof(times)) < 0)
		return -EFAULT;
	if (times_at) {
		both[0] = (struct timespec){ times[0], times[1] * 1000 };
		both[1] = (struct timespec){ times[2], times[3] * 1000 };
	}
	return path_at ? set_time_at(at, path_at, 0, times_at ? both : NULL) :
			 set_time_of(at, times_at ? both : NULL);
}

long call_changes_futimesat(void)
{
	return set_microseconds((int)foreign_argument(0), foreign_argument(1), foreign_argument(2));
}

long call_changes_utimes(void)
{
	return set_microseconds(AT_FDCWD, foreign_argument(0), foreign_argument(1));
}

/* In seconds. */
long call_changes_utime(void)
{
	struct timespec both[2] = { { 0 } };
	int64_t times[2];

	if (foreign_argument(1) &&
	    foreign_memory_get(foreign_argument(1), times, sizeof(times)) < 0)
		return -EFAULT;
	if (foreign_argument(1)) {
		both[0].tv_sec = times[0];
		both[1].tv_sec = times[1];
	}
	return set_time_at(AT_FDCWD, foreign_argument(0), 0, foreign_argument(1) ? both : NULL);
}

/* ---- descriptors ---- */

void call_changes_write(const struct foreign_descriptor *descriptor)
{
	if (descriptor->is_file && (fcntl(descriptor->fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
		umadrig_session_file_changed(descriptor->fd);
}

static long write_to(int number)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get(number, &descriptor);
	if (descriptor.fd >= 0)
		call_changes_write(&descriptor);
	foreign_descriptor_put(&descriptor);
	return CALL_GOES_ON;
}

long call_changes_of_descriptor(void)
{
	return write_to((int)foreign_argument(0));
}

long call_changes_copy_file_range(void)
{
	return write_to((int)foreign_argument(2));
}
