/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server that does not keep to lib/attach/protocol.h costs a program its fabric, and nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/backend-list.h"
#include "tests/rig/leak.h"
#include "tests/rig/send-descriptors.h"

/* What comes with the reply to OPEN. */
struct row {
	const char *what;
	unsigned int count;	/* descriptors */
	size_t size;		/* bytes behind the reply: OPEN has none */
	int expected;		/* of open: 0: a handle, or -errno */
};

static const struct row rows[] = {
	{ "none", 0, 0, -EMFILE },
	{ "one", 1, 0, 0 },
	{ "two", 2, 0, -EMFILE },
	{ "five", 5, 0, -EMFILE },
	{ "one, and a reply too long", 1, 1, -EIO },
	{ "two, and a reply too long", 2, 1, -EIO },
};

struct false_server {
	char *directory, *path;
	int listener;
	const struct row *row;
	GThread *thread;
};

static void reply(int socket, const struct row *row)
{
	struct {
		struct attach_reply head;
		uint8_t more[8];
	} bytes = { .head.result = 0 };

	send_descriptors(socket, &bytes, sizeof(bytes.head) + (row ? row->size : 0), socket,
			 row ? row->count : 0);
}

/* One connection: HELLO and whatever else is asked is granted. */
static void *serve(void *data)
{
	static uint8_t buffer[ATTACH_REPLY_MAX];
	struct false_server *server = data;
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
	struct attach_call call;

	g_assert_cmpint(fd, >=, 0);
	while (recv(fd, buffer, sizeof(buffer), 0) >= (ssize_t)sizeof(call)) {
		memcpy(&call, buffer, sizeof(call));
		reply(fd, call.op == ATTACH_OPEN ? server->row : NULL);
	}
	close(fd);
	return NULL;
}

static void begin(struct false_server *server, const struct row *row)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	server->row = row;
	server->directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	server->path = g_build_filename(server->directory, "socket", NULL);
	server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	g_strlcpy(address.sun_path, server->path, sizeof(address.sun_path));
	g_assert_cmpint(bind(server->listener, (struct sockaddr *)&address, sizeof(address)), ==,
			0);
	g_assert_cmpint(listen(server->listener, 1), ==, 0);
	server->thread = g_thread_new("server", serve, server);
}

static void end(struct false_server *server)
{
	g_thread_join(server->thread);
	close(server->listener);
	g_unlink(server->path);
	g_rmdir(server->directory);
	g_free(server->path);
	g_free(server->directory);
}

/* A thread of its own: its connection ends with it. */
static void *open_one(void *data)
{
	struct false_server *server = data;
	char err[512] = "";
	size_t header_size;
	unsigned int before;
	int fd;

	g_assert_cmpint(umad_backend_attach.start(server->path, err, sizeof(err)), ==, 0);
	before = leak_count();
	fd = umad_backend_attach.open("H1", 1, &header_size);
	g_assert_cmpint(MIN(fd, 0), ==, server->row->expected);
	g_assert_cmpint(leak_count(), ==, before + (fd >= 0));
	if (fd >= 0)
		close(fd);
	return NULL;
}

static void test_open(gconstpointer data)
{
	struct false_server server;

	begin(&server, data);
	g_thread_join(g_thread_new("program", open_one, &server));
	end(&server);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/attach-distrust/open/%s", rows[i].what);

		g_test_add_data_func(path, &rows[i], test_open);
	}
	return leak_end(g_test_run());
}
