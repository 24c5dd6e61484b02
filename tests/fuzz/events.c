/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever programs in virtual time ask of kernel messages and of netlink sockets of
 * uevents, each call is answered or the client is hung up on; a socket has its byte exactly while
 * there is something to read; and what is read is whole, and no more than the socket asked for.
 *
 * The input is steps: a byte gives the number of bytes after the first two, which are what is done
 * and its argument.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/base/handle-token.h"
#include "lib/base/socket-message.h"
#include "sim/server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum step {
	CALL_LOG,		/* argument: enum umad_backend_log [room, 16 bits] */
	CALL_UEVENT,		/* argument: the action [the rest of the call; a value] */
	CHOOSE,			/* argument: the socket of the calls that follow */
	CLOSE,			/* argument: a socket */
	PULL_OUT,		/* the adapter, or put it back; argument: so often */
	FAIL,			/* a cable, argument: 1 in, 0 out */
	STEPS
};

enum { SOCKETS = 8, HEAD = sizeof(struct attach_reply) };

struct socket {
	int fd;			/* -1: none */
	uint64_t token;
	bool is_log;
	uint32_t groups;	/* that it may hear of */
};

struct reply {
	struct attach_reply head;
	uint8_t bytes[ATTACH_REPLY_MAX - HEAD];
};

static struct server *server;
static struct socket sockets[SOCKETS];
static unsigned int chosen;
static int client;
static struct reply reply;
static size_t reply_size;	/* of its bytes */

/* ---- the connection ---- */

static void say(uint32_t op, uint32_t argument, const void *data, size_t size)
{
	struct attach_call call = {
		.op = op, .argument = argument, .handle = sockets[chosen].token,
	};
	struct iovec parts[] = {
		{ .iov_base = &call, .iov_len = sizeof(call) },
		{ .iov_base = (void *)data, .iov_len = size },
	};

	CHECK(socket_message_send(client, parts, 2, -1, MSG_DONTWAIT) == 0);
}

/* False: it has hung up. '*ret_fd': what came along, or -1. */
static bool hear(int *ret_fd)
{
	int flags;
	long n;

	*ret_fd = -1;
	server_step(server, 0);
	n = attach_receive(client, &reply, sizeof(reply), MSG_DONTWAIT, ret_fd, &flags);
	if (n <= 0)
		return false;
	CHECK(n >= HEAD && !(flags & MSG_TRUNC));
	reply_size = (size_t)n - HEAD;
	return true;
}

static bool call(uint32_t op, uint32_t argument, const void *data, size_t size)
{
	int fd;

	say(op, argument, data, size);
	if (!hear(&fd))
		return false;
	if (fd >= 0)
		close(fd);
	return true;
}

static void begin(void)
{
	static const struct attach_hello hello = {
		.magic = ATTACH_MAGIC, .version = ATTACH_VERSION,
	};
	int ends[2];

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
	CHECK(server_admit(server, ends[0]) == 0);
	client = ends[1];
	CHECK(call(ATTACH_HELLO, 0, &hello, sizeof(hello)) && reply.head.result >= 0);
}

/* ---- sockets ---- */

static void close_socket(struct socket *socket)
{
	if (socket->fd >= 0)
		close(socket->fd);
	*socket = (struct socket){ .fd = -1 };
}

static void keep(int fd, bool is_log)
{
	struct socket *socket = &sockets[chosen];

	close_socket(socket);
	*socket = (struct socket){ .fd = fd, .token = handle_token(fd), .is_log = is_log };
	CHECK(socket->token);
}

static bool has_byte(const struct socket *socket)
{
	char byte;

	return recv(socket->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

static void empty(const struct socket *socket)
{
	char bytes[16];

	CHECK(recv(socket->fd, bytes, sizeof(bytes), MSG_DONTWAIT) == 1);
}

/* Of a message: who may have sent it, and to whom. */
static void check_message(const struct socket *socket)
{
	struct umad_backend_uevent_message head;
	const uint8_t *bytes = reply.bytes + sizeof(head);

	CHECK(reply_size >= sizeof(head));
	memcpy(&head, reply.bytes, sizeof(head));
	if (head.is_at_end)
		empty(socket);
	if (reply.head.result < 0) {
		CHECK(reply.head.result == -EAGAIN || reply.head.result == -ENOBUFS);
		CHECK(reply_size == sizeof(head));
		return;
	}
	CHECK((uint64_t)reply.head.result == reply_size - sizeof(head));
	CHECK(reply.head.result > 0 && reply.head.result <= UMAD_BACKEND_UEVENT_MAX);
	CHECK(head.groups == 1 || head.groups == 2);
	CHECK(head.groups & socket->groups);
	CHECK((head.number == 0) == (head.groups == 1));
	CHECK(bytes[0] == (head.groups == 1 ? bytes[0] == 'r' ? 'r' : bytes[0] == 'u' ? 'u' :
			   bytes[0] == 'b' ? 'b' : 'a' : 'l'));
}

/* ---- steps ---- */

static bool log_call(uint8_t action, const uint8_t *data, size_t size)
{
	uint64_t room = size >= 2 ? data[0] | (uint64_t)data[1] << 8 : size ? data[0] : UINT64_MAX;
	bool is_read = action == UMAD_BACKEND_LOG_READ;
	struct attach_log_reply head;
	int fd;

	say(ATTACH_KERNEL_LOG, action, &room, sizeof(room));
	if (!hear(&fd))
		return false;
	if (fd >= 0)
		keep(fd, true);
	if (!UMAD_BACKEND_LOG_IS_OF_FILE(action) || reply.head.result == -EBADF)
		return true;
	CHECK(reply_size >= sizeof(head));
	memcpy(&head, reply.bytes, sizeof(head));
	if (head.is_at_end)
		empty(&sockets[chosen]);
	CHECK(!is_read || reply.head.result < 0 || (uint64_t)reply.head.result <= room);
	CHECK(reply.head.result < 0 ||
	      (uint64_t)reply.head.result == reply_size - sizeof(head));
	return true;
}

/* What it has joined it may hear of, until it has read all that. */
static void note_groups(struct socket *socket, const struct umad_backend_uevent *made,
			const uint8_t *value)
{
	uint32_t group = 0;

	if (made->action == UMAD_BACKEND_UEVENT_BIND)
		socket->groups |= made->groups;
	if (made->action != UMAD_BACKEND_UEVENT_SET || made->size < sizeof(group))
		return;
	memcpy(&group, value, sizeof(group));
	if (group >= 1 && group <= 32)
		socket->groups |= 1U << (group - 1);
}

static bool uevent_call(uint8_t action, const uint8_t *data, size_t size)
{
	struct {
		struct umad_backend_uevent made;
		uint8_t value[256];
	} sent = { .made.action = action };
	size_t room = sizeof(sent) - sizeof(sent.made.action);
	struct socket *socket = &sockets[chosen];
	size_t length;
	int fd;

	memcpy(&sent.made.flags, data, MIN(size, room));
	length = MAX(size + sizeof(sent.made.action), sizeof(sent.made));
	/* No fuzzer has the right size in each; 255 is one that is wrong. */
	if (sent.made.size != 255)
		sent.made.size = (uint32_t)(length - sizeof(sent.made));
	say(ATTACH_UEVENT, 0, &sent, length);
	if (!hear(&fd))
		return false;
	if (fd >= 0)
		keep(fd, false);
	if (reply.head.result == -EBADF || socket->fd < 0 || socket->is_log)
		return true;
	if (reply.head.result >= 0)
		note_groups(socket, &sent.made, sent.value);
	if (action == UMAD_BACKEND_UEVENT_RECEIVE)
		check_message(socket);
	return true;
}

static void console(const char *line)
{
	CHECK(call(ATTACH_CONSOLE, 0, line, strlen(line)));
}

static void pull_out(unsigned int times)
{
	for (unsigned int i = 0; i <= times % 4; i++) {
		console("device remove H1");
		console("node on H1");
	}
}

static bool step(enum step step, uint8_t argument, const uint8_t *data, size_t size)
{
	switch (step) {
	case CALL_LOG:
		return log_call(argument, data, size);
	case CALL_UEVENT:
		return uevent_call(argument, data, size);
	case CHOOSE:
		chosen = argument % SOCKETS;
		return true;
	case CLOSE:
		close_socket(&sockets[argument % SOCKETS]);
		server_step(server, 0);
		return true;
	case PULL_OUT:
		pull_out(argument);
		return true;
	case FAIL:
		console(argument & 1 ? "link up H1[1]" : "link down H1[1]");
		return true;
	case STEPS:
		break;
	}
	return true;
}

/* Each socket's byte says whether there is something: asked by a call that takes nothing. */
static void check_bytes(void)
{
	const struct umad_backend_uevent look = {
		.action = UMAD_BACKEND_UEVENT_RECEIVE, .flags = 1,
	};
	unsigned int before = chosen;

	for (chosen = 0; chosen < SOCKETS; chosen++) {
		const struct socket *socket = &sockets[chosen];
		bool has = socket->fd >= 0 && has_byte(socket);

		if (socket->fd < 0 || socket->is_log)
			continue;
		CHECK(call(ATTACH_UEVENT, 0, &look, sizeof(look)));
		CHECK(has == (reply.head.result != -EAGAIN));
		check_message(socket);
	}
	chosen = before;
}

static void finish(void)
{
	server_free(server);
}

static void start(void)
{
	const struct lockstep_wishes wishes = { .grace_ns = 0 };
	char message[512];

	server = server_new_lockstep(",clock=virtual", &wishes, message, sizeof(message));
	CHECK(server);
	atexit(finish);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool is_served = true;

	if (!server)
		start();
	for (chosen = 0; chosen < SOCKETS; chosen++)
		sockets[chosen] = (struct socket){ .fd = -1 };
	chosen = 0;
	begin();
	while (is_served && size >= 3) {
		size_t length = MIN((size_t)data[0] + 2, size - 1);

		is_served = step(data[1] % STEPS, data[2], data + 3, length - 2);
		if (is_served)
			check_bytes();
		data += 1 + length;
		size -= 1 + length;
	}
	for (chosen = 0; chosen < SOCKETS; chosen++)
		close_socket(&sockets[chosen]);
	chosen = 0;
	close(client);
	while (server_client_count(server) > 0)
		server_step(server, 0);
	return 0;
}
