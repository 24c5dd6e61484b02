/*
 * exec on a server that is somebody else's: asks it whether anything below this process has opened
 * the fabric. What is run gets a session's name with it, and the server is told to look out for
 * that.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach-protocol.h"
#include "command.h"
#include "exec.h"

/* Sends WATCH: the result, or -errno: there is no such server any more. */
static int64_t watch(int fd, const char *session)
{
	struct attach_call call = { .op = ATTACH_WATCH };
	struct attach_reply reply;
	struct iovec parts[] = {
		{ .iov_base = &call, .iov_len = sizeof(call) },
		{ .iov_base = (void *)session, .iov_len = strlen(session) },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t n;

	if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
		return -errno;
	do
		n = recv(fd, &reply, sizeof(reply), 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof(reply) ? reply.result : -EIO;
}

int exec_attach_open(const char *socket_path, const char *session, GError **error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -errno : 0;

	if (ret == 0 && strlen(socket_path) >= sizeof(address.sun_path))
		ret = -ENAMETOOLONG;
	if (ret == 0) {
		strcpy(address.sun_path, socket_path);
		if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
			ret = -errno;
	}
	if (ret == 0)
		ret = (int)watch(fd, session);
	if (ret >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	g_set_error(error, EXEC_ERROR, COMMAND_REFUSED,
		    "%s: no fabric server answers there (%s); 'umadrig serve' starts one",
		    socket_path, g_strerror(-ret));
	return -1;
}

gboolean exec_attach_was_used(int fd, const char *session)
{
	/* A server that has ended before the command cannot say: then the command's word counts. */
	return watch(fd, session) != 0;
}
