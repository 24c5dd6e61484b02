/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that open or look at paths within libc, and so do not come by lib/raw/uninterrupted.c: they
 * find the adapters in /sys as well (lib/raw/sysfs-path.h).
 */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>

#include "lib/raw/raw.h"
#include "lib/raw/sysfs-path.h"

#ifdef __LP64__

/* Has it failed, on a path that the kernel could read, which leads elsewhere now? */
static bool is_again(bool has_failed, const char **path)
{
	return has_failed && errno != EFAULT && *path && sysfs_path_lead(path);
}

#define NEXT(name) do { \
		if (!next_##name) \
			*(void **)&next_##name = raw_next(#name); \
	} while (0)

/* Where the machine's own devices are hidden, the directories of their classes are empty. */
DIR *opendir(const char *path)
{
	static DIR *(*next_opendir)(const char *path);
	DIR *ret;

	NEXT(opendir);
	ret = next_opendir(path);
	if (ret && sysfs_path_lead(&path)) {
		closedir(ret);
		return next_opendir(path);
	}
	return is_again(!ret, &path) ? next_opendir(path) : ret;
}

#define DEFINE_SCANDIR(name, entry) \
	int name(const char *path, struct entry ***list, int (*takes)(const struct entry *one), \
		 int (*order)(const struct entry **a, const struct entry **b)) \
	{ \
		static int (*next_##name)(const char *path, struct entry ***list, \
					  int (*takes)(const struct entry *one), \
					  int (*order)(const struct entry **a, \
						       const struct entry **b)); \
		int ret; \
		NEXT(name); \
		ret = next_##name(path, list, takes, order); \
		if (ret == 0 && sysfs_path_lead(&path)) { \
			free(*list); \
			return next_##name(path, list, takes, order); \
		} \
		return is_again(ret < 0, &path) ? next_##name(path, list, takes, order) : ret; \
	}

DEFINE_SCANDIR(scandir, dirent)
DEFINE_SCANDIR(scandir64, dirent64)

#define DEFINE_FOPEN(name) \
	FILE *name(const char *path, const char *mode) \
	{ \
		static FILE *(*next_##name)(const char *path, const char *mode); \
		FILE *ret; \
		NEXT(name); \
		if ((mode[0] != 'r' || strchr(mode, '+')) && sysfs_path_leads(path)) { \
			/* Nobody would notice what is written there. */ \
			errno = EACCES; \
			return NULL; \
		} \
		ret = next_##name(path, mode); \
		return is_again(!ret, &path) ? next_##name(path, mode) : ret; \
	}

DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)

char *realpath(const char *path, char *resolved)
{
	static char *(*next_realpath)(const char *path, char *resolved);
	char *ret;

	NEXT(realpath);
	ret = next_realpath(path, resolved);
	if (is_again(!ret, &path))
		ret = next_realpath(path, resolved);
	return sysfs_path_plain(ret);
}

#define DEFINE_GETXATTR(name) \
	ssize_t name(const char *path, const char *attribute, void *value, size_t size) \
	{ \
		static ssize_t (*next_##name)(const char *path, const char *attribute, \
					      void *value, size_t size); \
		ssize_t ret; \
		NEXT(name); \
		ret = next_##name(path, attribute, value, size); \
		if (is_again(ret < 0, &path)) \
			ret = next_##name(path, attribute, value, size); \
		return ret; \
	}

DEFINE_GETXATTR(getxattr)
DEFINE_GETXATTR(lgetxattr)

/* ---- glob ---- */

static void *open_directory(const char *path)
{
	return opendir(path);
}

static struct dirent *read_directory(void *dir)
{
	return readdir(dir);
}

static void close_directory(void *dir)
{
	closedir(dir);
}

/* Has libc call functions of ours in place of its own, if the pattern may lead there. */
static int led_flags(const char *pattern, int flags, glob_t *ret)
{
	if (strncmp(pattern, "/sys/", 5) != 0 || flags & GLOB_ALTDIRFUNC)
		return flags;
	ret->gl_opendir = open_directory;
	ret->gl_readdir = read_directory;
	ret->gl_closedir = close_directory;
	ret->gl_stat = stat;
	ret->gl_lstat = lstat;
	return flags | GLOB_ALTDIRFUNC;
}

int glob(const char *pattern, int flags, int (*fails)(const char *path, int err), glob_t *ret)
{
	static int (*next_glob)(const char *pattern, int flags,
				int (*fails)(const char *path, int err), glob_t *ret);

	NEXT(glob);
	return next_glob(pattern, led_flags(pattern, flags, ret), fails, ret);
}

/* The two are the same where there is one size of files. */
int glob64(const char *pattern, int flags, int (*fails)(const char *path, int err), glob64_t *ret)
{
	return glob(pattern, flags, fails, (glob_t *)ret);
}

#endif
