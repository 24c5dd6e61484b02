/*
 * Fuzz target: whatever messages a client sends, the server answers each or hangs up, and serves on.
 *
 * The input is messages: a byte says how many bytes are behind the call, then come the operation, the
 * argument and those bytes. A handle is always the newest.
 */
#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attach-protocol.h"
#include "server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static struct server *server;

static void finish(void)
{
	server_free(server);
}

/* A socket is the new handle; anything else, the memory of one. */
static void take(int fd, int *handle, uint64_t *cookie)
{
	socklen_t cookie_size = sizeof(*cookie);

	if (getsockopt(fd, SOL_SOCKET, SO_COOKIE, cookie, &cookie_size) < 0) {
		close(fd);
		return;
	}
	if (*handle >= 0)
		close(*handle);
	*handle = fd;
}

/* Takes all that the server has said. */
static bool drain(int fd, int *handle, uint64_t *cookie)
{
	char reply[1024], control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec part = { .iov_base = reply, .iov_len = sizeof(reply) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *first;
	int got;
	ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT);

	if (n <= 0)
		return false;
	CHECK((size_t)n >= sizeof(struct attach_reply));
	first = CMSG_FIRSTHDR(&message);
	if (first) {
		memcpy(&got, CMSG_DATA(first), sizeof(int));
		take(got, handle, cookie);
	}
	return true;
}

static void send_message(int fd, const uint8_t *data, size_t size, uint64_t cookie)
{
	static const struct attach_hello hello = {
		.magic = ATTACH_MAGIC, .version = ATTACH_VERSION,
	};
	uint8_t message[sizeof(struct attach_call) + 512] = { 0 };
	struct attach_call call = { .op = data[0], .argument = data[1], .handle = cookie };
	size_t whole = sizeof(call) + size - 2;

	/* Nobody guesses a whole greeting, or the names of devices. */
	if (call.op == ATTACH_HELLO && call.argument == 0) {
		memcpy(message + sizeof(call), &hello, sizeof(hello));
		whole = sizeof(call) + sizeof(hello);
	} else if (call.argument == 1 && call.op >= ATTACH_GET_CA && call.op <= ATTACH_OPEN) {
		struct attach_port_name name = { .ca_name = "H1", .portnum = 1, .parts = 7 };

		memcpy(message + sizeof(call), &name, sizeof(name));
		whole = sizeof(call) + sizeof(name);
	} else {
		memcpy(message + sizeof(call), data + 2, size - 2);
	}
	memcpy(message, &call, sizeof(call));
	CHECK(send(fd, message, whole, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t cookie = 0;
	int ends[2], handle = -1;
	char err[512];

	if (!server) {
		server = server_new("", NULL, err, sizeof(err));
		CHECK(server);
		atexit(finish);
	}
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
	CHECK(server_admit(server, ends[0]) == 0);
	while (size >= 3) {
		size_t length = MIN((size_t)data[0] + 2, size - 1);

		send_message(ends[1], data + 1, length, cookie);
		server_step(server, 0);
		/* Only whoever is not in order is hung up on. */
		if (!drain(ends[1], &handle, &cookie))
			break;
		data += 1 + length;
		size -= 1 + length;
	}
	close(ends[1]);
	if (handle >= 0)
		close(handle);
	while (server_client_count(server) > 0 || server_file_count(server) > 0)
		server_step(server, 0);
	return 0;
}
