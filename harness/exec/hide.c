/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hides real devices, in a mount namespace of the program's own: what does not go through our
 * library (a raw open, a child that cleared its environment, a library loaded by its full path)
 * then finds none.
 *
 * It hides the umad and issm nodes in /dev/infiniband and every device in the InfiniBand classes of
 * /sys/class. Other nodes in /dev/infiniband (uverbs, rdma_cm) stay: only MADs are simulated.
 */
#include "config.h"

#include <string.h>

#include "harness/exec/exec.h"
#include "harness/filter/filter-check.h"

#define NODES "/dev/infiniband"
#define CLASSES "/sys/class"

static bool is_node(const char *name)
{
	return g_str_has_prefix(name, "umad") || g_str_has_prefix(name, "issm");
}

/* The other files of a class describe the kernel, not a device. */
static bool is_device(const char *name)
{
	return strcmp(name, "abi_version") != 0;
}

static bool is_class(const char *name)
{
	return g_str_has_prefix(name, "infiniband");
}

/* The paths of the entries that 'is_wanted' accepts; none if the directory cannot be read. */
static GPtrArray *find(const char *directory, exec_mount_hides_fn *is_wanted)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (is_wanted(name))
			g_ptr_array_add(paths, g_build_filename(directory, name, NULL));
	if (dir)
		g_dir_close(dir);
	return paths;
}

static bool has(const char *directory, exec_mount_hides_fn *is_wanted)
{
	g_autoptr(GPtrArray) paths = find(directory, is_wanted);

	return paths->len > 0;
}

/* The classes with devices in them. */
static GPtrArray *find_classes(void)
{
	GPtrArray *classes = find(CLASSES, is_class);

	for (guint i = classes->len; i-- > 0;)
		if (!has(classes->pdata[i], is_device))
			g_ptr_array_remove_index(classes, i);
	return classes;
}

struct exec_mounts *exec_hidden_devices(const char *library)
{
	g_autoptr(GPtrArray) classes = find_classes();
	bool has_nodes = has(NODES, is_node);
	struct exec_mounts *mounts;

	/* Those that are seen are simulated, and no mount hides them. */
	if (filter_is_below_another())
		return NULL;
	if (!has_nodes && classes->len == 0)
		return NULL;
	mounts = exec_mounts_new();
	if (has_nodes)
		exec_mounts_cover(mounts, NODES, is_node);
	for (guint i = 0; i < classes->len; i++)
		exec_mounts_cover(mounts, classes->pdata[i], is_device);
	exec_replace_library(mounts, library);
	return mounts;
}
