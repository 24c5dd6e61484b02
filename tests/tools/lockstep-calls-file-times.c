/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Times of files, as the stat family shows them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

#include "tests/tools/lockstep-calls.h"

static int64_t real(void)
{
	return ns_of(CLOCK_REALTIME);
}

static int64_t of(const struct timespec *ts)
{
	return ts->tv_sec * S + ts->tv_nsec;
}

/* When a file was modified; -1: there is none. */
static int64_t modified(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? of(&st.st_mtim) : -1;
}

/* The same without a look by name, after which a change shows another time. */
static int64_t modified_fd(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? of(&st.st_mtim) : -1;
}

static bool is(int64_t got, int64_t wanted)
{
	if (got != wanted)
		printf("# %lld, not %lld\n", (long long)got, (long long)wanted);
	return got == wanted;
}

/* A directory of its own, in which the caller then is; it is empty again when the row ends. */
static bool enter(char *path)
{
	return mkdtemp(path) && chdir(path) == 0;
}

static bool leave(const char *path)
{
	static const char *const names[] = { "a", "b", "c" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove(names[i]);
	return chdir("/") == 0 && rmdir(path) == 0;
}

/* Has a row act there. */
static bool in_directory(bool (*act)(void))
{
	char path[] = "/tmp/lockstep-calls.XXXXXX";
	bool ok;

	if (!enter(path))
		return false;
	ok = act();
	return leave(path) && ok;
}

static int make(const char *name)
{
	return open(name, O_CREAT | O_RDWR, 0600);
}

static bool all_show(int fd, const char *path, int64_t ns)
{
	struct statx stx, again;
	struct stat st[4];

	memset(&again, 0, sizeof(again));
	if (stat(path, &st[0]) < 0 || lstat(path, &st[1]) < 0 || fstat(fd, &st[2]) < 0 ||
	    fstatat(AT_FDCWD, path, &st[3], 0) < 0 ||
	    statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &stx) < 0 ||
	    syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &again) < 0)
		return false;
	for (int i = 0; i < 4; i++) {
		if (!is(of(&st[i].st_mtim), ns) || !is(of(&st[i].st_ctim), ns))
			return false;
	}
	return is(stx.stx_mtime.tv_sec * S + stx.stx_mtime.tv_nsec, ns) &&
	       is(again.stx_mtime.tv_sec * S + again.stx_mtime.tv_nsec, ns) &&
	       is(again.stx_ctime.tv_sec * S + again.stx_ctime.tv_nsec, ns);
}

static bool stat_shows(void)
{
	int64_t from = real();
	int fd = make("a");
	bool ok = all_show(fd, "a", from);

	sleep(2);
	ok = ok && all_show(fd, "a", from) && write(fd, "x", 1) == 1 &&
	     all_show(fd, "a", from + 2 * S);
	sleep(1);
	return ok && rename("a", "b") == 0 && is(modified("b"), from + 2 * S) &&
	       truncate("b", 0) == 0 && all_show(fd, "b", from + 3 * S) && close(fd) == 0;
}

bool row_stat(void)
{
	return in_directory(stat_shows);
}

/* What is older than the session is so: this program was built later than the virtual start. */
bool row_stat_old(void)
{
	int64_t ns = modified("/proc/self/exe"), start = INT64_C(1700000000) * S;

	return ns > start - 86400 * S && ns < start && is(modified("/proc/self/exe"), ns);
}

static bool changes(bool (*change)(int fd), int fd)
{
	int64_t at;

	sleep(1);
	at = real();
	sleep(1);
	return change(fd) && is(modified_fd(fd), at + S);
}

static bool by_write(int fd)
{
	return write(fd, "x", 1) == 1;
}

static bool by_writev(int fd)
{
	struct iovec part = { (char *)"x", 1 };

	return writev(fd, &part, 1) == 1;
}

static bool by_pwrite(int fd)
{
	return pwrite(fd, "x", 1, 0) == 1;
}

static bool by_pwritev(int fd)
{
	struct iovec part = { (char *)"x", 1 };

	return pwritev(fd, &part, 1, 0) == 1;
}

static bool by_ftruncate(int fd)
{
	return ftruncate(fd, 100) == 0;
}

static bool by_truncation(int fd)
{
	int other = open("a", O_WRONLY | O_TRUNC);

	(void)fd;
	return close(other) == 0;
}

static bool by_stdio(int fd)
{
	FILE *file = fdopen(dup(fd), "w");

	return file && fputs("words", file) >= 0 && fclose(file) == 0;
}

static bool by_copy(int fd)
{
	int from = open("/bin/sh", O_RDONLY);

	/* Not all file systems can. */
	return (copy_file_range(from, NULL, fd, NULL, 10, 0) == 10 || by_write(fd)) &&
	       close(from) == 0;
}

static bool by_sendfile(int fd)
{
	int from = open("/bin/sh", O_RDONLY);

	return sendfile(fd, from, NULL, 10) == 10 && close(from) == 0;
}

static bool by_child(int fd)
{
	return reap(in_two_seconds(write_byte, fd));
}

static bool all_change(void)
{
	int fd = make("a");
	bool ok = changes(by_write, fd) && changes(by_writev, fd) && changes(by_pwrite, fd) &&
		  changes(by_pwritev, fd) && changes(by_ftruncate, fd) &&
		  changes(by_truncation, fd) && changes(by_stdio, fd) && changes(by_copy, fd) &&
		  changes(by_sendfile, fd);
	int64_t from = real();

	return ok && by_child(fd) && is(modified_fd(fd), from + 2 * S) && close(fd) == 0;
}

bool row_changes(void)
{
	return in_directory(all_change);
}

static bool all_are_made(void)
{
	struct stat st;
	int64_t from;

	sleep(1);
	from = real();
	return mkdir("a", 0700) == 0 && symlink("nowhere", "b") == 0 && mkfifo("c", 0600) == 0 &&
	       is(modified("a"), from) && lstat("b", &st) == 0 && is(of(&st.st_mtim), from) &&
	       is(modified("c"), from);
}

bool row_mkdir(void)
{
	return in_directory(all_are_made);
}

static bool sets(const char *path, int64_t ns)
{
	const struct timespec both[2] = { { 0, UTIME_OMIT }, { ns / S, ns % S } };
	const struct timeval some[2] = { { 4, 5 }, { 6, 7 } };
	const struct utimbuf seconds = { 8, 9 };

	return utimensat(AT_FDCWD, path, both, 0) == 0 && is(modified(path), ns) &&
	       utimes(path, some) == 0 && is(modified(path), 6 * S + 7000) &&
	       utime(path, &seconds) == 0 && is(modified(path), 9 * S);
}

static bool all_set(void)
{
	const struct timespec now_only[2] = { { 0, UTIME_OMIT }, { 0, UTIME_NOW } };
	const struct timespec none[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };
	int fd = make("a");
	bool ok = sets("a", INT64_C(1234567890) * S + 11);
	int64_t from = real();

	sleep(5);
	ok = ok && utimensat(AT_FDCWD, "a", none, 0) == 0 && is(modified("a"), 9 * S) &&
	     futimens(fd, now_only) == 0 && is(modified("a"), from + 5 * S + 1);
	sleep(5);
	return ok && utime("a", NULL) == 0 && is(modified("a"), from + 10 * S + 1) &&
	       close(fd) == 0;
}

bool row_utimensat(void)
{
	return in_directory(all_set);
}

/* A change after a look is later, though no time has passed, and the clock is not behind it. */
static bool looks_count(void)
{
	int64_t from;
	int one, two;
	bool ok;

	sleep(1);	/* what the rows before have looked at is of another instant */
	from = real();
	one = make("a");
	two = make("b");
	ok = by_write(one) && is(modified_fd(one), from) && by_write(two) &&
	     is(modified("a"), from) && is(modified("b"), from) && is(real(), from) &&
	     by_write(one) && is(modified("a"), from + 1) && is(modified("b"), from) &&
	     is(real(), from + 1) && by_write(two) && is(modified("b"), from + 2);
	sleep(1);
	return ok && is(real(), from + S + 2) && by_write(one) &&
	       is(modified("a"), from + S + 2) && close(one) == 0 && close(two) == 0;
}

bool row_seen(void)
{
	return in_directory(looks_count);
}
