/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Private directories: see sim/system/private-directory.h.
 *
 * A directory in use has a file "lock" that is locked (flock(2)). The file gets its name only when
 * it is locked, so that a directory in use never has an unlocked one.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sim/system/private-directory.h"

#define PREFIX "umadrig-"
#define PATTERN "XXXXXX"
#define GONE "gone-"
#define LOCK PRIVATE_DIRECTORY_LOCK
#define LOCK_UNLOCKED "lock.new"
#define MEMORY "/dev/shm"

/* ---- removing ---- */

static int open_directory(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes everything except 'keep' (NULL: nothing) from the directory 'fd', and closes that. */
static void empty(int fd, const char *keep)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;
		int inner;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (keep && strcmp(name, keep) == 0) || unlinkat(fd, name, 0) == 0)
			continue;
		inner = open_directory(fd, name);
		if (inner >= 0)
			empty(inner, NULL);
		unlinkat(fd, name, AT_REMOVEDIR);
	}
	closedir(dir);
}

/*
 * With all that is in it. A program that is about to end may make a file there once more, between
 * the last look and the end of the directory.
 */
static void remove_with_content(int at, const char *name)
{
	enum { TRIES = 100 };

	for (int i = 0; i < TRIES; i++) {
		int fd = open_directory(at, name);

		if (fd < 0)
			return;
		empty(fd, NULL);
		if (unlinkat(at, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY)
			return;
	}
}

void remove_tree(const char *path)
{
	remove_with_content(AT_FDCWD, path);
}

/*
 * The lock of a directory that has one goes last of all; but without it nobody would know that the
 * rest may be removed, should this process be killed before that is done. So first it gets a name
 * that says so.
 */
static void remove_locked(int at, const char *name)
{
	g_autofree char *gone = g_strdup(name);
	char *base = strrchr(gone, '/');
	int fd = open_directory(at, name);

	if (fd >= 0)
		empty(fd, LOCK);
	base = base ? base + 1 : gone;
	if (strlen(base) > strlen(PATTERN)) {
		g_autofree char *last = g_strconcat(PREFIX GONE,
						    base + strlen(base) - strlen(PATTERN), NULL);

		*base = '\0';
		base = g_strconcat(gone, last, NULL);
		g_free(gone);
		gone = base;
	}
	remove_with_content(at, renameat(at, name, at, gone) == 0 ? gone : name);
}

/* ---- directories of killed processes ---- */

/* Does it belong to our user, with no rights for others but to pass through? */
static bool is_private(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       ((st.st_mode & 0777) == 0700 || (st.st_mode & 0777) == 0711);
}

/* Takes the lock of a directory whose process has gone; -1: it is not to be removed. */
static int lock_left(int fd)
{
	int lock = openat(fd, LOCK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (lock >= 0 && fstat(lock, &st) == 0 && S_ISREG(st.st_mode) &&
	    flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	if (lock >= 0)
		close(lock);
	return -1;
}

static void remove_left(int at, const char *name)
{
	int fd = open_directory(at, name), lock = -1;

	if (fd >= 0 && is_private(fd))
		lock = lock_left(fd);
	if (lock >= 0) {
		remove_locked(at, name);
		close(lock);
	}
	if (fd >= 0)
		close(fd);
}

/* Its process was killed while it removed the directory. */
static void remove_gone(int at, const char *name)
{
	int fd = open_directory(at, name);
	bool is_ours = fd >= 0 && is_private(fd);

	if (fd >= 0)
		close(fd);
	if (is_ours)
		remove_with_content(at, name);
}

static bool is_name_of_gone(const char *name)
{
	return g_str_has_prefix(name, PREFIX GONE) &&
	       strlen(name) == strlen(PREFIX GONE PATTERN);
}

static bool is_name_of_one(const char *name)
{
	static const char *const prefixes[] = { PREFIX, PREFIX PRIVATE_DIRECTORY_EXPLORE };

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		if (g_str_has_prefix(name, prefixes[i]) &&
		    strlen(name) == strlen(prefixes[i]) + strlen(PATTERN))
			return true;
	}
	return false;
}

static void remove_left_in(const char *parent)
{
	int at = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	GDir *dir = at >= 0 ? g_dir_open(parent, 0, NULL) : NULL;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (is_name_of_gone(name))
			remove_gone(at, name);
		else if (is_name_of_one(name))
			remove_left(at, name);
	}
	if (dir)
		g_dir_close(dir);
	if (at >= 0)
		close(at);
}

void private_directories_remove_left(void)
{
	remove_left_in(g_get_tmp_dir());
	remove_left_in(MEMORY);
}

static bool are_left_to_parent;

void private_directories_leave_to_parent(void)
{
	are_left_to_parent = true;
}

static void remove_left_before_making(void)
{
	if (!are_left_to_parent)
		private_directories_remove_left();
}

/* ---- making ---- */

/*
 * If files cannot be locked, there is no lock: then the directory remains when its process is
 * killed.
 */
static int lock_own(const char *path)
{
	g_autofree char *unlocked = g_build_filename(path, LOCK_UNLOCKED, NULL);
	g_autofree char *locked = g_build_filename(path, LOCK, NULL);
	int fd = open(unlocked, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) < 0 || rename(unlocked, locked) < 0)) {
		g_unlink(unlocked);
		close(fd);
		fd = -1;
	}
	return fd;
}

static int make_in(const char *parent, struct private_directory *directory, const char *kind)
{
	g_autofree char *name = g_strconcat(PREFIX, kind, PATTERN, NULL);
	g_autofree char *path = g_build_filename(parent, name, NULL);
	sigset_t all, before;
	int err = 0;

	/* One without its lock would be left for ever. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (!g_mkdtemp_full(path, 0700)) {
		err = errno;
	} else {
		directory->path = g_canonicalize_filename(path, NULL);
		directory->lock = lock_own(directory->path);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static int make_in_temporary(struct private_directory *directory, const char *kind, char *reterr,
			     size_t reterr_size)
{
	int ret = make_in(g_get_tmp_dir(), directory, kind);

	if (ret < 0)
		g_snprintf(reterr, reterr_size, "%s: no temporary directory can be made there "
			   "(%s); set TMPDIR", g_get_tmp_dir(), g_strerror(-ret));
	return ret;
}

int private_directory_make(struct private_directory *directory, const char *kind, char *reterr,
			   size_t reterr_size)
{
	remove_left_before_making();
	return make_in_temporary(directory, kind, reterr, reterr_size);
}

/* ---- in memory ---- */

/* Half of what is left: others use it, too. Limits of 0 are none. */
bool private_directory_has_room(const char *path, uint64_t files)
{
	struct statvfs st;

	return statvfs(path, &st) == 0 &&
	       (st.f_files == 0 || st.f_favail / 2 >= files) &&
	       (st.f_blocks == 0 || st.f_bavail / 2 >= files);
}

/*
 * A session in virtual time has some five MiB there, and a hundred may look for room before any of
 * them has taken its own.
 */
static bool can_be_in_memory(void)
{
	enum { FILES = 1 << 16 };
	const char *wanted = g_getenv("TMPDIR");
	struct statfs fs;

	return !(wanted && *wanted) && statfs(MEMORY, &fs) == 0 && fs.f_type == TMPFS_MAGIC &&
	       private_directory_has_room(MEMORY, FILES);
}

int private_directory_make_small(struct private_directory *directory, char *reterr,
				 size_t reterr_size)
{
	remove_left_before_making();
	if (can_be_in_memory() && make_in(MEMORY, directory, "") == 0)
		return 0;
	return make_in_temporary(directory, "", reterr, reterr_size);
}

int private_directory_let_through(const struct private_directory *directory)
{
	return chmod(directory->path, 0711) < 0 ? -errno : 0;
}

void private_directory_remove(struct private_directory *directory)
{
	if (directory->path)
		remove_locked(AT_FDCWD, directory->path);
	private_directory_leave(directory);
}

void private_directory_keep(struct private_directory *directory)
{
	g_autofree char *lock = directory->path ? g_build_filename(directory->path, LOCK, NULL) :
						  NULL;

	if (lock)
		g_unlink(lock);
	private_directory_leave(directory);
}

void private_directory_leave(struct private_directory *directory)
{
	if (directory->path && directory->lock >= 0)
		close(directory->lock);
	g_clear_pointer(&directory->path, g_free);
}
