/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/lockstep-cache.h. */
#include "config.h"

#include "sim/server/lockstep-cache.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mapping-base.h"

enum { MODE = 0444 };	/* once it is locked, and whole */

/* No longer than the name of ld.so's own, whose place it takes. */
static const struct { const char *folder, *prefix, *pattern; } places[] = {
	{ "/dev/shm", "u", "XXXXXX" }, { "/tmp", "umad-", "XXXXXX" },
};

/* ---- copies of killed servers ---- */

/* Is it a copy of this user's? Its server, as long as it lives, has it locked. */
static bool is_left(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	bool ret = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		   st.st_uid == geteuid() && (st.st_mode & 07777) == MODE &&
		   st.st_size == MAPPING_BASE_CACHE_MAX && flock(fd, LOCK_EX | LOCK_NB) == 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static void remove_left_in(const char *folder, const char *prefix, size_t length)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	GDir *dir = at >= 0 ? g_dir_open(folder, 0, NULL) : NULL;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (g_str_has_prefix(name, prefix) && strlen(name) == length && is_left(at, name))
			unlinkat(at, name, 0);
	}
	if (dir)
		g_dir_close(dir);
	if (at >= 0)
		close(at);
}

void lockstep_cache_remove_left(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
		remove_left_in(places[i].folder, places[i].prefix,
			       strlen(places[i].prefix) + strlen(places[i].pattern));
}

/* ---- the copy ---- */

/* A descriptor that has it locked; -1: none could be made. */
static int make_in(size_t place, const char *bytes, size_t size, char *ret_path)
{
	int fd;

	g_snprintf(ret_path, LOCKSTEP_CACHE_PATH_SIZE, "%s/%s%s", places[place].folder,
		   places[place].prefix, places[place].pattern);
	fd = g_mkstemp_full(ret_path, O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && write(fd, bytes, size) == (ssize_t)size &&
	    ftruncate(fd, MAPPING_BASE_CACHE_MAX) == 0 && fchmod(fd, MODE) == 0)
		return fd;
	unlink(ret_path);
	close(fd);
	return -1;
}

static bool read_own(struct lockstep_cache *ret, char **ret_bytes)
{
	struct stat st;
	gsize size;

	if (stat(MAPPING_BASE_CACHE, &st) < 0 || st.st_size > MAPPING_BASE_CACHE_MAX)
		return false;
	*ret = (struct lockstep_cache){
		.device = st.st_dev, .inode = st.st_ino, .size = (uint64_t)st.st_size,
		.modified_ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec,
	};
	return g_file_get_contents(MAPPING_BASE_CACHE, ret_bytes, &size, NULL) && size == ret->size;
}

int lockstep_cache_make(struct lockstep_cache *ret)
{
	static gsize has_looked;
	g_autofree char *bytes = NULL;
	struct lockstep_cache made;

	*ret = (struct lockstep_cache){ .size = 0 };
	if (g_once_init_enter(&has_looked)) {
		lockstep_cache_remove_left();
		g_once_init_leave(&has_looked, 1);
	}
	if (!read_own(&made, &bytes))
		return -1;
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		int lock = make_in(i, bytes, made.size, made.path);

		if (lock < 0)
			continue;
		*ret = made;
		return lock;
	}
	return -1;
}

void lockstep_cache_remove(const struct lockstep_cache *cache, int lock)
{
	if (lock < 0)
		return;
	unlink(cache->path);
	close(lock);
}
