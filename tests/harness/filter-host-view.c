/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs of a host see in /sys/class and /dev/infiniband (harness/filter/host-view.h), on a
 * fabric of two hosts.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/filter/host-view.h"
#include "lib/base/environment-read.h"
#include "tests/rig/server-rig.h"

#define CARD "/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0"

static struct path path_of(const char *text)
{
	struct path path;

	g_assert_cmpint(path_resolve(&path, "/", text, true, path_follow_none, NULL), ==, 0);
	path_classify(&path, false);
	return path;
}

static int open_in(struct host_view *view, const char *text)
{
	struct path path = path_of(text);
	const char *inner;
	int at = host_view_place(view, &path, &inner);

	return openat(at, inner, O_RDONLY | O_CLOEXEC);
}

/* The first line of a file, or "" if there is none. */
static char *line_in(struct host_view *view, const char *text)
{
	char line[256] = "";
	int fd = open_in(view, text);

	if (fd >= 0) {
		g_assert_cmpint(read(fd, line, sizeof(line) - 1), >=, 0);
		close(fd);
	}
	line[strcspn(line, "\n")] = '\0';
	return g_strdup(line);
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The entries of a directory, sorted. */
static char *list_in(struct host_view *view, const char *text)
{
	int fd = open_in(view, text);
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(link, 0, NULL);
	const char *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	g_dir_close(dir);
	close(fd);
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(" ", (char **)names->pdata);
}

static void check_line(struct host_view *view, const char *text, const char *expected)
{
	g_autofree char *line = line_in(view, text);

	g_assert_cmpstr(line, ==, expected);
}

static void check_list(struct host_view *view, const char *text, const char *expected)
{
	g_autofree char *list = list_in(view, text);

	g_assert_cmpstr(list, ==, expected);
}

static struct host_views *begin(void)
{
	char message[256] = "";
	struct host_views *views = host_views_new(NULL, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(views);
	return views;
}

static void test_files(void)
{
	struct host_views *views = begin();
	struct host_view *first = host_view_of(views, NULL), *second = host_view_of(views, "H2");

	g_assert_nonnull(first);
	g_assert_true(host_view_of(views, NULL) == first);
	check_line(first, "/sys/class/infiniband/H1/ports/1/state", "4: ACTIVE");
	check_line(first, "/sys/class/infiniband_mad/umad0/ibdev", "H1");
	check_list(first, "/sys/class/infiniband", "H1");
	check_list(first, "/dev/infiniband", "issm0 rdma_cm umad0 uverbs0");
	g_assert_nonnull(second);
	check_line(second, "/sys/class/infiniband_mad/umad0/ibdev", "H2");
	check_list(second, "/sys/class/infiniband", "H2");
	host_views_free(views);
}

/* All other classes are there by name; of InfiniBand's only those that are simulated. */
static void test_classes(void)
{
	struct host_views *views = begin();
	g_autofree char *list = list_in(host_view_of(views, NULL), "/sys/class");
	g_auto(GStrv) names = g_strsplit(list, " ", -1);
	GDir *dir = g_dir_open("/sys/class", 0, NULL);
	const char *name;

	g_assert_true(g_strv_contains((const char *const *)names, "infiniband"));
	g_assert_true(g_strv_contains((const char *const *)names, "infiniband_mad"));
	g_assert_true(g_strv_contains((const char *const *)names, "infiniband_verbs"));
	g_assert_false(g_strv_contains((const char *const *)names, "infiniband_cm"));
	while (dir && (name = g_dir_read_name(dir)))
		g_assert_true(g_str_has_prefix(name, "infiniband") ||
			      g_strv_contains((const char *const *)names, name));
	g_clear_pointer(&dir, g_dir_close);
	host_views_free(views);
}

static void test_ports(void)
{
	struct host_views *views = begin();
	struct host_view *view = host_view_of(views, "H2");
	struct path umad = path_of("/dev/infiniband/umad0");
	struct path issm = path_of("/dev/infiniband/issm0");
	struct path none = path_of("/dev/infiniband/umad7");
	char ca_name[UMAD_BACKEND_NAME_SIZE];
	unsigned int portnum = 0;

	g_assert_cmpint(host_view_port(view, &umad, ca_name, &portnum), ==, 0);
	g_assert_cmpstr(ca_name, ==, "H2");
	g_assert_cmpuint(portnum, ==, 1);
	g_assert_cmpint(host_view_port(view, &issm, ca_name, &portnum), ==, 0);
	g_assert_cmpint(host_view_port(view, &none, ca_name, &portnum), ==, -ENOENT);
	host_views_free(views);
}

/* Values and devices change as the fabric does. */
static void test_live(void)
{
	struct host_views *views = begin();
	struct host_view *view = host_view_of(views, "H1");

	check_line(view, "/sys/class/infiniband/H1/ports/1/phys_state", "5: LinkUp");
	server_rig_console("link down H1[1]");
	check_line(view, "/sys/class/infiniband/H1/ports/1/phys_state", "2: Polling");
	check_list(view, "/dev/infiniband", "issm0 rdma_cm umad0 uverbs0");
	server_rig_console("device remove H1");
	check_list(view, "/dev/infiniband", "rdma_cm");
	check_list(view, "/sys/class/infiniband", "");
	server_rig_console("node on H1");
	check_list(view, "/dev/infiniband", "issm0 rdma_cm umad0 uverbs0");
	host_views_free(views);
}

/* No device is ever behind a name: it cannot even be opened. */
static void test_nodes(void)
{
	struct host_views *views = begin();
	struct path path = path_of("/dev/infiniband/umad0");
	const char *inner;
	int at = host_view_place(host_view_of(views, NULL), &path, &inner);
	struct stat st;

	g_assert_cmpint(fstatat(at, inner, &st, AT_SYMLINK_NOFOLLOW), ==, 0);
	g_assert_cmpint(st.st_mode & 07777, ==, 0600);
	g_assert_true(S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && st.st_rdev == 0));
	host_views_free(views);
}

static void check_link(struct host_view *view, const char *text, const char *expected)
{
	char target[PATH_MAX] = "";

	g_assert_cmpint(host_view_follow(view, text, target), ==, expected != NULL);
	g_assert_cmpstr(target, ==, expected ? expected : "");
}

static void test_follow(void)
{
	struct host_views *views = begin();
	struct host_view *view = host_view_of(views, "H1");

	check_link(view, "/sys/class/infiniband/H1", CARD "/infiniband/H1");
	check_link(view, CARD "/infiniband/H1/device", CARD);
	check_link(view, CARD "/infiniband/H1/subsystem", "/sys/class/infiniband");
	check_link(view, CARD "/driver", "/sys/bus/pci/drivers/mlx5_core");
	check_link(view, CARD "/subsystem", "/sys/bus/pci");
	check_link(view, CARD, NULL);
	check_link(view, "/sys/class/infiniband/H2", NULL);
	check_link(view, "/sys/class/infiniband/H1/none", NULL);
	check_line(view, "/sys/class/infiniband/H1/device/vendor", "0x15b3");
	host_views_free(views);
}

/* What of the machine is beside ours, by name and kind; what is ours replaces it. */
static void test_lists(void)
{
	struct host_views *views = begin();
	struct host_view *view = host_view_of(views, NULL);
	g_autofree char *list = list_in(view, "/sys/module");
	g_auto(GStrv) names = g_strsplit(list, " ", -1);
	int fd = open_in(view, "/sys/bus/pci/devices");
	GDir *dir = g_dir_open("/sys/module", 0, NULL);
	const char *name;
	struct stat st;

	g_assert_true(g_strv_contains((const char *const *)names, "ib_umad"));
	while (dir && (name = g_dir_read_name(dir)))
		g_assert_true(g_strv_contains((const char *const *)names, name));
	g_clear_pointer(&dir, g_dir_close);
	g_assert_cmpint(fstatat(fd, "0000:1e:00.0", &st, AT_SYMLINK_NOFOLLOW), ==, 0);
	g_assert_true(S_ISLNK(st.st_mode));
	close(fd);
	host_views_free(views);
}

/* From what /proc shows back to what programs say. */
static void test_back(void)
{
	static const char *const texts[] = {
		"/sys/class", CARD "/infiniband/H1/ports", "/sys/class/infiniband_mad",
		"/dev/infiniband", CARD "/infiniband/H1/node_guid", "/sys/module",
		"/sys/devices/pci0000:00", "/sys/module/ib_umad",
	};
	struct host_views *views = begin();
	struct host_view *view = host_view_of(views, "H1");
	struct path umad = path_of("/dev/infiniband/umad0");
	char text[PATH_MAX] = "/etc/passwd";
	int fd;

	g_assert_null(host_view_back(views, text));
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *link = NULL, *real = NULL;

		fd = open_in(view, texts[i]);
		g_assert_cmpint(fd, >=, 0);
		link = g_strdup_printf("/proc/self/fd/%d", fd);
		real = g_file_read_link(link, NULL);
		g_strlcpy(text, real, sizeof(text));
		g_assert_true(host_view_back(views, text) == view);
		g_assert_cmpstr(text, ==, texts[i]);
		close(fd);
	}
	fd = host_view_open_name(view, &umad);
	g_assert_cmpint(fd, >=, 0);
	{
		g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
		g_autofree char *real = g_file_read_link(link, NULL);

		g_strlcpy(text, real, sizeof(text));
		g_assert_true(host_view_back(views, text) == view);
		g_assert_cmpstr(text, ==, umad.text);
	}
	close(fd);
	host_views_free(views);
}

/* A process that waits, with an environment of its own. */
static pid_t start_with(const char *variable)
{
	char *argv[] = { "sleep", "1000", NULL };
	char *environment[] = { "A=1", (char *)variable, NULL };
	pid_t pid;

	g_assert_true(g_spawn_async(NULL, argv, environment,
				    G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
				    &pid, NULL));
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_threads(void)
{
	struct host_views *views = begin();
	pid_t second = start_with("UMADRIG_HOST=H2"), none = start_with("UMADRIG_HOSTS=H2");
	pid_t unknown = start_with("UMADRIG_HOST=H9");
	char value[8];

	g_assert_cmpint(environment_read(second, "UMADRIG_HOST", value, sizeof(value)), ==, 0);
	g_assert_cmpstr(value, ==, "H2");
	g_assert_cmpint(environment_read(second, "A", value, 1), ==, -ENAMETOOLONG);
	g_assert_cmpint(environment_read(none, "UMADRIG_HOST", value, sizeof(value)), ==, -ENOENT);
	g_assert_true(host_view_of_thread(views, second) == host_view_of(views, "H2"));
	g_assert_true(host_view_of_thread(views, none) == host_view_of(views, NULL));
	g_assert_null(host_view_of_thread(views, unknown));
	end_process(second);
	end_process(none);
	end_process(unknown);
	host_views_free(views);
}

int main(int argc, char **argv)
{
	struct server_rig rig;
	int ret;

	g_test_init(&argc, &argv, NULL);
	rig = server_rig_start("", "H1");
	/* The calling thread's connection belongs to the library, and ends with the process. */
	leak_begin();
	g_test_add_func("/filter-host-view/files", test_files);
	g_test_add_func("/filter-host-view/classes", test_classes);
	g_test_add_func("/filter-host-view/ports", test_ports);
	g_test_add_func("/filter-host-view/live", test_live);
	g_test_add_func("/filter-host-view/nodes", test_nodes);
	g_test_add_func("/filter-host-view/follow", test_follow);
	g_test_add_func("/filter-host-view/lists", test_lists);
	g_test_add_func("/filter-host-view/back", test_back);
	g_test_add_func("/filter-host-view/threads", test_threads);
	ret = leak_end(g_test_run());
	server_rig_end(&rig);
	return ret;
}
