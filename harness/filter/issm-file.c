/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/issm-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/numbers.h"
#include "harness/filter/path-give.h"
#include "harness/filter/thread-signal.h"
#include "lib/base/descriptor-ioctl.h"
#include "lib/base/issm-pipe-open.h"

enum { TICK_NS = 5000000 };	/* between looks whether a signal has come */

/* Linux: what a call returns that a signal has ended, and that may begin again. */
#ifndef ERESTARTSYS
#define ERESTARTSYS 512
#endif

/* The pipe of an issm device, by which its descriptors are known. */
struct issm_entry {
	struct issm_file file;
	struct descriptor_id id;
};

/* A call that waits. */
struct issm_waiter {
	struct supervisor_watch watch;	/* a writing end: it has an error when nobody reads */
	struct seccomp_notif call;
	struct issm_file file;
	char *path;
	int flags;
	struct issm_waiter *next;	/* it has come later */
};

struct issm_files {
	struct supervisor *supervisor;
	GArray *entries;		/* of struct issm_entry */
	struct issm_waiter *first;
	struct supervisor_watch ticks;	/* a timer, while calls wait */
};

/* ---- descriptors ---- */

static void clear_entry(void *data)
{
	g_free(((struct issm_entry *)data)->file.host);
}

/* Remembers what the pipe behind 'fd', a descriptor of ours, stands for. */
static void remember(struct issm_files *files, int fd, const struct issm_file *file)
{
	struct descriptor_cache *cache = &files->supervisor->files->descriptors;
	struct issm_entry entry = { .file = { g_strdup(file->host), file->number } };

	if (!descriptor_identify(cache, getpid(), fd, &entry.id)) {
		clear_entry(&entry);
		return;
	}
	for (guint i = 0; i < files->entries->len; i++) {
		struct issm_entry *old = &g_array_index(files->entries, struct issm_entry, i);

		if (!descriptor_is_same(&old->id, &entry.id))
			continue;
		clear_entry(old);
		*old = entry;
		return;
	}
	g_array_append_val(files->entries, entry);
}

const struct issm_file *issm_file_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct issm_files *files = supervisor->issm;
	struct descriptor_id id;

	if (!files || files->entries->len == 0 || fd < supervisor->first_number ||
	    !descriptor_identify(&supervisor->files->descriptors, tid, fd, &id))
		return NULL;
	for (guint i = 0; i < files->entries->len; i++) {
		const struct issm_entry *entry =
			&g_array_index(files->entries, struct issm_entry, i);

		if (descriptor_is_same(&entry->id, &id))
			return &entry->file;
	}
	return NULL;
}

/* ---- opening ---- */

/* One try: the descriptor, or -errno: -EAGAIN, another has it. */
static int try_open(const char *path, int flags)
{
	int fd = issm_pipe_open(AT_FDCWD, path, flags | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && !(flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, 0);
	return fd;
}

/* What the server shows of IsSM is so now. */
static void look(struct supervisor *supervisor)
{
	const struct umad_backend *fabric = supervisor->files->keeper.fabric;

	if (fabric->issm_changed)
		fabric->issm_changed();
}

/* Gives the program 'fd', which becomes ours to close. */
static long give(struct supervisor *supervisor, const struct seccomp_notif *call,
		 const struct issm_file *file, int fd, int flags)
{
	int number = number_free(supervisor, (pid_t)call->pid), r = -EBADF;

	remember(supervisor->issm, fd, file);
	look(supervisor);
	if (number >= 0)
		r = listener_give(supervisor->listener, call, fd, number, flags & O_CLOEXEC);
	/* As many as its limit allows. A low one has what a pipe has. */
	if (r == -EBADF)
		return path_give(supervisor, call, fd, flags & O_CLOEXEC);
	close(fd);
	if (r >= 0)
		return CALL_ANSWERED;
	look(supervisor);
	return r;
}

/* ---- waiting ---- */

static void set_ticks(struct issm_files *files, bool are_needed)
{
	const long tick_ns = are_needed ? TICK_NS : 0;
	const struct itimerspec ticks = { { 0, tick_ns }, { 0, tick_ns } };

	timerfd_settime(files->ticks.fd, 0, &ticks, NULL);
}

static void free_waiter(struct issm_files *files, struct issm_waiter *waiter)
{
	if (waiter->watch.fd >= 0) {
		supervisor_unwatch(files->supervisor, &waiter->watch);
		close(waiter->watch.fd);
	}
	g_free(waiter->file.host);
	g_free(waiter->path);
	g_free(waiter);
}

/* Takes it out of those that wait. */
static void remove_waiter(struct issm_files *files, struct issm_waiter *waiter)
{
	struct issm_waiter **at = &files->first;

	while (*at != waiter)
		at = &(*at)->next;
	*at = waiter->next;
	set_ticks(files, files->first);
	free_waiter(files, waiter);
}

/* The pipe is free: for the first one that waits for it. */
static void on_free(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	const struct issm_waiter *woken = (const struct issm_waiter *)(const void *)watch;
	struct issm_waiter *waiter = supervisor->issm->first;
	long r;

	(void)events;
	while (strcmp(waiter->path, woken->path) != 0)
		waiter = waiter->next;
	if (listener_is_waiting(supervisor->listener, &waiter->call)) {
		r = try_open(waiter->path, waiter->flags);
		if (r == -EAGAIN)
			return;
		if (r >= 0)
			r = give(supervisor, &waiter->call, &waiter->file, (int)r, waiter->flags);
		listener_end(supervisor->listener, &waiter->call, r);
	}
	remove_waiter(supervisor->issm, waiter);
}

/* Nothing tells the supervisor of signals, nor that a call has gone. */
static void on_tick(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	struct issm_waiter *next;
	uint64_t ticks;

	(void)events;
	if (read(watch->fd, &ticks, sizeof(ticks)) < 0)
		return;
	for (struct issm_waiter *waiter = supervisor->issm->first; waiter; waiter = next) {
		enum thread_signal has = thread_signal_of((pid_t)waiter->call.pid);

		next = waiter->next;
		if (!listener_is_waiting(supervisor->listener, &waiter->call)) {
			remove_waiter(supervisor->issm, waiter);
		} else if (has != THREAD_SIGNAL_NONE) {
			listener_answer(supervisor->listener, &waiter->call,
					has == THREAD_SIGNAL_OWN ? -ERESTARTSYS : -EINTR);
			remove_waiter(supervisor->issm, waiter);
		}
	}
}

/* Opens the end that is watched. -ENXIO: nobody reads any more. */
static int watch_pipe(struct issm_files *files, struct issm_waiter *waiter)
{
	int fd = open(waiter->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	waiter->watch = (struct supervisor_watch){ .fd = fd, .ready = on_free };
	/* An error is always told. */
	return fd < 0 ? -errno : supervisor_watch(files->supervisor, &waiter->watch, 0);
}

/* True: the call is answered later. */
static bool wait_for(struct issm_files *files, const struct seccomp_notif *call,
		     const struct issm_file *file, const char *path, int flags)
{
	struct issm_waiter *waiter = g_new(struct issm_waiter, 1), **at = &files->first;

	*waiter = (struct issm_waiter){
		.call = *call, .file = { g_strdup(file->host), file->number },
		.path = g_strdup(path), .flags = flags,
	};
	if (watch_pipe(files, waiter) < 0) {
		free_waiter(files, waiter);
		return false;
	}
	while (*at)
		at = &(*at)->next;
	*at = waiter;
	set_ticks(files, true);
	return true;
}

bool issm_file_is_awaited(const struct supervisor *supervisor, pid_t tid)
{
	const struct issm_waiter *waiter = supervisor->issm ? supervisor->issm->first : NULL;

	while (waiter && (pid_t)waiter->call.pid != tid)
		waiter = waiter->next;
	return waiter;
}

long issm_file_open(struct supervisor *supervisor, const struct seccomp_notif *call,
		    const char *host, const char *ca_name, unsigned int portnum,
		    unsigned int number, int flags)
{
	const struct issm_file file = { (char *)host, number };
	char path[PATH_MAX];
	int r = supervisor->files->keeper.fabric->issm_path(ca_name, portnum, path, sizeof(path));

	if (r < 0)
		return r;
	do {
		r = try_open(path, flags);
		if (r >= 0)
			return give(supervisor, call, &file, r, flags);
		if (r != -EAGAIN || flags & O_NONBLOCK)
			return r;
		/* It may have become free just now. */
	} while (!wait_for(supervisor->issm, call, &file, path, flags));
	return CALL_ANSWERED;
}

/* ---- calls ---- */

static int refuse(const struct seccomp_notif *call, bool reads)
{
	int fd = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]);
	int r;

	/* As in containers: the mode is not known there. */
	if (fd < 0)
		return -EINVAL;
	r = issm_pipe_refusal(fd, reads);
	close(fd);
	return r;
}

long issm_file_on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	if (!issm_file_find(supervisor, (pid_t)call->pid, (int)call->data.args[0]))
		return CALL_OF_ANOTHER;
	switch (call->data.nr) {
	case SYS_read:
	case SYS_readv:
		return refuse(call, true);
	case SYS_write:
	case SYS_writev:
		return refuse(call, false);
	case SYS_ioctl:
		return descriptor_ioctl_is((uint32_t)call->data.args[1]) ? CALL_GOES_ON : -ENOTTY;
	}
	return CALL_GOES_ON;
}

/* ---- coming and going ---- */

struct issm_files *issm_files_new(struct supervisor *supervisor)
{
	struct issm_files *files = g_new0(struct issm_files, 1);

	files->supervisor = supervisor;
	files->entries = g_array_new(false, false, sizeof(struct issm_entry));
	g_array_set_clear_func(files->entries, clear_entry);
	files->ticks = (struct supervisor_watch){
		.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
		.ready = on_tick,
	};
	if (files->ticks.fd >= 0 && supervisor_watch(supervisor, &files->ticks, EPOLLIN) == 0)
		return files;
	issm_files_free(files);
	return NULL;
}

void issm_files_free(struct issm_files *files)
{
	if (!files)
		return;
	while (files->first) {
		struct issm_waiter *waiter = files->first;

		files->first = waiter->next;
		free_waiter(files, waiter);
	}
	if (files->ticks.fd >= 0)
		close(files->ticks.fd);
	g_array_unref(files->entries);
	g_free(files);
}
