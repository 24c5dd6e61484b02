/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * call.c: the connections of this process to a fabric server, one for each thread that makes calls.
 *
 * A thread's connection is made with its first call and closed when the thread ends. A forked child
 * has copies of its parent's, which it must not use, because replies could go to either: it closes
 * them all and makes its own.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/base/socket-message.h"

struct connection {
	int fd;				/* -1: none */
	uint64_t cookie;
	bool is_listed;
	volatile bool is_calling;	/* a signal handler must not call */
	char *host;			/* from umad_host_enter(), malloc'd; NULL: the process's */
	struct connection *next, **link;
};

/* A few bytes, which fit into any loader's static TLS: so the library needs nothing but libc. */
static __thread struct connection own __attribute__((tls_model("initial-exec"))) = { .fd = -1 };
static struct connection *connections;	/* of all threads */
static pthread_mutex_t connections_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct sockaddr_un server;
static struct attach_hello hello;
static _Atomic uint32_t program;	/* for which handles are opened; 0: this process */

/* ---- threads and forks ---- */

uint64_t attach_cookie(int fd)
{
	uint64_t cookie;
	socklen_t size = sizeof(cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0 ? 0 : cookie;
}

/*
 * A program that closes descriptors it does not know may have another file under this number by
 * now.
 */
static bool is_ours(const struct connection *connection)
{
	return connection->fd >= 0 && attach_cookie(connection->fd) == connection->cookie;
}

static void hang_up(struct connection *connection)
{
	if (is_ours(connection))
		close(connection->fd);
	connection->fd = -1;
}

static void unlist(void *data)
{
	struct connection *connection = data;

	pthread_mutex_lock(&connections_lock);
	hang_up(connection);
	if (connection->is_listed) {
		*connection->link = connection->next;
		if (connection->next)
			connection->next->link = connection->link;
	}
	connection->is_listed = false;
	free(connection->host);
	connection->host = NULL;
	pthread_mutex_unlock(&connections_lock);
}

static void list(struct connection *connection)
{
	pthread_mutex_lock(&connections_lock);
	if (!connection->is_listed) {
		connection->next = connections;
		connection->link = &connections;
		if (connections)
			connections->link = &connection->next;
		connections = connection;
		connection->is_listed = true;
	}
	pthread_mutex_unlock(&connections_lock);
	pthread_setspecific(thread_end, connection);
}

static void before_fork(void)
{
	pthread_mutex_lock(&connections_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&connections_lock);
}

static void in_child(void)
{
	for (struct connection *at = connections; at; at = at->next) {
		hang_up(at);
		at->is_listed = false;
	}
	connections = NULL;
	pthread_mutex_unlock(&connections_lock);
}

static void prepare(void)
{
	pthread_key_create(&thread_end, unlist);
	pthread_atfork(before_fork, after_fork, in_child);
}

/* ---- messages ---- */

long attach_receive(int socket, void *bytes, size_t size, int flags, int *ret_fd, int *ret_flags)
{
	struct iovec part = { .iov_base = bytes, .iov_len = size };

	return socket_message_receive(socket, &part, 1, flags, ret_fd, ret_flags);
}

static int send_call(int socket, struct attach_exchange *exchange)
{
	struct iovec parts[] = {
		{ .iov_base = &exchange->call, .iov_len = sizeof(exchange->call) },
		{ .iov_base = (void *)exchange->data, .iov_len = exchange->size },
	};
	int r;

	do
		r = socket_message_send(socket, parts, exchange->size ? 2 : 1, exchange->fd, 0);
	while (r == -EINTR);
	return r;
}

static long receive_reply(int socket, struct attach_exchange *exchange)
{
	struct attach_reply reply;
	struct iovec parts[] = {
		{ .iov_base = &reply, .iov_len = sizeof(reply) },
		{ .iov_base = exchange->reply, .iov_len = exchange->reply_room },
	};
	int fd = -1, flags = 0;
	long n;

	do
		n = socket_message_receive(socket, parts, exchange->reply_room ? 2 : 1, 0, &fd,
					   &flags);
	while (n == -EINTR);
	if (n < (long)sizeof(reply) || (flags & MSG_TRUNC)) {
		if (fd >= 0)
			close(fd);
		return -EIO;
	}
	exchange->reply_size = (size_t)n - sizeof(reply);
	exchange->reply_fd = fd;
	return (long)reply.result;
}

/* ---- connecting ---- */

/* A server of another user could feed the program anything. */
static int check_server(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return -errno;
	return peer.uid == geteuid() || peer.uid == 0 || geteuid() == 0 ? 0 : -EPERM;
}

int attach_call_dial(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int r;

	if (fd < 0)
		return -errno;
	do
		r = connect(fd, (const struct sockaddr *)&server, sizeof(server)) < 0 ? -errno : 0;
	while (r == -EINTR);
	if (r == 0)
		r = check_server(fd);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

/*
 * HELLO for 'host' (NULL: the process's), which is packed into 'packed'. 'text' gets the banner, or
 * the reason of the server's refusal.
 */
static struct attach_exchange hello_of(const char *host, struct attach_hello *packed, char *text,
				       size_t size)
{
	*packed = hello;
	if (host) {
		memset(packed->host, 0, sizeof(packed->host));
		strcpy(packed->host, host);
	}
	return (struct attach_exchange){
		.call.op = ATTACH_HELLO,
		.data = packed,
		.size = sizeof(*packed),
		.fd = -1,
		.reply = text,
		.reply_room = size,
		.reply_fd = -1,
	};
}

/*
 * Connects for 'host' (NULL: the process's). 'text': the banner, or the reason of the server's
 * refusal; "" if there is none. Returns HELLO's result, with '*ret_fd', or -errno.
 */
static int connect_as(const char *host, char *text, size_t size, int *ret_fd)
{
	struct attach_hello packed;
	struct attach_exchange exchange = hello_of(host, &packed, text, size - 1);
	int fd = attach_call_dial(), r;

	text[0] = '\0';
	if (fd < 0)
		return fd;
	r = send_call(fd, &exchange);
	if (r == 0)
		r = (int)receive_reply(fd, &exchange);
	text[exchange.reply_size] = '\0';
	*ret_fd = fd;
	if (r < 0)
		close(fd);
	return r;
}

/* Connects this thread; 'text' and the result are those of connect_as(). */
static int make_connection(char *text, size_t size)
{
	int fd, r = connect_as(own.host, text, size, &fd);

	if (r < 0)
		return r;
	own.fd = fd;
	own.cookie = attach_cookie(fd);
	list(&own);
	return r;
}

static bool may_be_host(const char *host)
{
	return host[0] != '\0' && strlen(host) < sizeof(hello.host);
}

int attach_call_dial_as(const char *host, char *text, size_t size)
{
	int fd, r;

	text[0] = '\0';
	if (host && !may_be_host(host))
		return -ENOENT;
	r = connect_as(host, text, size, &fd);
	return r < 0 ? r : fd;
}

int attach_call_setup(const char *path, const char *host, const char *session)
{
	if (strlen(path) >= sizeof(server.sun_path) || strlen(host) >= sizeof(hello.host) ||
	    strlen(session) >= sizeof(hello.session))
		return -ENAMETOOLONG;
	server.sun_family = AF_UNIX;
	strcpy(server.sun_path, path);
	hello.magic = ATTACH_MAGIC;
	hello.version = ATTACH_VERSION;
	strcpy(hello.host, host);
	strcpy(hello.session, session);
	hang_up(&own);
	return 0;
}

int attach_call_connect(char *text, size_t size)
{
	char said[ATTACH_BANNER_SIZE];
	int r;

	pthread_once(&once, prepare);
	r = make_connection(said, sizeof(said));
	if (r >= 0 || said[0] != '\0')
		snprintf(text, size, "%s", said);
	else if (r == -ENOENT || r == -ECONNREFUSED)
		snprintf(text, size,
			 "no fabric server is there ('umadrig serve --socket %s' starts one)",
			 server.sun_path);
	else if (r == -EPERM)
		snprintf(text, size, "the fabric server belongs to another user");
	else if (r == -EIO || r == -EPIPE || r == -ECONNRESET)
		snprintf(text, size, "the fabric server has hung up: it admits its own user, root, "
			 "and users that it was given ('umadrig serve --allow-user %u')",
			 (unsigned int)geteuid());
	else if (r == -EACCES)
		snprintf(text, size, "user %u may not connect to the fabric server (%s): the "
			 "directories to its socket must let this user pass (of 'umadrig exec' "
			 "TMPDIR), and 'umadrig serve' must have --allow-user %u",
			 (unsigned int)geteuid(), strerror(-r), (unsigned int)geteuid());
	else
		snprintf(text, size, "the fabric server cannot be reached: %s", strerror(-r));
	return r;
}

void attach_call_set_program(uint32_t number)
{
	program = number;
}

uint32_t attach_call_program(void)
{
	return program;
}

/* ---- calling ---- */

/* Did the message not reach a server, so that it may be sent through another connection? */
static bool is_unsent(int r)
{
	return r == -EBADF || r == -EPIPE || r == -ECONNRESET;
}

static int connect_again(void)
{
	char said[ATTACH_BANNER_SIZE];
	int r;

	pthread_once(&once, prepare);
	r = make_connection(said, sizeof(said));
	return r < 0 ? r : 0;
}

static long call_uncancelled(struct attach_exchange *exchange)
{
	int r = is_ours(&own) ? send_call(own.fd, exchange) : -EBADF;

	if (is_unsent(r)) {
		hang_up(&own);
		r = connect_again();
		if (r == 0)
			r = send_call(own.fd, exchange);
	}
	if (r < 0)
		return r == -EMFILE || r == -ENFILE || r == -ENOMEM || r == -EMSGSIZE ? r : -EIO;
	return receive_reply(own.fd, exchange);
}

long attach_call(struct attach_exchange *exchange)
{
	int cancel_state;
	long n;

	exchange->reply_size = 0;
	exchange->reply_fd = -1;
	if (own.is_calling)
		return -EDEADLK;
	own.is_calling = true;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	n = call_uncancelled(exchange);
	pthread_setcancelstate(cancel_state, &cancel_state);
	own.is_calling = false;
	return n;
}

long attach_call_on(int fd, struct attach_exchange *exchange)
{
	int cancel_state;
	long n;

	exchange->reply_size = 0;
	exchange->reply_fd = -1;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	n = send_call(fd, exchange);
	if (n == 0)
		n = receive_reply(fd, exchange);
	pthread_setcancelstate(cancel_state, &cancel_state);
	return n;
}

/* A second HELLO on a connection changes its host. */
int attach_call_enter(const char *host)
{
	char said[ATTACH_BANNER_SIZE];
	struct attach_hello packed;
	struct attach_exchange exchange;
	char *copy;
	long r;

	if (host && !may_be_host(host))
		return -ENOENT;
	copy = host ? strdup(host) : NULL;
	if (host && !copy)
		return -ENOMEM;
	exchange = hello_of(host, &packed, said, sizeof(said));
	r = attach_call(&exchange);
	if (r < 0) {
		free(copy);
		return (int)r;
	}
	free(own.host);
	own.host = copy;
	return 0;
}
