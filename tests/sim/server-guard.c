/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server that nobody may stop: descriptors run out, files and sockets of which each use
 * would wait are passed to it, its socket's path belongs to others. The server runs in this
 * process, step by step; what waits is ended by alarm(2).
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lib/base/socket-message.h"
#include "tests/rig/send-descriptors.h"
#include "tests/rig/server-rig.h"

enum {
	ALARM_S = 120,		/* a server that waits is ended */
	STEP_MS = 1000,		/* of one step: it ends earlier when something happens */
	LINGER_S = 3600,
};

struct guarded {
	char *directory, *socket;
	struct server *server;
};

static struct guarded start(void)
{
	struct guarded guarded = { .directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL) };
	char err[512] = "";

	guarded.socket = g_build_filename(guarded.directory, "socket", NULL);
	guarded.server = server_new("", guarded.socket, err, sizeof(err));
	g_assert_cmpstr(err, ==, "");
	g_assert_nonnull(guarded.server);
	alarm(ALARM_S);
	return guarded;
}

static void end(struct guarded *guarded)
{
	alarm(0);
	server_free(guarded->server);
	g_assert_cmpint(g_rmdir(guarded->directory), ==, 0);
	g_free(guarded->directory);
	g_free(guarded->socket);
}

static int connect_to(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	return fd;
}

static int be_admitted(struct guarded *guarded)
{
	unsigned int count = server_client_count(guarded->server);
	int fd = connect_to(guarded->socket, SOCK_SEQPACKET);

	while (server_client_count(guarded->server) == count)
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
	return fd;
}

/* With 'count' copies of 'fd'. */
static void send_call_with(int socket, uint32_t op, const void *data, size_t size, int fd,
			   size_t count)
{
	struct attach_call call = { .op = op, .argument = 1 };
	uint8_t bytes[1024];

	g_assert_cmpuint(sizeof(call) + size, <=, sizeof(bytes));
	memcpy(bytes, &call, sizeof(call));
	if (size > 0)
		memcpy(bytes + sizeof(call), data, size);
	send_descriptors(socket, bytes, op ? sizeof(call) + size : 0, fd, count);
}

static void send_call(int socket, uint32_t op, const void *data, size_t size)
{
	send_call_with(socket, op, data, size, -1, 0);
}

/* The server replies: the result, and the text of the reply. */
static int64_t ask(struct guarded *guarded, int socket, uint32_t op, const void *data, size_t size,
		   char *text, size_t text_size)
{
	struct { struct attach_reply reply; char text[1024]; } said;
	ssize_t n = -1;

	send_call(socket, op, data, size);
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
		n = recv(socket, &said, sizeof(said), MSG_DONTWAIT);
	}
	g_assert_cmpint(n, >=, sizeof(said.reply));
	if (text) {
		n -= (ssize_t)sizeof(said.reply);
		g_assert_cmpuint(n, <, text_size);
		memcpy(text, said.text, n);
		text[n] = '\0';
	}
	return said.reply.result;
}

static void say_hello(struct guarded *guarded, int socket)
{
	const struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

	g_assert_cmpint(ask(guarded, socket, ATTACH_HELLO, &hello, sizeof(hello), NULL, 0), >=, 0);
}

static int64_t console(struct guarded *guarded, int socket, const char *line, char *text,
		       size_t size)
{
	return ask(guarded, socket, ATTACH_CONSOLE, line, strlen(line), text, size);
}

/* ---- descriptors run out ---- */

/* Others than the server use them up, and free them: nobody tells it. */
static void test_deaf(void)
{
	struct guarded guarded = start();
	int fd = connect_to(guarded.socket, SOCK_SEQPACKET), used[LEAK_FD_MAX];
	struct rlimit before, none;
	unsigned int count = 0;

	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &before), ==, 0);
	none = before;
	none.rlim_cur = MIN(before.rlim_cur, LEAK_FD_MAX);
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &none), ==, 0);
	while (count < LEAK_FD_MAX && (used[count] = dup(fd)) >= 0)
		count++;
	g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpuint(server_client_count(guarded.server), ==, 0);
	while (count > 0)
		close(used[--count]);
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &before), ==, 0);
	while (server_client_count(guarded.server) == 0)
		g_assert_cmpint(server_step(guarded.server, -1), ==, 0);
	say_hello(&guarded, fd);
	close(fd);
	end(&guarded);
}

/* ---- what waits when it is closed ---- */

/* A TCP connection whose sender has unsent data, and lingers; the receiver never reads. */
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
	size_t count;		/* of descriptors with it; 0: one, in a message that nobody reads */
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
	struct guarded guarded = start();
	int sender, receiver, fd = be_admitted(&guarded), other = be_admitted(&guarded);

	say_hello(&guarded, fd);
	say_hello(&guarded, other);
	make_lingering(&sender, &receiver);
	if (row->count == 0)
		send_call(fd, 99, NULL, 0);
	send_call_with(fd, row->op, NULL, 0, sender, row->count ? row->count : 1);
	close(sender);
	while (server_client_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	say_hello(&guarded, other);
	close(receiver);
	close(other);
	close(fd);
	end(&guarded);
}

/* A handle's socket, into which a program has put one. */
static void test_lingering_in_handle(void)
{
	struct attach_port_name name = { .ca_name = "H1", .portnum = 1 };
	struct guarded guarded = start();
	int fd = be_admitted(&guarded), sender, receiver, handle, flags;
	struct attach_reply reply;

	say_hello(&guarded, fd);
	make_lingering(&sender, &receiver);
	send_call(fd, ATTACH_OPEN, &name, sizeof(name));
	while (server_file_count(guarded.server) == 0)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(attach_receive(fd, &reply, sizeof(reply), 0, &handle, &flags), ==,
			sizeof(reply));
	send_call_with(handle, 99, NULL, 0, sender, 1);
	close(sender);
	close(handle);
	while (server_file_count(guarded.server) > 0)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	say_hello(&guarded, fd);
	close(receiver);
	close(fd);
	end(&guarded);
}

/* ---- what waits when it is opened, read or watched ---- */

static void test_files(void)
{
	struct guarded guarded = start();
	g_autofree char *fifo = g_build_filename(guarded.directory, "fifo", NULL);
	g_autofree char *regular = g_build_filename(guarded.directory, "regular", NULL);
	g_autofree char *run = g_strconcat("!", fifo, NULL);
	int fd = be_admitted(&guarded), reader = -1;
	const struct { const char *path; int result; } rows[] = {
		{ fifo, -EIO }, { "/dev/tty", -EIO }, { regular, 0 }, { "/dev/null", 0 },
	};
	char text[1024];

	g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
	for (int has_reader = 0; has_reader < 2; has_reader++) {
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
			g_autofree char *line = g_strdup_printf("capture start \"%s\"",
								rows[i].path);

			g_assert_cmpint(console(&guarded, fd, line, text, sizeof(text)), ==,
					rows[i].result);
			if (rows[i].path == fifo)
				g_assert_nonnull(strstr(text, "regular files and /dev/null only"));
			console(&guarded, fd, "capture stop", text, sizeof(text));
		}
		if (!has_reader)
			reader = open(fifo, O_RDONLY | O_NONBLOCK);
	}
	g_assert_cmpint(console(&guarded, fd, run, text, sizeof(text)), ==, -EPERM);
	g_assert_nonnull(strstr(text, "reads no files"));
	close(reader);
	close(fd);
	unlink(fifo);
	unlink(regular);
	end(&guarded);
}

/* A bell that is no eventfd, a message that is in no memfd: their sender is ended. */
static void test_descriptors(void)
{
	struct guarded guarded = start();
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
		int fd = be_admitted(&guarded);
		char byte;

		say_hello(&guarded, fd);
		if (rows[i].fd < 0)
			rows[i].fd = ends[0];
		send_call_with(fd, rows[i].op, NULL, 0, rows[i].fd, 1);
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
		g_assert_cmpint(recv(fd, &byte, 1, MSG_DONTWAIT) > 0, ==, rows[i].lives);
		close(fd);
		while (server_client_count(guarded.server) > 0)
			g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	}
	close(ends[0]);
	close(ends[1]);
	close(memfd);
	close(bell);
	close(file);
	unlink(path);
	end(&guarded);
}

/* ---- the socket's path ---- */

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

/* A socket of each kind: while it is open it stays, then its path is taken. */
static void test_path_of_others(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
	g_autofree char *directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "socket", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		int other = listen_at(path, types[i]);
		struct server *server;
		char err[512] = "";

		g_assert_null(server_new("", path, err, sizeof(err)));
		g_assert_nonnull(strstr(err, "in use by another program"));
		g_assert_cmpint(access(path, F_OK), ==, 0);
		close(other);
		server = server_new("", path, err, sizeof(err));
		g_assert_nonnull(server);
		server_free(server);
		g_assert_cmpint(access(path, F_OK), ==, -1);
	}
	g_assert_cmpint(g_rmdir(directory), ==, 0);
}

/* Its path was removed, and is somebody else's by now. */
static void test_path_of_successor(void)
{
	struct guarded guarded = start();
	int successor;

	g_assert_cmpint(unlink(guarded.socket), ==, 0);
	successor = listen_at(guarded.socket, SOCK_STREAM);
	server_free(guarded.server);
	g_assert_cmpint(access(guarded.socket, F_OK), ==, 0);
	close(successor);
	unlink(guarded.socket);
	guarded.server = NULL;
	end(&guarded);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server-guard/deaf", test_deaf);
	for (size_t i = 0; i < G_N_ELEMENTS(lingering); i++) {
		g_autofree char *name = g_strdup_printf("/server-guard/lingering/%s",
							lingering[i].name);

		g_test_add_data_func(name, &lingering[i], test_lingering);
	}
	g_test_add_func("/server-guard/lingering/handle", test_lingering_in_handle);
	g_test_add_func("/server-guard/files", test_files);
	g_test_add_func("/server-guard/descriptors", test_descriptors);
	g_test_add_func("/server-guard/path/others", test_path_of_others);
	g_test_add_func("/server-guard/path/successor", test_path_of_successor);
	return leak_end(g_test_run());
}
