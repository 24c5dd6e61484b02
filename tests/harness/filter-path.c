/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs mean by their paths (harness/filter/path.h).
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "harness/filter/path.h"

static const char *const kind_names[] = {
	[PATH_ELSEWHERE] = "elsewhere", [PATH_DOOR] = "door", [PATH_LIST] = "list",
	[PATH_NODE_LIST] = "node list", [PATH_SHOWN] = "shown",
	[PATH_RDMA_CM] = "rdma_cm", [PATH_KMSG] = "kmsg", [PATH_UDEV] = "udev",
	[PATH_UMAD] = "umad",
	[PATH_ISSM] = "issm", [PATH_NOWHERE] = "nowhere",
};

#define CARD "/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0"

/* Where the links of /proc and /sys lead in these tests. */
static bool follow(void *context, const struct path_link *link, char *target)
{
	static const char *const targets[] = {
		[PATH_LINK_ROOT] = "/", [PATH_LINK_CWD] = "/sys/class",
		[PATH_LINK_FD] = "/dev/infiniband",
	};

	(void)context;
	if (link->kind == PATH_LINK_SHOWN) {
		bool is_device = strcmp(link->shown, CARD "/infiniband/H1/device") == 0;

		if (!is_device && strcmp(link->shown, "/sys/class/infiniband/H1") != 0)
			return false;
		strcpy(target, is_device ? CARD : CARD "/infiniband/H1");
		return true;
	}
	if (link->kind == PATH_LINK_FD && link->fd != 5)
		return false;
	if (link->process != 0 && link->process != 42)
		return false;
	strcpy(target, targets[link->kind]);
	return true;
}

/* ---- resolving ---- */

static const struct {
	const char *base, *text, *expected;
	bool is_directory;
} resolved[] = {
	{ "/", "/", "/", true },
	{ "/", "//", "/", true },
	{ "/", "/a/b", "/a/b", false },
	{ "/x", "/a/b", "/a/b", false },
	{ "/", "//a///b//", "/a/b", true },
	{ "/", "/a/./b/.", "/a/b", true },
	{ "/", "/a/b/..", "/a", true },
	{ "/", "/../../a", "/a", false },
	{ "/", "/a/../..", "/", true },
	{ "/", "/a/...", "/a/...", false },
	{ "/", "/a/.b/..c", "/a/.b/..c", false },
	{ "/", "a", "/a", false },
	{ "/x/y", "a", "/x/y/a", false },
	{ "/x/y", ".", "/x/y", true },
	{ "/x/y", "..", "/x", true },
	{ "/x/y", "../../../..", "/", true },
	{ "/x/y", "../z/", "/x/z", true },
	{ "/", "/proc/self/root/sys", "/sys", false },
	{ "/", "/proc/self/root", "/", false },
	{ "/", "/proc/thread-self/root/a", "/a", false },
	{ "/", "/proc/42/root/a", "/a", false },
	{ "/", "/proc/42/task/42/root/a", "/a", false },
	{ "/", "/proc/43/root/a", "/proc/43/root/a", false },
	{ "/", "/proc/042/root/a", "/proc/042/root/a", false },
	{ "/", "/proc/self/cwd/net", "/sys/class/net", false },
	{ "/", "/proc/self/cwd/..", "/sys", true },
	{ "/", "/proc//self/./cwd/net", "/sys/class/net", false },
	{ "/proc", "self/cwd/net", "/sys/class/net", false },
	{ "/proc/self", "cwd", "/sys/class", false },
	{ "/", "/proc/self/fd/5/umad0", "/dev/infiniband/umad0", false },
	{ "/", "/proc/self/fd/6/umad0", "/proc/self/fd/6/umad0", false },
	{ "/", "/dev/fd/5/umad0", "/dev/infiniband/umad0", false },
	{ "/", "/proc/self/fd/5", "/dev/infiniband", false },
	{ "/", "/proc/self/fdinfo/5", "/proc/self/fdinfo/5", false },
	{ "/", "/proc/self/rooted", "/proc/self/rooted", false },
	{ "/", "/proc/selfish/root", "/proc/selfish/root", false },
	{ "/", "/proc/self/root/proc/self/root/a", "/a", false },
	{ "/", "/sys/class/infiniband/H1", CARD "/infiniband/H1", false },
	{ "/", "/sys/class/infiniband/H1/..", CARD "/infiniband", true },
	{ "/", "/sys/class/infiniband/H2/..", "/sys/class/infiniband", true },
	{ "/", "/sys/class/infiniband/H1/device/vendor", CARD "/vendor", false },
	{ "/", "/sys/class/infiniband/H1/device/../../vendor",
	  "/sys/devices/pci0000:00/vendor", false },
	{ "/sys", "class/infiniband/./H1//lid", CARD "/infiniband/H1/lid", false },
};

static void test_resolved(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(resolved); i++) {
		struct path path;

		g_test_message("%s in %s", resolved[i].text, resolved[i].base);
		g_assert_cmpint(path_resolve(&path, resolved[i].base, resolved[i].text, true,
					     follow, NULL), ==, 0);
		g_assert_cmpstr(path.text, ==, resolved[i].expected);
		g_assert_cmpint(path.is_directory_wanted, ==, resolved[i].is_directory);
	}
}

static void test_last_link(void)
{
	struct path path;

	g_assert_cmpint(path_resolve(&path, "/", "/proc/self/cwd", false, follow, NULL), ==, 0);
	g_assert_cmpstr(path.text, ==, "/proc/self/cwd");
	g_assert_true(path_is_link(path.text, NULL));
	g_assert_cmpint(path_resolve(&path, "/", "/proc/self/cwd/", false, follow, NULL), ==, 0);
	g_assert_cmpstr(path.text, ==, "/sys/class");
	g_assert_cmpint(path_resolve(&path, "/", "/sys/class/infiniband/H1", false, follow, NULL),
			==, 0);
	g_assert_cmpstr(path.text, ==, "/sys/class/infiniband/H1");
}

static void test_lengths(void)
{
	g_autofree char *longest = g_strnfill(PATH_MAX - 1, 'a'), *deep = NULL;
	struct path path;

	longest[0] = '/';
	g_assert_cmpint(path_resolve(&path, "/", longest, true, follow, NULL), ==, 0);
	g_assert_cmpstr(path.text, ==, longest);
	g_assert_cmpint(path_resolve(&path, longest, "b", true, follow, NULL), ==, -ENAMETOOLONG);
	g_assert_cmpint(path_resolve(&path, longest, "..", true, follow, NULL), ==, 0);
	g_assert_cmpstr(path.text, ==, "/");
	g_assert_cmpint(path_resolve(&path, "/", "", true, follow, NULL), ==, -ENOENT);
	/* A number in place of a name makes a path longer. */
	deep = g_strdup_printf("/dev/char/231:1/%.*s", PATH_MAX - 20, longest + 1);
	g_assert_cmpint(path_resolve(&path, "/", deep, true, follow, NULL), ==, 0);
	path_classify(&path, false);
	g_assert_cmpint(path.kind, ==, PATH_NOWHERE);
}

/* ---- meaning ---- */

static const struct {
	const char *text;
	enum path_kind kind;
	unsigned int number;
} meant[] = {
	{ "/", PATH_DOOR, 0 },
	{ "/sys", PATH_DOOR, 0 },
	{ "/dev", PATH_DOOR, 0 },
	{ "/etc/passwd", PATH_ELSEWHERE, 0 },
	{ "/system", PATH_ELSEWHERE, 0 },
	{ "/sys/class", PATH_LIST, 0 },
	{ "/sys/class/net", PATH_ELSEWHERE, 0 },
	{ "/sys/classes", PATH_ELSEWHERE, 0 },
	{ "/sys/class/infiniband", PATH_SHOWN, 0 },
	{ "/sys/class/infiniband/H1/ports/1/state", PATH_SHOWN, 0 },
	{ "/sys/class/infiniband_mad", PATH_SHOWN, 0 },
	{ "/sys/class/infiniband_mad/umad0/ibdev", PATH_SHOWN, 0 },
	{ "/sys/module", PATH_LIST, 0 },
	{ "/sys/module/ib_umad/refcnt", PATH_SHOWN, 0 },
	{ "/sys/module/ib_umadx", PATH_ELSEWHERE, 0 },
	{ "/sys/devices", PATH_DOOR, 0 },
	{ "/sys/devices/pci0000:00", PATH_LIST, 0 },
	{ "/sys/devices/pci0000:00/0000:00:1e.0", PATH_ELSEWHERE, 0 },
	{ "/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0/vendor", PATH_SHOWN, 0 },
	{ "/sys/devices/pci0000:01/0000:01:1e.7/0000:1e:00.0/infiniband", PATH_NOWHERE, 0 },
	{ "/sys/bus/pci", PATH_DOOR, 0 },
	{ "/sys/bus/pci/devices", PATH_LIST, 0 },
	{ "/sys/bus/pci/devices/0000:1e:00.1", PATH_SHOWN, 0 },
	{ "/sys/bus/pci/devices/0000:1f:00.1", PATH_ELSEWHERE, 0 },
	{ "/sys/bus/pci/drivers/mlx5_core", PATH_SHOWN, 0 },
	{ "/sys/bus/pci/drivers/mlx5_core2", PATH_ELSEWHERE, 0 },
	{ "/sys/class/infiniband_verbs", PATH_SHOWN, 0 },
	{ "/sys/class/infiniband_verbs/uverbs0/ibdev", PATH_SHOWN, 0 },
	{ "/sys/verbs", PATH_ELSEWHERE, 0 },
	{ "/sys/class/infiniband_cm", PATH_NOWHERE, 0 },
	{ "/sys/class/infinibandit", PATH_ELSEWHERE, 0 },
	{ "/sys/class/net/ib0/device/infiniband/mlx5_0/ports/1/rate", PATH_NOWHERE, 0 },
	{ "/sys/devices/pci0000:00/0000:00:02.0/infiniband", PATH_NOWHERE, 0 },
	{ "/sys/devices/pci0000:00/0000:00:02.0/infiniband/mlx5_0/hca_type", PATH_NOWHERE, 0 },
	{ "/sys/devices/pci0000:00/0000:00:02.0/infiniband_mad/umad0/ibdev", PATH_NOWHERE, 0 },
	{ "/sys/bus/pci/drivers/mlx4_core/0000:00:02.0/infiniband_verbs", PATH_NOWHERE, 0 },
	{ "/sys/bus/pci/drivers/mlx5_core/0000:00:02.0/infiniband_verbs", PATH_SHOWN, 0 },
	{ "/sys/devices/pci0000:00/0000:00:02.0/numa_node", PATH_ELSEWHERE, 0 },
	{ "/sys/module/ib_umad", PATH_SHOWN, 0 },
	{ "/sys/dev/char/1:3", PATH_ELSEWHERE, 0 },
	{ "/sys/dev/char/231:0", PATH_SHOWN, 0 },
	{ "/sys/dev/char/231:64/ibdev", PATH_SHOWN, 0 },
	{ "/sys/dev/char/231:192", PATH_SHOWN, 0 },
	{ "/sys/dev/char/231:128", PATH_NOWHERE, 0 },
	{ "/sys/dev/char/231:224", PATH_NOWHERE, 0 },
	{ "/dev/char/231:3", PATH_UMAD, 3 },
	{ "/dev/char/231:67", PATH_ISSM, 3 },
	{ "/dev/char/231:194", PATH_UVERBS, 2 },
	{ "/dev/char/231:191", PATH_NOWHERE, 0 },
	{ "/dev/char/231:224", PATH_NOWHERE, 0 },
	{ "/dev/null", PATH_ELSEWHERE, 0 },
	{ "/dev/kmsg", PATH_KMSG, 0 },
	{ "/dev/kmsg/x", PATH_ELSEWHERE, 0 },
	{ "/dev/char/1:11", PATH_KMSG, 0 },
	{ "/dev/char/1:1", PATH_ELSEWHERE, 0 },
	{ "/sys/dev/char", PATH_DOOR, 0 },
	{ "/run/udev/control", PATH_UDEV, 0 },
	{ "/run/udev/data/c231:0", PATH_UDEV, 0 },
	{ "/run/udev/data/+infiniband:mlx5_0", PATH_UDEV, 0 },
	{ "/run/udev/data/c1:3", PATH_ELSEWHERE, 0 },
	{ "/run/udev", PATH_ELSEWHERE, 0 },
	{ "/dev/infiniband", PATH_NODE_LIST, 0 },
	{ "/dev/infiniband/umad0", PATH_UMAD, 0 },
	{ "/dev/infiniband/umad17", PATH_UMAD, 17 },
	{ "/dev/infiniband/issm2", PATH_ISSM, 2 },
	{ "/dev/infiniband/umad", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/umad00", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/umad4294967296", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/umad1x", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/umad-1", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/uverbs0", PATH_UVERBS, 0 },
	{ "/dev/infiniband/uverbs17", PATH_UVERBS, 17 },
	{ "/dev/infiniband/uverbs", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/uverbs01", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/rdma_cm", PATH_RDMA_CM, 0 },
	{ "/dev/infiniband/rdma_cm0", PATH_NOWHERE, 0 },
	{ "/dev/infiniband/by-ibdev/uverbs0", PATH_NOWHERE, 0 },
	{ "/dev/infinibands", PATH_ELSEWHERE, 0 },
	{ "/home/infiniband/x", PATH_ELSEWHERE, 0 },
};

static void classify(struct path *path, const char *text, bool hides_real)
{
	g_assert_cmpint(path_resolve(path, "/", text, true, follow, NULL), ==, 0);
	path_classify(path, hides_real);
}

static void test_meant(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(meant); i++) {
		struct path path;

		classify(&path, meant[i].text, false);
		g_test_message("%s: %s", meant[i].text, kind_names[path.kind]);
		g_assert_cmpint(path.kind, ==, meant[i].kind);
		if (path.kind == PATH_UMAD || path.kind == PATH_ISSM)
			g_assert_cmpint(path.number, ==, meant[i].number);
	}
}

static void test_by_number(void)
{
	struct path path;

	classify(&path, "/dev/char/231:65", false);
	g_assert_cmpstr(path.text, ==, "/dev/infiniband/issm1");
	classify(&path, "/sys/dev/char/231:2/port", false);
	g_assert_cmpstr(path.text, ==, "/sys/class/infiniband_mad/umad2/port");
}

static void test_no_directory(void)
{
	struct path path;

	classify(&path, "/dev/infiniband/umad0", false);
	g_assert_false(path.is_directory_wanted);
	classify(&path, "/dev/infiniband/umad0/", false);
	g_assert_true(path.is_directory_wanted);
	classify(&path, "/dev/infiniband/umad0/x", false);
	g_assert_cmpint(path.kind, ==, PATH_UMAD);
	g_assert_true(path.is_directory_wanted);
}

/* With real devices, every directory in /sys may lead to them. */
static void test_real_devices(void)
{
	static const struct {
		const char *text;
		enum path_kind kind;
	} rows[] = {
		{ "/sys/devices", PATH_DOOR },
		{ "/sys/devices/pci0000:00", PATH_LIST },
		{ "/sys/devices/pci0000:00/0000:00:02.0", PATH_DOOR },
		{ "/sys/class/net/ib0", PATH_DOOR },
		{ "/sys/class", PATH_LIST },
		{ "/sys/class/infiniband", PATH_SHOWN },
		{ "/sys/devices/pci0000:00/infiniband/mlx5_0", PATH_NOWHERE },
		{ "/dev/null", PATH_ELSEWHERE },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct path path;

		classify(&path, rows[i].text, true);
		g_assert_cmpint(path.kind, ==, rows[i].kind);
	}
}

static void test_may_lead(void)
{
	static const char *const may[] = {
		"sys", "dev", "class", ".", "..", "a/..", "./x", "infiniband/H1", "umad0",
		"x/issm1", "sys/", "dev//shm", "char/231:0", "devices/pci0000:00", "module",
		"0000:1e:00.0/vendor", "ib_core/refcnt", "mlx5_ib",
	};
	static const char *const may_not[] = { "a.c", "net/eth0", "system", "..a", "bus.h", "" };

	for (size_t i = 0; i < G_N_ELEMENTS(may); i++)
		g_assert_true(path_may_lead(may[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(may_not); i++)
		g_assert_false(path_may_lead(may_not[i]));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/filter-path/resolved", test_resolved);
	g_test_add_func("/filter-path/last-link", test_last_link);
	g_test_add_func("/filter-path/lengths", test_lengths);
	g_test_add_func("/filter-path/meant", test_meant);
	g_test_add_func("/filter-path/by-number", test_by_number);
	g_test_add_func("/filter-path/no-directory", test_no_directory);
	g_test_add_func("/filter-path/real-devices", test_real_devices);
	g_test_add_func("/filter-path/may-lead", test_may_lead);
	return g_test_run();
}
