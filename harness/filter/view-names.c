/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Directories that have nothing but names: see harness/filter/view-names.h.
 */
#include "config.h"

#include "harness/filter/view-names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/sysfs-place.h"
#include "lib/base/verbs-values.h"

#define SYSFS "/sys/"
/* In the view: classes whose devices have names in /dev/infiniband. */
#define MAD_CLASS "class/infiniband_mad"
#define NODES "dev/infiniband"

/* Adds the names that are in 'at', each with its kind of file, as in st_mode. */
static void add_names(GHashTable *names, int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			g_hash_table_insert(names, g_strdup(entry->d_name),
					    GUINT_TO_POINTER(st.st_mode & S_IFMT));
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

/* Of what the machine has in directory 'data', is this for programs? */
static gboolean is_hidden(void *key, void *value, void *data)
{
	struct path path;

	(void)value;
	snprintf(path.text, sizeof(path.text), "%s/%s", (const char *)data, (const char *)key);
	path_classify(&path, false);
	return path.kind == PATH_SHOWN || path.kind == PATH_NOWHERE;
}

static gboolean is_no_node(void *key, void *value, void *data)
{
	(void)value;
	(void)data;
	return !g_str_has_prefix(key, "umad") && !g_str_has_prefix(key, "issm") &&
	       !g_str_has_prefix(key, "uverbs");
}

/*
 * A character device that stands for nothing: readdir(3) then reports the right type, no right is
 * needed to make it (Linux 5.8), and open(2) of it fails. Where it cannot be made, a file has to
 * do.
 */
static int make_node(int at, const char *name)
{
	int fd;

	if (mknodat(at, name, S_IFCHR | 0600, 0) == 0 || errno == EEXIST)
		return fchmodat(at, name, 0600, 0);
	fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

/* Something of that kind, for readdir(3): nobody opens it, nor follows it. */
static int make_name(int at, const char *name, mode_t kind)
{
	switch (kind) {
	case S_IFDIR:
		return mkdirat(at, name, 0755);
	case S_IFLNK:
		return symlinkat(name, at, name);
	case S_IFCHR:
		return make_node(at, name);
	}
	return mknodat(at, name, S_IFREG | 0444, 0);
}

/* Removes what is in the directory 'at' and not in 'names'. */
static void remove_others(int at, GHashTable *names)
{
	g_autoptr(GHashTable) there = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GHashTableIter iter;
	const char *name;

	add_names(there, at, ".");
	g_hash_table_iter_init(&iter, there);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, NULL))
		if (!g_hash_table_contains(names, name) && unlinkat(at, name, 0) < 0)
			unlinkat(at, name, AT_REMOVEDIR);
}

/* Makes the names in our 'inner' those. */
static void make_names(int tree, const char *inner, GHashTable *names)
{
	int at = openat(tree, inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	GHashTableIter iter;
	const char *name;
	void *kind;

	if (at < 0)
		return;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, &kind))
		make_name(at, name, GPOINTER_TO_UINT(kind));
	remove_others(at, names);
	close(at);
}

/* 'path' is what programs call it, of kind PATH_LIST. */
static void refresh_list(int tree, int shown, const char *path)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	add_names(names, AT_FDCWD, path);
	g_hash_table_foreach_remove(names, is_hidden, (void *)path);
	add_names(names, shown, path + strlen(SYSFS));
	make_names(tree, path + 1, names);
}

static void refresh_nodes(int tree, int shown)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GHashTableIter iter;
	const char *name;

	add_names(names, shown, MAD_CLASS);
	add_names(names, shown, VERBS_CLASS);
	g_hash_table_foreach_remove(names, is_no_node, NULL);
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, NULL))
		g_hash_table_insert(nodes, g_strdup(name), GUINT_TO_POINTER(S_IFCHR));
	g_hash_table_insert(nodes, g_strdup("rdma_cm"), GUINT_TO_POINTER(S_IFCHR));
	make_names(tree, NODES, nodes);
}

/* The same for one of them. */
static void refresh_node(int tree, int shown, const struct path *path)
{
	char name[32];
	char from[sizeof(VERBS_CLASS) + sizeof(name)], inner[sizeof(NODES) + sizeof(name)];
	bool is_there;

	snprintf(name, sizeof(name), "%s%u", path_node_name(path->kind), path->number);
	snprintf(from, sizeof(from), "%s/%s", path_node_class(path->kind), name);
	snprintf(inner, sizeof(inner), NODES "/%s", name);
	is_there = faccessat(shown, from, F_OK, 0) == 0;
	if (is_there && faccessat(tree, inner, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		make_node(tree, inner);
	if (!is_there)
		unlinkat(tree, inner, 0);
}

int view_names_make(int tree)
{
	static const char *const directories[] = {
		"sys", "sys/class", "sys/module", "sys/devices", "sys/" SYSFS_PCI_BUS, "sys/bus",
		"sys/bus/pci", "sys/" SYSFS_PCI_DEVICES, "sys/" SYSFS_PCI_DRIVERS, "dev", NODES,
		VIEW_NAMES, VIEW_NAMES "/dev", VIEW_NAMES "/" NODES,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++)
		if (mkdirat(tree, directories[i], 0755) < 0)
			return -errno;
	return 0;
}

void view_names_refresh(int tree, int shown, const struct path *path)
{
	switch (path->kind) {
	case PATH_LIST:
		refresh_list(tree, shown, path->text);
		break;
	case PATH_NODE_LIST:
		refresh_nodes(tree, shown);
		break;
	case PATH_UMAD:
	case PATH_ISSM:
	case PATH_UVERBS:
		refresh_node(tree, shown, path);
		break;
	case PATH_RDMA_CM:
		make_node(tree, NODES "/rdma_cm");
		break;
	case PATH_KMSG:
		make_node(tree, "dev/kmsg");
		break;
	case PATH_ELSEWHERE:
	case PATH_DOOR:
	case PATH_SHOWN:
	case PATH_UDEV:
	case PATH_NOWHERE:
		break;
	}
}
