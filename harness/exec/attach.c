/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec on an existing server: asks it whether any program below this process has opened the fabric.
 * The programs name a session in their HELLO, and the server watches for that name.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "lib/attach/protocol.h"

static int64_t watch(int fd, const char *session)
{
	return attach_client_call(fd, ATTACH_WATCH, session, strlen(session), NULL);
}

int64_t exec_attach_hello(int fd, const char *host, const char *session, GString *text)
{
	struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

	if (g_strlcpy(hello.host, host, sizeof(hello.host)) >= sizeof(hello.host) ||
	    g_strlcpy(hello.session, session, sizeof(hello.session)) >= sizeof(hello.session))
		return -ENAMETOOLONG;
	return attach_client_call(fd, ATTACH_HELLO, &hello, sizeof(hello), text);
}

int exec_attach_open(const char *socket_path, const char *host, const char *session, char *banner,
		     size_t banner_size, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	int fd = attach_client_connect(socket_path, error);
	g_autofree char *reason = NULL;
	int64_t ret;

	banner[0] = '\0';
	if (fd < 0)
		return -1;
	ret = exec_attach_hello(fd, host, session, text);
	g_strlcpy(banner, text->str, banner_size);
	if (ret >= 0)
		ret = watch(fd, session);
	if (ret >= 0)
		return fd;
	close(fd);
	reason = attach_client_reason((int)ret);
	if (banner[0] != '\0')
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, banner);
	else
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", socket_path, reason);
	return -1;
}

enum exec_use exec_attach_use(int fd, const char *session)
{
	int64_t ret = watch(fd, session);

	/* One that has ended cannot say whether it was used before. */
	return ret < 0 ? EXEC_FABRIC_LOST : ret > 0 ? EXEC_USED : EXEC_NEVER_USED;
}
