/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/kernel-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/host-view.h"
#include "harness/filter/kernel-ring-read.h"
#include "harness/filter/numbers.h"
#include "lib/base/kernel-ring.h"

struct cleared {
	char *host;
	uint64_t number;
};

struct kernel_readers {
	struct view_files files;
	GArray *cleared;		/* of struct cleared */
	bool has_said_refusal;
};

/* ---- from the kernel to the program ---- */

void kernel_reader_note_sleeper(struct kernel_reader *reader, const struct seccomp_notif *call)
{
	thread_call_set(&reader->sleepers[call->pid % KERNEL_SLEEPERS], call);
}

static void send_back_sleepers(struct kernel_reader *reader)
{
	struct supervisor *supervisor = reader->common.files->supervisor;

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

	return ioctl(reader->common.watch.fd, SIOCOUTQ, &unread) == 0 && unread > 0;
}

int kernel_reader_send(const struct kernel_reader *reader, const void *bytes, size_t size)
{
	int flags = MSG_DONTWAIT | MSG_NOSIGNAL;

	return send(reader->common.watch.fd, bytes, size, flags) < 0 ? -errno : 0;
}

static void watch_room(struct kernel_reader *reader, bool waits)
{
	if (waits == reader->waits_for_room)
		return;
	reader->waits_for_room = waits;
	supervisor_rewatch(reader->common.files->supervisor, &reader->common.watch,
			   waits ? EPOLLOUT : 0);
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
	int shown = reader->common.is_gone ? -1 : view_file_values(&reader->common);

	if (shown < 0 || (reader->kind->has_to_bind && !reader->is_bound))
		return;
	while (!reader->has_lost && reader->next < kernel_ring_count(shown, ring) &&
	       put_next(reader, shown, ring))
		;
	/* A thread that sleeps finds out by beginning again. */
	if (reader->has_lost)
		send_back_sleepers(reader);
}

static void look(struct view_file *file)
{
	kernel_reader_pump((struct kernel_reader *)(void *)file);
}

static const struct view_file_kind kernel_reader_files = {
	.name = "readers of kernel messages and uevents", .size = sizeof(struct kernel_reader),
	.most = 256, .most_of_one = 64, .look = look,
};

/* ---- all of them ---- */

struct kernel_readers *kernel_readers_new(struct supervisor *supervisor)
{
	struct kernel_readers *readers = g_new0(struct kernel_readers, 1);

	view_files_init(&readers->files, supervisor, &kernel_reader_files);
	readers->cleared = g_array_new(false, false, sizeof(struct cleared));
	return readers;
}

void kernel_readers_free(struct kernel_readers *readers)
{
	if (!readers)
		return;
	view_files_clear(&readers->files);
	for (guint i = 0; i < readers->cleared->len; i++)
		g_free(g_array_index(readers->cleared, struct cleared, i).host);
	g_array_unref(readers->cleared);
	g_free(readers);
}

struct kernel_reader *kernel_reader_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct kernel_readers *readers = supervisor->kernel;

	return readers ? (void *)view_file_find(&readers->files, tid, fd) : NULL;
}

bool kernel_readers_have_number(const struct view_files *readers, uint32_t number)
{
	for (guint i = 0; i < readers->all->len; i++) {
		const struct kernel_reader *reader = readers->all->pdata[i];

		if (reader->is_bound && reader->number == number)
			return true;
	}
	return false;
}

/* ---- opening ---- */

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
	int at = number_free(supervisor, (pid_t)call->pid), ends[2];
	int type = SOCK_SEQPACKET | SOCK_CLOEXEC;
	int r = at < 0 ? -EMFILE : view_files_check_limit(&readers->files, program);
	struct kernel_reader *reader;

	*ret = NULL;
	if (r < 0)
		return r;
	if (flags & O_NONBLOCK)
		type |= SOCK_NONBLOCK;
	if (socketpair(AF_UNIX, type, 0, ends) < 0)
		return -errno;
	reader = (void *)view_file_new(&readers->files, ends[0], ends[1]);
	if (!reader)
		return -errno;
	reader->kind = kind;
	reader->common.host = g_strdup(host_view_host(view));
	reader->common.program = program;
	reader->next = next;
	view_file_follow(&reader->common, view, kind->ring);
	/* Poll(2) may come before anything that is seen here. */
	kernel_reader_pump(reader);
	r = view_file_give(&reader->common, call, ends[1], at, flags);
	if (r < 0)
		return r;
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
