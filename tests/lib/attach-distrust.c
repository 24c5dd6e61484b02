/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server that violates lib/attach/protocol.h costs a program its fabric, and nothing else; and a
 * signal handler does not mix up the replies of a server that does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/attach/attach-memory.h"
#include "lib/backend-list.h"
#include "lib/base/wire.h"
#include "tests/rig/false-server.h"
#include "tests/rig/leak.h"

/* A connection belongs to its thread, and ends with it: each program is a thread. */
static void run_program(struct false_server *server, GThreadFunc program)
{
	false_server_begin(server);
	g_thread_join(g_thread_new("program", program, server));
	false_server_end(server);
}

static void attach(const struct false_server *server)
{
	char message[512] = "";

	g_assert_cmpint(umad_backend_attach.start(server->path, message, sizeof(message)), ==, 0);
}

/* ---- descriptors ---- */

/* What comes with the reply to OPEN. */
struct open_row {
	const char *what;
	unsigned int count;	/* descriptors */
	size_t size;		/* bytes after the reply: OPEN has none */
	int expected;		/* of open: 0: a handle, or -errno */
};

static const struct open_row open_rows[] = {
	{ "none", 0, 0, -EMFILE },
	{ "one", 1, 0, 0 },
	{ "two", 2, 0, -EMFILE },
	{ "five", 5, 0, -EMFILE },
	{ "one, and a reply too long", 1, 1, -EIO },
	{ "two, and a reply too long", 2, 1, -EIO },
};

static void reply_to_open(struct false_server *server, int socket, const struct attach_call *call)
{
	const struct open_row *row = server->row;

	if (call->op == ATTACH_OPEN)
		false_server_reply(socket, 0, row->size, socket, row->count);
	else
		false_server_reply(socket, 0, 0, -1, 0);
}

static void *open_one(void *data)
{
	struct false_server *server = data;
	const struct open_row *row = server->row;
	size_t header_size;
	unsigned int before;
	int fd;

	attach(server);
	before = leak_count();
	fd = umad_backend_attach.open("H1", 1, &header_size);
	g_assert_cmpint(MIN(fd, 0), ==, row->expected);
	g_assert_cmpint(leak_count(), ==, before + (fd >= 0));
	if (fd >= 0)
		umad_backend_attach.close(fd);
	return NULL;
}

static void test_open(gconstpointer data)
{
	struct false_server server = { .reply = reply_to_open, .row = data };

	run_program(&server, open_one);
}

/* ---- shared memory ---- */

/* What comes for a ring and for a page; it is truncated as soon as it is sent, if possible. */
struct share_row {
	const char *what;
	bool page_is_bad;	/* and the ring is not; else the reverse */
	int missing;		/* bytes */
	bool is_pipe;
	unsigned int seals;
	bool is_used;
};

enum { GOOD_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static const struct share_row share_rows[] = {
	{ "all is well", false, 0, false, GOOD_SEALS, true },
	{ "sealed against shrinking alone", false, 0, false, F_SEAL_SHRINK, true },
	{ "a ring one byte short", false, 1, false, GOOD_SEALS, false },
	{ "a ring of nothing", false, sizeof(struct attach_ring), false, GOOD_SEALS, false },
	{ "a ring that is not sealed", false, 0, false, 0, false },
	{ "a ring that may shrink", false, 0, false, F_SEAL_GROW, false },
	{ "a ring that is no memory", false, 0, true, 0, false },
	{ "a page one byte short", true, 1, false, GOOD_SEALS, false },
	{ "a page of nothing", true, sizeof(struct attach_page), false, GOOD_SEALS, false },
	{ "a page that is not sealed", true, 0, false, 0, false },
	{ "a page that is no memory", true, 0, true, 0, false },
};

static atomic_uint sends;	/* that came as calls; counted by the server's thread */

/* Zeros, except for a page that allows agent 0 to send. */
static int make_memory(const struct share_row *row, bool is_page)
{
	size_t size = is_page ? sizeof(struct attach_page) : sizeof(struct attach_ring);
	bool is_bad = is_page == row->page_is_bad;
	const uint8_t agent = ATTACH_AGENT_PLAIN;
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(ftruncate(fd, (off_t)(is_bad ? size - (size_t)row->missing : size)), ==, 0);
	if (is_page && !(is_bad && row->missing))
		g_assert_cmpint(pwrite(fd, &agent, 1, offsetof(struct attach_page, agents)), ==, 1);
	g_assert_cmpint(fcntl(fd, F_ADD_SEALS, is_bad ? (int)row->seals : GOOD_SEALS), ==, 0);
	return fd;
}

static void reply_with_memory(struct false_server *server, int socket,
			      const struct attach_call *call)
{
	const struct share_row *row = server->row;
	bool is_page = call->op == ATTACH_PAGE;
	int fd;

	switch ((enum attach_op)call->op) {
	case ATTACH_RING:
	case ATTACH_PAGE:
		fd = make_memory(row, is_page);
		if (row->is_pipe && is_page == row->page_is_bad)
			false_server_reply(socket, 0, 0, server->control[0], 1);
		else
			false_server_reply(socket, 0, 0, fd, 1);
		/* A memfd that shrinks while a program uses it would end it by SIGBUS. */
		if (ftruncate(fd, 0) < 0)
			g_assert_cmpint(errno, ==, EPERM);
		close(fd);
		break;
	case ATTACH_SEND:
		sends++;
		false_server_reply(socket, ATTACH_HEAD_SIZE, 0, -1, 0);
		break;
	case ATTACH_OPEN:
		false_server_reply_handle(socket);
		break;
	case ATTACH_HELLO:
	case ATTACH_LIST_CAS:
	case ATTACH_GET_CA:
	case ATTACH_GET_PORT:
	case ATTACH_ISSM_PATH:
	case ATTACH_REGISTER:
	case ATTACH_UNREGISTER:
	case ATTACH_SYSFS_STORE:
	case ATTACH_PUT_BACK:
	case ATTACH_WATCH:
	case ATTACH_SYSFS:
	case ATTACH_CONSOLE:
	case ATTACH_SYSFS_CHANGES:
	case ATTACH_ADVANCE:
	case ATTACH_SIGNAL:
	case ATTACH_ISSM_LOOK:
	case ATTACH_ERRAND:
	case ATTACH_KERNEL_LOG:
	case ATTACH_UEVENT:
	case ATTACH_ERRAND_END:
	case ATTACH_GUEST_RUN:
	case ATTACH_GUEST_SIGNAL:
	case ATTACH_GUEST_STREAM:
		false_server_reply(socket, 0, 0, -1, 0);
		break;
	}
}

static void *send_some(void *data)
{
	enum { COUNT = 3 };
	struct false_server *server = data;
	const struct share_row *row = server->row;
	uint8_t umad[ATTACH_HEAD_SIZE] = { 0 };
	uint8_t *mad = umad + ATTACH_HEADER_SIZE;
	size_t header_size;
	int fd;

	attach(server);
	mad[MAD_CLASS] = MAD_CLASS_PERF;
	sends = 0;
	fd = umad_backend_attach.open("H1", 1, &header_size);
	g_assert_cmpint(fd, >=, 0);
	for (unsigned int i = 0; i < COUNT; i++) {
		put_be32(mad + MAD_TID + 4, i);		/* none duplicates another */
		g_assert_cmpint(umad_backend_attach.send(fd, umad, sizeof(umad)), ==, sizeof(umad));
	}
	g_assert_cmpuint(sends, ==, row->is_used ? 0 : COUNT);
	umad_backend_attach.close(fd);
	return NULL;
}

/* The ring belongs to the process, not to the thread: a process for each row. */
static void test_share(gconstpointer data)
{
	struct false_server server = { .reply = reply_with_memory, .row = data };

	if (g_test_subprocess()) {
		run_program(&server, send_some);
		return;
	}
	g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
	g_test_trap_assert_passed();
}

/* ---- messages of the kernel, and uevents ---- */

/* What a server says of its reply, and what comes. */
struct kernel_row {
	const char *what;
	enum attach_op op;
	uint32_t action;
	int64_t result;
	size_t size;
	long expected;
};

enum { ROOM = 64 };	/* of the program */

static const struct kernel_row kernel_rows[] = {
	{ "a list", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_LIST, 10, 10, 10 },
	{ "less of a list", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_LIST, 10, 9, -EIO },
	{ "more than there is room for", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_LIST, 65, 65, -EIO },
	{ "a record", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_READ, 10, 14, 10 },
	{ "less of a record", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_READ, 10, 13, -EIO },
	{ "a large record", ATTACH_KERNEL_LOG, UMAD_BACKEND_LOG_READ, 65, 69, -EIO },
	{ "an option", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_GET, 4, 4, 4 },
	{ "less of an option", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_GET, 4, 3, -EIO },
	{ "a uevent", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_RECEIVE, 10, 26, 10 },
	{ "a large uevent", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_RECEIVE, 100, 116, 100 },
	{ "less of a uevent", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_RECEIVE, 10, 25, -EIO },
	{ "a failure", ATTACH_UEVENT, UMAD_BACKEND_UEVENT_RECEIVE, -EAGAIN, 0, -EAGAIN },
};

static void reply_to_kernel(struct false_server *server, int socket, const struct attach_call *call)
{
	const struct kernel_row *row = server->row;

	if (call->op == ATTACH_OPEN)
		false_server_reply_handle(socket);
	else if (call->op == row->op)
		false_server_reply(socket, row->result, row->size, -1, 0);
	else
		false_server_reply(socket, 0, 0, -1, 0);
}

static void *ask_kernel(void *data)
{
	const struct kernel_row *row = ((struct false_server *)data)->row;
	const struct umad_backend_uevent call = { .action = row->action };
	uint8_t bytes[ROOM + 1] = { [ROOM] = 0x5a };
	size_t header_size;
	long ret;
	int fd;

	attach(data);
	fd = umad_backend_attach.open("H1", 1, &header_size);
	g_assert_cmpint(fd, >=, 0);
	ret = row->op == ATTACH_UEVENT ?
		umad_backend_attach.uevent(&call, fd, NULL, bytes, ROOM) :
		umad_backend_attach.kernel_log(row->action, fd, bytes, ROOM);
	g_assert_cmpint(ret, ==, row->expected);
	g_assert_cmpint(bytes[ROOM], ==, 0x5a);
	umad_backend_attach.close(fd);
	return NULL;
}

static void test_kernel(gconstpointer data)
{
	struct false_server server = { .reply = reply_to_kernel, .row = data };

	run_program(&server, ask_kernel);
}

/* ---- signal handlers ---- */

static struct {
	pthread_t thread;
	sem_t is_handled;
	int fd;
	long ret;
} handled;

static void on_signal(int number)
{
	uint8_t umad[ATTACH_HEAD_SIZE] = { 0 };

	(void)number;
	handled.ret = umad_backend_attach.send(handled.fd, umad, sizeof(umad));
	sem_post(&handled.is_handled);
}

/* Before the reply to SEND, the program gets a signal, and handles it. */
static void reply_after_signal(struct false_server *server, int socket,
			       const struct attach_call *call)
{
	(void)server;
	if (call->op == ATTACH_SEND) {
		pthread_kill(handled.thread, SIGUSR1);
		sem_wait(&handled.is_handled);
	}
	if (call->op == ATTACH_OPEN)
		false_server_reply_handle(socket);
	else if (call->op == ATTACH_RING)
		false_server_reply(socket, -EOPNOTSUPP, 0, -1, 0);
	else
		false_server_reply(socket, call->op == ATTACH_SEND ? ATTACH_HEAD_SIZE : 0, 0,
				   -1, 0);
}

static void *send_and_be_interrupted(void *data)
{
	uint8_t umad[ATTACH_HEAD_SIZE] = { 0 };
	size_t header_size;

	attach(data);
	handled.thread = pthread_self();
	handled.fd = umad_backend_attach.open("H1", 1, &header_size);
	g_assert_cmpint(handled.fd, >=, 0);
	alarm(60);	/* for a handler that waits for the reply of the call it interrupts */
	g_assert_cmpint(umad_backend_attach.send(handled.fd, umad, sizeof(umad)), ==, sizeof(umad));
	alarm(0);
	g_assert_cmpint(handled.ret, ==, -EDEADLK);
	umad_backend_attach.close(handled.fd);
	return NULL;
}

static void test_signal(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct false_server server = { .reply = reply_after_signal };

	sem_init(&handled.is_handled, 0, 0);
	sigaction(SIGUSR1, &action, &before);
	run_program(&server, send_and_be_interrupted);
	sigaction(SIGUSR1, &before, NULL);
	sem_destroy(&handled.is_handled);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(open_rows); i++) {
		g_autofree char *path = g_strdup_printf("/attach-distrust/open/%s",
							open_rows[i].what);

		g_test_add_data_func(path, &open_rows[i], test_open);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(share_rows); i++) {
		g_autofree char *path = g_strdup_printf("/attach-distrust/share/%s",
							share_rows[i].what);

		g_test_add_data_func(path, &share_rows[i], test_share);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kernel_rows); i++) {
		g_autofree char *path = g_strdup_printf("/attach-distrust/kernel/%s",
							kernel_rows[i].what);

		g_test_add_data_func(path, &kernel_rows[i], test_kernel);
	}
	g_test_add_func("/attach-distrust/signal", test_signal);
	return g_test_subprocess() ? g_test_run() : leak_end(g_test_run());
}
