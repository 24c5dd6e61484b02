/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/file-call.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/memory.h"
#include "harness/filter/numbers.h"
#include "harness/filter/path-call.h"
#include "harness/filter/rdma-socket.h"
#include "harness/filter/store-file.h"
#include "harness/filter/thread-inject.h"
#include "harness/filter/uevent-socket.h"
#include "harness/filter/uverbs-call.h"

/* ---- what the calls share ---- */

struct umad_file *file_of_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return file_find(supervisor, (pid_t)call->pid, (int)call->data.args[0]);
}

long file_on_other(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	static supervisor_call_fn *const devices[] = {
		issm_file_on_call, uverbs_on_call, kmsg_on_call, uevent_on_call, store_file_on_call,
	};
	long result = CALL_OF_ANOTHER;

	for (size_t i = 0; i < G_N_ELEMENTS(devices) && result == CALL_OF_ANOTHER; i++)
		result = devices[i](supervisor, call);
	return result == CALL_OF_ANOTHER ? CALL_GOES_ON : result;
}

/* ---- calls ---- */

/*
 * The program makes the copy itself, at 'number', where we may have none of its descriptor (as in
 * containers). False: nor can it be made to, since another process traces it.
 */
static bool copy_there(struct supervisor *supervisor, const struct seccomp_notif *call, int number,
		       bool cloexec)
{
	const struct thread_made_call dup3_call = {
		SYS_dup3, { (int)call->data.args[0], number, cloexec ? O_CLOEXEC : 0 },
	};

	if (thread_inject_begin(call) < 0)
		return false;
	thread_inject_end(supervisor->listener, call, number, &dup3_call, 1);
	return true;
}

/*
 * A copy at a high number, where the filter sees it. Where that cannot be had the kernel makes one
 * at a low number, which reads and writes, but does not learn of errors.
 */
static long copy_descriptor(struct supervisor *supervisor, const struct seccomp_notif *call,
			    int from, bool cloexec)
{
	int number = number_free_from(supervisor, (pid_t)call->pid, from);
	int copy, r;

	if (number < 0)
		return -EMFILE;
	copy = descriptor_copy((pid_t)call->pid, (int)call->data.args[0]);
	if (copy < 0)
		return copy_there(supervisor, call, number, cloexec) ? CALL_ANSWERED : CALL_GOES_ON;
	r = listener_give(supervisor->listener, call, copy, number, cloexec);
	close(copy);
	if (r < 0)
		return r == -EBADF ? -EMFILE : r;
	return CALL_ANSWERED;
}

static bool is_file_at(struct supervisor *supervisor, const struct seccomp_notif *call,
		       unsigned int argument)
{
	file_table_settle(supervisor->files);
	return file_find(supervisor, (pid_t)call->pid, (int)call->data.args[argument]);
}

/* The same, or another device. */
static bool is_device_at(struct supervisor *supervisor, const struct seccomp_notif *call,
			 unsigned int argument)
{
	return is_file_at(supervisor, call, argument) ||
	       issm_file_find(supervisor, (pid_t)call->pid, (int)call->data.args[argument]) ||
	       uverbs_file_find(supervisor, (pid_t)call->pid, (int)call->data.args[argument]) ||
	       kernel_reader_find(supervisor, (pid_t)call->pid, (int)call->data.args[argument]);
}

long file_on_dup(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	if (is_device_at(supervisor, call, 0))
		return copy_descriptor(supervisor, call, 0, false);
	return path_on_dup_directory(supervisor, call, false);
}

/* The commands that make a copy: F_DUPFD and F_DUPFD_CLOEXEC. */
long file_on_fcntl(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	bool cloexec = (int)call->data.args[1] == F_DUPFD_CLOEXEC;
	int from = (int)call->data.args[2];

	/* The copy gets a high number anyway, or the call fails. */
	if (from >= supervisor->first_number || from < 0)
		return CALL_GOES_ON;
	if (is_device_at(supervisor, call, 0))
		return copy_descriptor(supervisor, call, from, cloexec);
	return path_on_dup_directory(supervisor, call, cloexec);
}

/* ---- what a socket can do, and the device cannot ---- */

long file_on_socket_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	long result = uevent_on_call(supervisor, call);

	if (result != CALL_OF_ANOTHER)
		return result;
	if (is_file_at(supervisor, call, 0) ||
	    uverbs_file_find(supervisor, (pid_t)call->pid, (int)call->data.args[0]) ||
	    kmsg_is(supervisor, (pid_t)call->pid, (int)call->data.args[0]))
		return -ENOTSOCK;
	return CALL_GOES_ON;
}

/* A message to a socket of netlink's, in one piece or in parts. */
long file_on_sendto(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	size_t size;
	long r;

	if (!rdma_socket_is(supervisor, (pid_t)call->pid, (int)args[0]))
		return file_on_socket_call(supervisor, call);
	r = file_check_buffer(args[1], args[2], &size);
	if (r == 0)
		r = rdma_socket_send(supervisor, call, args[1], size);
	return r;
}

/* libnl and libmnl send one part. */
static long send_parts(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct msghdr message;
	struct iovec part;
	size_t size;
	int r = memory_read((pid_t)call->pid, call->data.args[1], &message, sizeof(message));

	if (r == 0 && message.msg_iovlen != 1)
		r = -EMSGSIZE;
	if (r == 0)
		r = memory_read((pid_t)call->pid, (uintptr_t)message.msg_iov, &part, sizeof(part));
	if (r == 0)
		r = file_check_buffer((uintptr_t)part.iov_base, part.iov_len, &size);
	return r < 0 ? r : rdma_socket_send(supervisor, call, (uintptr_t)part.iov_base, size);
}

long file_on_sendmsg(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	if (rdma_socket_is(supervisor, (pid_t)call->pid, (int)call->data.args[0]))
		return send_parts(supervisor, call);
	return file_on_socket_call(supervisor, call);
}

/* It has no pages to pass on, and no position: 'source' and 'offset' are arguments' numbers. */
static long refuse_pages(struct supervisor *supervisor, const struct seccomp_notif *call,
			 unsigned int source, unsigned int offset, unsigned int target)
{
	bool is_source = is_device_at(supervisor, call, source);

	if (!is_source && !is_device_at(supervisor, call, target))
		return CALL_GOES_ON;
	return is_source && call->data.args[offset] ? -ESPIPE : -EINVAL;
}

long file_on_sendfile(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return refuse_pages(supervisor, call, 1, 2, 0);
}

long file_on_splice(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return refuse_pages(supervisor, call, 0, 1, 2);
}
