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

#include "harness/filter/program-descriptor.h"
#include "harness/filter/supervisor.h"
#include "harness/filter/thread-restart.h"

struct host_view;
struct kernel_readers;

struct kernel_reader;

struct kernel_reader_kind {
	const char *ring;		/* KERNEL_MESSAGES or KERNEL_EVENTS */
	bool has_to_bind;		/* it gets nothing before 'is_bound' */
	/* Puts a record into its socket: 0, or -errno: -EAGAIN, there is no room. */
	int (*put)(struct kernel_reader *reader, const char *record, size_t size);
};

enum {
	KERNEL_READERS_MAX = 256,	/* of all programs */
	KERNEL_READERS_OF_ONE = 64,	/* of a process */
	KERNEL_SLEEPERS = 8,
};

struct kernel_reader {
	struct supervisor_watch watch;	/* our end: it has an error when the program has none */
	struct kernel_readers *readers;
	const struct kernel_reader_kind *kind;
	struct descriptor_id id;	/* of the program's end */
	char *host;			/* NULL: the default */
	pid_t program;
	uint64_t next;			/* the record that is put next */
	bool has_lost;			/* those before it were there no longer */
	bool waits_for_room;
	bool is_gone;			/* the program has closed it */
	unsigned int users;		/* calls that know of it */
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

/* What descriptor 'fd' of thread 'tid' is. NULL: none. Valid until memory is read or written. */
struct kernel_reader *kernel_reader_find(struct supervisor *supervisor, pid_t tid, int fd);

/* Around what a call does with it: memory may take long, and the program may close it meanwhile. */
void kernel_reader_hold(struct kernel_reader *reader);
void kernel_reader_release(struct kernel_reader *reader);

/* Where its ring is; -1: the view has gone. */
int kernel_reader_shown(const struct kernel_reader *reader);

/* Sends that into its socket: 0, or -errno. */
int kernel_reader_send(const struct kernel_reader *reader, const void *bytes, size_t size);
/* Puts what there is into its socket, as much as there is room for. */
void kernel_reader_pump(struct kernel_reader *reader);
/* Is anything in its socket that the program has not read? */
bool kernel_reader_has_unread(const struct kernel_reader *reader);
/* The kernel goes on with this call, which may sleep. */
void kernel_reader_note_sleeper(struct kernel_reader *reader, const struct seccomp_notif *call);

/* Is another one bound to that number? */
bool kernel_reader_has_number(const struct kernel_readers *readers, uint32_t number);

/* Values of views have changed. */
void kernel_readers_look(struct supervisor *supervisor);
/* Does any of them read in the view whose host_view_changes_fd() that is? */
bool kernel_readers_use(const struct supervisor *supervisor, int changes_fd);

/*
 * Up to where dmesg --clear has cleared the messages of a host (NULL: the default), for all that
 * read them from then on.
 */
uint64_t kernel_readers_cleared(const struct kernel_readers *readers, const char *host);
void kernel_readers_clear(struct kernel_readers *readers, const char *host, uint64_t number);

#endif
