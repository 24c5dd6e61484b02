/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-files.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/call-files.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-umad.h"
#include "lib/stand-in/foreign-view.h"

/* ---- which paths ---- */

static bool begins_with(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

static bool is_device(const char *path)
{
	return begins_with(path, "/dev/infiniband/") || strcmp(path, "/dev/kmsg") == 0;
}

/* libumadraw leads such a path to what the session has there. */
static bool is_led(const char *path)
{
	return begins_with(path, "/sys/") || begins_with(path, "/run/udev/");
}

/* False: the path is the kernel's to look at. */
static bool get_path(unsigned int argument, char path[PATH_MAX])
{
	return foreign_memory_get_text(foreign_argument(argument), path, PATH_MAX) == 0 &&
	       (is_device(path) || is_led(path));
}

/* ---- opening ---- */

static bool is_umad(int fd)
{
	struct stat st;

	return CALL_2(SYS_fstat, fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

static long open_here(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CLOEXEC, mode);

	if (fd < 0 && errno == EINTR)
		return CALL_RESTARTS;
	if (fd >= 0 && is_device(path) && is_umad(fd))
		return foreign_umad_open(fd, flags & O_CLOEXEC);
	return foreign_call_descriptor(fd, flags & O_CLOEXEC);
}

/* What this open makes or empties is changed by it. */
static void expect_change(const char *own, int flags)
{
	if (flags & O_TRUNC || (flags & O_CREAT && CALL_3(SYS_faccessat, AT_FDCWD, own, F_OK) < 0))
		call_changes_expect(own, 0);
}

static long open_at(int at, uint64_t path_at, int flags, mode_t mode)
{
	char path[PATH_MAX], own[OWN_PATH_MAX];
	struct stat st;

	if (foreign_memory_get_text(path_at, path, sizeof(path)) < 0)
		return CALL_GOES_ON;
	if (is_device(path) || is_led(path))
		return open_here(path, flags, mode);
	call_changes_own_path(at, path, own);
	if (!foreign_view_is_elsewhere())
		expect_change(own, flags);
	if (flags & (O_NONBLOCK | O_PATH | O_DIRECTORY) || CALL_4(SYS_newfstatat, AT_FDCWD, own,
								   &st, 0) < 0 ||
	    !S_ISFIFO(st.st_mode))
		return CALL_GOES_ON;
	return open_here(own, flags & ~O_NOFOLLOW, mode);
}

long call_files_open(void)
{
	return open_at(AT_FDCWD, foreign_argument(0), (int)foreign_argument(1),
		       (mode_t)foreign_argument(2));
}

long call_files_openat(void)
{
	return open_at((int)foreign_argument(0), foreign_argument(1), (int)foreign_argument(2),
		       (mode_t)foreign_argument(3));
}

long call_files_creat(void)
{
	return open_at(AT_FDCWD, foreign_argument(0), O_WRONLY | O_CREAT | O_TRUNC,
		       (mode_t)foreign_argument(1));
}

long call_files_openat2(void)
{
	struct open_how how;

	if (foreign_argument(3) < sizeof(how) ||
	    foreign_memory_get(foreign_argument(2), &how, sizeof(how)) < 0 || how.resolve)
		return CALL_GOES_ON;
	return open_at((int)foreign_argument(0), foreign_argument(1), (int)how.flags,
		       (mode_t)how.mode);
}

/* ---- making FIFOs ---- */

static long make_at(int at, uint64_t path_at, mode_t mode)
{
	char path[PATH_MAX], own[OWN_PATH_MAX];

	if (foreign_memory_get_text(path_at, path, sizeof(path)) < 0)
		return CALL_GOES_ON;
	call_changes_own_path(at, path, own);
	if (S_ISFIFO(mode))
		return foreign_call_result(mkfifo(own, mode & 07777));
	if (!foreign_view_is_elsewhere() && CALL_3(SYS_faccessat, AT_FDCWD, own, F_OK) < 0)
		call_changes_expect(own, AT_SYMLINK_NOFOLLOW);
	return CALL_GOES_ON;
}

long call_files_mknod(void)
{
	return make_at(AT_FDCWD, foreign_argument(0), (mode_t)foreign_argument(1));
}

long call_files_mknodat(void)
{
	return make_at((int)foreign_argument(0), foreign_argument(1), (mode_t)foreign_argument(2));
}

long call_files_umask(void)
{
	umask((mode_t)foreign_argument(0) & 0777);
	return CALL_GOES_ON;
}

/* ---- looking ---- */

/*
 * What is there in /dev and /proc depends on the process that looks, and has no time of the
 * session's; but what /proc/self/exe and its kin lead to may have one.
 */
static bool has_times(const char *path)
{
	return !foreign_view_is_elsewhere() && !begins_with(path, "/dev/") &&
	       (!begins_with(path, "/proc/") || begins_with(path, "/proc/self/"));
}

/* How this process names the path that is looked at. False: the kernel is to look. */
static bool get_own_path(int at, const char *path, char own[OWN_PATH_MAX])
{
	if (is_device(path) || is_led(path))
		strcpy(own, path);
	else if (*path && has_times(path))
		call_changes_own_path(at, path, own);
	else
		return false;
	return true;
}

/* What is simulated has its errors, too. Of all else the kernel knows who may not look. */
static bool is_answer(const char *own, int ret, mode_t mode, dev_t device)
{
	return !begins_with(own, "/proc/") ||
	       (ret == 0 && !S_ISSOCK(mode) && !foreign_descriptor_is_on_proc(device));
}

static long look_at_descriptor(int number, unsigned int result)
{
	struct foreign_descriptor descriptor;
	struct stat st;
	int ret = -1;

	foreign_descriptor_get(number, &descriptor);
	if (descriptor.umad >= 0)
		ret = fstat(descriptor.umad, &st);
	else if (descriptor.is_file || descriptor.is_directory)
		ret = fstat(descriptor.fd, &st);
	foreign_descriptor_put(&descriptor);
	if (ret < 0)
		return CALL_GOES_ON;
	return foreign_call_with(ret, foreign_argument(result), &st, sizeof(st));
}

static long look_at(int at, unsigned int argument, int flags, unsigned int result)
{
	char path[PATH_MAX], own[OWN_PATH_MAX];
	struct stat st = { .st_mode = 0 };
	bool has_path = foreign_memory_get_text(foreign_argument(argument), path,
						sizeof(path)) == 0;
	int ret;

	if (has_path && *path == '\0' && flags & AT_EMPTY_PATH)
		return look_at_descriptor(at, result);
	if (!has_path || !get_own_path(at, path, own))
		return CALL_GOES_ON;
	ret = fstatat(AT_FDCWD, own, &st, flags & ~AT_EMPTY_PATH);
	if (!is_answer(own, ret, st.st_mode, st.st_dev))
		return CALL_GOES_ON;
	return foreign_call_with(ret, foreign_argument(result), &st, sizeof(st));
}

long call_files_stat(void)
{
	return look_at(AT_FDCWD, 0, 0, 1);
}

long call_files_lstat(void)
{
	return look_at(AT_FDCWD, 0, AT_SYMLINK_NOFOLLOW, 1);
}

long call_files_fstatat(void)
{
	return look_at((int)foreign_argument(0), 1, (int)foreign_argument(3), 2);
}

long call_files_fstat(void)
{
	return look_at_descriptor((int)foreign_argument(0), 1);
}

static int look_extended(const char *path, const char *own, struct statx *ret)
{
	int flags = (int)foreign_argument(2), err;
	unsigned int mask = (unsigned int)foreign_argument(3);
	struct foreign_descriptor descriptor;

	memset(ret, 0, sizeof(*ret));
	if (*path)
		return statx(AT_FDCWD, own, flags & ~AT_EMPTY_PATH, mask, ret);
	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	err = statx(descriptor.umad >= 0 ? descriptor.umad : descriptor.fd, "", flags, mask, ret);
	foreign_descriptor_put(&descriptor);
	return err;
}

long call_files_statx(void)
{
	char path[PATH_MAX], own[OWN_PATH_MAX] = "/proc/";
	struct statx stx;
	int ret;

	if (foreign_memory_get_text(foreign_argument(1), path, sizeof(path)) < 0 ||
	    (*path && !get_own_path((int)foreign_argument(0), path, own)))
		return CALL_GOES_ON;
	ret = look_extended(path, own, &stx);
	if (!is_answer(own, ret, stx.stx_mode, makedev(stx.stx_dev_major, stx.stx_dev_minor)))
		return CALL_GOES_ON;
	return foreign_call_with(ret, foreign_argument(4), &stx, sizeof(stx));
}

static long access_path(unsigned int argument)
{
	char path[PATH_MAX];

	return get_path(argument, path) ?
		       foreign_call_result(access(path, (int)foreign_argument(argument + 1))) :
		       CALL_GOES_ON;
}

long call_files_access(void)
{
	return access_path(0);
}

long call_files_faccessat(void)
{
	return access_path(1);
}

static long read_link(unsigned int argument)
{
	char path[PATH_MAX], text[PATH_MAX];
	size_t room = foreign_argument(argument + 2) < sizeof(text) ?
		      (size_t)foreign_argument(argument + 2) : sizeof(text);
	ssize_t n;

	if (!get_path(argument, path))
		return CALL_GOES_ON;
	n = readlink(path, text, room);
	return foreign_call_with(n, foreign_argument(argument + 1), text, n > 0 ? (size_t)n : 0);
}

long call_files_readlink(void)
{
	return read_link(0);
}

long call_files_readlinkat(void)
{
	return read_link(1);
}
