/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/rdma-socket.h"

#include <errno.h>
#include <glib.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/memory.h"
#include "harness/filter/numbers.h"
#include "harness/filter/program-descriptor.h"
#include "harness/filter/rdma-answer.h"
#include "lib/words/number.h"

/* Those before the latest so many are sockets of NETLINK_USERSOCK and nothing else. */
enum { SOCKETS_MAX = 1024 };

struct rdma_sockets {
	struct descriptor_id ids[SOCKETS_MAX];	/* a ring */
	unsigned int count;			/* that there ever were */
	int answers;				/* the socket that sends them; -1: none yet */
};

struct rdma_sockets *rdma_sockets_new(void)
{
	struct rdma_sockets *sockets = g_new0(struct rdma_sockets, 1);

	sockets->answers = -1;
	return sockets;
}

void rdma_sockets_free(struct rdma_sockets *sockets)
{
	if (!sockets)
		return;
	if (sockets->answers >= 0)
		close(sockets->answers);
	g_free(sockets);
}

static int netlink_socket(int flags)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_USERSOCK);

	return fd < 0 ? -errno : fd;
}

/* ---- socket ---- */

/* A socket, remembered; or -errno. */
static int make(struct supervisor *supervisor, int flags)
{
	struct rdma_sockets *sockets = supervisor->rdma;
	int fd = netlink_socket(flags);

	if (fd < 0)
		return fd;
	if (sockets->answers < 0)
		sockets->answers = netlink_socket(SOCK_NONBLOCK);
	if (sockets->answers < 0 ||
	    !descriptor_identify(&supervisor->files->descriptors, getpid(), fd,
				 &sockets->ids[sockets->count % SOCKETS_MAX])) {
		close(fd);
		return -EPROTONOSUPPORT;
	}
	sockets->count++;
	return fd;
}

long rdma_on_socket(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	enum { TYPE_MASK = 0xf };	/* Linux: the rest are flags */
	int type = (int)call->data.args[1], kind = type & TYPE_MASK;
	int number = -1, fd = -EPROTONOSUPPORT, r;

	if (kind != SOCK_RAW && kind != SOCK_DGRAM)
		return -ESOCKTNOSUPPORT;
	if (supervisor->views && supervisor->rdma &&
	    host_view_of_thread(supervisor->views, (pid_t)call->pid))
		number = number_free(supervisor, (pid_t)call->pid);
	if (number >= 0)
		fd = make(supervisor, type & SOCK_NONBLOCK);
	if (fd < 0)
		return -EPROTONOSUPPORT;
	r = listener_give(supervisor->listener, call, fd, number, type & SOCK_CLOEXEC);
	close(fd);
	if (r < 0)
		return r == -EBADF ? -EMFILE : r;
	return CALL_ANSWERED;
}

/* ---- what is sent ---- */

static bool identify(struct supervisor *supervisor, pid_t tid, int fd, struct descriptor_id *ret)
{
	const struct rdma_sockets *sockets = supervisor->rdma;

	if (!sockets || sockets->count == 0 || fd < supervisor->first_number ||
	    !descriptor_identify(&supervisor->files->descriptors, tid, fd, ret))
		return false;
	for (unsigned int i = 0; i < MIN(sockets->count, SOCKETS_MAX); i++)
		if (descriptor_is_same(&sockets->ids[i], ret))
			return true;
	return false;
}

bool rdma_socket_is(struct supervisor *supervisor, pid_t tid, int fd)
{
	struct descriptor_id id;

	return identify(supervisor, tid, fd, &id);
}

/*
 * Its number, by which others send to it; 0: it has not been bound. A line of the kernel's list:
 *	sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode
 */
static uint32_t number_of(ino_t inode)
{
	enum { PORT_COLUMN = 2, INODE_COLUMN = 9 };
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/proc/self/net/netlink", &text, NULL, NULL))
		return 0;
	lines = g_strsplit(text, "\n", -1);
	for (unsigned int i = 1; lines[i]; i++) {
		const char *columns[INODE_COLUMN + 1] = { NULL };
		unsigned int count = 0;
		uint64_t port, line_inode;

		for (char *rest = lines[i], *word; count <= INODE_COLUMN; count++) {
			word = strtok_r(rest, " ", &rest);
			if (!word)
				break;
			columns[count] = word;
		}
		if (count > INODE_COLUMN &&
		    number_parse_decimal(columns[INODE_COLUMN], 0, UINT64_MAX, &line_inode) == 0 &&
		    line_inode == inode &&
		    number_parse_decimal(columns[PORT_COLUMN], 0, UINT32_MAX, &port) == 0)
			return (uint32_t)port;
	}
	return 0;
}

struct destination {
	int fd;
	struct sockaddr_nl address;
};

/* Where a program does not read, the kernel drops what comes, as of its own. */
static void reply(void *context, const void *bytes, size_t size)
{
	const struct destination *to = context;

	sendto(to->fd, bytes, size, MSG_DONTWAIT, (const struct sockaddr *)&to->address,
	       sizeof(to->address));
}

long rdma_socket_send(struct supervisor *supervisor, const struct seccomp_notif *call, uint64_t at,
		      size_t size)
{
	struct destination to = {
		.fd = supervisor->rdma->answers, .address = { .nl_family = AF_NETLINK },
	};
	struct host_view *view = host_view_of_thread(supervisor->views, (pid_t)call->pid);
	uint8_t bytes[RDMA_MESSAGE_MAX];
	struct descriptor_id id;
	int r;

	if (size > sizeof(bytes))
		return -EMSGSIZE;
	if (!view || !identify(supervisor, (pid_t)call->pid, (int)call->data.args[0], &id))
		return -ENOTSOCK;
	to.address.nl_pid = number_of(id.inode);
	if (to.address.nl_pid == 0)
		return -ENOTCONN;
	r = memory_read((pid_t)call->pid, at, bytes, size);
	if (r < 0)
		return r;
	rdma_answer(host_view_values(view), bytes, size, to.address.nl_pid, reply, &to);
	return (long)size;
}
