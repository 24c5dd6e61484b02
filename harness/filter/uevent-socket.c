/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uevent-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/host-view.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/kernel-ring-read.h"
#include "harness/filter/memory.h"
#include "harness/filter/uevent-receive.h"
#include "lib/base/kernel-ring.h"

/* ---- events ---- */

/* As its groups want it. */
static int put(struct kernel_reader *reader, const char *record, size_t size)
{
	struct kernel_event event;
	int r = 0;

	/* What cannot be read is lost. */
	if (!kernel_event_split(record, size, &event)) {
		reader->has_lost = true;
		return 0;
	}
	if (reader->groups & UEVENT_GROUP_KERNEL)
		r = kernel_reader_send(reader, event.kernel, event.kernel_size);
	if (r < 0 || !(reader->groups & UEVENT_GROUP_UDEV))
		return r;
	r = kernel_reader_send(reader, event.udev, event.udev_size);
	/* The kernel's is there already, and must not come twice. */
	if (r == -EAGAIN && (reader->groups & UEVENT_GROUP_KERNEL)) {
		reader->has_lost = true;
		return 0;
	}
	return r;
}

static const struct kernel_reader_kind uevents = {
	.ring = KERNEL_EVENTS, .has_to_bind = true, .put = put,
};

/* ---- socket ---- */

long uevent_on_socket(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	enum { TYPE_MASK = 0xf };	/* Linux: the rest are flags */
	int type = (int)call->data.args[1], kind = type & TYPE_MASK, r;
	struct kernel_reader *reader = NULL;
	struct host_view *view = NULL;

	if (kind != SOCK_RAW && kind != SOCK_DGRAM)
		return -ESOCKTNOSUPPORT;
	if (supervisor->views && supervisor->kernel)
		view = host_view_of_thread(supervisor->views, (pid_t)call->pid);
	if (!view)
		return CALL_GOES_ON;
	r = kernel_reader_give(supervisor, call, view, &uevents, 0,
			       (type & SOCK_CLOEXEC ? O_CLOEXEC : 0) |
			       (type & SOCK_NONBLOCK ? O_NONBLOCK : 0), &reader);
	if (r < 0)
		return r;
	reader->type = kind;
	return CALL_ANSWERED;
}

/* ---- addresses ---- */

/* Linux (netlink_autobind()): the process's number, if no other socket has it; else below -4096. */
static uint32_t choose_number(const struct kernel_reader *reader)
{
	uint32_t own = (uint32_t)reader->common.program, number = own;

	while (kernel_readers_have_number(reader->common.files, number))
		number = number == own ? UINT32_C(-4097) : number - 1;
	return number;
}

/* What happens from now on is told. */
static void begin(struct kernel_reader *reader, uint32_t number)
{
	int shown = view_file_values(&reader->common);

	reader->is_bound = true;
	reader->number = number;
	reader->next = shown < 0 ? 0 : kernel_ring_count(shown, KERNEL_EVENTS);
}

static long on_bind(struct kernel_reader *reader, const struct seccomp_notif *call)
{
	struct sockaddr_nl address;
	long r;

	if (call->data.args[2] < sizeof(address))
		return -EINVAL;
	r = memory_read((pid_t)call->pid, call->data.args[1], &address, sizeof(address));
	if (r < 0)
		return r;
	if (address.nl_family != AF_NETLINK)
		return -EINVAL;
	/* Linux: 0, too, is another number than the one that it has. */
	if (reader->is_bound && address.nl_pid != reader->number)
		return -EINVAL;
	if (!reader->is_bound && address.nl_pid &&
	    kernel_readers_have_number(reader->common.files, address.nl_pid))
		return -EADDRINUSE;
	reader->groups = address.nl_groups;
	if (!reader->is_bound)
		begin(reader, address.nl_pid ? address.nl_pid : choose_number(reader));
	return 0;
}

/* Writes an address as getsockname(2) does: 'to', and its size at 'size_at'. */
static long write_name(pid_t tid, const struct sockaddr_nl *address, uint64_t to, uint64_t size_at)
{
	int size = 0, whole = sizeof(*address);
	long r = memory_read(tid, size_at, &size, sizeof(size));

	if (r == 0 && size < 0)
		r = -EINVAL;
	if (r == 0)
		r = memory_write(tid, to, address, (size_t)MIN(size, whole));
	return r < 0 ? r : memory_write(tid, size_at, &whole, sizeof(whole));
}

static long on_name(struct kernel_reader *reader, const struct seccomp_notif *call, bool is_peer)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };

	if (!is_peer) {
		address.nl_pid = reader->is_bound ? reader->number : 0;
		address.nl_groups = reader->groups;
	}
	return write_name((pid_t)call->pid, &address, call->data.args[1], call->data.args[2]);
}

/* ---- options ---- */

static long on_membership(struct kernel_reader *reader, const struct seccomp_notif *call,
			  bool joins)
{
	enum { GROUPS = 32 };
	unsigned int group = 0;
	long r = call->data.args[4] < sizeof(group) ? -EINVAL :
		 memory_read((pid_t)call->pid, call->data.args[3], &group, sizeof(group));

	if (r == 0 && (group == 0 || group > GROUPS))
		r = -EINVAL;
	if (r < 0)
		return r;
	if (!reader->is_bound)
		begin(reader, choose_number(reader));
	if (joins)
		reader->groups |= 1U << (group - 1);
	else
		reader->groups &= ~(1U << (group - 1));
	return 0;
}

/* What netlink alone has; a socket's own options are those of any. */
static long on_setsockopt(struct kernel_reader *reader, const struct seccomp_notif *call)
{
	int level = (int)call->data.args[1], option = (int)call->data.args[2];

	if (level != SOL_NETLINK)
		return level == SOL_SOCKET ? CALL_GOES_ON : -ENOPROTOOPT;
	switch (option) {
	case NETLINK_ADD_MEMBERSHIP:
	case NETLINK_DROP_MEMBERSHIP:
		return on_membership(reader, call, option == NETLINK_ADD_MEMBERSHIP);
	case NETLINK_NO_ENOBUFS:
	case NETLINK_PKTINFO:
	case NETLINK_BROADCAST_ERROR:
	case NETLINK_EXT_ACK:
	case NETLINK_CAP_ACK:
		return 0;
	}
	return -ENOPROTOOPT;
}

static long on_getsockopt(const struct kernel_reader *reader, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	int value, size = 0, whole = sizeof(value);
	long r;

	if ((int)args[1] != SOL_SOCKET)
		return -ENOPROTOOPT;
	switch ((int)args[2]) {
	case SO_DOMAIN:
		value = AF_NETLINK;
		break;
	case SO_PROTOCOL:
		value = NETLINK_KOBJECT_UEVENT;
		break;
	case SO_TYPE:
		value = reader->type;
		break;
	default:
		return CALL_GOES_ON;
	}
	r = memory_read((pid_t)call->pid, args[4], &size, sizeof(size));
	if (r == 0 && size < whole)
		r = -EINVAL;
	if (r == 0)
		r = memory_write((pid_t)call->pid, args[3], &value, sizeof(value));
	return r < 0 ? r : memory_write((pid_t)call->pid, args[4], &whole, sizeof(whole));
}

/* ---- all ---- */

/* Linux: none but root may send uevents, nor anything to those that wait for them. */
static long on_call(struct supervisor *supervisor, struct kernel_reader *reader,
		    const struct seccomp_notif *call)
{
	switch (call->data.nr) {
	case SYS_bind:
		return on_bind(reader, call);
	case SYS_getsockname:
	case SYS_getpeername:
		return on_name(reader, call, call->data.nr == SYS_getpeername);
	case SYS_setsockopt:
		return on_setsockopt(reader, call);
	case SYS_getsockopt:
		return on_getsockopt(reader, call);
	case SYS_connect:
		return 0;
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
		return uevent_receive(supervisor, reader, call);
	case SYS_recvmmsg:
		return -ENOSYS;
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
		return -EPERM;
	case SYS_listen:
	case SYS_accept:
	case SYS_accept4:
	case SYS_shutdown:
		return -EOPNOTSUPP;
	}
	return CALL_GOES_ON;
}

long uevent_on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct kernel_reader *reader = kernel_reader_find(supervisor, (pid_t)call->pid,
							  (int)call->data.args[0]);
	long result;

	if (!reader || reader->kind != &uevents)
		return CALL_OF_ANOTHER;
	view_file_hold(&reader->common);
	result = on_call(supervisor, reader, call);
	view_file_release(&reader->common);
	return result;
}
