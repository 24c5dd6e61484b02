/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server that no client can stop: descriptors run out, files and sockets on which every
 * call would block are passed to it, its socket's path is taken by others. The server runs in this
 * process, step by step; alarm(2) ends it if it blocks.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lib/base/socket-message.h"
#include "tests/rig/send-descriptors.h"
#include "tests/rig/server-rig.h"

enum {
	ALARM_S = 120,		/* ends a server that blocks */
	STEP_MS = 1000,		/* of one step, which ends earlier if something happens */
	LINGER_S = 3600,
};

struct guarded {
	char *directory, *socket;
	struct server *server;
};

static struct guarded start(void)
{
	struct guarded guarded = { .directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL) };
	char message[512] = "";

	guarded.socket = g_build_filename(guarded.directory, "socket", NULL);
	guarded.server = server_new("", guarded.socket, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
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

static uint32_t opens_for;	/* the program that OPEN names; 0: none */

/* Sends with 'count' copies of 'fd'. */
static void send_call_with(int socket, uint32_t op, const void *data, size_t size, int fd,
			   size_t count)
{
	struct attach_call call = { .op = op, .argument = op == ATTACH_OPEN ? opens_for : 1 };
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

/* The server's reply: the result and the text. */
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

/* Other processes use them up and free them, without notice to the server. */
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

/* ---- descriptors that block when they are closed ---- */

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

/* ---- descriptors that block when they are opened, read or watched ---- */

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

/* A bell that is not an eventfd, a message that is not in a memfd: their sender is disconnected. */
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

/* ---- limits ---- */

static void set_limits(struct guarded *guarded, const char *text)
{
	struct server_limits limits;
	char message[512] = "";

	server_limits_init(&limits);
	server_limits_parse(&limits, text, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	server_set_limits(guarded->server, &limits);
}

struct limit_text {
	const char *text, *error;
};

static const struct limit_text limit_texts[] = {
	{ "handles=1", "" },
	{ "handles=1,sending=3K,received=64M,send=1G", "" },
	{ "handles=0", "expected handles=NUMBER" },
	{ "handles", "expected handles=NUMBER" },
	{ "handles=1T", "expected handles=NUMBER" },
	{ "handles=-1", "expected handles=NUMBER" },
	{ "handles=99999999999999999999", "expected handles=NUMBER" },
	{ "sending=99999999999999999G", "expected sending=NUMBER" },
	{ "", "unknown limit" },
	{ "handles=1,hands=2", "hands=2: unknown limit; there are: connections, handles, rings" },
};

static void test_limit_texts(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(limit_texts); i++) {
		const struct limit_text *row = &limit_texts[i];
		struct server_limits limits, before;
		char message[512] = "";
		int ret;

		server_limits_init(&limits);
		before = limits;
		ret = server_limits_parse(&limits, row->text, message, sizeof(message));
		g_assert_cmpint(ret, ==, row->error[0] ? -EINVAL : 0);
		g_assert_nonnull(strstr(message, row->error));
		g_assert_cmpint(memcmp(&limits, &before, sizeof(limits)) == 0, ==, ret < 0);
	}
}

struct user_text {
	const char *text;
	const char *admitted, *not_admitted;	/* numbers, or NULL */
	bool is_right;
};

static const struct user_text user_texts[] = {
	{ "1000", "1000", "1001", true },
	{ "root", "0", "1", true },
	{ "100000-165535,7", "100000 165535 131072 7", "99999 165536 8 0", true },
	{ "0-4294967294", "0 4294967294", NULL, true },
	{ "5-5", "5", "4 6", true },
	{ "7,5-4", NULL, "7 5 4", false },
	{ "5-", NULL, "5", false },
	{ "-5", NULL, "5", false },
	{ "5-6-7", NULL, "5", false },
	{ "4294967295", NULL, "4294967294", false },
	{ "99999999999999999999", NULL, "0", false },
	{ "", NULL, "0", false },
	{ "7,", NULL, "7", false },
	{ "nobody-has-this-name", NULL, "0", false },
};

static bool has_all(const struct server_users *users, const char *numbers, bool wanted)
{
	g_auto(GStrv) list = g_strsplit(numbers ? numbers : "", " ", -1);

	for (char **one = list; *one; one++) {
		uid_t uid = (uid_t)g_ascii_strtoull(*one, NULL, 10);

		if (server_users_has(users, uid) != wanted)
			return false;
	}
	return true;
}

static void test_user_texts(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(user_texts); i++) {
		const struct user_text *row = &user_texts[i];
		struct server_users users = { NULL };
		char message[512] = "";

		g_assert_cmpint(server_users_parse(&users, row->text, message, sizeof(message)), ==,
				row->is_right ? 0 : -EINVAL);
		g_assert_cmpint(message[0] == '\0', ==, row->is_right);
		g_assert_true(has_all(&users, row->admitted, true));
		g_assert_true(has_all(&users, row->not_admitted, false));
		server_users_clear(&users);
	}
}

/* Connects as another user, in a process of its own. Returns how many clients there are then. */
static unsigned int clients_after(struct guarded *guarded, uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	unsigned int count;
	int ends[2], status;
	char byte;
	pid_t pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	if (pid == 0) {
		int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

		/* The directories above may be closed to other users. */
		strcpy(address.sun_path, "socket");
		if (chdir(guarded->directory) < 0 || setuid(uid) < 0 ||
		    connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		    write(ends[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		byte = 'n';	/* it could not connect */
	close(ends[0]);
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	count = server_client_count(guarded->server);
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	while (server_client_count(guarded->server) > 0)
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
	return count;
}

static void test_users(void)
{
	struct guarded guarded;
	struct server_users users = { NULL };
	char message[512];
	struct stat st;

	if (geteuid() != 0) {
		g_test_skip("only root can be other users");
		return;
	}
	guarded = start();
	g_assert_cmpint(chmod(guarded.directory, 0711), ==, 0);	/* for the path "socket" */
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, 0);
	g_assert_cmpint(stat(guarded.socket, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0600);
	g_assert_cmpuint(clients_after(&guarded, 4711), ==, 0);
	g_assert_cmpint(server_users_parse(&users, "4711", message, sizeof(message)), ==, 0);
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, 0);
	g_assert_cmpuint(clients_after(&guarded, 4711), ==, 1);
	g_assert_cmpuint(clients_after(&guarded, 4712), ==, 0);
	g_assert_cmpuint(clients_after(&guarded, 0), ==, 1);
	/* A path that has become another's is left alone. */
	g_assert_cmpint(g_unlink(guarded.socket), ==, 0);
	g_assert_true(g_file_set_contents(guarded.socket, "", 0, NULL));
	g_assert_cmpint(server_users_parse(&users, "1", message, sizeof(message)), ==, 0);
	g_assert_cmpint(server_allow_users(guarded.server, &users), ==, -ESTALE);
	server_users_clear(&users);
	g_assert_cmpint(g_unlink(guarded.socket), ==, 0);
	end(&guarded);
}

/* A handle on H1 or H2, opened through a connection of its own that stays open. */
struct opened {
	int socket, handle;
	uint64_t cookie;
	uint32_t agent;
};

/* -errno if the server refuses. */
static int open_handle(struct guarded *guarded, int socket, const char *ca, int *ret_handle)
{
	struct attach_port_name name = { .portnum = 1 };
	struct attach_reply reply;
	int flags;
	long n = -1;

	strcpy(name.ca_name, ca);
	send_call(socket, ATTACH_OPEN, &name, sizeof(name));
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
		n = attach_receive(socket, &reply, sizeof(reply), MSG_DONTWAIT, ret_handle, &flags);
	}
	return (int)reply.result;
}

static int64_t ask_of_handle(struct guarded *guarded, const struct opened *opened, uint32_t op,
			     const void *data, size_t size, void *ret, size_t ret_size)
{
	struct attach_call call = { .op = op, .handle = opened->cookie };
	struct iovec parts[] = { { &call, sizeof(call) }, { (void *)data, size } };
	struct { struct attach_reply reply; uint8_t bytes[256]; } said;
	ssize_t n = -1;

	g_assert_cmpint(socket_message_send(opened->socket, parts, 2, -1, 0), ==, 0);
	while (n < 0) {
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
		n = recv(opened->socket, &said, sizeof(said), MSG_DONTWAIT);
	}
	if (ret)
		memcpy(ret, said.bytes, ret_size);
	return said.reply.result;
}

static struct opened open_on(struct guarded *guarded, const char *host, uint64_t methods)
{
	struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };
	struct attach_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .oui = 0x001405,
		.mgmt_class = 0x32, .mgmt_class_version = 1, .method_mask = { methods },
	};
	struct opened opened = { .socket = be_admitted(guarded) };
	socklen_t size = sizeof(opened.cookie);

	strcpy(hello.host, host);
	g_assert_cmpint(ask(guarded, opened.socket, ATTACH_HELLO, &hello, sizeof(hello), NULL, 0),
			>=, 0);
	g_assert_cmpint(open_handle(guarded, opened.socket, host, &opened.handle), ==, 0);
	g_assert_cmpint(getsockopt(opened.handle, SOL_SOCKET, SO_COOKIE, &opened.cookie, &size), ==,
			0);
	g_assert_cmpint(ask_of_handle(guarded, &opened, ATTACH_REGISTER, &reg, sizeof(reg), &reg,
				      sizeof(reg)), ==, 0);
	opened.agent = reg.id;
	return opened;
}

static void close_opened(struct opened *opened)
{
	close(opened->handle);
	close(opened->socket);
}

static int64_t send_mad(struct guarded *guarded, const struct opened *opened,
			const struct rig_get *get)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, opened->agent, get);
	return ask_of_handle(guarded, opened, ATTACH_SEND, umad, sizeof(umad), NULL, 0);
}

static void test_limit_counts(void)
{
	enum { MOST = 3 };
	struct guarded guarded = start();
	int fds[MOST], handles[MOST], fd, bell = eventfd(0, 0), flags;
	struct attach_reply reply;

	set_limits(&guarded, "connections=3,handles=3,rings=2,returned=3");
	for (unsigned int i = 0; i < MOST; i++) {
		fds[i] = be_admitted(&guarded);
		say_hello(&guarded, fds[i]);
	}
	fd = connect_to(guarded.socket, SOCK_SEQPACKET);
	g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(recv(fd, &reply, sizeof(reply), 0), <=, 0);
	close(fd);
	for (unsigned int i = 0; i < MOST; i++)
		g_assert_cmpint(open_handle(&guarded, fds[i], "H1", &handles[i]), ==, 0);
	g_assert_cmpint(open_handle(&guarded, fds[0], "H1", &fd), ==, -EMFILE);
	for (unsigned int i = 0; i < MOST; i++) {
		send_call_with(fds[i], ATTACH_RING, NULL, 0, bell, 1);
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
		g_assert_cmpint(attach_receive(fds[i], &reply, sizeof(reply), 0, &fd, &flags), >,
				0);
		g_assert_cmpint(reply.result, ==, i < 2 ? 0 : -EMFILE);
		if (fd >= 0)
			close(fd);
	}
	/* What is released is available to others. */
	close(handles[0]);
	while (server_file_count(guarded.server) == MOST)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(open_handle(&guarded, fds[0], "H1", &handles[0]), ==, 0);
	for (unsigned int i = 0; i < MOST; i++) {
		close(handles[i]);
		close(fds[i]);
	}
	close(bell);
	end(&guarded);
}

/* By default a large fabric's SA may answer for all paths: 2,800 nodes, 64 bytes for each pair. */
static void test_limit_default(void)
{
	const uint64_t paths = UINT64_C(2800) * 2800 * 64;
	struct server_limits limits;

	server_limits_init(&limits);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_SEND], >=, paths);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_SENDING], >=, 2 * paths);
	g_assert_cmpuint(limits.most[SERVER_LIMIT_RECEIVED], >=, 2 * paths);
}

/* A message that is too large is refused, and the server says why: programs hardly do. */
static void test_limit_send(void)
{
	enum { LARGE = 100000 };
	struct guarded guarded = start();
	struct opened opened = open_on(&guarded, "H1", 0);
	struct attach_call call = { .op = ATTACH_SEND, .argument = LARGE, .handle = opened.cookie };
	struct iovec part = { &call, sizeof(call) };
	int memfd = memfd_create("message", 0), fd, flags;
	struct attach_reply reply;

	set_limits(&guarded, "send=99999");
	g_assert_cmpint(ftruncate(memfd, LARGE), ==, 0);
	g_assert_cmpint(socket_message_send(opened.socket, &part, 1, memfd, 0), ==, 0);
	g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(attach_receive(opened.socket, &reply, sizeof(reply), 0, &fd, &flags), ==,
			sizeof(reply));
	g_assert_cmpint(reply.result, ==, -ENOMEM);
	close(memfd);
	close_opened(&opened);
	end(&guarded);
}

static const struct rig_get to_nobody = {
	.mgmt_class = 0x32, .attr = 0x10, .dlid = 77, .timeout_ms = 3600000,
};

static void test_limit_sending(void)
{
	enum { MANY = 2000 };
	struct guarded guarded = start();
	struct rig_get get = to_nobody;
	struct opened opened, other;
	int64_t result = RIG_UMAD;

	set_limits(&guarded, "sending=200K");
	opened = open_on(&guarded, "H1", 0);
	other = open_on(&guarded, "H2", 0);
	while (result == RIG_UMAD && get.tid < MANY) {
		get.tid++;
		result = send_mad(&guarded, &opened, &get);
	}
	g_assert_cmpint(result, ==, -ENOMEM);
	g_assert_cmpuint(get.tid, >, 100);
	/* The limits apply to the process; when its requests are done, it may send again. */
	g_assert_cmpint(send_mad(&guarded, &other, &get), ==, -ENOMEM);
	close(opened.handle);
	while (server_file_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(send_mad(&guarded, &other, &get), ==, RIG_UMAD);
	close(opened.socket);
	close_opened(&other);
	end(&guarded);
}

/* A process opens handles for two programs: what the first uses up is not the second's. */
static void test_limit_programs(void)
{
	enum { MANY = 2000, MOST = 12, ONE = 7, OTHER = 8 };
	struct guarded guarded = start();
	struct rig_get get = to_nobody;
	struct opened opened, other;
	int64_t result = RIG_UMAD;
	int handles[MOST], count = 1;

	set_limits(&guarded, "sending=200K,handles=12");
	opens_for = ONE;
	opened = open_on(&guarded, "H1", 0);
	while (open_handle(&guarded, opened.socket, "H1", &handles[count]) == 0)
		count++;
	g_assert_cmpint(count, ==, MOST / 2);
	while (result == RIG_UMAD && get.tid < MANY) {
		get.tid++;
		result = send_mad(&guarded, &opened, &get);
	}
	g_assert_cmpint(result, ==, -ENOMEM);
	opens_for = OTHER;
	other = open_on(&guarded, "H2", 0);
	opens_for = 0;
	g_assert_cmpint(send_mad(&guarded, &other, &get), ==, RIG_UMAD);
	g_assert_cmpint(send_mad(&guarded, &opened, &get), ==, -ENOMEM);
	while (count > 1)
		close(handles[--count]);
	close_opened(&opened);
	close_opened(&other);
	end(&guarded);
}

/* Reads all MADs of a handle and counts them. */
static unsigned int read_all(struct guarded *guarded, const struct opened *opened)
{
	struct attach_record record;
	unsigned int count = 0;

	do {
		while (recv(opened->handle, &record, sizeof(record), MSG_DONTWAIT) > 0)
			count++;
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	} while (recv(opened->handle, &record, sizeof(record), MSG_DONTWAIT | MSG_PEEK) > 0);
	return count;
}

static void test_limit_received(void)
{
	enum { MANY = 3000 };
	struct guarded guarded = start();
	struct rig_get get = { .mgmt_class = 0x32, .attr = 0x10, .dlid = 2,
			       .method = MAD_METHOD_SEND };
	struct opened sends, receives;
	unsigned int count;

	set_limits(&guarded, "received=100K");
	sends = open_on(&guarded, "H1", 0);
	receives = open_on(&guarded, "H2", UINT64_C(1) << MAD_METHOD_SEND);
	for (get.tid = 1; get.tid <= MANY; get.tid++)
		g_assert_cmpint(send_mad(&guarded, &sends, &get), ==, RIG_UMAD);
	count = read_all(&guarded, &receives);
	g_assert_cmpuint(count, >, 100);
	g_assert_cmpuint(count, <, MANY);
	g_assert_cmpint(send_mad(&guarded, &sends, &get), ==, RIG_UMAD);
	g_assert_cmpuint(read_all(&guarded, &receives), ==, 1);
	close_opened(&sends);
	close_opened(&receives);
	end(&guarded);
}

static size_t heap_size(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.arena + info.hblkhd;
}

/* Memory is returned to the system when the client that used it has gone. */
static void test_memory(void)
{
	enum { MANY = 20000 };
	struct guarded guarded = start();
	struct opened opened = open_on(&guarded, "H1", 0);
	struct rig_get get = to_nobody;
	size_t before = heap_size(), full;

	for (get.tid = 1; get.tid <= MANY; get.tid++)
		g_assert_cmpint(send_mad(&guarded, &opened, &get), ==, RIG_UMAD);
	full = heap_size();
	close_opened(&opened);
	while (server_client_count(guarded.server) > 0 || server_file_count(guarded.server) > 0)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	if (full == 0)
		g_test_skip("the allocator does not say what it has");
	else
		g_assert_cmpuint(heap_size() - before, <, (full - before) / 4);
	end(&guarded);
}

/* ---- views of /sys/class ---- */

static void read_state(const char *classes, const char *device, char *state, size_t size)
{
	g_autofree char *path = g_strdup_printf("%s/infiniband/%s/ports/1/state", classes, device);
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, state, size - 1);

	g_assert_cmpint(n, >, 0);
	state[n] = '\0';
	close(fd);
}

/*
 * Their cost depends on what has changed; and they are removed with the last client of their host.
 */
static void test_views(void)
{
	enum { CALLS = 100 };
	struct guarded guarded = start();
	struct opened first = open_on(&guarded, "H1", 0), second = open_on(&guarded, "H2", 0);
	struct opened last = open_on(&guarded, "H2", 0);
	char paths[2][1024], again[1024], text[1024];
	uint64_t before;

	g_assert_cmpint(ask(&guarded, first.socket, ATTACH_SYSFS, NULL, 0, paths[0],
			    sizeof(paths[0])), ==, 0);
	g_assert_cmpint(ask(&guarded, second.socket, ATTACH_SYSFS, NULL, 0, paths[1],
			    sizeof(paths[1])), ==, 0);
	/*
	 * The server watches the directory in which it has just made them: let it see that first.
	 */
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded.server, 0), ==, 0);
	before = server_sysfs_work(guarded.server);
	for (unsigned int i = 0; i < CALLS; i++)
		g_assert_cmpint(send_mad(&guarded, &first, &to_nobody), !=, 0);
	g_assert_cmpuint(server_sysfs_work(guarded.server), ==, before);

	read_state(paths[1], "H2", text, sizeof(text));
	g_assert_cmpstr(text, ==, "4: ACTIVE\n");
	g_assert_cmpint(console(&guarded, first.socket, "Unlink \"H2\"[1]", text, sizeof(text)), ==,
			0);
	read_state(paths[1], "H2", text, sizeof(text));
	g_assert_cmpstr(text, ==, "1: DOWN\n");
	g_assert_cmpuint(server_sysfs_work(guarded.server), >, before);
	g_assert_cmpuint(server_sysfs_work(guarded.server), <=, before + 2);

	close_opened(&second);
	while (server_client_count(guarded.server) == 3)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(access(paths[1], F_OK), ==, 0);
	close_opened(&last);
	while (server_client_count(guarded.server) == 2)
		g_assert_cmpint(server_step(guarded.server, STEP_MS), ==, 0);
	g_assert_cmpint(access(paths[1], F_OK), ==, -1);
	g_assert_cmpint(ask(&guarded, first.socket, ATTACH_SYSFS, NULL, 0, again, sizeof(again)),
			==, 0);
	g_assert_cmpstr(again, ==, paths[0]);
	close_opened(&first);
	end(&guarded);
}

/* Waits for the reply of ATTACH_SYSFS_CHANGES: the number that it has, and what is in a memfd. */
static uint64_t next_changes(struct guarded *guarded, int socket, char *text, size_t size)
{
	struct { struct attach_reply reply; struct attach_changes head; char rest[4096]; } said;
	struct iovec part = { .iov_base = &said, .iov_len = sizeof(said) };
	long n = -EAGAIN;
	int fd, flags;

	memset(&said, 0, sizeof(said));
	while (n == -EAGAIN) {
		g_assert_cmpint(server_step(guarded->server, STEP_MS), ==, 0);
		n = socket_message_receive(socket, &part, 1, MSG_DONTWAIT, &fd, &flags);
	}
	g_assert_cmpint(said.reply.result, ==, 0);
	if (fd >= 0) {
		g_assert_cmpint(n, ==, sizeof(said.reply));
		g_assert_cmpint(pread(fd, &said.head, sizeof(said.head), 0), ==, sizeof(said.head));
		close(fd);
	}
	memcpy(text, said.rest, MIN(size, sizeof(said.rest)));
	return said.head.last;
}

static unsigned int clients_in_the_end(struct guarded *guarded)
{
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded->server, 0), ==, 0);
	return server_client_count(guarded->server);
}

/* A program with a copy of a view waits for changes; one that has not the patience is ended. */
static void test_view_changes(void)
{
	struct guarded guarded = start();
	int socket = be_admitted(&guarded), other = be_admitted(&guarded);
	char text[4096], *record;
	uint64_t since = 0, last;
	size_t length = strlen("infiniband/H1/ports/1/state");

	say_hello(&guarded, socket);
	say_hello(&guarded, other);
	send_call(socket, ATTACH_SYSFS_CHANGES, &since, sizeof(since));
	since = next_changes(&guarded, socket, text, sizeof(text));
	g_assert_cmpuint(since, >, 0);
	/* Nothing has changed: others are served in the meantime. */
	send_call(socket, ATTACH_SYSFS_CHANGES, &since, sizeof(since));
	for (unsigned int i = 0; i < 5; i++)
		g_assert_cmpint(server_step(guarded.server, 0), ==, 0);
	g_assert_cmpint(recv(socket, text, sizeof(text), MSG_DONTWAIT), ==, -1);
	g_assert_cmpint(console(&guarded, other, "Unlink \"H1\"[1]", text, sizeof(text)), ==, 0);
	last = next_changes(&guarded, socket, text, sizeof(text));
	g_assert_cmpuint(last, >, since);
	record = memmem(text, sizeof(text), "infiniband/H1/ports/1/state", length);
	g_assert_nonnull(record);
	g_assert_cmpint(memcmp(record + length, "1: DOWN\n", 8), ==, 0);
	last = UINT64_MAX;	/* counters may change at any time */
	/* It has gone while it waited; another sends a call before it has the reply to the last. */
	send_call(socket, ATTACH_SYSFS_CHANGES, &last, sizeof(last));
	send_call(other, ATTACH_SYSFS_CHANGES, &last, sizeof(last));
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 2);
	close(socket);
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 1);
	send_call(other, ATTACH_LIST_CAS, NULL, 0);
	g_assert_cmpuint(clients_in_the_end(&guarded), ==, 0);
	close(other);
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

/*
 * A server that starts looks into the directories of all others beside its own, and each of them
 * sees that. GLib looks at TMPDIR once, so it is set before anything else.
 */
static void be_alone(char *scratch)
{
	g_assert_nonnull(mkdtemp(scratch));
	g_setenv("TMPDIR", scratch, true);
}

int main(int argc, char **argv)
{
	char scratch[] = "/tmp/server-guard-XXXXXX";
	int status;

	be_alone(scratch);
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
	g_test_add_func("/server-guard/limit/texts", test_limit_texts);
	g_test_add_func("/server-guard/user-texts", test_user_texts);
	g_test_add_func("/server-guard/users", test_users);
	g_test_add_func("/server-guard/limit/counts", test_limit_counts);
	g_test_add_func("/server-guard/limit/default", test_limit_default);
	g_test_add_func("/server-guard/limit/send", test_limit_send);
	g_test_add_func("/server-guard/limit/sending", test_limit_sending);
	g_test_add_func("/server-guard/limit/programs", test_limit_programs);
	g_test_add_func("/server-guard/limit/received", test_limit_received);
	g_test_add_func("/server-guard/memory", test_memory);
	g_test_add_func("/server-guard/views", test_views);
	g_test_add_func("/server-guard/view-changes", test_view_changes);
	g_test_add_func("/server-guard/path/others", test_path_of_others);
	g_test_add_func("/server-guard/path/successor", test_path_of_successor);
	status = leak_end(g_test_run());
	g_assert_cmpint(g_rmdir(scratch), ==, 0);
	return status;
}
