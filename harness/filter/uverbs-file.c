/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <rdma/ib_user_verbs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
	struct view_files files;
	bool has_said_full, has_said_refused;
};

static struct uverbs_files *files_of(const struct uverbs_file *file)
{
	return (struct uverbs_files *)(void *)file->common.files;
}

/* ---- events ---- */

/* Linux has memory for any number of them. */
static void put_event(struct uverbs_file *file, unsigned int portnum, uint32_t type)
{
	const struct ib_uverbs_async_event_desc event = {
		.element = portnum, .event_type = type,
	};
	struct uverbs_files *files = files_of(file);

	if (send(file->common.watch.fd, &event, sizeof(event), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ||
	    errno != EAGAIN)
		return;
	if (!files->has_said_full)
		fprintf(stderr, "umadrig: process %d does not read the events of %s: it misses "
			"some\n", (int)file->common.program, file->device);
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

/* The device has been pulled out. Linux: that is the last event. */
static void end_device(struct view_file *of)
{
	struct uverbs_file *file = (struct uverbs_file *)(void *)of;

	if (!file->is_events) {
		file->is_dead = true;
		return;
	}
	put_event(file, 0, EVENT_DEVICE_FATAL);
	view_file_drop(of);
}

static void look_at(struct view_file *of)
{
	struct uverbs_file *file = (struct uverbs_file *)(void *)of;
	int shown = view_file_values(of);
	struct verbs_device values;

	if (file->is_dead || file->is_cm)
		return;
	if (verbs_values_read_device(shown, file->device, &values) < 0)
		end_device(of);
	else if (file->is_events)
		look_at_ports(file, shown);
}

/* ---- coming and going ---- */

/* Events of a device that is closed: what is unread stays, and there is an end behind it. */
static void drop_events(struct view_file *device)
{
	struct view_files *files = device->files;

	for (guint i = files->all->len; i-- > 0;) {
		struct uverbs_file *file = files->all->pdata[i];

		if (file->parent && &file->parent->common == device)
			view_file_drop(&file->common);
	}
}

static void free_ports(struct view_file *file)
{
	g_free(((struct uverbs_file *)(void *)file)->ports);
}

static const struct view_file_kind uverbs_file_kind = {
	.name = "files of verbs devices", .size = sizeof(struct uverbs_file),
	.most = 512, .most_of_one = 128,
	.look = look_at, .end = end_device, .drop = drop_events, .free = free_ports,
};

struct uverbs_files *uverbs_files_new(struct supervisor *supervisor)
{
	struct uverbs_files *files = g_new0(struct uverbs_files, 1);

	view_files_init(&files->files, supervisor, &uverbs_file_kind);
	return files;
}

void uverbs_files_free(struct uverbs_files *files)
{
	if (!files)
		return;
	view_files_clear(&files->files);
	g_free(files);
}

struct uverbs_file *uverbs_file_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct uverbs_files *files = supervisor->uverbs;

	return files ? (void *)view_file_find(&files->files, tid, fd) : NULL;
}

/* ---- opening ---- */

static void follow(struct uverbs_file *file, struct host_view *view)
{
	g_autofree char *directory = g_strdup_printf(VERBS_VALUES "/%s", file->device);

	view_file_follow(&file->common, view, directory);
}

static long give_file(struct supervisor *supervisor, const struct seccomp_notif *call,
		      struct host_view *view, const char *device, unsigned int number, int flags,
		      bool is_cm)
{
	struct uverbs_files *files = supervisor->uverbs;
	pid_t program = process_of_thread((pid_t)call->pid);
	int at = number_free(supervisor, (pid_t)call->pid), ends[2];
	int r = at < 0 ? -EMFILE : view_files_check_limit(&files->files, program);
	struct verbs_device values;
	struct uverbs_file *file;

	if (r == 0 && !is_cm &&
	    verbs_values_read_device(host_view_values(view), device, &values) < 0)
		r = -ENXIO;
	if (r < 0)
		return r;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	file = (void *)view_file_new(&files->files, ends[1], ends[0]);
	if (!file)
		return -errno;
	file->common.host = g_strdup(host_view_host(view));
	file->common.program = program;
	file->number = number;
	file->may_write = (flags & O_ACCMODE) != O_RDONLY;
	g_strlcpy(file->device, device, sizeof(file->device));
	file->is_cm = is_cm;
	if (!is_cm)
		follow(file, view);
	r = view_file_give(&file->common, call, ends[0], at, flags);
	return r < 0 ? r : CALL_ANSWERED;
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
	int shown = view_file_values(&file->common);
	struct verbs_device values;

	if (shown < 0 || verbs_values_read_device(shown, file->device, &values) < 0)
		return;
	file->port_count = (unsigned int)MIN(values.port_count, UINT8_MAX);
	file->ports = g_new0(struct verbs_port, file->port_count + 1);
	for (unsigned int i = 0; i < file->port_count; i++)
		verbs_values_read_port(shown, file->device, i + 1, &file->ports[i]);
}

struct uverbs_file *uverbs_file_new_events(struct uverbs_file *device, int *ret_end)
{
	struct uverbs_file *file;
	int r = view_files_check_limit(device->common.files, device->common.program), ends[2];

	if (r < 0) {
		errno = -r;
		return NULL;
	}
	/* What was not read when our end is closed can still be: nothing is left in ours. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	file = (void *)view_file_new(device->common.files, ends[0], ends[1]);
	if (!file)
		return NULL;
	file->is_events = true;
	file->parent = device;
	file->common.host = g_strdup(device->common.host);
	memcpy(file->device, device->device, sizeof(file->device));
	file->number = device->number;
	file->common.program = device->common.program;
	file->common.values_watch = device->common.values_watch;
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
