/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * file-read.c: read(2) and readv(2) of umad files.
 *
 * The kernel reads the message out of the program's socket: it waits, is interrupted, or finds
 * nothing, as for the device. Only what a socket would do differently is answered here.
 */
#include "config.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/program-descriptor.h"
#include "harness/filter/file-call.h"
#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"

/* Takes the head of a message that was read here out of 'fd', a copy of the program's socket. */
static int take_head(int fd)
{
	uint8_t head[FILE_HEAD_SIZE];

	return recv(fd, head, sizeof(head), MSG_DONTWAIT) < 0 && errno != EAGAIN ? -errno : 0;
}

/*
 * 'fd' as above; or -errno, none can be had. Then the program gets another socket, which a thread
 * that is held could not take: signals may have it lose the message before Linux 5.19.
 */
static long read_short_from(struct supervisor *supervisor, struct umad_file *file,
			    const struct seccomp_notif *call, uint64_t at, int fd)
{
	size_t size = file->message.size;
	struct file_bytes *whole = file_whole_message(file);
	int r;

	if (!whole)
		return file->is_dead ? -EIO : -ENOMEM;
	if (fd >= 0 ? !listener_begin_once(supervisor->listener, call) :
		      !listener_is_waiting(supervisor->listener, call)) {
		file_bytes_release(whole);
		return CALL_GOES_ON;
	}
	r = memory_write((pid_t)call->pid, at, whole->bytes, size);
	/* While that took long another thread may have read it. */
	if (r == 0 && file->message.whole != whole)
		r = -EAGAIN;
	file_bytes_release(whole);
	if (r == 0)
		r = fd >= 0 ? take_head(fd) : file_replace_end(file, call);
	if (r < 0)
		return r;
	file_pump(file);
	return (long)size;
}

/* A message of which the socket has but the head. */
static long read_short(struct supervisor *supervisor, struct umad_file *file,
		       const struct seccomp_notif *call, uint64_t at)
{
	int fd = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]);
	long n = read_short_from(supervisor, file, call, at, fd);

	if (fd >= 0)
		close(fd);
	return n;
}

static bool was_tried(const struct umad_file *file, pid_t tid, uint64_t at, size_t size)
{
	return file->tried.tid == tid && file->tried.at == at && file->tried.size >= size;
}

/*
 * Can the program's memory take the message? The socket would lose it, where the device keeps it.
 * The bytes that are written there are the message's own.
 */
static int try_memory(struct supervisor *supervisor, struct umad_file *file,
		      const struct seccomp_notif *call, uint64_t at, size_t size)
{
	pid_t tid = (pid_t)call->pid;
	uint8_t zero = 0;
	int r;

	if (was_tried(file, tid, at, size))
		return 0;
	if (!listener_is_waiting(supervisor->listener, call))
		return CALL_GOES_ON;
	r = memory_write(tid, at, &zero, 1);
	if (r == 0)
		r = memory_write(tid, at + size - 1, &zero, 1);
	if (r == 0) {
		file->tried.tid = tid;
		file->tried.at = at;
		file->tried.size = size;
	}
	return r;
}

/* The kernel goes on; the thread may sleep now, and then find a message too large for it. */
static long go_on(struct umad_file *file, const struct seccomp_notif *call, size_t room)
{
	struct file_reader *reader = &file->readers[call->pid % FILE_READERS];

	thread_call_set(&reader->call, call);
	reader->room = room;
	return CALL_GOES_ON;
}

static long read_into(struct supervisor *supervisor, struct umad_file *file,
		      const struct seccomp_notif *call, uint64_t at, size_t room)
{
	size_t size, start;
	int r;

	if (room < file_header_size(file))
		return -EINVAL;
	size = file->is_dead ? 0 : file_head_size(file);
	if (file->is_dead)
		return -EIO;
	if (size == 0)
		return go_on(file, call, room);
	start = MIN(size, file_header_size(file) + FILE_MAD_SIZE);
	if (room < start)
		return -EINVAL;
	if (room < size) {
		if (!listener_is_waiting(supervisor->listener, call))
			return CALL_GOES_ON;
		r = memory_write((pid_t)call->pid, at, file->message.head, start);
		return r < 0 ? r : -ENOSPC;
	}
	if (file->is_large && file->message.is_short)
		return read_short(supervisor, file, call, at);
	r = try_memory(supervisor, file, call, at, size);
	return r < 0 ? r : go_on(file, call, room);
}

/*
 * A program that asks and reads, over and over again: a message is in its socket, or was, and any
 * that may be there has room where the last one had. The kernel goes on with that read, whichever
 * file it is of. False: it is not as usual.
 */
static bool is_as_usual(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	pid_t tid = (pid_t)call->pid;
	struct umad_file *file = file_likely(supervisor, tid, (int)call->data.args[0]);
	uint64_t at = call->data.args[1], room = call->data.args[2];

	if (!file || file->is_large || file->flight.count == 0 || !file->may_read ||
	    room < FILE_HEAD_SIZE || !was_tried(file, tid, at, flight_head(&file->flight)))
		return false;
	go_on(file, call, room);
	return true;
}

long file_on_read(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	uint64_t at = call->data.args[1];
	struct umad_file *file;
	size_t room = 0;
	long result;

	if (is_as_usual(supervisor, call))
		return CALL_GOES_ON;
	file = file_of_call(supervisor, call);
	if (!file)
		return file_on_other(supervisor, call);
	result = file->may_read ? file_check_buffer(at, call->data.args[2], &room) : -EBADF;
	if (result == 0)
		result = read_into(supervisor, file, call, at, room);
	return result;
}

/*
 * Linux reads into the first part alone, and into the next one if a message has filled it exactly.
 * Here that is left to the next call.
 */
long file_on_readv(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct umad_file *file = file_of_call(supervisor, call);
	struct iovec parts[UIO_MAXIOV];
	int count;

	if (!file)
		return file_on_other(supervisor, call);
	if (!file->may_read)
		return -EBADF;
	count = file_get_parts(call, parts);
	if (count <= 0)
		return count;
	return read_into(supervisor, file, call, (uintptr_t)parts[0].iov_base, parts[0].iov_len);
}
