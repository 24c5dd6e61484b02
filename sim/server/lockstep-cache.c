/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/lockstep-cache.h. */
#include "config.h"

#include "sim/server/lockstep-cache.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mapping-base.h"

/* No longer than the name of ld.so's own, whose place it takes. */
static const char *const templates[] = { "/dev/shm/uXXXXXX", "/tmp/umad-XXXXXX" };

static bool make_at(const char *template, const char *bytes, size_t size, char *ret_path)
{
	bool is_made;
	int fd;

	g_strlcpy(ret_path, template, LOCKSTEP_CACHE_PATH_SIZE);
	fd = g_mkstemp_full(ret_path, O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	is_made = write(fd, bytes, size) == (ssize_t)size &&
		  ftruncate(fd, MAPPING_BASE_CACHE_MAX) == 0 && fchmod(fd, 0444) == 0;
	close(fd);
	if (!is_made)
		unlink(ret_path);
	return is_made;
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

void lockstep_cache_make(struct lockstep_cache *ret)
{
	g_autofree char *bytes = NULL;
	struct lockstep_cache made;

	*ret = (struct lockstep_cache){ .size = 0 };
	if (!read_own(&made, &bytes))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(templates); i++) {
		if (make_at(templates[i], bytes, made.size, made.path)) {
			*ret = made;
			return;
		}
	}
}

void lockstep_cache_remove(const struct lockstep_cache *cache)
{
	if (*cache->path)
		unlink(cache->path);
}
