/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/view-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "harness/filter/copy-watch.h"
#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"

struct host_view *view_file_view(const struct view_file *file)
{
	return host_view_of(file->files->supervisor->views, file->host);
}

int view_file_values(const struct view_file *file)
{
	struct host_view *view = view_file_view(file);

	return view ? host_view_values(view) : -1;
}

/* ---- what they follow ---- */

void view_files_look(struct view_files *files)
{
	/* One that is dropped has the last one in its place, which was looked at. */
	for (guint i = files->all->len; i-- > 0;)
		files->kind->look(files->all->pdata[i]);
}

bool view_files_use(const struct view_files *files, int changes_fd)
{
	for (guint i = 0; i < files->all->len; i++) {
		struct host_view *view = view_file_view(files->all->pdata[i]);

		if (view && host_view_changes_fd(view) == changes_fd)
			return true;
	}
	return false;
}

static void end_watched(struct view_files *files, int values_watch)
{
	for (guint i = files->all->len; i-- > 0;) {
		struct view_file *file = files->all->pdata[i];

		if (file->values_watch != values_watch)
			continue;
		file->values_watch = -1;
		if (files->kind->end)
			files->kind->end(file);
	}
}

/* Files of values have been written, or their directory is there no longer. */
static void on_values(struct supervisor *supervisor, struct supervisor_watch *watch,
		      uint32_t events)
{
	struct view_files *files = (struct view_files *)(void *)watch;
	char buffer[1 << 12] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size;

	(void)supervisor, (void)events;
	while ((size = read(watch->fd, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < size; at += (ssize_t)(sizeof(*event) + event->len)) {
			event = (const struct inotify_event *)(const void *)(buffer + at);
			if (event->mask & IN_IGNORED)
				end_watched(files, event->wd);
		}
	view_files_look(files);
}

/* Where nothing can be watched the program learns of what is there with its calls. */
void view_file_follow(struct view_file *file, struct host_view *view, const char *directory)
{
	struct view_files *files = file->files;
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d/%s", host_view_values(view),
						directory);

	if (files->values.fd < 0) {
		files->values.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
		if (files->values.fd < 0 ||
		    supervisor_watch(files->supervisor, &files->values, EPOLLIN) < 0)
			return;
	}
	copy_watch_add(files->supervisor, view);
	file->values_watch = inotify_add_watch(files->values.fd, path,
					       IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
}

/* The last file has gone: a fabric without any costs nothing again. */
static void unwatch_all(struct view_files *files)
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
	struct view_file *file = data;

	if (file->files->kind->free)
		file->files->kind->free(file);
	g_free(file->host);
	g_free(file);
}

/* Frees those that no call knows of any more. */
static void settle(struct view_files *files)
{
	for (guint i = files->gone->len; i-- > 0;) {
		const struct view_file *file = files->gone->pdata[i];

		if (file->users == 0)
			g_ptr_array_remove_index_fast(files->gone, i);
	}
}

void view_file_drop(struct view_file *file)
{
	struct view_files *files = file->files;

	if (file->is_gone)
		return;
	file->is_gone = true;
	g_ptr_array_remove_fast(files->all, file);
	supervisor_unwatch(files->supervisor, &file->watch);
	close(file->watch.fd);
	file->watch.fd = -1;
	if (files->kind->drop)
		files->kind->drop(file);
	g_ptr_array_add(files->gone, file);
	if (files->all->len == 0)
		unwatch_all(files);
}

static void on_end(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	struct view_file *file = (struct view_file *)(void *)watch;
	struct view_files *files = file->files;

	(void)supervisor;
	if (events & (EPOLLERR | EPOLLHUP))
		view_file_drop(file);
	else
		files->kind->look(file);
	settle(files);
}

void view_file_hold(struct view_file *file)
{
	file->users++;
}

void view_file_release(struct view_file *file)
{
	file->users--;
	settle(file->files);
}

void view_files_init(struct view_files *files, struct supervisor *supervisor,
		     const struct view_file_kind *kind)
{
	files->values = (struct supervisor_watch){ .fd = -1, .ready = on_values };
	files->supervisor = supervisor;
	files->kind = kind;
	files->all = g_ptr_array_new();
	files->gone = g_ptr_array_new_with_free_func(free_file);
	copy_watch_join(supervisor->copies, files);
}

void view_files_clear(struct view_files *files)
{
	while (files->all->len > 0)
		view_file_drop(files->all->pdata[0]);
	g_ptr_array_unref(files->gone);
	g_ptr_array_unref(files->all);
}

struct view_file *view_file_find(const struct view_files *files, pid_t tid, int fd)
{
	const struct supervisor *supervisor = files->supervisor;
	struct descriptor_id id;

	if (files->all->len == 0 || fd < supervisor->first_number ||
	    !descriptor_identify(&supervisor->files->descriptors, tid, fd, &id))
		return NULL;
	for (guint i = 0; i < files->all->len; i++) {
		struct view_file *file = files->all->pdata[i];

		if (descriptor_is_same(&file->id, &id))
			return file;
	}
	return NULL;
}

/* ---- opening ---- */

int view_files_check_limit(struct view_files *files, pid_t program)
{
	const struct view_file_kind *kind = files->kind;
	unsigned int own = 0;

	settle(files);
	for (guint i = 0; i < files->all->len; i++)
		own += ((const struct view_file *)files->all->pdata[i])->program == program;
	if (own < kind->most_of_one && files->all->len < kind->most)
		return 0;
	if (!files->has_said_limit)
		fprintf(stderr, "umadrig: process %d has %u of the %u %s that are open, and gets "
			"no more (EMFILE)\n", (int)program, own, files->all->len, kind->name);
	files->has_said_limit = true;
	return -EMFILE;
}

struct view_file *view_file_new(struct view_files *files, int end, int program_end)
{
	struct supervisor *supervisor = files->supervisor;
	struct view_file *file = g_malloc0(files->kind->size);
	int r = 0;

	file->watch = (struct supervisor_watch){ .fd = end, .ready = on_end };
	file->files = files;
	file->values_watch = -1;
	if (!descriptor_identify(&supervisor->files->descriptors, getpid(), program_end, &file->id))
		r = -EIO;
	/* Errors and the end are always told. */
	if (r == 0)
		r = supervisor_watch(supervisor, &file->watch, 0);
	if (r < 0) {
		close(end);
		close(program_end);
		g_free(file);
		errno = -r;
		return NULL;
	}
	g_ptr_array_add(files->all, file);
	return file;
}

int view_file_give(struct view_file *file, const struct seccomp_notif *call, int program_end,
		   int number, int flags)
{
	int r = listener_give(file->files->supervisor->listener, call, program_end, number,
			      flags & O_CLOEXEC);

	close(program_end);
	if (r >= 0)
		return 0;
	view_file_drop(file);
	return r == -EBADF ? -EMFILE : r;
}
