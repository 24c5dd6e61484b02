/*
 * exec on a server that is somebody else's: asks it whether anything below this process has opened
 * the fabric. What is run gets a session's name with it, and the server is told to look out for
 * that.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach-protocol.h"
#include "command.h"
#include "exec.h"

/*
 * One call with 'size' bytes behind it: the result, with the text of the reply in 'text' (may be
 * NULL); or -errno: there is no such server any more.
 */
static int64_t call(int fd, enum attach_op op, const void *bytes, size_t size, char *text,
		    size_t text_size)
{
	struct attach_call start = { .op = op };
	struct attach_reply reply;
	struct iovec out[] = {
		{ .iov_base = &start, .iov_len = sizeof(start) },
		{ .iov_base = (void *)bytes, .iov_len = size },
	};
	struct iovec in[] = {
		{ .iov_base = &reply, .iov_len = sizeof(reply) },
		{ .iov_base = text, .iov_len = text ? text_size - 1 : 0 },
	};
	struct msghdr message = { .msg_iov = out, .msg_iovlen = 2 };
	ssize_t n;

	if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
		return -errno;
	message = (struct msghdr){ .msg_iov = in, .msg_iovlen = 2 };
	do
		n = recvmsg(fd, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n < (ssize_t)sizeof(reply))
		return -EIO;
	if (text)
		text[n - (ssize_t)sizeof(reply)] = '\0';
	return reply.result;
}

static int64_t watch(int fd, const char *session)
{
	return call(fd, ATTACH_WATCH, session, strlen(session), NULL, 0);
}

static int64_t say_hello(int fd, const char *host, char *text, size_t size)
{
	struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

	if (g_strlcpy(hello.host, host, sizeof(hello.host)) >= sizeof(hello.host))
		return -ENAMETOOLONG;
	return call(fd, ATTACH_HELLO, &hello, sizeof(hello), text, size);
}

int exec_attach_open(const char *socket_path, const char *host, const char *session, char *banner,
		     size_t banner_size, GError **error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int64_t ret = fd < 0 ? -errno : 0;

	banner[0] = '\0';
	if (ret == 0 && strlen(socket_path) >= sizeof(address.sun_path))
		ret = -ENAMETOOLONG;
	if (ret == 0) {
		strcpy(address.sun_path, socket_path);
		if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
			ret = -errno;
	}
	if (ret == 0)
		ret = say_hello(fd, host, banner, banner_size);
	if (ret >= 0)
		ret = watch(fd, session);
	if (ret >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	if (banner[0] != '\0')
		g_set_error_literal(error, EXEC_ERROR, COMMAND_REFUSED, banner);
	else
		g_set_error(error, EXEC_ERROR, COMMAND_REFUSED,
			    "%s: no fabric server answers there (%s); 'umadrig serve' starts one",
			    socket_path, g_strerror((int)-ret));
	return -1;
}

char *exec_attach_sysfs(int fd, GError **error)
{
	char path[PATH_MAX];
	int64_t ret = call(fd, ATTACH_SYSFS, NULL, 0, path, sizeof(path));

	if (ret >= 0)
		return g_strdup(path);
	g_set_error(error, EXEC_ERROR, COMMAND_REFUSED,
		    "--sysfs: the fabric server cannot show its devices as files (%s)",
		    g_strerror((int)-ret));
	return NULL;
}

gboolean exec_attach_was_used(int fd, const char *session)
{
	/* A server that has ended before the command cannot say: then the command's word counts. */
	return watch(fd, session) != 0;
}
