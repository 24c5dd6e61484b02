/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec --sysfs: shows the simulated devices in /sys, in a mount namespace of the program's own, for
 * programs that read these without libibumad.
 *
 * Nothing can be created in sysfs, so the directories that ours are to be in are covered, and what
 * else is in them is bound back, or linked again. Links lead upwards and on into /sys/devices, as
 * before. Other InfiniBand classes (cm, srp) would list devices that are no longer there,
 * and are left out.
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/exec/exec.h"
#include "lib/base/sysfs-place.h"

#define SYSFS "/sys"

/* Is it of a class that would show real devices? */
static bool is_hidden(const char *path)
{
	return g_str_has_prefix(path, "class/infiniband");
}

/* The names in a directory; none if it cannot be read. */
static GPtrArray *list(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	if (dir)
		g_dir_close(dir);
	return names;
}

static bool is_real(const char *path)
{
	g_autofree char *real = g_build_filename(SYSFS, path, NULL);

	return g_file_test(real, G_FILE_TEST_IS_DIR);
}

static bool is_beside_real(const char *path)
{
	return sysfs_place_is_shared(path) && is_real(path);
}

/* What of a directory stays; '*ret_adds': the view has something to add. */
static char **keep(const char *path, const GPtrArray *ours, bool *ret_adds)
{
	g_autofree char *real = g_build_filename(SYSFS, path, NULL);
	g_autoptr(GPtrArray) names = list(real);
	GPtrArray *kept = g_ptr_array_new();

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);

		if (!is_hidden(inner) && !sysfs_place_is_ours(inner))
			g_ptr_array_add(kept, g_strdup(names->pdata[i]));
	}
	g_ptr_array_add(kept, NULL);
	for (guint i = 0; i < ours->len; i++) {
		g_autofree char *inner = g_build_filename(path, ours->pdata[i], NULL);

		*ret_adds |= !is_beside_real(inner);
	}
	return (char **)g_ptr_array_free(kept, false);
}

/*
 * Directories below come first: what is mounted on them then goes with them when they are bound
 * into the one that covers their parent.
 */
static void show(struct exec_mounts *mounts, const char *view, const char *path)
{
	g_autofree char *from = g_build_filename(view, path, NULL);
	g_autofree char *to = g_build_filename(SYSFS, path, NULL);
	g_autoptr(GPtrArray) ours = list(from);
	g_auto(GStrv) names = NULL;
	bool adds = false;

	for (guint i = 0; i < ours->len; i++) {
		g_autofree char *inner = g_build_filename(path, ours->pdata[i], NULL);

		if (is_beside_real(inner))
			show(mounts, view, inner);
	}
	names = keep(path, ours, &adds);
	/* All of /sys stays as it is. */
	if (!adds || *path == '\0')
		return;
	exec_mounts_keep(mounts, to, g_steal_pointer(&names));
	for (guint i = 0; i < ours->len; i++) {
		g_autofree char *inner = g_build_filename(path, ours->pdata[i], NULL);
		g_autofree char *what = g_build_filename(view, inner, NULL);
		g_autofree char *where = g_build_filename(SYSFS, inner, NULL);

		if (!is_beside_real(inner))
			exec_mounts_add(mounts, what, where);
	}
}

struct exec_mounts *exec_shown_sysfs(const char *view)
{
	struct exec_mounts *mounts = exec_mounts_new();

	show(mounts, view, "");
	return mounts;
}

/* ---- whether it is read ---- */

/* The directories in a directory, no links among them; none if it cannot be read. */
static GPtrArray *list_directories(const char *directory)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	DIR *dir = opendir(directory);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct stat st;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		/* Most file systems say it; a host may have a hundred thousand files. */
		if (entry->d_type == DT_DIR ||
		    (entry->d_type == DT_UNKNOWN &&
		     fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		     S_ISDIR(st.st_mode)))
			g_ptr_array_add(names, g_strdup(entry->d_name));
	}
	if (dir)
		closedir(dir);
	return names;
}

/*
 * Appends directory 'path' of a view and those below it; links are not followed. Programs are not
 * shown those that are shared, but what is in them.
 */
static void add_directories(GPtrArray *paths, const char *view, const char *path)
{
	g_autofree char *directory = g_build_filename(view, path, NULL);
	g_autoptr(GPtrArray) names = list_directories(directory);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);

		add_directories(paths, view, inner);
	}
	if (*path != '\0' && !sysfs_place_is_shared(path))
		g_ptr_array_add(paths, g_steal_pointer(&directory));
}

int exec_sysfs_watch(const char *view)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const uint32_t events = IN_ACCESS | IN_ONESHOT | IN_ONLYDIR;
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	/* All of them first: reading one is an access, which its parent's watch would see. */
	add_directories(paths, view, "");
	for (guint i = 0; fd >= 0 && i < paths->len; i++) {
		/* The server writes files; programs alone read them. */
		if (inotify_add_watch(fd, paths->pdata[i], events) >= 0)
			continue;
		close(fd);
		fd = -1;
	}
	return fd;
}

bool exec_sysfs_was_read(int fd)
{
	char buffer[1 << 12] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size;

	while ((size = read(fd, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0; at < size; at += (ssize_t)(sizeof(*event) + event->len)) {
			event = (const struct inotify_event *)(const void *)(buffer + at);
			if (event->mask & IN_ACCESS)
				return true;
		}
	}
	return false;
}
