/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Readers of what the kernel of a host says: what open(2) of /dev/kmsg gives a program, and
 * socket(2) of netlink's uevents.
 *
 * Each is one end of a pair of sockets at a high number, into whose other end the supervisor puts
 * each record (harness/filter/kernel-ring-read.h) as the program reads it: waiting and polling are
 * the kernel's. One that does not read has the latest KERNEL_RING_SLOTS records kept for it, and
 * then misses some, as of a kernel (harness/filter/kmsg-file.h and uevent-socket.h say how it is
 * told). A thread that sleeps when a record comes is made to begin its call again, so that each
 * call that returns a record is seen here.
 */
#ifndef UMADRIG_HARNESS_FILTER_KERNEL_READER_H
#define UMADRIG_HARNESS_FILTER_KERNEL_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/filter/thread-restart.h"
#include "harness/filter/view-file.h"

struct host_view;
struct kernel_readers;

struct kernel_reader;

struct kernel_reader_kind {
	const char *ring;		/* KERNEL_MESSAGES or KERNEL_EVENTS */
	bool has_to_bind;		/* it gets nothing before 'is_bound' */
	/* Puts a record into its socket: 0, or -errno: -EAGAIN, there is no room. */
	int (*put)(struct kernel_reader *reader, const char *record, size_t size);
};

enum { KERNEL_SLEEPERS = 8 };

struct kernel_reader {
	struct view_file common;
	const struct kernel_reader_kind *kind;
	uint64_t next;			/* the record that is put next */
	bool has_lost;			/* those before it were there no longer */
	bool waits_for_room;
	struct thread_call sleepers[KERNEL_SLEEPERS];	/* the latest ones */
	/* Of uevents, as bind(2) has set them; netlink. */
	bool is_bound;
	int type;			/* SOCK_RAW or SOCK_DGRAM */
	uint32_t groups, number;
};

struct kernel_readers *kernel_readers_new(struct supervisor *supervisor);
/* NULL is allowed. */
void kernel_readers_free(struct kernel_readers *readers);

/*
 * A reader for the program that has made 'call', which is answered with its descriptor, with
 * 'flags' O_CLOEXEC and O_NONBLOCK; 0, or -errno, and the call is still to be answered. It gets the
 * records from 'next' on. 'view': of its host. '*ret' is NULL where the program has gone meanwhile.
 */
int kernel_reader_give(struct supervisor *supervisor, const struct seccomp_notif *call,
		       struct host_view *view, const struct kernel_reader_kind *kind,
		       uint64_t next, int flags, struct kernel_reader **ret);

/* As view_file_find() (harness/filter/view-file.h). */
struct kernel_reader *kernel_reader_find(struct supervisor *supervisor, pid_t tid, int fd);

/* Sends that into its socket: 0, or -errno. */
int kernel_reader_send(const struct kernel_reader *reader, const void *bytes, size_t size);
/* Puts what there is into its socket, as much as there is room for. */
void kernel_reader_pump(struct kernel_reader *reader);
/* Is anything in its socket that the program has not read? */
bool kernel_reader_has_unread(const struct kernel_reader *reader);
/* The kernel goes on with this call, which may sleep. */
void kernel_reader_note_sleeper(struct kernel_reader *reader, const struct seccomp_notif *call);

/* Is one of them bound to that number? */
bool kernel_readers_have_number(const struct view_files *readers, uint32_t number);

/*
 * Up to where dmesg --clear has cleared the messages of a host (NULL: the default), for all that
 * read them from then on.
 */
uint64_t kernel_readers_cleared(const struct kernel_readers *readers, const char *host);
void kernel_readers_clear(struct kernel_readers *readers, const char *host, uint64_t number);

#endif
