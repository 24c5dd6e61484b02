/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <rdma/ib_user_verbs.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/copy-watch.h"
#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/numbers.h"
#include "harness/filter/verbs-values-read.h"

/* Linux: enum ib_event_type. */
enum {
	EVENT_DEVICE_FATAL = 8,
	EVENT_PORT_ACTIVE = 9,
	EVENT_PORT_ERR = 10,
	EVENT_LID_CHANGE = 11,
	EVENT_PKEY_CHANGE = 12,
	EVENT_CLIENT_REREGISTER = 17,
	EVENT_GID_CHANGE = 18,
};

enum { STATE_ACTIVE = 4 };

struct uverbs_files {
	struct supervisor *supervisor;
	GPtrArray *all;			/* of struct uverbs_file * that programs have */
	GPtrArray *gone;		/* of those that calls still know of */
	struct supervisor_watch values;	/* inotify, while there are files; fd -1: none */
	bool has_said_limit, has_said_full, has_said_refused;
};

static struct uverbs_files *files_of(const struct uverbs_file *file)
{
	return file->files;
}

/* ---- events ---- */

/* Linux has memory for any number of them. */
static void put_event(struct uverbs_file *file, unsigned int portnum, uint32_t type)
{
	const struct ib_uverbs_async_event_desc event = {
		.element = portnum, .event_type = type,
	};
	struct uverbs_files *files = files_of(file);

	if (send(file->watch.fd, &event, sizeof(event), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ||
	    errno != EAGAIN)
		return;
	if (!files->has_said_full)
		fprintf(stderr, "umadrig: process %d does not read the events of %s: it misses "
			"some\n", (int)file->program, file->device);
	files->has_said_full = true;
}

/* As mlx5 tells of a port of InfiniBand. */
static void compare_port(struct uverbs_file *file, unsigned int portnum,
			 const struct verbs_port *was, const struct verbs_port *is)
{
	if (was->state == STATE_ACTIVE && is->state != STATE_ACTIVE)
		put_event(file, portnum, EVENT_PORT_ERR);
	if (was->lid != is->lid || was->lmc != is->lmc)
		put_event(file, portnum, EVENT_LID_CHANGE);
	if (was->pkey_changes != is->pkey_changes)
		put_event(file, portnum, EVENT_PKEY_CHANGE);
	if (was->gid_changes != is->gid_changes)
		put_event(file, portnum, EVENT_GID_CHANGE);
	if (was->reregistrations != is->reregistrations)
		put_event(file, portnum, EVENT_CLIENT_REREGISTER);
	if (was->state != STATE_ACTIVE && is->state == STATE_ACTIVE)
		put_event(file, portnum, EVENT_PORT_ACTIVE);
}

static void look_at_ports(struct uverbs_file *file, int shown)
{
	for (unsigned int i = 0; i < file->port_count; i++) {
		struct verbs_port port;

		if (verbs_values_read_port(shown, file->device, i + 1, &port) < 0)
			continue;
		compare_port(file, i + 1, &file->ports[i], &port);
		file->ports[i] = port;
	}
}

/* The program's reads end there now. */
static void close_end(struct uverbs_file *file)
{
	if (file->watch.fd < 0)
		return;
	supervisor_unwatch(files_of(file)->supervisor, &file->watch);
	close(file->watch.fd);
	file->watch.fd = -1;
}

/* The device has been pulled out. Linux: that is the last event. */
static void end_device(struct uverbs_file *file)
{
	if (!file->is_events) {
		file->is_dead = true;
		return;
	}
	put_event(file, 0, EVENT_DEVICE_FATAL);
	uverbs_file_drop(file);
}

static void look_at(struct uverbs_file *file)
{
	struct host_view *view = uverbs_file_view(file);
	struct verbs_device values;
	int shown = view ? host_view_values(view) : -1;

	if (file->is_dead || file->is_cm)
		return;
	if (verbs_values_read_device(shown, file->device, &values) < 0)
		end_device(file);
	else if (file->is_events)
		look_at_ports(file, shown);
}

/* ---- watching the values ---- */

static void end_watched(struct uverbs_files *files, int values_watch)
{
	for (guint i = files->all->len; i-- > 0;) {
		struct uverbs_file *file = files->all->pdata[i];

		if (file->values_watch != values_watch)
			continue;
		file->values_watch = -1;
		end_device(file);
	}
}

static void look_at_all(struct uverbs_files *files)
{
	/* One that is dropped has the last one in its place, which was looked at. */
	for (guint i = files->all->len; i-- > 0;)
		look_at(files->all->pdata[i]);
}

/* Files of values have been written, or their directory is there no longer. */
static void on_values(struct supervisor *supervisor, struct supervisor_watch *watch,
		      uint32_t events)
{
	char buffer[1 << 12] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size;

	(void)events;
	while ((size = read(watch->fd, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < size; at += (ssize_t)(sizeof(*event) + event->len)) {
			event = (const struct inotify_event *)(const void *)(buffer + at);
			if (event->mask & IN_IGNORED)
				end_watched(supervisor->uverbs, event->wd);
		}
	look_at_all(supervisor->uverbs);
}

void uverbs_files_look(struct supervisor *supervisor)
{
	look_at_all(supervisor->uverbs);
}

bool uverbs_files_use(const struct supervisor *supervisor, int changes_fd)
{
	const struct uverbs_files *files = supervisor->uverbs;

	for (guint i = 0; i < files->all->len; i++) {
		struct host_view *view = uverbs_file_view(files->all->pdata[i]);

		if (view && host_view_changes_fd(view) == changes_fd)
			return true;
	}
	return false;
}

/* -1: none; then nothing tells of events. */
static int watch_values(struct uverbs_files *files, struct host_view *view, const char *device)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d/" VERBS_VALUES "/%s",
						host_view_values(view), device);

	if (files->values.fd < 0) {
		files->values.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
		if (files->values.fd < 0 ||
		    supervisor_watch(files->supervisor, &files->values, EPOLLIN) < 0)
			return -1;
	}
	copy_watch_add(files->supervisor, view);
	return inotify_add_watch(files->values.fd, path,
				 IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
}

/* The last file has gone: a fabric without any costs nothing again. */
static void unwatch_all(struct uverbs_files *files)
{
	if (files->values.fd >= 0) {
		supervisor_unwatch(files->supervisor, &files->values);
		close(files->values.fd);
	}
	files->values.fd = -1;
	copy_watch_settle(files->supervisor);
}

/* ---- coming and going ---- */

static void free_file(void *data)
{
	struct uverbs_file *file = data;

	close_end(file);
	g_free(file->host);
	g_free(file->ports);
	g_free(file);
}

/* Those of a device that is closed: what is unread stays, and there is an end behind it. */
static void drop_events(struct uverbs_files *files, const struct uverbs_file *device)
{
	for (guint i = files->all->len; i-- > 0;) {
		struct uverbs_file *file = files->all->pdata[i];

		if (file->parent == device)
			uverbs_file_drop(file);
	}
}

void uverbs_files_settle(struct uverbs_files *files)
{
	for (guint i = files->gone->len; i-- > 0;) {
		const struct uverbs_file *file = files->gone->pdata[i];

		if (file->users == 0)
			g_ptr_array_remove_index_fast(files->gone, i);
	}
}

void uverbs_file_drop(struct uverbs_file *file)
{
	struct uverbs_files *files = files_of(file);
	guint at = 0;

	if (file->is_gone || !g_ptr_array_find(files->all, file, &at))
		return;
	file->is_gone = true;
	g_ptr_array_remove_index_fast(files->all, at);
	close_end(file);
	if (!file->is_events)
		drop_events(files, file);
	g_ptr_array_add(files->gone, file);
	if (files->all->len == 0)
		unwatch_all(files);
}

static void on_end(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	if (events & (EPOLLERR | EPOLLHUP))
		uverbs_file_drop((struct uverbs_file *)(void *)watch);
	uverbs_files_settle(supervisor->uverbs);
}

/* A file whose ends are there. NULL with errno; then 'end' is still the caller's. */
static struct uverbs_file *add_file(struct uverbs_files *files, int end, int program_end)
{
	struct uverbs_file *file = g_new0(struct uverbs_file, 1);
	struct supervisor *supervisor = files->supervisor;
	int r = 0;

	file->files = files;
	file->values_watch = -1;
	file->watch = (struct supervisor_watch){ .fd = end, .ready = on_end };
	if (!descriptor_identify(&supervisor->files->descriptors, getpid(), program_end, &file->id))
		r = -EIO;
	/* Errors and the end are always told. */
	if (r == 0)
		r = supervisor_watch(supervisor, &file->watch, 0);
	if (r < 0) {
		g_free(file);
		errno = -r;
		return NULL;
	}
	g_ptr_array_add(files->all, file);
	return file;
}

struct uverbs_files *uverbs_files_new(struct supervisor *supervisor)
{
	struct uverbs_files *files = g_new0(struct uverbs_files, 1);

	files->supervisor = supervisor;
	files->all = g_ptr_array_new();
	files->gone = g_ptr_array_new_with_free_func(free_file);
	files->values = (struct supervisor_watch){ .fd = -1, .ready = on_values };
	return files;
}

void uverbs_files_free(struct uverbs_files *files)
{
	if (!files)
		return;
	while (files->all->len > 0)
		uverbs_file_drop(files->all->pdata[0]);
	g_ptr_array_unref(files->gone);
	g_ptr_array_unref(files->all);
	g_free(files);
}

struct uverbs_file *uverbs_file_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct uverbs_files *files = supervisor->uverbs;
	struct descriptor_id id;

	if (!files || files->all->len == 0 || fd < supervisor->first_number ||
	    !descriptor_identify(&supervisor->files->descriptors, tid, fd, &id))
		return NULL;
	for (guint i = 0; i < files->all->len; i++) {
		struct uverbs_file *file = files->all->pdata[i];

		if (descriptor_is_same(&file->id, &id))
			return file;
	}
	return NULL;
}

struct supervisor *uverbs_file_supervisor(const struct uverbs_file *file)
{
	return files_of(file)->supervisor;
}

struct host_view *uverbs_file_view(const struct uverbs_file *file)
{
	return host_view_of(files_of(file)->supervisor->views, file->host);
}

/* ---- opening ---- */

/* 0, or -EMFILE. */
static int check_limit(struct uverbs_files *files, pid_t program)
{
	unsigned int own = 0;

	for (guint i = 0; i < files->all->len; i++)
		own += ((const struct uverbs_file *)files->all->pdata[i])->program == program;
	if (own < UVERBS_FILES_OF_ONE && files->all->len < UVERBS_FILES_MAX)
		return 0;
	if (!files->has_said_limit)
		fprintf(stderr, "umadrig: process %d has %u of the %u files of verbs devices that "
			"are open, and gets no more (EMFILE)\n", (int)program, own,
			files->all->len);
	files->has_said_limit = true;
	return -EMFILE;
}

/* 0, or -errno; then the call is still to be answered. 'view': NULL, it is of no device. */
static int open_file(struct uverbs_files *files, struct host_view *view, const char *device,
		     int *ret_end, struct uverbs_file **ret)
{
	struct verbs_device values;
	int ends[2];

	if (view && verbs_values_read_device(host_view_values(view), device, &values) < 0)
		return -ENXIO;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	*ret = add_file(files, ends[1], ends[0]);
	if (!*ret) {
		close(ends[0]);
		close(ends[1]);
		return -errno;
	}
	*ret_end = ends[0];
	return 0;
}

static long give_file(struct supervisor *supervisor, const struct seccomp_notif *call,
		      struct host_view *view, const char *device, unsigned int number, int flags,
		      bool is_cm)
{
	struct uverbs_files *files = supervisor->uverbs;
	pid_t program = process_of_thread((pid_t)call->pid);
	int at = number_free(supervisor, (pid_t)call->pid), end = -1;
	struct uverbs_file *file = NULL;
	int r = at < 0 ? -EMFILE : check_limit(files, program);

	uverbs_files_settle(files);
	if (r == 0)
		r = open_file(files, is_cm ? NULL : view, device, &end, &file);
	if (r == 0) {
		file->host = g_strdup(host_view_host(view));
		file->number = number;
		file->program = program;
		file->may_write = (flags & O_ACCMODE) != O_RDONLY;
		g_strlcpy(file->device, device, sizeof(file->device));
		file->is_cm = is_cm;
		if (!is_cm)
			file->values_watch = watch_values(files, view, device);
		r = listener_give(supervisor->listener, call, end, at, flags & O_CLOEXEC);
		close(end);
	}
	if (r >= 0)
		return CALL_ANSWERED;
	if (file)
		uverbs_file_drop(file);
	return r == -EBADF ? -EMFILE : r;
}

long uverbs_file_open(struct supervisor *supervisor, const struct seccomp_notif *call,
		      struct host_view *view, const char *device, unsigned int number, int flags)
{
	return give_file(supervisor, call, view, device, number, flags, false);
}

long uverbs_file_open_cm(struct supervisor *supervisor, const struct seccomp_notif *call,
			 struct host_view *view, int flags)
{
	return give_file(supervisor, call, view, "rdma_cm", 0, flags, true);
}

/* ---- files of events ---- */

static void read_ports(struct uverbs_file *file)
{
	struct host_view *view = uverbs_file_view(file);
	struct verbs_device values;

	if (!view || verbs_values_read_device(host_view_values(view), file->device, &values) < 0)
		return;
	file->port_count = (unsigned int)MIN(values.port_count, UINT8_MAX);
	file->ports = g_new0(struct verbs_port, file->port_count + 1);
	for (unsigned int i = 0; i < file->port_count; i++)
		verbs_values_read_port(host_view_values(view), file->device, i + 1,
				       &file->ports[i]);
}

struct uverbs_file *uverbs_file_new_events(struct uverbs_file *device, int *ret_end)
{
	struct uverbs_file *file;
	int r = check_limit(files_of(device), device->program), ends[2];

	if (r < 0) {
		errno = -r;
		return NULL;
	}
	/* What was not read when our end is closed can still be: nothing is left in ours. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	file = add_file(files_of(device), ends[0], ends[1]);
	if (!file) {
		r = errno;
		close(ends[0]);
		close(ends[1]);
		errno = r;
		return NULL;
	}
	file->is_events = true;
	file->parent = device;
	file->host = g_strdup(device->host);
	memcpy(file->device, device->device, sizeof(file->device));
	file->number = device->number;
	file->program = device->program;
	file->values_watch = device->values_watch;
	read_ports(file);
	*ret_end = ends[1];
	return file;
}

void uverbs_file_refuse(struct uverbs_file *file, pid_t tid, const char *command)
{
	struct uverbs_files *files = files_of(file);
	g_autofree char *path = g_strdup_printf("/proc/%d/comm", (int)tid), *name = NULL;

	if (files->has_said_refused)
		return;
	files->has_said_refused = true;
	if (g_file_get_contents(path, &name, NULL, NULL))
		g_strchomp(name);
	fprintf(stderr, "umadrig: %s (process %d) wants %s of %s: it fails (EOPNOTSUPP), as "
		"verbs are simulated for queries and events alone. For data there is Linux's rxe\n",
		name ? name : "a program", (int)tid, command, file->device);
}
