/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec --sysfs: shows the simulated devices in /sys/class/infiniband and infiniband_mad, in a mount
 * namespace of the program's own, for programs that read these without libibumad.
 *
 * Nothing can be created in sysfs, so /sys/class is covered and its other classes are bound back.
 * Links in those lead upwards and on into /sys/devices, as before. Other InfiniBand classes (verbs,
 * cm, srp) would list devices that are no longer there, and are left out.
 */
#include "config.h"

#include <sys/inotify.h>
#include <unistd.h>

#include "harness/exec/exec.h"

#define CLASSES "/sys/class"

static const char *const shown[] = { "infiniband", "infiniband_mad" };

static bool is_hidden(const char *name)
{
	return g_str_has_prefix(name, "infiniband");
}

struct exec_mounts *exec_shown_sysfs(const char *view)
{
	struct exec_mounts *mounts = exec_mounts_new();

	exec_mounts_cover(mounts, CLASSES, is_hidden);
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
		g_autofree char *from = g_build_filename(view, shown[i], NULL);
		g_autofree char *path = g_build_filename(CLASSES, shown[i], NULL);

		exec_mounts_add(mounts, from, path);
	}
	return mounts;
}

/* ---- whether it is read ---- */

/* Appends a directory and those below it; links are not followed. */
static void add_directories(GPtrArray *paths, char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	if (!dir) {
		g_free(path);
		return;
	}
	g_ptr_array_add(paths, path);
	while ((name = g_dir_read_name(dir))) {
		char *inner = g_build_filename(path, name, NULL);

		if (g_file_test(inner, G_FILE_TEST_IS_SYMLINK))
			g_free(inner);
		else
			add_directories(paths, inner);
	}
	g_dir_close(dir);
}

int exec_sysfs_watch(const char *view)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const uint32_t events = IN_ACCESS | IN_ONESHOT | IN_ONLYDIR;
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	/* All of them first: reading one is an access, which its parent's watch would see. */
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++)
		add_directories(paths, g_build_filename(view, shown[i], NULL));
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
