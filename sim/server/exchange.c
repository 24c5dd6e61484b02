/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One message of a client, and its reply: see sim/server/exchange.h.
 */
#include "config.h"

#include "sim/server/exchange.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/socket-message.h"
#include "sim/server/closer.h"
#include "sim/server/server-call.h"

/*
 * Receives one message into the buffer. Returns its size, 0 if the client has gone, or -errno.
 * '*ret_fd': the descriptor that came with it; -1: none.
 */
static long receive(struct server_clients *clients, int socket, int *ret_fd)
{
	struct iovec part = { .iov_base = clients->buffer, .iov_len = ATTACH_REPLY_MAX };
	int flags, fds[SOCKET_MESSAGE_FDS_MAX];
	size_t count;
	long n = socket_message_receive_all(socket, &part, 1, MSG_DONTWAIT, fds, &count, &flags);

	*ret_fd = -1;
	if (n < 0)
		return n == -EAGAIN || n == -EINTR ? -EAGAIN : 0;
	if (count == 1 && !(flags & (MSG_TRUNC | MSG_CTRUNC))) {
		*ret_fd = fds[0];
		return n > 0 ? n : -EPROTO;
	}
	while (count-- > 0) {
		closer_close(clients->watches->closer, fds[count]);
		flags |= MSG_CTRUNC;
	}
	return flags & (MSG_TRUNC | MSG_CTRUNC) ? -EPROTO : n;
}

static int send_reply(int socket, const struct server_reply *reply)
{
	struct attach_reply start = { .result = reply->result };
	struct iovec parts[] = {
		{ .iov_base = &start, .iov_len = sizeof(start) },
		{ .iov_base = (void *)reply->bytes, .iov_len = reply->size },
	};

	return socket_message_send(socket, parts, reply->size ? 2 : 1, reply->fd, MSG_DONTWAIT);
}

void server_exchange(struct server_clients *clients, struct server_client *client)
{
	struct server_reply reply = { .fd = -1 };
	int fd, ret;
	long n = receive(clients, client->watch.fd, &fd);

	if (n == -EAGAIN)
		return;
	if (n == 0) {
		server_client_end(clients, client, false);
		return;
	}
	ret = n < 0 ? (int)n :
		server_call(clients, client, clients->buffer, (size_t)n, fd, &reply);
	if (fd >= 0)
		closer_close(clients->watches->closer, fd);
	if (ret == 0) {
		/*
		 * MADs that the call causes at this instant are in the handles before the reply is
		 * sent.
		 */
		served_fabric_settle(clients->served);
		ret = send_reply(client->watch.fd, &reply);
	}
	if (reply.fd >= 0)
		close(reply.fd);
	/*
	 * A client reads each reply before its next call: one without room for it has not done so.
	 */
	if (ret < 0)
		server_client_end(clients, client, true);
}
