/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descriptors cannot stop a fabric server: they run out; files and sockets on which every call
 * would block are passed to it.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/guarded-server.h"

/* ---- descriptors run out ---- */

/* Other processes use them up and free them, without notice to the server. */
static void test_deaf(void)
{
	struct guarded guarded = guarded_start();
	int fd = guarded_connect(&guarded), used[LEAK_FD_MAX];
	struct rlimit before, none;
	unsigned int count = 0;

	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &before), ==, 0);
	none = before;
	none.rlim_cur = MIN(before.rlim_cur, LEAK_FD_MAX);
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &none), ==, 0);
	while (count < LEAK_FD_MAX && (used[count] = dup(fd)) >= 0)
		count++;
	g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpuint(server_client_count(guarded.server), ==, 0);
	while (count > 0)
		close(used[--count]);
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &before), ==, 0);
	while (server_client_count(guarded.server) == 0)
		g_assert_cmpint(server_step(guarded.server, -1), ==, 0);
	guarded_hello(&guarded, fd);
	close(fd);
	guarded_end(&guarded);
}

/* ---- descriptors that block when they are closed ---- */

enum { LINGER_S = 3600 };

/* A TCP connection whose sender has unsent data and SO_LINGER set; the receiver never reads. */
static void make_lingering(int *ret_sender, int *ret_receiver)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct linger linger = { .l_onoff = 1, .l_linger = LINGER_S };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	static const uint8_t zeros[1 << 16];

	g_assert_cmpint(bind(listener, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	g_assert_cmpint(listen(listener, 1), ==, 0);
	g_assert_cmpint(getsockname(listener, (struct sockaddr *)&address, &size), ==, 0);
	*ret_sender = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	g_assert_cmpint(connect(*ret_sender, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	*ret_receiver = accept(listener, NULL, NULL);
	while (send(*ret_sender, zeros, sizeof(zeros), MSG_DONTWAIT) > 0)
		continue;
	g_assert_cmpint(setsockopt(*ret_sender, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)), ==,
			0);
	close(listener);
}

struct lingering {
	const char *name;
	uint32_t op;		/* 0: an empty message */
	size_t count;		/* number of descriptors; 0: one, in a message that is never read */
};

static const struct lingering lingering[] = {
	{ "send", ATTACH_SEND, 1 },
	{ "put-back", ATTACH_PUT_BACK, 1 },
	{ "ring", ATTACH_RING, 1 },
	{ "hello", ATTACH_HELLO, 1 },
	{ "two", ATTACH_SEND, 2 },
	{ "many", ATTACH_SEND, SEND_DESCRIPTORS_MAX },
	{ "empty", 0, 1 },
	{ "unread", ATTACH_SEND, 0 },
};

static void test_lingering(gconstpointer data)
{
	const struct lingering *row = data;
	struct guarded guarded = guarded_start();
	int sender, receiver, fd = guarded_admit(&guarded), other = guarded_admit(&guarded);

	guarded_hello(&guarded, fd);
	guarded_hello(&guarded, other);
	make_lingering(&sender, &receiver);
	if (row->count == 0)
		guarded_send(fd, 99, NULL, 0);
	guarded_send_with(fd, row->op, NULL, 0, sender, row->count ? row->count : 1);
	close(sender);
	while (server_client_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	guarded_hello(&guarded, other);
	close(receiver);
	close(other);
	close(fd);
	guarded_end(&guarded);
}

/* A handle's socket, into which a program has put one. */
static void test_lingering_in_handle(void)
{
	struct attach_port_name name = { .ca_name = "H1", .portnum = 1 };
	struct guarded guarded = guarded_start();
	int fd = guarded_admit(&guarded), sender, receiver, handle, flags;
	struct attach_reply reply;

	guarded_hello(&guarded, fd);
	make_lingering(&sender, &receiver);
	guarded_send(fd, ATTACH_OPEN, &name, sizeof(name));
	while (server_file_count(guarded.server) == 0)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	g_assert_cmpint(attach_receive(fd, &reply, sizeof(reply), 0, &handle, &flags), ==,
			sizeof(reply));
	guarded_send_with(handle, 99, NULL, 0, sender, 1);
	close(sender);
	close(handle);
	while (server_file_count(guarded.server) > 0)
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	guarded_hello(&guarded, fd);
	close(receiver);
	close(fd);
	guarded_end(&guarded);
}

/* ---- descriptors that block when they are opened, read or watched ---- */

static void test_files(void)
{
	struct guarded guarded = guarded_start();
	g_autofree char *fifo = g_build_filename(guarded.directory, "fifo", NULL);
	g_autofree char *regular = g_build_filename(guarded.directory, "regular", NULL);
	g_autofree char *run = g_strconcat("!", fifo, NULL);
	int fd = guarded_admit(&guarded), reader = -1;
	const struct { const char *path; int result; } rows[] = {
		{ fifo, -EIO }, { "/dev/tty", -EIO }, { regular, 0 }, { "/dev/null", 0 },
	};
	char text[1024];

	g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
	for (int has_reader = 0; has_reader < 2; has_reader++) {
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
			g_autofree char *line = g_strdup_printf("capture start \"%s\"",
								rows[i].path);

			g_assert_cmpint(guarded_console(&guarded, fd, line, text, sizeof(text)), ==,
					rows[i].result);
			if (rows[i].path == fifo)
				g_assert_nonnull(strstr(text, "regular files and /dev/null only"));
			guarded_console(&guarded, fd, "capture stop", text, sizeof(text));
		}
		if (!has_reader)
			reader = open(fifo, O_RDONLY | O_NONBLOCK);
	}
	g_assert_cmpint(guarded_console(&guarded, fd, run, text, sizeof(text)), ==, -EPERM);
	g_assert_nonnull(strstr(text, "reads no files"));
	close(reader);
	close(fd);
	unlink(fifo);
	unlink(regular);
	guarded_end(&guarded);
}

/* A bell that is not an eventfd, a message that is not in a memfd: their sender is disconnected. */
static void test_descriptors(void)
{
	struct guarded guarded = guarded_start();
	g_autofree char *path = g_build_filename(guarded.directory, "file", NULL);
	int file = open(path, O_RDWR | O_CREAT, 0600), ends[2];
	int bell = eventfd(0, EFD_NONBLOCK), memfd = memfd_create("message", 0);
	struct { uint32_t op; int fd; bool lives; } rows[] = {
		{ ATTACH_RING, -1, false }, { ATTACH_RING, file, false },
		{ ATTACH_RING, memfd, false }, { ATTACH_RING, bell, true },
		{ ATTACH_SEND, -1, false }, { ATTACH_SEND, bell, false },
		{ ATTACH_SEND, memfd, true },
	};

	g_assert_cmpint(ftruncate(memfd, 1), ==, 0);
	g_assert_cmpint(pipe(ends), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int fd = guarded_admit(&guarded);
		char byte;

		guarded_hello(&guarded, fd);
		if (rows[i].fd < 0)
			rows[i].fd = ends[0];
		guarded_send_with(fd, rows[i].op, NULL, 0, rows[i].fd, 1);
		g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
		g_assert_cmpint(recv(fd, &byte, 1, MSG_DONTWAIT) > 0, ==, rows[i].lives);
		close(fd);
		while (server_client_count(guarded.server) > 0)
			g_assert_cmpint(server_step(guarded.server, GUARDED_STEP_MS), ==, 0);
	}
	close(ends[0]);
	close(ends[1]);
	close(memfd);
	close(bell);
	close(file);
	unlink(path);
	guarded_end(&guarded);
}

int main(int argc, char **argv)
{
	guarded_begin(&argc, &argv);
	g_test_add_func("/server-descriptors/deaf", test_deaf);
	for (size_t i = 0; i < G_N_ELEMENTS(lingering); i++) {
		g_autofree char *name = g_strdup_printf("/server-descriptors/lingering/%s",
							lingering[i].name);

		g_test_add_data_func(name, &lingering[i], test_lingering);
	}
	g_test_add_func("/server-descriptors/lingering/handle", test_lingering_in_handle);
	g_test_add_func("/server-descriptors/files", test_files);
	g_test_add_func("/server-descriptors/descriptors", test_descriptors);
	return guarded_finish();
}
