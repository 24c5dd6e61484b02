/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The path of a fabric server's socket is taken by others.
 */
#include <unistd.h>

#include "tests/rig/guarded-server.h"

static int listen_at(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	g_assert_cmpint(bind(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	if (type != SOCK_DGRAM)
		g_assert_cmpint(listen(fd, 1), ==, 0);
	return fd;
}

/* A socket of each kind: its path stays while it is open, then it is taken over. */
static void test_path_of_others(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
	g_autofree char *directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "socket", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		int other = listen_at(path, types[i]);
		struct server *server;
		char message[512] = "";

		g_assert_null(server_new("", path, message, sizeof(message)));
		g_assert_nonnull(strstr(message, "in use by another program"));
		g_assert_cmpint(access(path, F_OK), ==, 0);
		close(other);
		server = server_new("", path, message, sizeof(message));
		g_assert_nonnull(server);
		server_free(server);
		g_assert_cmpint(access(path, F_OK), ==, -1);
	}
	g_assert_cmpint(g_rmdir(directory), ==, 0);
}

/* Its path was removed, and now belongs to another file. */
static void test_path_of_successor(void)
{
	struct guarded guarded = guarded_start();
	int successor;

	g_assert_cmpint(unlink(guarded.socket), ==, 0);
	successor = listen_at(guarded.socket, SOCK_STREAM);
	server_free(guarded.server);
	g_assert_cmpint(access(guarded.socket, F_OK), ==, 0);
	close(successor);
	unlink(guarded.socket);
	guarded.server = NULL;
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-path/others", test_path_of_others);
	g_test_add_func("/server-path/successor", test_path_of_successor);
	return guarded_finish();
}
