/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/file-table.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/issm-file.h"
#include "harness/filter/numbers.h"
#include "lib/attach/call.h"
#include "lib/words/number.h"

enum {
	EVENTS = 64,
	/* In so many each end and each handle can have its turn. */
	ROUNDS = 2 * FILE_TABLE_MAX / EVENTS,
};

/* Edges: what is not read from an end (leave_byte()) does not count again and again. */
#define END_EVENTS (EPOLLIN | EPOLLRDHUP | EPOLLET)

static struct file_table *table_of(const struct umad_file *file)
{
	return (struct file_table *)(void *)((char *)file->keeper -
					     offsetof(struct file_table, keeper));
}

/* ---- what has happened ---- */

/* An event's datum is its file; the lowest bit says that it is the handle's, not the end's. */
static uint64_t datum_of(struct umad_file *file, bool is_handle)
{
	return (uint64_t)(uintptr_t)file | is_handle;
}

static int set_watch(struct umad_file *file, int op, bool is_handle, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u64 = datum_of(file, is_handle) };
	int fd = is_handle ? file->handle : file->end;

	return epoll_ctl(table_of(file)->loop, op, fd, &event) < 0 ? -errno : 0;
}

static void watch_handle(struct umad_file *file, bool is_watched)
{
	set_watch(file, EPOLL_CTL_MOD, true, is_watched ? EPOLLIN : 0);
	set_watch(file, EPOLL_CTL_MOD, false, END_EVENTS | (is_watched ? 0 : EPOLLOUT));
}

/* The program of an open file has 'change' more of them. */
static void count_file(struct umad_file *file, int change)
{
	GHashTable *programs = table_of(file)->programs;
	gpointer program = GINT_TO_POINTER(file->program);
	int count = GPOINTER_TO_INT(g_hash_table_lookup(programs, program)) + change;

	if (count > 0)
		g_hash_table_insert(programs, program, GINT_TO_POINTER(count));
	else
		g_hash_table_remove(programs, program);
}

/* The last copy was closed. */
static void remove_file(struct umad_file *file)
{
	struct file_table *table = table_of(file);

	file->is_gone = true;
	if (file->is_dead)
		g_queue_remove(&table->dead, file);
	else
		count_file(file, -1);
	g_hash_table_remove(table->files, &file->inode);
	table->found.file = NULL;
	file->next_gone = table->gone;
	table->gone = file;
}

/*
 * Nothing tells when the program closes it, as there is no other end any more. It is remembered, so
 * that calls return what Linux does, until there are too many.
 */
static void bury(struct umad_file *file)
{
	struct file_table *table = table_of(file);

	table->found.file = NULL;
	count_file(file, -1);
	g_queue_push_tail(&table->dead, file);
	if (g_queue_get_length(&table->dead) > FILE_TABLE_DEAD_MAX)
		remove_file(g_queue_peek_head(&table->dead));
}

static bool waits_for_us(const struct umad_file *file, pid_t tid)
{
	struct supervisor *supervisor = table_of(file)->supervisor;

	return supervisor_has_call_of(supervisor, tid) || issm_file_is_awaited(supervisor, tid);
}

static void on_end(struct umad_file *file, uint32_t events)
{
	if (!file_send_unseen(file) && !file->is_dead) {
		set_watch(file, EPOLL_CTL_MOD, false,
			  END_EVENTS | (file->waits_for_room ? EPOLLOUT : 0));
		return;
	}
	if (file->is_dead)
		return;
	if (events & EPOLLHUP)
		remove_file(file);
	else if (file->waits_for_room)
		file_pump(file);
}

static void on_event(const struct epoll_event *event)
{
	struct umad_file *file = (struct umad_file *)(uintptr_t)(event->data.u64 & ~UINT64_C(1));

	if (file->is_gone || file->is_dead)
		return;		/* since epoll_wait(2) */
	if (!(event->data.u64 & 1))
		on_end(file, event->events);
	else if (event->events & (EPOLLHUP | EPOLLERR))
		file_kill(file);
	else
		file_pump(file);
}

/* A call that has been held up (harness/filter/supervisor-turn.h) may still know of them. */
static void free_gone(struct file_table *table)
{
	for (struct umad_file *file = table->gone; file; file = file->next_gone)
		file_close(file);
	while (table->gone && turn_away_count(&table->supervisor->turn) == 0) {
		struct umad_file *file = table->gone;

		table->gone = file->next_gone;
		file_free(file);
	}
}

void file_table_settle(struct file_table *table)
{
	struct epoll_event events[EVENTS];

	for (int round = 0; round < ROUNDS; round++) {
		int count = epoll_wait(table->loop, events, EVENTS, 0);

		for (int i = 0; i < count; i++)
			on_event(&events[i]);
		free_gone(table);
		if (count < EVENTS)
			break;
	}
}

static void on_ready(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	(void)watch, (void)events;
	file_table_settle(supervisor->files);
}

/* ---- its life ---- */

/* What each file needs is one descriptor for its end, and one for its handle. */
static unsigned int most_files(void)
{
	enum { OTHERS = 64 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / 2 > FILE_TABLE_MAX + OTHERS)
		return FILE_TABLE_MAX;
	return limit.rlim_cur > OTHERS * 2 ? (unsigned int)limit.rlim_cur / 2 - OTHERS / 2 : OTHERS;
}

struct file_table *file_table_new(struct supervisor *supervisor, const struct umad_backend *fabric)
{
	struct file_table *table = g_new0(struct file_table, 1);
	int r;

	table->supervisor = supervisor;
	table->most = most_files();
	table->keeper = (struct file_keeper){
		.fabric = fabric, .watch_handle = watch_handle, .bury = bury,
		.waits_for_us = waits_for_us,
	};
	table->files = g_hash_table_new(g_int64_hash, g_int64_equal);
	table->programs = g_hash_table_new(NULL, NULL);
	g_queue_init(&table->dead);
	r = flight_scale_init(&table->keeper.scale);
	descriptor_cache_init(&table->descriptors, table->keeper.scale.ends[0]);
	table->loop = r < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
	if (r == 0 && table->loop < 0)
		r = -errno;
	table->watch = (struct supervisor_watch){ .fd = table->loop, .ready = on_ready };
	if (r == 0)
		r = supervisor_watch(supervisor, &table->watch, EPOLLIN);
	if (r < 0) {
		file_table_free(table);
		errno = -r;
		return NULL;
	}
	return table;
}

static gboolean is_file(gpointer inode, gpointer file, gpointer table)
{
	(void)inode, (void)table;
	file_free(file);
	return true;
}

void file_table_free(struct file_table *table)
{
	if (!table)
		return;
	while (table->gone) {
		struct umad_file *file = table->gone;

		table->gone = file->next_gone;
		file_free(file);
	}
	g_hash_table_foreach_remove(table->files, is_file, table);
	g_hash_table_destroy(table->files);
	g_hash_table_destroy(table->programs);
	g_queue_clear(&table->dead);
	if (table->loop >= 0) {
		supervisor_unwatch(table->supervisor, &table->watch);
		close(table->loop);
	}
	flight_scale_free(&table->keeper.scale);
	descriptor_cache_free(&table->descriptors);
	g_free(table);
}

/* ---- files of programs ---- */

struct umad_file *file_find(struct supervisor *supervisor, pid_t tid, int fd)
{
	struct file_table *table = supervisor->files;
	struct umad_file *file;
	ino_t inode;

	if (g_hash_table_size(table->files) == 0)
		return NULL;
	inode = descriptor_socket(&table->descriptors, tid, fd);
	file = inode ? g_hash_table_lookup(table->files, &inode) : NULL;
	table->found.tid = tid;
	table->found.fd = fd;
	table->found.file = file && !file->is_dead ? file : NULL;
	return file;
}

struct umad_file *file_likely(const struct supervisor *supervisor, pid_t tid, int fd)
{
	const struct file_table *table = supervisor->files;

	return table->found.tid == tid && table->found.fd == fd ? table->found.file : NULL;
}

unsigned int file_umad_number(const struct umad_file *file)
{
	return file->umad;
}

const char *file_host(const struct umad_file *file)
{
	return file->host;
}

/* ---- open ---- */

/* What open(2) returns when the fabric has not opened a port. */
static int open_errno(int err)
{
	switch (err) {
	case -EINVAL:		/* it has been removed since it was looked up */
	case -ENOENT:
		return -ENXIO;
	default:
		return err;
	}
}

/*
 * May the program have one more? Of what is left it may have had no more than its share, if each
 * program that has any gets one: so neither one nor many together use up what others need.
 */
static bool may_open(const struct file_table *table, pid_t program)
{
	unsigned int own = GPOINTER_TO_UINT(g_hash_table_lookup(table->programs,
								GINT_TO_POINTER(program)));
	unsigned int all = g_hash_table_size(table->files) - table->dead.length;

	return all < table->most && own * g_hash_table_size(table->programs) < table->most - all;
}

static void say_limit(struct file_table *table, pid_t program)
{
	if (!table->has_said_limit)
		fprintf(stderr, "umadrig: process %d has its share of the %u umad files that can "
			"be open, and gets no more (EMFILE)\n", (int)program, table->most);
	table->has_said_limit = true;
}

static void say_number(struct supervisor *supervisor)
{
	if (!supervisor->files->has_said_number)
		fprintf(stderr, "umadrig: a program may have no descriptor %d or above, and so "
			"cannot open a umad device: raise its limit of open files (ulimit -n)\n",
			supervisor->first_number);
	supervisor->files->has_said_number = true;
}

/* The program's descriptor, or -errno; then the call is still to be answered. */
static int give(struct supervisor *supervisor, const struct seccomp_notif *call, int end, int flags)
{
	int number = number_free(supervisor, (pid_t)call->pid);
	int ret;

	if (number < 0)
		return -EMFILE;
	if (flags & O_NONBLOCK)
		fcntl(end, F_SETFL, O_NONBLOCK);
	ret = listener_give(supervisor->listener, call, end, number, flags & O_CLOEXEC);
	if (ret != -EBADF)
		return ret;
	/* As many as its limit allows; or that is none at all. */
	if (number == supervisor->first_number)
		say_number(supervisor);
	return -EMFILE;
}

static int add_file(struct file_table *table, struct umad_file *file)
{
	int r = set_watch(file, EPOLL_CTL_ADD, true, EPOLLIN);

	if (r == 0)
		r = set_watch(file, EPOLL_CTL_ADD, false, END_EVENTS);
	if (r < 0)
		return r;
	/* A file of a removed device may have had the same inode. */
	if (g_hash_table_contains(table->files, &file->inode))
		remove_file(g_hash_table_lookup(table->files, &file->inode));
	g_hash_table_insert(table->files, &file->inode, file);
	table->found.file = NULL;
	return 0;
}

/* The flags of open(2) that descriptor 'fd' of thread 'tid' has now. */
static int flags_of(pid_t tid, int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fdinfo/%d", (int)tid, fd);
	g_autofree char *text = NULL;
	uint64_t flags;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	return number_after(text, "flags:", 8, &flags) == 0 ? (int)flags : 0;
}

int file_replace_end(struct umad_file *file, const struct seccomp_notif *call)
{
	struct file_table *table = table_of(file);
	int fd = (int)call->data.args[0], flags = flags_of((pid_t)call->pid, fd);
	int end, program_end, old = file->end;
	int r = file_new_ends(&end, &program_end);

	if (r < 0)
		return r;
	if (flags & O_NONBLOCK)
		fcntl(program_end, F_SETFL, O_NONBLOCK);
	r = listener_place(table->supervisor->listener, call, program_end, fd, flags & O_CLOEXEC);
	if (r < 0) {
		close(end);
		close(program_end);
		return r;
	}
	g_hash_table_remove(table->files, &file->inode);
	file->inode = file_inode(program_end);
	g_hash_table_insert(table->files, &file->inode, file);
	close(program_end);
	table->found.file = NULL;
	file->end = end;
	file->has_lost_byte = false;
	file_forget_flight(file);
	set_watch(file, EPOLL_CTL_ADD, false, END_EVENTS | (file->waits_for_room ? EPOLLOUT : 0));
	close(old);
	return 0;
}

long file_open(struct supervisor *supervisor, const struct seccomp_notif *call, const char *host,
	       const char *ca_name, unsigned int portnum, unsigned int umad, int flags)
{
	struct file_table *table = supervisor->files;
	pid_t program = process_of_thread((pid_t)call->pid);
	struct umad_file *file;
	size_t header_size;
	int end, handle, r;

	file_table_settle(table);
	if (!may_open(table, program)) {
		say_limit(table, program);
		return -EMFILE;
	}
	/* What it uses of the server is its own as well. */
	attach_call_set_program((uint32_t)program);
	handle = table->keeper.fabric->open(ca_name, portnum, &header_size);
	if (handle < 0)
		return open_errno(handle);
	file = file_new(&table->keeper, handle, &end);
	if (!file) {
		table->keeper.fabric->close(handle);
		return -ENFILE;
	}
	file->host = g_strdup(host);
	file->umad = umad;
	file->program = program;
	count_file(file, 1);
	file->may_read = (flags & O_ACCMODE) != O_WRONLY;
	file->may_write = (flags & O_ACCMODE) != O_RDONLY;
	r = add_file(table, file);
	if (r == 0)
		r = give(supervisor, call, end, flags);
	close(end);
	if (r >= 0)
		return CALL_ANSWERED;
	remove_file(file);
	free_gone(table);
	return r;
}
