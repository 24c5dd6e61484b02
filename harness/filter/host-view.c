/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the programs of a host see of its devices: see harness/filter/host-view.h.
 *
 * Each view has a connection of its own to the server, which keeps a host's files only as long as
 * the host has a client.
 */
#include "config.h"

#include "harness/filter/host-view.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/view-copy.h"
#include "harness/filter/supervisor-turn.h"
#include "harness/filter/view-names.h"
#include "lib/attach/call.h"
#include "lib/base/environment-read.h"
#include "lib/words/number.h"
#include "sim/system/issm-pipe.h"
#include "sim/system/private-directory.h"

#define SYSFS "/sys"
#define CLASSES SYSFS "/class"
#define NODES "/dev/infiniband"

enum { VIEWS_MAX = 1024 };	/* a program may make up names of hosts */

struct host_view {
	char *host;		/* NULL: the default */
	int connection;		/* -1: none; then there is nothing but the name */
	struct view_copy *copy;	/* of the server's files, if they cannot be seen here; or NULL */
	char *shown;		/* the real path of the server's directory, or of the copy */
	int shown_fd;
	char *tree;		/* the real path of ours */
	int tree_fd;
};

struct host_views {
	char *default_host;
	struct private_directory directory;
	GPtrArray *views;	/* of struct host_view * */
	bool hides_real;
	bool was_given;
};

/* ---- our own tree ---- */

static int make_tree(struct host_view *view, const struct host_views *views, unsigned int number)
{
	view->tree = g_strdup_printf("%s/host%u", views->directory.path, number);
	if (g_mkdir(view->tree, 0755) < 0)
		return -errno;
	view->tree_fd = open(view->tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (view->tree_fd < 0)
		return -errno;
	return view_names_make(view->tree_fd);
}

/* ---- the server's files ---- */

/* The directory as /proc/PID/fd shows it: links in TMPDIR are resolved there. */
static char *real_path(int fd)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);

	return g_file_read_link(link, NULL);
}

/* Opens the server's files. 0, or -errno if there are none or they are not seen from here. */
static int open_served(struct host_view *view)
{
	char path[PATH_MAX];
	struct attach_exchange exchange = {
		.call.op = ATTACH_SYSFS,
		.fd = -1,
		.reply = path,
		.reply_room = sizeof(path) - 1,
		.reply_fd = -1,
	};
	long ret = attach_call_on(view->connection, &exchange);

	if (exchange.reply_fd >= 0)
		close(exchange.reply_fd);
	if (ret < 0)
		return (int)ret;
	path[exchange.reply_size] = '\0';
	view->shown_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return view->shown_fd < 0 ? -errno : 0;
}

/* In a container that has the server's socket only, or over a bridge: a copy. 0 or -errno. */
static int open_copy(struct host_view *view, const struct host_views *views)
{
	g_autofree char *path = g_strdup_printf("%s/copy%u", views->directory.path,
						views->views->len);
	char text[ATTACH_BANNER_SIZE];
	int fd = attach_call_dial_as(view->host, text, sizeof(text));

	if (fd < 0)
		return fd;
	view->copy = view_copy_new(fd, path);
	if (!view->copy)
		return -errno;
	view->shown_fd = open(view_copy_path(view->copy), O_PATH | O_DIRECTORY | O_CLOEXEC);
	return view->shown_fd < 0 ? -errno : 0;
}

static int open_shown(struct host_view *view, const struct host_views *views)
{
	int ret = open_served(view);

	if (ret < 0)
		ret = open_copy(view, views);
	if (ret < 0)
		return ret;
	view->shown = real_path(view->shown_fd);
	return view->shown ? 0 : -EIO;
}

/* What the server has said of its files until now is in the copy. */
static void update(const struct host_view *view)
{
	if (view->copy)
		view_copy_update(view->copy);
}

/* The server then knows that a program of the session has looked at devices. */
static void note_use(const struct host_view *view)
{
	char names[ATTACH_REPLY_MAX];
	struct attach_exchange exchange = {
		.call.op = ATTACH_LIST_CAS,
		.fd = -1,
		.reply = names,
		.reply_room = sizeof(names),
		.reply_fd = -1,
	};

	attach_call_on(view->connection, &exchange);
}

/* ---- views ---- */

static void view_free(void *data)
{
	struct host_view *view = data;

	if (view->connection >= 0)
		close(view->connection);
	if (view->shown_fd >= 0)
		close(view->shown_fd);
	if (view->tree_fd >= 0)
		close(view->tree_fd);
	view_copy_free(view->copy);
	g_free(view->shown);
	g_free(view->tree);
	g_free(view->host);
	g_free(view);
}

/* Fills in the view. 0, or -errno with the reason in 'text'. */
static int fill_in(struct host_view *view, const struct host_views *views, char *text, size_t size)
{
	int ret;

	view->connection = attach_call_dial_as(view->host, text, size);
	if (view->connection < 0)
		return view->connection;
	ret = open_shown(view, views);
	if (ret == 0)
		ret = make_tree(view, views, views->views->len);
	if (ret == 0) {
		note_use(view);
		return 0;
	}
	g_snprintf(text, size, "the fabric server cannot show its devices as files (%s)",
		   issm_pipe_strerror(-ret));
	return ret;
}

static struct host_view *view_new(struct host_views *views, const char *host)
{
	struct host_view *view = g_new(struct host_view, 1);
	char text[ATTACH_BANNER_SIZE] = "";
	int ret;

	*view = (struct host_view){
		.host = g_strdup(host), .connection = -1, .shown_fd = -1, .tree_fd = -1,
	};
	ret = fill_in(view, views, text, sizeof(text));
	if (ret < 0) {
		g_printerr("umadrig: programs see no devices of %s%s: %s\n",
			   host ? "host " : "the first host", host ? host : "",
			   *text ? text : g_strerror(-ret));
		/* It stays as a name, so that this is said once. */
		if (view->connection >= 0)
			close(view->connection);
		view->connection = -1;
	}
	g_ptr_array_add(views->views, view);
	return view;
}

static struct host_view *find(const struct host_views *views, const char *host)
{
	for (guint i = 0; i < views->views->len; i++) {
		struct host_view *view = views->views->pdata[i];

		if (g_strcmp0(view->host, host) == 0)
			return view;
	}
	return NULL;
}

struct host_view *host_view_of(struct host_views *views, const char *host)
{
	struct host_view *view;

	if (!host)
		host = views->default_host;
	view = find(views, host);
	if (!view && views->views->len < VIEWS_MAX)
		view = view_new(views, host);
	return view && view->connection >= 0 ? view : NULL;
}

struct host_view *host_view_of_thread(struct host_views *views, pid_t tid)
{
	char host[ATTACH_HOST_SIZE];
	int r;

	turn_outside_begin();
	r = environment_read(tid, "UMADRIG_HOST", host, sizeof(host));
	turn_outside_end();
	if (r < 0 || host[0] == '\0')
		return host_view_of(views, NULL);
	return host_view_of(views, host);
}

const char *host_view_host(const struct host_view *view)
{
	return view->host;
}

int host_view_place(struct host_view *view, const struct path *path, const char **ret_inner)
{
	*ret_inner = path->text + 1;
	update(view);
	if (path->kind == PATH_SHOWN) {
		*ret_inner = path->text + strlen(SYSFS "/");
		return view->shown_fd;
	}
	if (path->kind == PATH_UDEV) {
		*ret_inner = path->text + strlen("/run/");
		return view->shown_fd;
	}
	view_names_refresh(view->tree_fd, view->shown_fd, path);
	return view->tree_fd;
}

void host_view_look_at_issm(struct host_view *view)
{
	struct attach_exchange exchange = {
		.call.op = ATTACH_ISSM_LOOK, .fd = -1, .reply_fd = -1,
	};
	long last = attach_call_on(view->connection, &exchange);

	if (view->copy && last > 0)
		view_copy_await(view->copy, (uint64_t)last);
}

long host_view_store(struct host_view *view, const char *text, const char *bytes, size_t size)
{
	const char *path = text + strlen(SYSFS "/");
	g_autoptr(GByteArray) data = g_byte_array_new();
	struct attach_exchange exchange = {
		.call.op = ATTACH_SYSFS_STORE, .fd = -1, .reply_fd = -1,
	};
	long ret;

	g_byte_array_append(data, (const guint8 *)path, (guint)strlen(path) + 1);
	g_byte_array_append(data, (const guint8 *)bytes, (guint)size);
	exchange.data = data->data;
	exchange.size = data->len;
	ret = attach_call_on(view->connection, &exchange);
	/* A copy has what the server shows once this is answered. */
	if (view->copy)
		host_view_look_at_issm(view);
	return ret;
}

bool host_view_is_writable(const struct host_view *view, const char *text)
{
	struct stat st;

	return strncmp(text, SYSFS "/", strlen(SYSFS "/")) == 0 &&
	       fstatat(view->shown_fd, text + strlen(SYSFS "/"), &st, 0) == 0 &&
	       host_view_may_write(&st);
}

bool host_view_follow(struct host_view *view, const char *text, char *target)
{
	g_autofree char *directory = g_path_get_dirname(text);
	char link[PATH_MAX];
	struct path path;
	ssize_t n;

	update(view);
	n = readlinkat(view->shown_fd, text + strlen(SYSFS "/"), link, sizeof(link) - 1);
	if (n <= 0)
		return false;
	link[n] = '\0';
	if (path_resolve(&path, directory, link, false, path_follow_none, NULL) < 0)
		return false;
	strcpy(target, path.text);
	return true;
}

int host_view_open_name(const struct host_view *view, const struct path *path)
{
	char inner[PATH_MAX + sizeof(VIEW_NAMES)];
	struct path_device device;
	int fd;

	snprintf(inner, sizeof(inner), VIEW_NAMES "%s", path->text);
	if (!path_device(path, &device)) {
		g_autofree char *name = g_build_filename(view->tree, inner, NULL);
		g_autofree char *directory = g_path_get_dirname(name);

		g_mkdir_with_parents(directory, 0755);
	}
	fd = openat(view->tree_fd, inner, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

/* ---- what umadN is ---- */

/* The first line of a file of the device's class. */
static int read_line(const struct host_view *view, const struct path *path, const char *file,
		     char *line, size_t size)
{
	g_autofree char *inner = g_strdup_printf(
		"%s/%s%u/%s", path_node_class(path->kind), path_node_name(path->kind),
		path->number, file);
	int fd = openat(view->shown_fd, inner, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, size - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -ENOENT;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

int host_view_port(const struct host_view *view, const struct path *path, char *ca_name,
		   unsigned int *ret_portnum)
{
	char line[UMAD_BACKEND_NAME_SIZE + 1], number[24];
	uint64_t portnum;

	update(view);
	if (read_line(view, path, "ibdev", line, sizeof(line)) < 0 ||
	    read_line(view, path, "port", number, sizeof(number)) < 0 ||
	    number_parse_decimal(number, 0, UINT8_MAX, &portnum) < 0)
		return -ENOENT;
	g_strlcpy(ca_name, line, UMAD_BACKEND_NAME_SIZE);
	*ret_portnum = (unsigned int)portnum;
	return 0;
}

int host_view_device(const struct host_view *view, const struct path *path, char *ca_name)
{
	char line[UMAD_BACKEND_NAME_SIZE + 1];

	update(view);
	if (read_line(view, path, "ibdev", line, sizeof(line)) < 0)
		return -ENOENT;
	g_strlcpy(ca_name, line, UMAD_BACKEND_NAME_SIZE);
	return 0;
}

int host_view_values(const struct host_view *view)
{
	update(view);
	return view->shown_fd;
}

int host_view_changes_fd(const struct host_view *view)
{
	return view->copy ? view_copy_fd(view->copy) : -1;
}

/* ---- back ---- */

/* What follows 'directory' in 'text', from its '/' on; NULL: it is not below. */
static const char *rest_of(const char *text, const char *directory)
{
	size_t length = strlen(directory);

	if (strncmp(text, directory, length) != 0 || (text[length] && text[length] != '/'))
		return NULL;
	return text + length;
}

/* What programs call 'text', to be freed with g_free(); NULL: it is none of the view's. */
static char *name_of(const struct host_view *view, const char *text)
{
	const char *rest = view->shown ? rest_of(text, view->shown) : NULL, *name;

	if (rest)
		return g_strconcat(SYSFS, rest, NULL);
	rest = view->tree ? rest_of(text, view->tree) : NULL;
	if (!rest)
		return NULL;
	name = rest_of(rest, "/" VIEW_NAMES);
	name = name ? name : rest;
	return g_strdup(*name ? name : "/");
}

struct host_view *host_view_back(struct host_views *views, char *text)
{
	for (guint i = 0; i < views->views->len; i++) {
		struct host_view *view = views->views->pdata[i];
		g_autofree char *name = name_of(view, text);

		/* What would be too long is no path of a program's. */
		if (name && strlen(name) < PATH_MAX) {
			strcpy(text, name);
			return view;
		}
	}
	return NULL;
}

/* ---- all ---- */

static bool has_real(void)
{
	static const char *const signs[] = {
		CLASSES "/infiniband", CLASSES "/infiniband_mad", CLASSES "/infiniband_verbs",
		NODES,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (access(signs[i], F_OK) == 0)
			return true;
	return false;
}

struct host_views *host_views_new(const char *default_host, char *reterr, size_t size)
{
	struct host_views *views = g_new0(struct host_views, 1);
	char *real;

	if (private_directory_make(&views->directory, "", reterr, size) < 0) {
		g_free(views);
		return NULL;
	}
	/* As /proc shows it. */
	real = realpath(views->directory.path, NULL);
	if (real) {
		g_free(views->directory.path);
		views->directory.path = g_strdup(real);
		free(real);
	}
	views->default_host = default_host && *default_host ? g_strdup(default_host) : NULL;
	views->hides_real = has_real();
	views->views = g_ptr_array_new_with_free_func(view_free);
	return views;
}

void host_views_free(struct host_views *views)
{
	if (!views)
		return;
	g_ptr_array_unref(views->views);
	private_directory_remove(&views->directory);
	g_free(views->default_host);
	g_free(views);
}

bool host_views_hide_real(const struct host_views *views)
{
	return views->hides_real;
}

void host_views_note_given(struct host_views *views)
{
	views->was_given = true;
}

bool host_views_was_given(const struct host_views *views)
{
	return views->was_given;
}
