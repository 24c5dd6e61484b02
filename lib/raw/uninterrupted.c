/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that no signal interrupts in Linux, but may interrupt below a seccomp filter: while a call
 * waits for umadrig's supervisor to take it, a handler without SA_RESTART ends it with EINTR. It
 * has done nothing then, and is made again, in the end with signals blocked. open(2) of a FIFO or
 * of a device is left alone: it may wait, and a program may mean to end that. That of an issm
 * device is lib/raw/issm-device.h's; that of a umad file, which the kernel has not, is
 * lib/raw/umad-device.h's.
 *
 * Other libraries' constructors, and allocators, may call them before ours has run: then the kernel
 * is called.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/raw/issm-device.h"
#include "lib/raw/kmsg-device.h"
#include "lib/raw/raw.h"
#include "lib/raw/sysfs-path.h"
#include "lib/raw/umad-device.h"
#include "lib/user-memory.h"

/* Where there is one size of files, and the kernel's struct stat is libc's. */
#if defined(SYS_newfstatat) && defined(__LP64__)

enum { TRIES = 10 };	/* the last one with all signals blocked */

/* Signals may come as fast as the supervisor is asked again, where others have its processor. */
static uint64_t block_signals(void)
{
	const uint64_t all = UINT64_MAX;
	uint64_t before = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	return before;
}

/* 'errno' stays as it is. */
static void restore_signals(uint64_t mask)
{
	const int saved = errno;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
	errno = saved;
}

/*
 * Returns what 'call' does with 'path', made again if a signal has ended it and 'is_sure',
 * and where 'path' leads elsewhere (lib/raw/sysfs-path.h); or 'ours', where the kernel has no such
 * file.
 */
#define UNINTERRUPTED_OR(call, is_sure, ours) do { \
		for (int try = 1; ; try++) { \
			const uint64_t kept = try >= TRIES ? block_signals() : 0; \
			const long ret = (call); \
			if (try >= TRIES) \
				restore_signals(kept); \
			if (ret == -1 && errno != EFAULT && path && sysfs_path_lead(&path)) \
				continue; \
			if (ret == -1 && errno == ENOENT) \
				return (int)(ours); \
			if (ret != -1 || errno != EINTR || try >= TRIES || !(is_sure)) \
				return (int)ret; \
		} \
	} while (0)
#define UNINTERRUPTED(call, is_sure) UNINTERRUPTED_OR(call, is_sure, ret)
/* The same of a call that opens it: in virtual time nobody would notice what is written there. */
#define UNINTERRUPTED_OPEN(call, flags, is_sure) do { \
		if (((flags) & O_ACCMODE) != O_RDONLY && !((flags) & O_PATH) && path && \
		    user_memory_is_there(path, 1) && sysfs_path_leads(path)) { \
			errno = EACCES; \
			return -1; \
		} \
		UNINTERRUPTED(call, is_sure); \
	} while (0)

/* ---- stat ---- */

#define DEFINE_STAT(name, type, flags) \
	static int (*next_##name)(const char *path, struct type *status); \
	int name(const char *path, struct type *status) \
	{ \
		UNINTERRUPTED_OR(next_##name ? next_##name(path, status) : \
				 syscall(SYS_newfstatat, AT_FDCWD, path, status, flags), true, \
				 umad_device_stat(path, (struct stat *)status)); \
	}

#define DEFINE_STAT_AT(name, type) \
	static int (*next_##name)(int at, const char *path, struct type *status, int flags); \
	int name(int at, const char *path, struct type *status, int flags) \
	{ \
		UNINTERRUPTED_OR(next_##name ? next_##name(at, path, status, flags) : \
				 syscall(SYS_newfstatat, at, path, status, flags), true, \
				 umad_device_stat(path, (struct stat *)status)); \
	}

#define DEFINE_FSTAT(name, type) \
	static int (*next_##name)(int fd, struct type *status); \
	int name(int fd, struct type *status) \
	{ \
		if (umad_device_fstat(fd, (struct stat *)status) || \
		    kmsg_device_fstat(fd, (struct stat *)status)) \
			return 0; \
		return next_##name ? next_##name(fd, status) : \
				     (int)syscall(SYS_fstat, fd, status); \
	}

DEFINE_STAT(stat, stat, 0)
DEFINE_STAT(stat64, stat64, 0)
DEFINE_STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
DEFINE_STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)
DEFINE_STAT_AT(fstatat, stat)
DEFINE_STAT_AT(fstatat64, stat64)
DEFINE_FSTAT(fstat, stat)
DEFINE_FSTAT(fstat64, stat64)

static int (*next_statx)(int at, const char *path, int flags, unsigned int mask,
			 struct statx *status);

int statx(int at, const char *path, int flags, unsigned int mask, struct statx *status)
{
	UNINTERRUPTED_OR(next_statx ? next_statx(at, path, flags, mask, status) :
			 syscall(SYS_statx, at, path, flags, mask, status), true,
			 umad_device_statx(path, status));
}

/* ---- others that look at paths ---- */

static int (*next_access)(const char *path, int mode);

int access(const char *path, int mode)
{
	UNINTERRUPTED_OR(next_access ? next_access(path, mode) :
			 syscall(SYS_faccessat, AT_FDCWD, path, mode), true,
			 umad_device_access(path, mode));
}

static int (*next_faccessat)(int at, const char *path, int mode, int flags);

int faccessat(int at, const char *path, int mode, int flags)
{
	UNINTERRUPTED_OR(next_faccessat ? next_faccessat(at, path, mode, flags) :
			 syscall(SYS_faccessat, at, path, mode), true,
			 umad_device_access(path, mode));
}

static ssize_t (*next_readlink)(const char *path, char *text, size_t size);

ssize_t readlink(const char *path, char *text, size_t size)
{
	UNINTERRUPTED(next_readlink ? next_readlink(path, text, size) :
		      syscall(SYS_readlinkat, AT_FDCWD, path, text, size), true);
}

static ssize_t (*next_readlinkat)(int at, const char *path, char *text, size_t size);

ssize_t readlinkat(int at, const char *path, char *text, size_t size)
{
	UNINTERRUPTED(next_readlinkat ? next_readlinkat(at, path, text, size) :
		      syscall(SYS_readlinkat, at, path, text, size), true);
}

static int (*next_chdir)(const char *path);

int chdir(const char *path)
{
	UNINTERRUPTED(next_chdir ? next_chdir(path) : syscall(SYS_chdir, path), true);
}

static char *(*next_getcwd)(char *path, size_t size);

char *getcwd(char *path, size_t size)
{
	char *ret = NULL;

	if (!next_getcwd)
		*(void **)&next_getcwd = raw_next("getcwd");
	for (int try = 1; try <= TRIES; try++) {
		const uint64_t mask = try == TRIES ? block_signals() : 0;

		ret = next_getcwd(path, size);
		if (try == TRIES)
			restore_signals(mask);
		if (ret || errno != EINTR)
			break;
	}
	return sysfs_path_plain(ret);
}

/* ---- open ---- */

/* Has its open(2) never to wait? errno is EINTR, and stays so. */
static bool never_waits(int at, const char *path)
{
	struct stat status;
	bool never = fstatat(at, path, &status, 0) < 0 ? errno == ENOENT :
		     S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);

	errno = EINTR;
	return never;
}

/* The mode of a file that may be made; 'flags' is the last argument before it. */
#define GET_MODE(mode, flags) do { \
		if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
			va_list list; \
			va_start(list, flags); \
			(mode) = va_arg(list, mode_t); \
			va_end(list); \
		} \
	} while (0)

/* 'next' opens it, if it is no issm device; a umad file is none of the kernel's. */
#define OPEN(at, path, flags, next) do { \
		int fd = kmsg_device_open(path, flags); \
		if (fd != KMSG_DEVICE_NOT) \
			return fd; \
		fd = issm_device_open(at, path, flags); \
		if (fd == ISSM_DEVICE_NOT) \
			fd = issm_device_opened(next, at, path, flags); \
		if (fd == -1 && errno == ENOENT) \
			fd = umad_device_open(path, flags); \
		return fd; \
	} while (0)

#define DEFINE_OPEN(name) \
	static int (*next_##name)(const char *path, int flags, ...); \
	static int uninterrupted_##name(const char *path, int flags, mode_t mode) \
	{ \
		UNINTERRUPTED_OPEN(next_##name ? next_##name(path, flags, mode) : \
				   syscall(SYS_openat, AT_FDCWD, path, flags, mode), flags, \
				   never_waits(AT_FDCWD, path)); \
	} \
	int name(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		GET_MODE(mode, flags); \
		OPEN(AT_FDCWD, path, flags, uninterrupted_##name(path, flags, mode)); \
	}

#define DEFINE_OPEN_AT(name) \
	static int (*next_##name)(int at, const char *path, int flags, ...); \
	static int uninterrupted_##name(int at, const char *path, int flags, mode_t mode) \
	{ \
		UNINTERRUPTED_OPEN(next_##name ? next_##name(at, path, flags, mode) : \
				   syscall(SYS_openat, at, path, flags, mode), flags, \
				   never_waits(at, path)); \
	} \
	int name(int at, const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		GET_MODE(mode, flags); \
		OPEN(at, path, flags, uninterrupted_##name(at, path, flags, mode)); \
	}

/* What open() is where _FORTIFY_SOURCE knows that it has two arguments. */
#define DEFINE_OPEN_2(name) \
	int name(const char *path, int flags); \
	static int (*next_##name)(const char *path, int flags); \
	static int uninterrupted_##name(const char *path, int flags) \
	{ \
		UNINTERRUPTED_OPEN(next_##name ? next_##name(path, flags) : \
				   syscall(SYS_openat, AT_FDCWD, path, flags, 0), flags, \
				   never_waits(AT_FDCWD, path)); \
	} \
	int name(const char *path, int flags) \
	{ \
		OPEN(AT_FDCWD, path, flags, uninterrupted_##name(path, flags)); \
	}

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPEN_AT(openat)
DEFINE_OPEN_AT(openat64)
DEFINE_OPEN_2(__open_2)
DEFINE_OPEN_2(__open64_2)

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next_stat = raw_next("stat");
	*(void **)&next_stat64 = raw_next("stat64");
	*(void **)&next_lstat = raw_next("lstat");
	*(void **)&next_lstat64 = raw_next("lstat64");
	*(void **)&next_fstatat = raw_next("fstatat");
	*(void **)&next_fstatat64 = raw_next("fstatat64");
	*(void **)&next_fstat = raw_next("fstat");
	*(void **)&next_fstat64 = raw_next("fstat64");
	*(void **)&next_statx = raw_next("statx");
	*(void **)&next_access = raw_next("access");
	*(void **)&next_faccessat = raw_next("faccessat");
	*(void **)&next_readlink = raw_next("readlink");
	*(void **)&next_readlinkat = raw_next("readlinkat");
	*(void **)&next_chdir = raw_next("chdir");
	*(void **)&next_open = raw_next("open");
	*(void **)&next_open64 = raw_next("open64");
	*(void **)&next_openat = raw_next("openat");
	*(void **)&next_openat64 = raw_next("openat64");
	*(void **)&next___open_2 = raw_next("__open_2");
	*(void **)&next___open64_2 = raw_next("__open64_2");
}
#endif
