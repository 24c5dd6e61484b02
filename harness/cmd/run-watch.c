/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waits for changes: see harness/cmd/run-watch.h.
 *
 * Directories are looked at, not files: editors write another file and give it the old one's name.
 */
#include "harness/cmd/run-watch.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Symbolic links may form a loop. */
#define DIRECTORY_DEPTH_MAX 16
/* Editors and git write several files: a change is over when nothing came for so long. */
#define QUIET_MS 100

struct run_watch {
	int fd;
	GHashTable *files;	/* of char *: absolute paths; look-up only */
	GHashTable *directories;	/* int -> char *: what a watch looks at; look-up only */
	GHashTable *trees;	/* int: watches whose scripts are all meant; look-up only */
};

struct run_watch *run_watch_new(char **reterr)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct run_watch *watch;

	if (fd < 0) {
		*reterr = g_strdup_printf("cannot watch files: %s", g_strerror(errno));
		return NULL;
	}
	watch = g_new0(struct run_watch, 1);
	watch->fd = fd;
	watch->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	watch->directories = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	watch->trees = g_hash_table_new(NULL, NULL);
	return watch;
}

void run_watch_free(struct run_watch *watch)
{
	if (!watch)
		return;
	close(watch->fd);
	g_hash_table_unref(watch->files);
	g_hash_table_unref(watch->directories);
	g_hash_table_unref(watch->trees);
	g_free(watch);
}

/* Returns the watch of a directory, or -1. */
static int add_directory(struct run_watch *watch, const char *path)
{
	int id = inotify_add_watch(watch->fd, path, IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
				   IN_DELETE | IN_CREATE | IN_ONLYDIR);

	if (id >= 0)
		g_hash_table_insert(watch->directories, GINT_TO_POINTER(id), g_strdup(path));
	return id;
}

void run_watch_file(struct run_watch *watch, const char *path)
{
	g_autofree char *whole = path ? g_canonicalize_filename(path, NULL) : NULL;
	g_autofree char *directory = path ? g_path_get_dirname(whole) : NULL;

	if (path && g_hash_table_add(watch->files, g_steal_pointer(&whole)))
		add_directory(watch, directory);
}

static void add_tree(struct run_watch *watch, const char *path, int depth)
{
	g_autoptr(GDir) dir = depth < DIRECTORY_DEPTH_MAX ? g_dir_open(path, 0, NULL) : NULL;
	int id = dir ? add_directory(watch, path) : -1;
	const char *name;

	if (id >= 0)
		g_hash_table_add(watch->trees, GINT_TO_POINTER(id));
	while (id >= 0 && (name = g_dir_read_name(dir))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		if (name[0] != '.' && g_file_test(child, G_FILE_TEST_IS_DIR))
			add_tree(watch, child, depth + 1);
	}
}

void run_watch_directory(struct run_watch *watch, const char *path)
{
	g_autofree char *whole = g_canonicalize_filename(path, NULL);

	add_tree(watch, whole, 0);
}

/* Is the event about something that is looked at? */
static bool matters(struct run_watch *watch, const struct inotify_event *event)
{
	const char *directory = g_hash_table_lookup(watch->directories,
						    GINT_TO_POINTER(event->wd));
	g_autofree char *path = NULL;

	/* Too many events: any may have been lost. */
	if (event->mask & IN_Q_OVERFLOW)
		return true;
	if (!directory || event->len == 0 || event->name[0] == '.')
		return false;
	path = g_build_filename(directory, event->name, NULL);
	if (g_hash_table_contains(watch->trees, GINT_TO_POINTER(event->wd)) &&
	    ((event->mask & IN_ISDIR) || g_str_has_suffix(path, ".mad")))
		return true;
	return g_hash_table_contains(watch->files, path);
}

/* Reads what has happened. */
static bool read_events(struct run_watch *watch)
{
	/* As inotify(7) has it. */
	char buffer[1 << 14] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t size = read(watch->fd, buffer, sizeof(buffer));
	bool any = false;

	for (ssize_t at = 0; at < size;) {
		const struct inotify_event *event = (const void *)(buffer + at);

		any |= matters(watch, event);
		at += (ssize_t)sizeof(*event) + event->len;
	}
	return any;
}

bool run_watch_wait(struct run_watch *watch)
{
	struct pollfd fd = { .fd = watch->fd, .events = POLLIN };
	bool changed = false;

	for (;;) {
		int ready = poll(&fd, 1, changed ? QUIET_MS : -1);

		if (ready == 0)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		if (ready > 0)
			changed |= read_events(watch);
	}
}
