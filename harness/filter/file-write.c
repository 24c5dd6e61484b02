/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * file-write.c: write(2) and writev(2) of umad files.
 *
 * The fabric checks a message as the kernel does. It needs all of it; where the program's memory
 * has less, or the message is so large that nobody would copy it, the checks that Linux makes
 * before it copies the rest are made here.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/filter/file-call.h"
#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"
#include "harness/filter/store-file.h"
#include "lib/base/wire.h"

enum {
	MAD_MIN = RMPP_END,		/* Linux: a MAD header, and room for an RMPP header */
	SMALL_MAX = 4096,
	/* As the largest message that a fabric server takes (sim/server/limits.c). */
	LARGE_MAX = 512 << 20,
};

/* What is written: a message of 'size' bytes with the file's header, from 'at' on. */
struct written {
	struct supervisor *supervisor;
	const struct seccomp_notif *call;
	struct umad_file *file;
	uint64_t at;
	size_t size;
};

/*
 * The checks that precede the copying of the rest: linux-mad A.5, 4 to 9, but for those of the
 * address. 0 or -errno.
 */
static int check_start(const struct written *written, const uint8_t *start)
{
	const struct umad_file *file = written->file;
	size_t header_size = file_header_size(file), size = written->size - header_size;
	const uint8_t *mad = start + header_size;
	bool is_rmpp;
	uint32_t id;

	memcpy(&id, start, sizeof(id));
	if (id >= FILE_AGENTS)
		return -EINVAL;
	if (file->is_dead || !(file->agents >> id & 1))
		return -EIO;
	is_rmpp = file->rmpp_agents >> id & 1 && mad_class_has_rmpp(mad[MAD_CLASS]) &&
		  mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE;
	if (size < mad_class_header_size(mad[MAD_CLASS]) || (size > FILE_MAD_SIZE && !is_rmpp))
		return -EINVAL;
	return 0;
}

/* The start as far as those checks need it. 0 or -errno. */
static int check_memory(const struct written *written)
{
	uint8_t start[USER_HEADER_SIZE + MAD_MIN];
	size_t header_size = file_header_size(written->file);
	pid_t tid = (pid_t)written->call->pid;
	uint32_t id;
	int r = memory_read(tid, written->at, start, header_size);

	if (r < 0)
		return r;
	memcpy(&id, start, sizeof(id));
	if (id >= FILE_AGENTS)
		return -EINVAL;
	r = memory_read(tid, written->at + header_size, start + header_size, MAD_MIN);
	return r < 0 ? r : check_start(written, start);
}

/* Sends the message, which is read into 'bytes', with room for the longer header. */
static long send_from(const struct written *written, uint8_t *bytes)
{
	size_t less = written->file->has_pkey ? 0 : USER_HEADER_LESS;
	long n = memory_read((pid_t)written->call->pid, written->at, bytes + less, written->size);

	if (n == -EFAULT) {
		n = check_memory(written);
		return n < 0 ? n : -EFAULT;
	}
	if (n < 0)
		return n;
	if (less) {
		memmove(bytes, bytes + less, USER_HEADER_SIZE_OLD);
		memset(bytes + USER_HEADER_SIZE_OLD, 0, less);
	}
	/* Is it still the thread whose memory that was? */
	if (!listener_begin_once(written->supervisor->listener, written->call))
		return CALL_GOES_ON;
	if (written->file->is_dead) {
		n = check_start(written, bytes + less);
		return n < 0 ? n : -EIO;
	}
	n = file_send(written->file, bytes, written->size + less);
	return n < 0 ? n : (long)written->size;
}

static long write_one(const struct written *written)
{
	uint8_t small[SMALL_MAX + USER_HEADER_LESS], *large;
	long n;

	if (written->size < file_header_size(written->file) + MAD_MIN)
		return -EINVAL;
	if (written->size <= SMALL_MAX)
		return send_from(written, small);
	n = check_memory(written);
	if (n < 0)
		return n;
	if (written->size > LARGE_MAX)
		return -ENOMEM;
	large = malloc(written->size + USER_HEADER_LESS);
	if (!large)
		return -ENOMEM;
	n = send_from(written, large);
	free(large);
	return n;
}

long file_on_write(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct written written = {
		.supervisor = supervisor,
		.call = call,
		.file = file_of_call(supervisor, call),
		.at = call->data.args[1],
	};
	long result;

	if (!written.file)
		return file_on_other(supervisor, call);
	result = written.file->may_write ?
		 file_check_buffer(written.at, call->data.args[2], &written.size) : -EBADF;
	if (result == 0)
		result = write_one(&written);
	return result;
}

/* Linux: each part is a message of its own. */
static long write_parts(struct written *written, const struct iovec *parts, int count)
{
	long sum = 0;

	for (int i = 0; i < count; i++) {
		long n;

		if (parts[i].iov_len == 0 && i > 0)
			continue;
		written->at = (uintptr_t)parts[i].iov_base;
		written->size = parts[i].iov_len;
		n = write_one(written);
		if (n < 0)
			return sum ? sum : n;
		sum += n;
	}
	return sum;
}

long file_on_writev(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct written written = {
		.supervisor = supervisor,
		.call = call,
		.file = file_of_call(supervisor, call),
	};
	struct iovec parts[UIO_MAXIOV];
	long result;

	if (!written.file)
		return file_on_other(supervisor, call);
	result = written.file->may_write ? file_get_parts(call, parts) : -EBADF;
	if (result > 0)
		result = write_parts(&written, parts, (int)result);
	return result;
}
