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

struct changed_path {
	int flags;
	bool sets_time;
	struct timespec modified;
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

/* NULL: there is no memory, and the file's times are what they were. */
static struct changed_path *expect(const char *own_path, int flags)
{
	struct changed_path *changed = calloc(1, sizeof(*changed));

	if (changed) {
		changed->flags = flags;
		snprintf(changed->path, sizeof(changed->path), "%s", own_path);
	}
	free(foreign_self->changed);
	foreign_self->changed = changed;
	return changed;
}

void call_changes_expect(const char *own_path, int flags)
{
	expect(own_path, flags);
}

void call_changes_note(void)
{
	struct changed_path *changed = foreign_self->changed;

	if (!changed)
		return;
	foreign_self->changed = NULL;
	umadrig_session_path_changed(changed->path, changed->flags,
				     changed->sets_time ? &changed->modified : NULL);
	free(changed);
}

/* ---- paths ---- */

/* The path is the argument 'path_at'. Its own entry, or what a link leads to. */
static struct changed_path *expect_at(int at, uint64_t path_at, int flags)
{
	char path[PATH_MAX], own[OWN_PATH_MAX];

	if (foreign.is_elsewhere || foreign_memory_get_text(path_at, path, sizeof(path)) < 0)
		return NULL;
	call_changes_own_path(at, path, own);
	return expect(own, flags);
}

/*
 * Not what is there already: the call fails, and changes nothing. (Of a link that leads nowhere the
 * entry is looked at.)
 */
static long expect_new(int at, uint64_t path_at)
{
	struct changed_path *changed = expect_at(at, path_at, AT_SYMLINK_NOFOLLOW);
	struct stat st;

	if (changed &&
	    CALL_4(SYS_newfstatat, AT_FDCWD, changed->path, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		free(changed);
		foreign_self->changed = NULL;
	}
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
	expect_at(AT_FDCWD, foreign_argument(0), 0);
	return CALL_GOES_ON;
}

/* ---- times ---- */

static long expect_time(int at, uint64_t path_at, int flags, const struct timespec *modified)
{
	struct changed_path *changed = expect_at(at, path_at, flags);

	if (changed && modified) {
		changed->sets_time = true;
		changed->modified = *modified;
	}
	return CALL_GOES_ON;
}

/* Of an open file, which the program may close next: this process sets them. NULL: now. */
static long set_time_of(int number, const struct timespec *times)
{
	struct foreign_descriptor descriptor;
	int ret;

	if (foreign.is_elsewhere)
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
	return expect_time((int)foreign_argument(0), foreign_argument(1), (int)foreign_argument(3),
			   sets ? &times[1] : NULL);
}

/* Of two times, in microseconds. */
static long set_microseconds(int at, uint64_t path_at, uint64_t times_at)
{
	int64_t times[4];
	bool sets = times_at && foreign_memory_get(times_at, times, sizeof(times)) == 0;
	struct timespec both[2] = { { 0 } };

	if (sets) {
		both[0] = (struct timespec){ times[0], times[1] * 1000 };
		both[1] = (struct timespec){ times[2], times[3] * 1000 };
	}
	return path_at ? expect_time(at, path_at, 0, sets ? &both[1] : NULL) :
			 set_time_of(at, sets ? both : NULL);
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
	int64_t times[2];
	struct timespec modified;
	bool sets = foreign_argument(1) &&
		    foreign_memory_get(foreign_argument(1), times, sizeof(times)) == 0;

	if (sets)
		modified = (struct timespec){ times[1], 0 };
	return expect_time(AT_FDCWD, foreign_argument(0), 0, sets ? &modified : NULL);
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
