/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/kernel-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/copy-watch.h"
#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/kernel-ring-read.h"
#include "harness/filter/numbers.h"
#include "lib/base/kernel-ring.h"

struct cleared {
	char *host;
	uint64_t number;
};

struct kernel_readers {
	struct supervisor *supervisor;
	GPtrArray *all;			/* of struct kernel_reader * that programs have */
	GPtrArray *gone;		/* of those that calls still know of */
	GArray *cleared;		/* of struct cleared */
	struct supervisor_watch rings;	/* inotify, while there are readers; fd -1: none */
	bool has_said_limit, has_said_refusal;
};

static struct kernel_readers *readers_of(const struct kernel_reader *reader)
{
	return reader->readers;
}

/* The view of its host, with values that are up to date; NULL: it has gone. */
static struct host_view *view_of(const struct kernel_reader *reader)
{
	return host_view_of(readers_of(reader)->supervisor->views, reader->host);
}

int kernel_reader_shown(const struct kernel_reader *reader)
{
	struct host_view *view = view_of(reader);

	return view ? host_view_values(view) : -1;
}

/* ---- from the kernel to the program ---- */

void kernel_reader_note_sleeper(struct kernel_reader *reader, const struct seccomp_notif *call)
{
	thread_call_set(&reader->sleepers[call->pid % KERNEL_SLEEPERS], call);
}

static void send_back_sleepers(struct kernel_reader *reader)
{
	struct supervisor *supervisor = readers_of(reader)->supervisor;

	for (unsigned int i = 0; i < KERNEL_SLEEPERS; i++) {
		struct thread_call *call = &reader->sleepers[i];

		/* Where it cannot be, it reads what is there, and is told less of it. */
		if (call->tid && !supervisor_has_call_of(supervisor, call->tid))
			thread_restart(call);
		call->tid = 0;
	}
}

bool kernel_reader_has_unread(const struct kernel_reader *reader)
{
	int unread = 0;

	return ioctl(reader->watch.fd, SIOCOUTQ, &unread) == 0 && unread > 0;
}

int kernel_reader_send(const struct kernel_reader *reader, const void *bytes, size_t size)
{
	return send(reader->watch.fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void watch_room(struct kernel_reader *reader, bool waits)
{
	if (waits == reader->waits_for_room)
		return;
	reader->waits_for_room = waits;
	supervisor_rewatch(readers_of(reader)->supervisor, &reader->watch, waits ? EPOLLOUT : 0);
}

/* The next record. False: there is none now. */
static bool put_next(struct kernel_reader *reader, int shown, const char *ring)
{
	char record[KERNEL_RECORD_MAX];
	ssize_t size = kernel_ring_read(shown, ring, reader->next, record);
	int r;

	if (size < 0) {
		reader->has_lost = true;
		reader->next = MAX(reader->next + 1, kernel_ring_first(shown, ring));
		return false;
	}
	send_back_sleepers(reader);
	r = reader->kind->put(reader, record, (size_t)size);
	watch_room(reader, r == -EAGAIN);
	if (r == 0)
		reader->next++;
	return r == 0;
}

/* What was lost is told before anything that comes behind it. */
void kernel_reader_pump(struct kernel_reader *reader)
{
	const char *ring = reader->kind->ring;
	int shown = reader->is_gone ? -1 : kernel_reader_shown(reader);

	if (shown < 0 || (reader->kind->has_to_bind && !reader->is_bound))
		return;
	while (!reader->has_lost && reader->next < kernel_ring_count(shown, ring) &&
	       put_next(reader, shown, ring))
		;
	/* A thread that sleeps finds out by beginning again. */
	if (reader->has_lost)
		send_back_sleepers(reader);
}

void kernel_readers_look(struct supervisor *supervisor)
{
	struct kernel_readers *readers = supervisor->kernel;

	for (guint i = readers->all->len; i-- > 0;)
		kernel_reader_pump(readers->all->pdata[i]);
}

bool kernel_readers_use(const struct supervisor *supervisor, int changes_fd)
{
	const struct kernel_readers *readers = supervisor->kernel;

	for (guint i = 0; i < readers->all->len; i++) {
		struct host_view *view = view_of(readers->all->pdata[i]);

		if (view && host_view_changes_fd(view) == changes_fd)
			return true;
	}
	return false;
}

/* ---- watching the rings ---- */

static void on_rings(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	char buffer[1 << 12] __attribute__((aligned(__alignof__(struct inotify_event))));

	(void)events;
	while (read(watch->fd, buffer, sizeof(buffer)) > 0)
		;
	kernel_readers_look(supervisor);
}

/* Where nothing can be watched the program learns of what is there at each call. */
static void watch_ring(struct kernel_reader *reader, struct host_view *view)
{
	struct kernel_readers *readers = readers_of(reader);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d/%s", host_view_values(view),
						reader->kind->ring);

	if (readers->rings.fd < 0) {
		readers->rings.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
		if (readers->rings.fd < 0 ||
		    supervisor_watch(readers->supervisor, &readers->rings, EPOLLIN) < 0)
			return;
	}
	copy_watch_add(readers->supervisor, view);
	inotify_add_watch(readers->rings.fd, path, IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
}

/* The last reader has gone: a fabric without any costs nothing again. */
static void unwatch_all(struct kernel_readers *readers)
{
	if (readers->rings.fd >= 0) {
		supervisor_unwatch(readers->supervisor, &readers->rings);
		close(readers->rings.fd);
	}
	readers->rings.fd = -1;
	copy_watch_settle(readers->supervisor);
}

/* ---- coming and going ---- */

static void close_end(struct kernel_reader *reader)
{
	if (reader->watch.fd < 0)
		return;
	supervisor_unwatch(readers_of(reader)->supervisor, &reader->watch);
	close(reader->watch.fd);
	reader->watch.fd = -1;
}

static void free_reader(void *data)
{
	struct kernel_reader *reader = data;

	close_end(reader);
	g_free(reader->host);
	g_free(reader);
}

static void settle(struct kernel_readers *readers)
{
	for (guint i = readers->gone->len; i-- > 0;) {
		const struct kernel_reader *reader = readers->gone->pdata[i];

		if (reader->users == 0)
			g_ptr_array_remove_index_fast(readers->gone, i);
	}
}

static void drop(struct kernel_reader *reader)
{
	struct kernel_readers *readers = readers_of(reader);
	guint at = 0;

	if (reader->is_gone || !g_ptr_array_find(readers->all, reader, &at))
		return;
	reader->is_gone = true;
	g_ptr_array_remove_index_fast(readers->all, at);
	close_end(reader);
	g_ptr_array_add(readers->gone, reader);
	if (readers->all->len == 0)
		unwatch_all(readers);
}

static void on_end(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	struct kernel_reader *reader = (struct kernel_reader *)(void *)watch;

	if (events & (EPOLLERR | EPOLLHUP))
		drop(reader);
	else
		kernel_reader_pump(reader);
	settle(supervisor->kernel);
}

void kernel_reader_hold(struct kernel_reader *reader)
{
	reader->users++;
}

void kernel_reader_release(struct kernel_reader *reader)
{
	struct kernel_readers *readers = readers_of(reader);

	reader->users--;
	settle(readers);
}

struct kernel_readers *kernel_readers_new(struct supervisor *supervisor)
{
	struct kernel_readers *readers = g_new0(struct kernel_readers, 1);

	readers->supervisor = supervisor;
	readers->all = g_ptr_array_new();
	readers->gone = g_ptr_array_new_with_free_func(free_reader);
	readers->cleared = g_array_new(false, false, sizeof(struct cleared));
	readers->rings = (struct supervisor_watch){ .fd = -1, .ready = on_rings };
	return readers;
}

void kernel_readers_free(struct kernel_readers *readers)
{
	if (!readers)
		return;
	while (readers->all->len > 0)
		drop(readers->all->pdata[0]);
	for (guint i = 0; i < readers->cleared->len; i++)
		g_free(g_array_index(readers->cleared, struct cleared, i).host);
	g_array_unref(readers->cleared);
	g_ptr_array_unref(readers->gone);
	g_ptr_array_unref(readers->all);
	g_free(readers);
}

struct kernel_reader *kernel_reader_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct kernel_readers *readers = supervisor->kernel;
	struct descriptor_id id;

	if (!readers || readers->all->len == 0 || fd < supervisor->first_number ||
	    !descriptor_identify(&supervisor->files->descriptors, tid, fd, &id))
		return NULL;
	for (guint i = 0; i < readers->all->len; i++) {
		struct kernel_reader *reader = readers->all->pdata[i];

		if (descriptor_is_same(&reader->id, &id))
			return reader;
	}
	return NULL;
}

bool kernel_reader_has_number(const struct kernel_readers *readers, uint32_t number)
{
	for (guint i = 0; i < readers->all->len; i++) {
		const struct kernel_reader *reader = readers->all->pdata[i];

		if (reader->is_bound && reader->number == number)
			return true;
	}
	return false;
}

/* ---- opening ---- */

/* 0, or -EMFILE. */
static int check_limit(struct kernel_readers *readers, pid_t program)
{
	unsigned int own = 0;

	for (guint i = 0; i < readers->all->len; i++)
		own += ((const struct kernel_reader *)readers->all->pdata[i])->program == program;
	if (own < KERNEL_READERS_OF_ONE && readers->all->len < KERNEL_READERS_MAX)
		return 0;
	if (!readers->has_said_limit)
		fprintf(stderr, "umadrig: process %d has %u of the %u readers of kernel messages "
			"and uevents that are open, and gets no more (EMFILE)\n", (int)program, own,
			readers->all->len);
	readers->has_said_limit = true;
	return -EMFILE;
}

/* One with its ends, '*ret_end' the program's. 0 or -errno. */
static int add(struct kernel_readers *readers, int flags, int *ret_end, struct kernel_reader **ret)
{
	struct supervisor *supervisor = readers->supervisor;
	struct kernel_reader *reader;
	int ends[2], r = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	reader = g_new0(struct kernel_reader, 1);
	reader->readers = readers;
	reader->watch = (struct supervisor_watch){ .fd = ends[0], .ready = on_end };
	if ((flags & O_NONBLOCK) && fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0)
		r = -errno;
	if (r == 0 && !descriptor_identify(&supervisor->files->descriptors, getpid(), ends[1],
					   &reader->id))
		r = -EIO;
	/* Errors and the end are always told. */
	if (r == 0)
		r = supervisor_watch(supervisor, &reader->watch, 0);
	if (r < 0) {
		close(ends[0]);
		close(ends[1]);
		g_free(reader);
		return r;
	}
	g_ptr_array_add(readers->all, reader);
	*ret_end = ends[1];
	*ret = reader;
	return 0;
}

/* What calls do then is less than the kernel does, and nothing else would say why. */
static void say_refusal(struct kernel_readers *readers, const struct seccomp_notif *call, int fd)
{
	int copy = readers->has_said_refusal ? -EBADF : descriptor_copy((pid_t)call->pid, fd);

	if (copy == -EPERM) {
		readers->has_said_refusal = true;
		fprintf(stderr, "umadrig: process %u reads kernel messages or uevents, and "
			"pidfd_getfd(2) is refused, as containers do: messages come in their order "
			"alone, without lseek(2), and uevents without their sender, which udev "
			"does not take; start the container with --cap-add=SYS_PTRACE\n",
			call->pid);
	}
	if (copy >= 0)
		close(copy);
}

int kernel_reader_give(struct supervisor *supervisor, const struct seccomp_notif *call,
		       struct host_view *view, const struct kernel_reader_kind *kind,
		       uint64_t next, int flags, struct kernel_reader **ret)
{
	struct kernel_readers *readers = supervisor->kernel;
	pid_t program = process_of_thread((pid_t)call->pid);
	int at = number_free(supervisor, (pid_t)call->pid), end = -1;
	struct kernel_reader *reader = NULL;
	int r = at < 0 ? -EMFILE : check_limit(readers, program);

	*ret = NULL;
	settle(readers);
	if (r == 0)
		r = add(readers, flags, &end, &reader);
	if (r < 0)
		return r;
	reader->kind = kind;
	reader->host = g_strdup(host_view_host(view));
	reader->program = program;
	reader->next = next;
	watch_ring(reader, view);
	/* Poll(2) may come before anything that is seen here. */
	kernel_reader_pump(reader);
	r = listener_give(supervisor->listener, call, end, at, flags & O_CLOEXEC);
	close(end);
	if (r < 0) {
		drop(reader);
		return r == -EBADF ? -EMFILE : r;
	}
	*ret = reader;
	say_refusal(readers, call, at);
	return 0;
}

/* ---- clearing ---- */

static struct cleared *find_cleared(const struct kernel_readers *readers, const char *host)
{
	for (guint i = 0; i < readers->cleared->len; i++) {
		struct cleared *cleared = &g_array_index(readers->cleared, struct cleared, i);

		if (g_strcmp0(cleared->host, host) == 0)
			return cleared;
	}
	return NULL;
}

uint64_t kernel_readers_cleared(const struct kernel_readers *readers, const char *host)
{
	const struct cleared *cleared = find_cleared(readers, host);

	return cleared ? cleared->number : 0;
}

void kernel_readers_clear(struct kernel_readers *readers, const char *host, uint64_t number)
{
	struct cleared *cleared = find_cleared(readers, host);
	const struct cleared fresh = { .host = g_strdup(host), .number = number };

	if (cleared) {
		cleared->number = number;
		g_free(fresh.host);
	} else {
		g_array_append_val(readers->cleared, fresh);
	}
}
