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
#include <unistd.h>

#include "lib/stand-in/call-files.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-umad.h"

/* ---- which paths ---- */

static bool begins_with(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

static bool is_device(const char *path)
{
	return begins_with(path, "/dev/infiniband/") || strcmp(path, "/dev/kmsg") == 0;
}

/* False: the path is the kernel's to look at. */
static bool get_path(unsigned int argument, char path[PATH_MAX])
{
	return foreign_memory_get_text(foreign_argument(argument), path, PATH_MAX) == 0 &&
	       (is_device(path) || begins_with(path, "/sys/"));
}

/* ---- opening ---- */

static bool is_umad(int fd)
{
	struct stat st;

	return CALL_2(SYS_fstat, fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

static void open_here(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CLOEXEC, mode);

	if (fd < 0 && errno == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else if (fd >= 0 && is_device(path) && is_umad(fd))
		foreign_umad_answer_open(fd, flags & O_CLOEXEC);
	else
		foreign_call_answer_descriptor(fd, flags & O_CLOEXEC);
}

/* As this process has it: from the foreign one's directory, or one that it has open. */
static void from_here(int at, const char *path, char *ret, size_t size)
{
	if (*path == '/')
		snprintf(ret, size, "/proc/%d/root%s", foreign.pid, path);
	else if (at == AT_FDCWD)
		snprintf(ret, size, "/proc/%d/cwd/%s", foreign.pid, path);
	else
		snprintf(ret, size, "/proc/%d/fd/%d/%s", foreign.pid, at, path);
}

static void open_at(int at, uint64_t path_at, int flags, mode_t mode)
{
	char path[PATH_MAX], own[PATH_MAX + 64];
	struct stat st;

	if (foreign_memory_get_text(path_at, path, sizeof(path)) < 0) {
		foreign_call_go_on();
		return;
	}
	if (is_device(path) || begins_with(path, "/sys/")) {
		open_here(path, flags, mode);
		return;
	}
	from_here(at, path, own, sizeof(own));
	if (flags & (O_NONBLOCK | O_PATH | O_DIRECTORY) || CALL_4(SYS_newfstatat, AT_FDCWD, own,
								   &st, 0) < 0 ||
	    !S_ISFIFO(st.st_mode))
		foreign_call_go_on();
	else
		open_here(own, flags & ~O_NOFOLLOW, mode);
}

void call_files_open(void)
{
	open_at(AT_FDCWD, foreign_argument(0), (int)foreign_argument(1),
		(mode_t)foreign_argument(2));
}

void call_files_openat(void)
{
	open_at((int)foreign_argument(0), foreign_argument(1), (int)foreign_argument(2),
		(mode_t)foreign_argument(3));
}

void call_files_openat2(void)
{
	struct open_how how;

	if (foreign_argument(3) < sizeof(how) ||
	    foreign_memory_get(foreign_argument(2), &how, sizeof(how)) < 0 || how.resolve)
		foreign_call_go_on();
	else
		open_at((int)foreign_argument(0), foreign_argument(1), (int)how.flags,
			(mode_t)how.mode);
}

/* ---- making FIFOs ---- */

static void make_at(int at, uint64_t path_at, mode_t mode)
{
	char path[PATH_MAX], own[PATH_MAX + 64];

	if (!S_ISFIFO(mode) || foreign_memory_get_text(path_at, path, sizeof(path)) < 0) {
		foreign_call_go_on();
		return;
	}
	from_here(at, path, own, sizeof(own));
	foreign_call_answer_of(mkfifo(own, mode & 07777));
}

void call_files_mknod(void)
{
	make_at(AT_FDCWD, foreign_argument(0), (mode_t)foreign_argument(1));
}

void call_files_mknodat(void)
{
	make_at((int)foreign_argument(0), foreign_argument(1), (mode_t)foreign_argument(2));
}

void call_files_umask(void)
{
	umask((mode_t)foreign_argument(0) & 0777);
	foreign_call_go_on();
}

/* ---- looking ---- */

static void answer_stat(int ret, const struct stat *st, unsigned int argument)
{
	foreign_call_answer_with(ret, foreign_argument(argument), st, sizeof(*st));
}

void call_files_stat(void)
{
	char path[PATH_MAX];
	struct stat st;

	if (get_path(0, path))
		answer_stat(stat(path, &st), &st, 1);
	else
		foreign_call_go_on();
}

void call_files_lstat(void)
{
	char path[PATH_MAX];
	struct stat st;

	if (get_path(0, path))
		answer_stat(lstat(path, &st), &st, 1);
	else
		foreign_call_go_on();
}

/* glibc: fstat() is fstatat() of no path. 'path' is what get_path() has read. */
static bool is_of_descriptor(const char *path)
{
	return *path == '\0' && foreign_argument(3) & AT_EMPTY_PATH &&
	       foreign_argument(0) >= FOREIGN_UMAD_FIRST;
}

void call_files_fstatat(void)
{
	char path[PATH_MAX] = "/";
	struct stat st;

	if (get_path(1, path))
		answer_stat(fstatat(AT_FDCWD, path, &st, (int)foreign_argument(3)), &st, 2);
	else if (!is_of_descriptor(path) ||
		 !foreign_umad_answer_stat((int)foreign_argument(0), 2))
		foreign_call_go_on();
}

void call_files_statx(void)
{
	char path[PATH_MAX];
	struct statx st;
	int ret;

	if (!get_path(1, path)) {
		foreign_call_go_on();
		return;
	}
	memset(&st, 0, sizeof(st));
	ret = statx(AT_FDCWD, path, (int)foreign_argument(2), (unsigned int)foreign_argument(3),
		    &st);
	foreign_call_answer_with(ret, foreign_argument(4), &st, sizeof(st));
}

void call_files_access(void)
{
	char path[PATH_MAX];

	if (get_path(0, path))
		foreign_call_answer_of(access(path, (int)foreign_argument(1)));
	else
		foreign_call_go_on();
}

void call_files_faccessat(void)
{
	char path[PATH_MAX];

	if (get_path(1, path))
		foreign_call_answer_of(access(path, (int)foreign_argument(2)));
	else
		foreign_call_go_on();
}

static void answer_link(const char *path, unsigned int argument)
{
	char text[PATH_MAX];
	size_t room = foreign_argument(argument + 1) < sizeof(text) ?
			      (size_t)foreign_argument(argument + 1) : sizeof(text);
	ssize_t n = readlink(path, text, room);

	foreign_call_answer_with(n, foreign_argument(argument), text, n > 0 ? (size_t)n : 0);
}

void call_files_readlink(void)
{
	char path[PATH_MAX];

	if (get_path(0, path))
		answer_link(path, 1);
	else
		foreign_call_go_on();
}

void call_files_readlinkat(void)
{
	char path[PATH_MAX];

	if (get_path(1, path))
		answer_link(path, 2);
	else
		foreign_call_go_on();
}
