/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sockets that stand for files: see sim/server/ready-socket.h.
 */
#include "config.h"

#include "sim/server/ready-socket.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/handle-token.h"

/* The number of the name, which anybody can read, is another one than the token. */
static int name_end(int fd, void (*set_name)(int fd, uint64_t number), uint64_t *ret_token)
{
	uint64_t number;
	int ret = handle_token_random(&number);

	if (ret == 0)
		ret = handle_token_set(fd, ret_token);
	if (ret == 0)
		set_name(fd, number);
	return ret;
}

int ready_socket_open(struct ready_socket *socket, enum watch_kind kind, struct watch_set *watches,
		      struct server_account *account, void (*set_name)(int fd, uint64_t number),
		      int *ret_fd)
{
	int ends[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	*socket = (struct ready_socket){
		.watch = { kind, ends[0] }, .watches = watches, .account = account,
	};
	ret = name_end(ends[1], set_name, &socket->token);
	if (ret == 0)
		ret = watch_add(watches, &socket->watch, EPOLLIN);
	if (ret < 0) {
		close(ends[0]);
		close(ends[1]);
		return ret;
	}
	account->handles++;
	*ret_fd = ends[1];
	return 0;
}

/* What a program has written there is still in it, descriptors too. */
void ready_socket_close(struct ready_socket *socket)
{
	socket->account->handles--;
	watch_close_socket(socket->watches, &socket->watch);
}

bool ready_socket_has_byte(const struct ready_socket *socket)
{
	int unread = 0;

	return ioctl(socket->watch.fd, SIOCOUTQ, &unread) == 0 && unread > 0;
}

void ready_socket_tell(const struct ready_socket *socket, struct server_lockstep *lockstep)
{
	if (ready_socket_has_byte(socket))
		return;
	send(socket->watch.fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	server_lockstep_wrote(lockstep);
}
