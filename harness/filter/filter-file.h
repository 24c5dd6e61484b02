/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A umad file of a program: what open(2) of /dev/infiniband/umadN has given it.
 *
 * It is one end of a pair of SOCK_SEQPACKET sockets, into whose other end the supervisor puts each
 * message as read(2) of Linux's ib_umad returns it. So waiting, polling, signals, O_NONBLOCK, dup
 * and fork are the kernel's, and a copy that nobody knows of still reads. Calls that a socket would
 * answer otherwise are trapped (harness/filter/file-call.h).
 *
 * A message that is larger than one MAD is put into an empty socket, and nothing follows until it
 * has been read. A thread that sleeps in read(2) with too little room is made to begin it again. A
 * message that no socket has room for stays with the fabric until a program with room for it reads;
 * meanwhile the socket has its first 256 bytes.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILTER_FILE_H
#define UMADRIG_HARNESS_FILTER_FILTER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/filter/flight.h"
#include "harness/filter/thread-restart.h"
#include "lib/base/user-header.h"

struct umad_backend;
struct umad_file;

enum {
	/* As in linux-mad A.1, and in lib/attach/protocol.h. */
	FILE_MAD_SIZE = 256,
	FILE_HEAD_SIZE = USER_HEADER_SIZE + FILE_MAD_SIZE,
	FILE_AGENTS = 32,
	FILE_READERS = 16,
};

/* What files need of the table that they are in (harness/filter/file-table.h). */
struct file_keeper {
	const struct umad_backend *fabric;
	struct flight_scale scale;
	bool has_said_unseen, has_said_cut;
	/* Watches the handle for messages, or else the file's end for room. */
	void (*watch_handle)(struct umad_file *file, bool is_watched);
	/* The device has gone. */
	void (*bury)(struct umad_file *file);
	/* Does that thread wait for the answer to a call, and sleeps in no read? */
	bool (*waits_for_us)(const struct umad_file *file, pid_t tid);
};

/* A read that the kernel was told to go on with. */
struct file_reader {
	struct thread_call call;
	size_t room;			/* bytes that it can take */
};

/* Bytes of a message that may be dropped while they are copied to a program. */
struct file_bytes {
	unsigned int users;
	uint8_t bytes[];
};

/* The next message: in the file's header size. */
struct file_message {
	size_t size;			/* of all of it; 0: there is none */
	uint8_t head[FILE_HEAD_SIZE];	/* as much of it */
	struct file_bytes *whole;	/* NULL: nobody needs more than 'head' now */
	bool is_short;			/* no more than 'head' goes into the socket */
};

struct umad_file {
	struct file_keeper *keeper;
	struct umad_file *next_gone;	/* of those that are freed after this round */
	ino_t inode;			/* of the program's end */
	int end;			/* ours; -1: the device has gone */
	int handle;			/* the fabric's; -1: the same */
	char *host;			/* NULL: the default */
	pid_t program;			/* the process that opened it */
	unsigned int umad;		/* N of umadN */
	bool may_read, may_write;	/* access mode of open(2) */
	bool has_pkey;			/* headers of 64 bytes */
	bool is_used;			/* an agent was registered: the header size is fixed */
	bool is_dead;			/* the device has gone */
	bool is_gone;			/* the program has closed it */
	bool waits_for_room;		/* 'message' has to wait, and the handle with it */
	bool has_lost_byte;			/* see leave_byte() in filter-file.c */
	bool is_large;			/* what is in flight is one message larger than a MAD */
	uint32_t agents;		/* bit n: agent n is registered */
	uint32_t rmpp_agents;		/* bit n: and the kernel does RMPP for it */
	struct file_message message;	/* the large one in flight; or to be put next */
	struct flight flight;
	struct file_reader readers[FILE_READERS];	/* the latest ones */
	/* What a read was last found to have room for: it is not tried again. */
	struct {
		pid_t tid;
		uint64_t at;
		size_t size;
	} tried;
};

/*
 * Makes a file of a fabric's handle, which becomes the file's. '*ret_end': the program's end, the
 * caller's. NULL with errno.
 */
struct umad_file *file_new(struct file_keeper *keeper, int handle, int *ret_end);
/* Makes a pair of sockets for a file: 0, or -errno. */
int file_new_ends(int *ret_end, int *ret_program_end);
/* Of the socket 'fd'. */
ino_t file_inode(int fd);
void file_free(struct umad_file *file);
/* The program has closed it: as if the device had gone, but for what that would tell. */
void file_close(struct umad_file *file);

static inline size_t file_header_size(const struct umad_file *file)
{
	return file->has_pkey ? USER_HEADER_SIZE : USER_HEADER_SIZE_OLD;
}

/* Nothing is in flight any more. */
void file_forget_flight(struct umad_file *file);

/* Puts what the fabric has for the file into its socket, as much as there is room for. */
void file_pump(struct umad_file *file);

/*
 * Sends a message with a header of 64 bytes. 'size', or the -errno of write(2).
 */
long file_send(struct umad_file *file, const uint8_t *message, size_t size);

/*
 * Sends what was written through copies that the filter does not see. False: not all of it, the
 * caller comes again.
 */
bool file_send_unseen(struct umad_file *file);

/* The device has gone: the program's end reports an error from now on. */
void file_kill(struct umad_file *file);

/* The size of the message that is read next, 0: there is none. Pumps if there is none. */
size_t file_head_size(struct umad_file *file);

/*
 * All bytes of the message in flight, which is large, to be released by the caller. NULL: no
 * memory, or the device has gone in the meantime ('is_dead').
 */
struct file_bytes *file_whole_message(struct umad_file *file);
void file_bytes_release(struct file_bytes *bytes);

#endif
