/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/filter-file.h"

#include <errno.h>
#include <glib.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/backend.h"

enum {
	UNSEEN_AT_ONCE = 64,		/* messages, until other files have their turn */
};

/* ---- its life ---- */

/*
 * The program's end seems to have written a byte, which stays unread: so when ours is closed, its
 * poll(2) reports an error as for a device that was removed, and not only the end of file.
 */
static void leave_byte(int end)
{
	send(end, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int file_new_ends(int *ret_end, int *ret_program_end)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	flight_set_room(ends[0]);
	leave_byte(ends[1]);
	*ret_end = ends[0];
	*ret_program_end = ends[1];
	return 0;
}

ino_t file_inode(int fd)
{
	struct stat status;

	return fstat(fd, &status) < 0 ? 0 : status.st_ino;
}

struct umad_file *file_new(struct file_keeper *keeper, int handle, int *ret_end)
{
	struct umad_file *file = g_new0(struct umad_file, 1);
	int r = file_new_ends(&file->end, ret_end);

	if (r < 0) {
		g_free(file);
		errno = -r;
		return NULL;
	}
	file->keeper = keeper;
	file->inode = file_inode(*ret_end);
	file->handle = handle;
	return file;
}

void file_bytes_release(struct file_bytes *bytes)
{
	if (bytes && --bytes->users == 0)
		free(bytes);
}

static void drop_message(struct umad_file *file)
{
	file_bytes_release(file->message.whole);
	file->message.whole = NULL;
	file->message.size = 0;
	file->message.is_short = false;
	file->is_large = false;
}

void file_forget_flight(struct umad_file *file)
{
	file->flight.count = 0;
	if (file->is_large)
		drop_message(file);
}

static void close_ends(struct umad_file *file)
{
	if (file->handle >= 0)
		file->keeper->fabric->close(file->handle);
	if (file->end >= 0)
		close(file->end);
	file->handle = file->end = -1;
}

void file_close(struct umad_file *file)
{
	close_ends(file);
	drop_message(file);
	file->is_dead = true;
}

void file_free(struct umad_file *file)
{
	file_close(file);
	g_free(file->host);
	g_free(file);
}

/* ---- readers that sleep ---- */

static void say_cut(struct file_keeper *keeper)
{
	if (!keeper->has_said_cut)
		fprintf(stderr, "umadrig: a program that another one traces may get a message cut "
			"off in read(2) on a umad device, where it should get ENOSPC\n");
	keeper->has_said_cut = true;
}

/*
 * A thread that sleeps in read(2), with room for less than 'size' bytes, would get as much of the
 * message as that, and the rest would be lost. When it comes again it gets an error instead.
 */
static void send_back_readers(struct umad_file *file, size_t size)
{
	for (unsigned int i = 0; i < FILE_READERS; i++) {
		struct file_reader *reader = &file->readers[i];

		if (!reader->call.tid || reader->room >= size)
			continue;
		if (file->keeper->waits_for_us &&
		    file->keeper->waits_for_us(file, reader->call.tid)) {
			reader->call.tid = 0;
			continue;
		}
		if (!thread_restart(&reader->call))
			say_cut(file->keeper);
		reader->call.tid = 0;
	}
}

void file_kill(struct umad_file *file)
{
	if (file->is_dead)
		return;
	file->is_dead = true;
	drop_message(file);
	/* They would find the socket broken; now they find the device gone. */
	send_back_readers(file, SIZE_MAX);
	close_ends(file);
	file->keeper->bury(file);
}

/* ---- from the fabric to the program ---- */

/* Takes all of a large message from the fabric, whose size is 'size' with a header of 64 bytes. */
static int take_whole(struct umad_file *file, size_t size)
{
	struct file_bytes *whole = malloc(sizeof(*whole) + size);
	long n;

	if (!whole)
		return -ENOMEM;
	whole->users = 1;
	n = file->keeper->fabric->recv(file->handle, whole->bytes, size);
	if (n != (long)size) {
		free(whole);
		return n < 0 ? (int)n : -EIO;
	}
	if (!file->has_pkey)
		user_header_shorten(whole->bytes, size);
	file->message.whole = whole;
	return 0;
}

typedef long receive_fn(int handle, void *umad, size_t size);

/* Makes the next message that the fabric has the file's. 0 or -errno. */
static int fetch(struct umad_file *file, receive_fn *receive)
{
	struct file_message *message = &file->message;
	long n = receive(file->handle, message->head, sizeof(message->head));
	size_t size = n >= 0 ? (size_t)n : user_header_get(message->head, USER_LENGTH);

	if (n < 0 && n != -ENOSPC)
		return (int)n;
	if (size < USER_HEADER_SIZE || (n < 0 && size <= FILE_HEAD_SIZE))
		return -EIO;
	if (n == -ENOSPC && (size > file->keeper->scale.record_max || take_whole(file, size) < 0))
		message->is_short = true;
	if (!file->has_pkey) {
		user_header_shorten(message->head, n < 0 ? FILE_HEAD_SIZE : size);
		size -= USER_HEADER_LESS;
	}
	message->size = size;
	return 0;
}

struct file_bytes *file_whole_message(struct umad_file *file)
{
	size_t more = file->has_pkey ? 0 : USER_HEADER_LESS;
	int r = 0;

	if (!file->message.whole)
		r = take_whole(file, file->message.size + more);
	if (r < 0 && r != -ENOMEM)
		file_kill(file);
	if (r < 0)
		return NULL;
	file->message.whole->users++;
	return file->message.whole;
}

static bool is_large(const struct umad_file *file)
{
	return file->message.size > file_header_size(file) + FILE_MAD_SIZE;
}

static void look(struct umad_file *file)
{
	flight_look(&file->flight, file->end);
	if (file->is_large && file->flight.count == 0)
		drop_message(file);
}

/* Puts the file's message into the socket. 0; -EAGAIN: there is no room now; or another -errno. */
static int put(struct umad_file *file)
{
	struct file_message *message = &file->message;
	const uint8_t *bytes = message->whole ? message->whole->bytes : message->head;
	size_t size = message->size;
	int r;

	if (is_large(file)) {
		look(file);
		if (file->flight.count > 0)
			return -EAGAIN;
		if (message->is_short)
			size = file_header_size(file) + FILE_MAD_SIZE;
	}
	send_back_readers(file, message->is_short ? SIZE_MAX : size);
	r = flight_put(&file->flight, &file->keeper->scale, file->end, bytes, size);
	if (r < 0)
		return r;
	file_bytes_release(message->whole);
	message->whole = NULL;
	file->is_large = is_large(file);
	if (!file->is_large)
		message->size = 0;
	return 0;
}

/* One message of the fabric's, or that had to wait. 0 or -errno. */
static int pump_one(struct umad_file *file, receive_fn *receive)
{
	int r;

	if (file->is_large)
		look(file);
	if (file->is_large)
		return -ENOBUFS;
	if (file->message.size == 0) {
		r = fetch(file, receive);
		if (r == -EAGAIN)
			return r;
		if (r < 0) {
			file_kill(file);
			return r;
		}
	}
	/* A program may also have shut its end down, and then there never is room. */
	return put(file) < 0 ? -ENOBUFS : 0;
}

/* 'r' is what the last pump_one() has returned. */
static void end_pump(struct umad_file *file, int r)
{
	if (file->is_dead || file->is_gone || (r == -ENOBUFS) == file->waits_for_room)
		return;
	file->waits_for_room = !file->waits_for_room;
	file->keeper->watch_handle(file, !file->waits_for_room);
}

void file_pump(struct umad_file *file)
{
	int r = 0;

	while (r == 0 && !file->is_dead && !file->is_gone)
		r = pump_one(file, file->keeper->fabric->recv);
	end_pump(file, r);
}

/*
 * After a send: also has the fabric do now what it would do later. A program that has nothing more
 * to read most likely waits for the answer now. If it is there before write(2) returns, nobody has
 * to be woken for it.
 */
static void pump_soon(struct umad_file *file)
{
	receive_fn *soon = file->keeper->fabric->recv_soon;

	look(file);
	if (!soon || file->waits_for_room || file->message.size > 0 || file->flight.count > 0)
		file_pump(file);
	else
		/* What else there is the loop finds out about. */
		end_pump(file, pump_one(file, soon));
}

size_t file_head_size(struct umad_file *file)
{
	look(file);
	if (file->flight.count == 0)
		file_pump(file);
	if (file->is_large)
		return file->message.size;
	return flight_head(&file->flight);
}

/* ---- from the program to the fabric ---- */

long file_send(struct umad_file *file, const uint8_t *message, size_t size)
{
	long n;

	if (file->is_dead)
		return -EIO;
	n = file->keeper->fabric->send(file->handle, message, size);
	pump_soon(file);
	return n == -EBADF ? -EIO : n;
}

/* What a copy has written: 'size' bytes in 'bytes', which has room for a longer header. */
static void send_one_unseen(struct umad_file *file, uint8_t *bytes, size_t size)
{
	enum { MAD_MIN = 36 };

	if (size < file_header_size(file) + MAD_MIN)
		return;
	if (!file->has_pkey) {
		memmove(bytes + USER_HEADER_SIZE, bytes + USER_HEADER_SIZE_OLD,
			size - USER_HEADER_SIZE_OLD);
		memset(bytes + USER_HEADER_SIZE_OLD, 0, USER_HEADER_LESS);
		size += USER_HEADER_LESS;
	}
	file_send(file, bytes, size);
}

static void say_unseen(struct file_keeper *keeper)
{
	if (keeper->has_said_unseen)
		return;
	keeper->has_said_unseen = true;
	fprintf(stderr, "umadrig: a program writes to a copy of a umad descriptor that dup2() made "
		"or that came through a socket: it does not learn of errors there\n");
}

bool file_send_unseen(struct umad_file *file)
{
	for (int i = 0; i < UNSEEN_AT_ONCE; i++) {
		g_autofree uint8_t *bytes = NULL;
		ssize_t size;
		int there = 0;

		/* The byte of leave_byte() comes first; it stays as long as it is alone. */
		if (file->is_dead || ioctl(file->end, SIOCINQ, &there) < 0 ||
		    there <= (file->has_lost_byte ? 0 : 1))
			return true;
		bytes = g_malloc((size_t)there + USER_HEADER_SIZE);
		size = recv(file->end, bytes, (size_t)there, MSG_DONTWAIT);
		if (size < 0)
			return true;
		if (!file->has_lost_byte) {
			file->has_lost_byte = true;
			continue;
		}
		say_unseen(file->keeper);
		send_one_unseen(file, bytes, (size_t)size);
	}
	return false;
}
