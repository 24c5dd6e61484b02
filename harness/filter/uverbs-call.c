/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-call.h"

#include <errno.h>
#include <linux/sockios.h>
#include <rdma/ib_user_verbs.h>
#include <sys/syscall.h>

#include "harness/filter/file-buffer.h"
#include "harness/filter/rdma-cm-write.h"
#include "lib/base/descriptor-ioctl.h"

/* Of a file of events: the kernel reads the socket, unless a device would do otherwise. */
static long read_event(const struct uverbs_file *file, uint64_t room)
{
	int unread = 0;

	if (ioctl(file->common.watch.fd, SIOCOUTQ, &unread) < 0)
		unread = 0;
	if (unread > 0 && room < sizeof(struct ib_uverbs_async_event_desc))
		return -EINVAL;
	return CALL_GOES_ON;
}

static long on_event_call(const struct uverbs_file *file, const struct seccomp_notif *call)
{
	struct iovec parts[UIO_MAXIOV];
	uint64_t room = 0;
	long count;

	switch (call->data.nr) {
	case SYS_read:
		return read_event(file, call->data.args[2]);
	case SYS_readv:
		count = file_get_parts(call, parts);
		for (long i = 0; i < count; i++)
			room += parts[i].iov_len;
		return count < 0 ? count : read_event(file, room);
	case SYS_ioctl:
		return -ENOTTY;
	}
	return -EBADF;
}

/* Linux: each part is a command of its own. */
static long write_parts(struct uverbs_file *file, const struct seccomp_notif *call)
{
	struct iovec parts[UIO_MAXIOV];
	long count = file_get_parts(call, parts), sum = 0;

	for (long i = 0; i < count; i++) {
		long n;

		if (parts[i].iov_len == 0)
			continue;
		n = uverbs_write(file, call, (uintptr_t)parts[i].iov_base, parts[i].iov_len);
		if (n < 0)
			return sum ? sum : n;
		sum += n;
	}
	return count < 0 ? count : sum;
}

/* Of rdma_cm: what waits for events waits for ever. */
static long on_cm_call(struct uverbs_file *file, const struct seccomp_notif *call)
{
	struct iovec parts[UIO_MAXIOV];
	long count;

	switch (call->data.nr) {
	case SYS_write:
		return file->may_write ? rdma_cm_write(file, call, call->data.args[1],
						       call->data.args[2]) : -EBADF;
	case SYS_writev:
		count = file->may_write ? file_get_parts(call, parts) : -EBADF;
		return count <= 0 ? count : rdma_cm_write(file, call, (uintptr_t)parts[0].iov_base,
							  parts[0].iov_len);
	case SYS_ioctl:
		return -ENOTTY;
	}
	return -EINVAL;
}

static long on_device_call(struct uverbs_file *file, const struct seccomp_notif *call)
{
	size_t size;
	int r;

	switch (call->data.nr) {
	case SYS_write:
		r = file_check_buffer(call->data.args[1], call->data.args[2], &size);
		if (r == 0 && !file->may_write)
			r = -EBADF;
		return r < 0 ? r : uverbs_write(file, call, call->data.args[1], size);
	case SYS_writev:
		return file->may_write ? write_parts(file, call) : -EBADF;
	case SYS_ioctl:
		return uverbs_ioctl(file, call);
	}
	/* It has neither read nor its kin. */
	return -EINVAL;
}

static bool is_of_any_descriptor(const struct seccomp_notif *call)
{
	return call->data.nr == SYS_ioctl && descriptor_ioctl_is((uint32_t)call->data.args[1]);
}

long uverbs_on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct uverbs_file *file = uverbs_file_find(supervisor, (pid_t)call->pid,
						    (int)call->data.args[0]);
	long result = CALL_GOES_ON;

	if (!file)
		return CALL_OF_ANOTHER;
	view_file_hold(&file->common);
	if (!is_of_any_descriptor(call))
		result = file->is_events ? on_event_call(file, call) :
			 file->is_cm ? on_cm_call(file, call) : on_device_call(file, call);
	view_file_release(&file->common);
	return result;
}
