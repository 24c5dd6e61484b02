/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umad-tree.c: a made-up sysfs for the ib_umad backend. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/sysfs.h"
#include "tests/rig/umad-tree.h"

static struct {
	char *root;
	struct sysfs_roots saved, ours;
	unsigned int cas, ports;
	char last_ca[64];
} tree;

const char *umad_tree_path(const char *path)
{
	static char whole[512];

	g_snprintf(whole, sizeof(whole), "%s/%s", tree.root, path);
	return whole;
}

void umad_tree_begin(void)
{
	GError *error = NULL;

	memset(&tree, 0, sizeof(tree));
	tree.root = g_dir_make_tmp("umad-tree-XXXXXX", &error);
	g_assert_no_error(error);
	tree.saved = umad_roots;
	tree.ours.infiniband = g_strdup(umad_tree_path("infiniband"));
	tree.ours.infiniband_mad = g_strdup(umad_tree_path("infiniband_mad"));
	tree.ours.dev = g_strdup(umad_tree_path("dev"));
	g_assert_cmpint(g_mkdir(tree.ours.infiniband, 0700), ==, 0);
	g_assert_cmpint(g_mkdir(tree.ours.dev, 0700), ==, 0);
	umad_tree_put("infiniband_mad/abi_version", "5\n");
	umad_roots = tree.ours;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
	(void)info;
	(void)type;
	(void)ftw;
	return remove(path);
}

void umad_tree_remove(const char *path)
{
	g_assert_cmpint(nftw(umad_tree_path(path), remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
}

void umad_tree_end(void)
{
	umad_tree_remove("");
	umad_roots = tree.saved;
	g_free((char *)tree.ours.infiniband);
	g_free((char *)tree.ours.infiniband_mad);
	g_free((char *)tree.ours.dev);
	g_free(tree.root);
	memset(&tree, 0, sizeof(tree));
}

void umad_tree_put(const char *path, const char *format, ...)
{
	GError *error = NULL;
	char *dir, *value;
	va_list args;

	va_start(args, format);
	value = g_strdup_vprintf(format, args);
	va_end(args);
	dir = g_path_get_dirname(umad_tree_path(path));
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_file_set_contents(umad_tree_path(path), value, -1, &error);
	g_assert_no_error(error);
	g_free(dir);
	g_free(value);
}

static const char *state_name(unsigned int state)
{
	static const char *const names[] = { "NOP", "DOWN", "INIT", "ARMED", "ACTIVE" };

	return state < G_N_ELEMENTS(names) ? names[state] : "?";
}

static void add_ca(const char *name, unsigned int node_type)
{
	char path[256];

	tree.cas++;
	g_strlcpy(tree.last_ca, name, sizeof(tree.last_ca));
#define CA_FILE(file, ...) \
	(g_snprintf(path, sizeof(path), "infiniband/%s/%s", name, file), \
	 umad_tree_put(path, __VA_ARGS__))
	CA_FILE("node_type", "%u: CA\n", node_type);
	CA_FILE("node_guid", "0000:0000:0000:%04x\n", tree.cas << 8);
	CA_FILE("sys_image_guid", "0000:0000:0001:%04x\n", tree.cas << 8);
	CA_FILE("fw_ver", "1.2.%u\n", tree.cas);
	CA_FILE("hw_rev", "a0\n");
	CA_FILE("hca_type", "MT4123\n");
#undef CA_FILE
}

static void add_port(const char *ca, unsigned int portnum, unsigned int state, unsigned int phys,
		     const char *layer, unsigned int cap_mask)
{
	unsigned int id = tree.ports++;
	char path[256];

#define PORT_FILE(file, ...) \
	(g_snprintf(path, sizeof(path), "infiniband/%s/ports/%u/%s", ca, portnum, file), \
	 umad_tree_put(path, __VA_ARGS__))
	PORT_FILE("state", "%u: %s\n", state, state_name(state));
	PORT_FILE("phys_state", "%u: %s\n", phys, phys == 5 ? "LinkUp" : "?");
	PORT_FILE("lid", "0x%x\n", tree.cas * 16 + portnum);
	PORT_FILE("lid_mask_count", "0\n");
	PORT_FILE("sm_lid", "0x1\n");
	PORT_FILE("sm_sl", "3\n");
	PORT_FILE("cap_mask", "0x%08x\n", cap_mask);
	PORT_FILE("rate", "2.5 Gb/sec (1X SDR)\n");
	PORT_FILE("gids/0", "fe80:0000:0000:0000:0000:0000:0000:%04x\n", tree.cas << 8 | portnum);
	PORT_FILE("pkeys/0", "0xffff\n");
	PORT_FILE("pkeys/1", "0x8001\n");
	if (!g_str_equal(layer, "none"))
		PORT_FILE("link_layer", "%s\n",
			  g_str_equal(layer, "IB") ? "InfiniBand" : "Ethernet");
#undef PORT_FILE
	g_snprintf(path, sizeof(path), "infiniband_mad/umad%u/ibdev", id);
	umad_tree_put(path, "%s\n", ca);
	g_snprintf(path, sizeof(path), "infiniband_mad/umad%u/port", id);
	umad_tree_put(path, "%u\n", portnum);
	g_snprintf(path, sizeof(path), "dev/umad%u", id);
	g_assert_cmpint(mkfifo(umad_tree_path(path), 0600), ==, 0);
}

unsigned int umad_tree_add(const char *ports)
{
	char **words = g_strsplit(ports, " ", -1);
	unsigned int count = 0;

	for (char **word = words; *word; word++) {
		unsigned int node_type = 1, portnum, state, phys, cap_mask = 0x02010000;
		char name[64], layer[16];
		char *slash = strchr(*word, '/'), *equals;

		if (!slash)
			continue;
		*slash = '\0';
		equals = strchr(*word, '=');
		if (equals) {
			*equals = '\0';
			node_type = (unsigned int)g_ascii_strtoull(equals + 1, NULL, 0);
		}
		g_strlcpy(name, *word, sizeof(name));
		g_assert_cmpint(sscanf(slash + 1, "%u:%u,%u,%15[^,],%x", &portnum, &state, &phys,
				       layer, &cap_mask), >=, 4);
		if (!g_str_equal(name, tree.last_ca))
			add_ca(name, node_type);
		add_port(name, portnum, state, phys, layer, cap_mask);
		count++;
	}
	g_strfreev(words);
	return count;
}
