/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The command's calls to a server: see harness/base/attach-client.h.
 */
#include "config.h"

#include "harness/base/attach-client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "lib/attach/attach-spec.h"
#include "lib/attach/protocol.h"
#include "lib/base/socket-message.h"

char *attach_client_reason(int err)
{
	unsigned int uid = geteuid();

	if (err == -EACCES)
		return g_strdup_printf("user %u may not connect there (%s): 'umadrig serve "
				       "--allow-user %u' admits this user, with a socket in a "
				       "directory that this user may enter", uid, g_strerror(-err),
				       uid);
	if (err == -EIO)
		return g_strdup_printf("the fabric server has hung up: it admits its own user, "
				       "root, and users that it was given ('umadrig serve "
				       "--allow-user %u')", uid);
	return g_strdup_printf("no fabric server answers there (%s); 'umadrig serve' starts one",
			       g_strerror(-err));
}

int attach_client_connect(const char *path, GError **error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -errno : 0;
	g_autofree char *reason = NULL;

	if (ret == 0 && strlen(path) >= sizeof(address.sun_path))
		ret = -ENAMETOOLONG;
	if (ret == 0) {
		strcpy(address.sun_path, path);
		if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
			ret = -errno;
	}
	if (ret == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	reason = attach_client_reason(ret);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", path, reason);
	return -1;
}

static int send_call(int fd, const struct attach_call *call, const void *bytes, size_t size,
		     int passed)
{
	struct iovec parts[] = {
		{ .iov_base = (void *)(uintptr_t)call, .iov_len = sizeof(*call) },
		{ .iov_base = (void *)bytes, .iov_len = size },
	};

	return socket_message_send(fd, parts, 2, passed, 0) < 0 ? -EIO : 0;
}

/* A memfd that came with the reply: text that was too long for the reply itself. */
static void append_file(int fd, GString *reply)
{
	char bytes[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		g_string_append_len(reply, bytes, n);
		at += n;
	}
}

static int64_t receive(int fd, GString *reply)
{
	g_autofree char *bytes = g_malloc(ATTACH_REPLY_MAX);
	struct attach_reply head;
	struct iovec part = { .iov_base = bytes, .iov_len = ATTACH_REPLY_MAX };
	int file, flags;
	long n;

	do
		n = socket_message_receive(fd, &part, 1, 0, &file, &flags);
	while (n == -EINTR);
	if (n < (long)sizeof(head)) {
		if (file >= 0)
			close(file);
		return -EIO;
	}
	memcpy(&head, bytes, sizeof(head));
	if (reply)
		g_string_append_len(reply, bytes + sizeof(head), n - (long)sizeof(head));
	if (file >= 0) {
		if (reply)
			append_file(file, reply);
		close(file);
	}
	return head.result;
}

int64_t attach_client_call_with(int fd, const struct attach_call *call, const void *bytes,
				size_t size, int passed, GString *reply)
{
	int ret = send_call(fd, call, bytes, size, passed);

	return ret < 0 ? ret : receive(fd, reply);
}

int64_t attach_client_call(int fd, uint32_t op, const void *bytes, size_t size, GString *reply)
{
	const struct attach_call call = { .op = op };

	return attach_client_call_with(fd, &call, bytes, size, -1, reply);
}

int attach_client_spec(struct attach_spec *ret)
{
	static const char mark[] = "attach:";
	const char *backend = g_getenv("UMAD_BACKEND");

	if (!backend || !g_str_has_prefix(backend, mark))
		return -ENOENT;
	return attach_spec_parse(backend + strlen(mark), ret);
}

char *attach_client_socket(void)
{
	struct attach_spec spec;

	return attach_client_spec(&spec) < 0 ? NULL : g_strdup(spec.path);
}
