/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Times of files: see lib/lockstep/file-times.h. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-names.h"
#include "lib/lockstep/system-call.h"

enum { PROBES = 16 };		/* entries that may be a file's */

#define DAY_NS (86400 * NS_PER_SECOND)
#define DAYS_AFTER 36525	/* what is later than the day before goes into it: a century */

/* ---- what the session has done ---- */

void file_times_begin(void)
{
	struct timespec now = { 0, 0 };

	if (lockstep->file_start_ns)
		return;
	/* The kernel's clock for files: it goes in steps. */
	CALL_2(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
	lockstep->file_start_ns = clocks_ns(&now);
}

static uint32_t first_entry(uint64_t device, uint64_t inode)
{
	uint64_t h = (device * UINT64_C(0x9e3779b97f4a7c15) ^ inode) * UINT64_C(0xbf58476d1ce4e5b9);

	return (uint32_t)(h >> 40);
}

/* NULL: the session has not changed it. */
static const struct lockstep_file *find(uint64_t device, uint64_t inode)
{
	uint32_t at = first_entry(device, inode);

	for (uint32_t i = 0; i < PROBES; i++) {
		const struct lockstep_file *file = &lockstep->file[(at + i) % LOCKSTEP_FILES];

		if (file->inode == inode && file->device == device && file->changed_ns)
			return file;
	}
	return NULL;
}

/* Its own entry, or a free one, or that of the file which was changed longest ago. */
static struct lockstep_file *entry_for(uint64_t device, uint64_t inode)
{
	uint32_t at = first_entry(device, inode);
	struct lockstep_file *best = NULL;

	for (uint32_t i = 0; i < PROBES; i++) {
		struct lockstep_file *file = &lockstep->file[(at + i) % LOCKSTEP_FILES];

		if (file->inode == inode && file->device == device)
			return file;
		if (!best || file->changed_ns < best->changed_ns)
			best = file;
	}
	*best = (struct lockstep_file){ .device = device, .inode = inode };
	return best;
}

/* What a change shows that is made now. */
static int64_t stamp(void)
{
	int64_t now = CLOCKS_REAL_NS + lockstep->ahead_ns + lockstep->now;

	if (now == lockstep->file_ns && lockstep->file_is_seen) {
		lockstep->ahead_ns++;
		now++;
	}
	if (now != lockstep->file_ns)
		lockstep->file_is_seen = 0;
	return lockstep->file_ns = now;
}

static void note(const struct stat *st, int64_t modified_ns, int64_t changed_ns)
{
	struct lockstep_file *file = entry_for(st->st_dev, st->st_ino);

	file->modified_ns = modified_ns;
	file->changed_ns = changed_ns;
}

/*
 * Inodes differ from run to run, and programs send what is left on the stack (turn.c): what is
 * looked at last is here, and functions that have an inode in hand are OUT_OF_LINE, so that their
 * callers can wipe after them. Registers as well: ld.so saves them there when it finds a function.
 */
#define OUT_OF_LINE __attribute__((noinline))
static SESSION_THREAD struct stat it;

static SESSION_NO_REGISTERS void wipe(void)
{
	char below[1024];

	memset(below, 0, sizeof(below));
	__asm__ volatile("" : : "r"(below) : "memory");
}

static OUT_OF_LINE void note_now(void)
{
	int64_t now = stamp();

	note(&it, now, now);
}

static void note_change(void)
{
	note_now();
	wipe();
}

void file_times_changed(int fd)
{
	if (session_is_on() && CALL_2(SYS_fstat, fd, &it) == 0 && S_ISREG(it.st_mode))
		note_change();
}

static OUT_OF_LINE bool is_noted(void)
{
	return find(it.st_dev, it.st_ino) != NULL;
}

bool file_times_is_own_fifo(int at, const char *path)
{
	bool is_own = CALL_4(SYS_newfstatat, at, path, &it, 0) == 0 && S_ISFIFO(it.st_mode) &&
		      is_noted();

	wipe();
	return is_own;
}

/* ---- what programs see ---- */

static int64_t ns_of(const struct timespec *ts)
{
	return ts->tv_sec < 0 ? 0 : clocks_ns(ts);
}

/* Of a real time; 'later_ns': of one since the session's start. */
static int64_t shown(const struct timespec *real, int64_t later_ns)
{
	const int64_t day = CLOCKS_REAL_NS - DAY_NS;
	int64_t ns = ns_of(real);

	if (ns >= lockstep->file_start_ns)
		return later_ns;
	return ns < day ? ns : day + (ns - day) / (DAYS_AFTER + 1);
}

static struct timespec show(const struct timespec *real, int64_t later_ns)
{
	return real->tv_sec < 0 ? *real : clocks_timespec(shown(real, later_ns));
}

static OUT_OF_LINE void show_stat(struct stat *st, bool is_by_name)
{
	const struct lockstep_file *file = find(st->st_dev, st->st_ino);

	if (!file) {
		st->st_atim = show(&st->st_atim, CLOCKS_REAL_NS);
		st->st_mtim = show(&st->st_mtim, CLOCKS_REAL_NS);
		st->st_ctim = show(&st->st_ctim, CLOCKS_REAL_NS);
		return;
	}
	if (!file->accessed_ns || ns_of(&st->st_atim) != file->accessed_ns)
		st->st_atim = show(&st->st_atim, file->modified_ns);
	st->st_mtim = clocks_timespec(file->modified_ns);
	st->st_ctim = clocks_timespec(file->changed_ns);
	/* stdio looks at each file that it has opened, by descriptor. */
	if (is_by_name && file->changed_ns == lockstep->file_ns)
		lockstep->file_is_seen = 1;
}

static struct timespec of_statx(const struct statx_timestamp *ts)
{
	return (struct timespec){ ts->tv_sec, ts->tv_nsec };
}

static void to_statx(struct statx_timestamp *ts, const struct timespec *from)
{
	ts->tv_sec = from->tv_sec;
	ts->tv_nsec = (uint32_t)from->tv_nsec;
}

static OUT_OF_LINE void show_statx(struct statx *stx, bool is_by_name)
{
	struct timespec birth = of_statx(&stx->stx_btime);

	it.st_dev = makedev(stx->stx_dev_major, stx->stx_dev_minor);
	it.st_ino = stx->stx_ino;
	it.st_atim = of_statx(&stx->stx_atime);
	it.st_mtim = of_statx(&stx->stx_mtime);
	it.st_ctim = of_statx(&stx->stx_ctime);
	show_stat(&it, is_by_name);
	birth = show(&birth, CLOCKS_REAL_NS);
	to_statx(&stx->stx_atime, &it.st_atim);
	to_statx(&stx->stx_mtime, &it.st_mtim);
	to_statx(&stx->stx_ctime, &it.st_ctim);
	to_statx(&stx->stx_btime, &birth);
}

/* ---- the stat family ---- */

static int hooked_fstatat(int at, const char *path, struct stat *st, int flags)
{
	long r;

	path = proc_names_to_kernel(at, path);
	r = CALL_4(SYS_newfstatat, at, path, st, flags);

	if (r == 0 && session_is_on()) {
		show_stat(st, *path != '\0');
		wipe();
	}
	return (int)call_result(r);
}

static int hooked_stat(const char *path, struct stat *st)
{
	return hooked_fstatat(AT_FDCWD, path, st, 0);
}

static int hooked_lstat(const char *path, struct stat *st)
{
	return hooked_fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

static int hooked_fstat(int fd, struct stat *st)
{
	long r = CALL_2(SYS_fstat, fd, st);

	if (r == 0 && session_is_on()) {
		show_stat(st, false);
		wipe();
	}
	return (int)call_result(r);
}

/* By these names programs call them that were linked with a glibc before 2.33. */
static int hooked_xstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return hooked_stat(path, st);
}

static int hooked_lxstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return hooked_lstat(path, st);
}

static int hooked_fxstat(int version, int fd, struct stat *st)
{
	(void)version;
	return hooked_fstat(fd, st);
}

static int hooked_fxstatat(int version, int at, const char *path, struct stat *st, int flags)
{
	(void)version;
	return hooked_fstatat(at, path, st, flags);
}

static int hooked_statx(int at, const char *path, int flags, unsigned int mask, struct statx *stx)
{
	long r;

	path = proc_names_to_kernel(at, path);
	r = CALL_5(SYS_statx, at, path, flags, mask, stx);

	if (r == 0 && session_is_on()) {
		show_statx(stx, path && *path != '\0');
		wipe();
	}
	return (int)call_result(r);
}

/* ---- setting times ---- */

/* 'times' are those of utimensat(2). */
static OUT_OF_LINE void note_set(const struct stat *st, const struct timespec *times)
{
	const struct timespec *accessed = times, *modified = times ? &times[1] : NULL;
	const struct lockstep_file *file = find(st->st_dev, st->st_ino);
	int64_t now = stamp();

	if (!modified || modified->tv_nsec == UTIME_NOW)
		note(st, now, now);
	else if (modified->tv_nsec != UTIME_OMIT)
		note(st, ns_of(modified), now);
	else if (file)
		note(st, file->modified_ns, now);
	else
		note(st, shown(&st->st_mtim, CLOCKS_REAL_NS), now);
	if (accessed && accessed->tv_nsec != UTIME_NOW && accessed->tv_nsec != UTIME_OMIT)
		entry_for(st->st_dev, st->st_ino)->accessed_ns = ns_of(accessed);
}

void file_times_path_changed(const char *path, int flags)
{
	if (!session_is_on() || CALL_4(SYS_newfstatat, AT_FDCWD, path, &it, flags) != 0)
		return;
	note_set(&it, NULL);
	wipe();
}

static int hooked_utimensat(int at, const char *path, const struct timespec *times, int flags)
{
	long r = CALL_4(SYS_utimensat, at, path, times, flags), found = -1;

	if (r == 0 && session_is_on())
		found = path ? CALL_4(SYS_newfstatat, at, path, &it, flags) :
			       CALL_2(SYS_fstat, at, &it);
	if (found == 0) {
		note_set(&it, times);
		wipe();
	}
	return (int)call_result(r);
}

static int hooked_futimens(int fd, const struct timespec *times)
{
	return hooked_utimensat(fd, NULL, times, 0);
}

static int set_timevals(int at, const char *path, const struct timeval *times, int flags)
{
	struct timespec ts[2];

	for (int i = 0; times && i < 2; i++)
		ts[i] = (struct timespec){ times[i].tv_sec, times[i].tv_usec * 1000 };
	return hooked_utimensat(at, path, times ? ts : NULL, flags);
}

static int hooked_futimesat(int at, const char *path, const struct timeval *times)
{
	return set_timevals(at, path, times, 0);
}

static int hooked_utimes(const char *path, const struct timeval *times)
{
	return set_timevals(AT_FDCWD, path, times, 0);
}

static int hooked_lutimes(const char *path, const struct timeval *times)
{
	return set_timevals(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

static int hooked_futimes(int fd, const struct timeval *times)
{
	return set_timevals(fd, NULL, times, 0);
}

static int hooked_utime(const char *path, const struct utimbuf *times)
{
	struct timespec ts[2] = { { 0, 0 }, { 0, 0 } };

	if (times) {
		ts[0].tv_sec = times->actime;
		ts[1].tv_sec = times->modtime;
	}
	return hooked_utimensat(AT_FDCWD, path, times ? ts : NULL, 0);
}

/* ---- making files ---- */

/* Of a directory, a device or a symbolic link. */
static int made(long r, int at, const char *path)
{
	if (r == 0 && session_is_on() &&
	    CALL_4(SYS_newfstatat, at, path, &it, AT_SYMLINK_NOFOLLOW) == 0)
		note_change();
	return (int)call_result(r);
}

static int hooked_mkdirat(int at, const char *path, mode_t mode)
{
	return made(CALL_3(SYS_mkdirat, at, path, mode), at, path);
}

static int hooked_mkdir(const char *path, mode_t mode)
{
	return hooked_mkdirat(AT_FDCWD, path, mode);
}

static int hooked_mknodat(int at, const char *path, mode_t mode, dev_t device)
{
	return made(CALL_4(SYS_mknodat, at, path, mode, device), at, path);
}

static int hooked_mknod(const char *path, mode_t mode, dev_t device)
{
	return hooked_mknodat(AT_FDCWD, path, mode, device);
}

static int hooked_symlinkat(const char *target, int at, const char *path)
{
	return made(CALL_3(SYS_symlinkat, target, at, path), at, path);
}

static int hooked_symlink(const char *target, const char *path)
{
	return hooked_symlinkat(target, AT_FDCWD, path);
}

/* ---- changing files ---- */

static int hooked_ftruncate(int fd, off_t size)
{
	long r = CALL_2(SYS_ftruncate, fd, size);

	if (r == 0)
		file_times_changed(fd);
	return (int)call_result(r);
}

static int hooked_truncate(const char *path, off_t size)
{
	long r = CALL_2(SYS_truncate, path, size);

	if (r == 0 && session_is_on() && CALL_4(SYS_newfstatat, AT_FDCWD, path, &it, 0) == 0)
		note_change();
	return (int)call_result(r);
}

static ssize_t hooked_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	long n;

	pthread_testcancel();
	n = CALL_4(SYS_pwrite64, fd, bytes, size, at);
	if (n > 0)
		file_times_changed(fd);
	return call_result(n);
}

static ssize_t hooked_pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
	long n;

	pthread_testcancel();
	n = CALL_5(SYS_pwritev, fd, parts, count, at, 0);
	if (n > 0)
		file_times_changed(fd);
	return call_result(n);
}

static ssize_t hooked_copy_file_range(int in, off_t *in_at, int out, off_t *out_at, size_t size,
				      unsigned int flags)
{
	long n;

	pthread_testcancel();
	n = CALL_6(SYS_copy_file_range, in, in_at, out, out_at, size, flags);
	if (n > 0)
		file_times_changed(out);
	return call_result(n);
}

const struct hook file_times_hooks[] = {
	{ "stat", hooked_stat },
	{ "lstat", hooked_lstat },
	{ "fstat", hooked_fstat },
	{ "fstatat", hooked_fstatat },
	{ "statx", hooked_statx },
	{ "__xstat", hooked_xstat },
	{ "__lxstat", hooked_lxstat },
	{ "__fxstat", hooked_fxstat },
	{ "__fxstatat", hooked_fxstatat },
	{ "utimensat", hooked_utimensat },
	{ "futimens", hooked_futimens },
	{ "futimesat", hooked_futimesat },
	{ "utimes", hooked_utimes },
	{ "lutimes", hooked_lutimes },
	{ "futimes", hooked_futimes },
	{ "utime", hooked_utime },
	{ "mkdir", hooked_mkdir },
	{ "mkdirat", hooked_mkdirat },
	{ "mknod", hooked_mknod },
	{ "mknodat", hooked_mknodat },
	{ "symlink", hooked_symlink },
	{ "symlinkat", hooked_symlinkat },
	{ "ftruncate", hooked_ftruncate },
	{ "truncate", hooked_truncate },
	{ "pwrite", hooked_pwrite },
	{ "pwritev", hooked_pwritev },
	{ "copy_file_range", hooked_copy_file_range },
	{ NULL, NULL },
};
