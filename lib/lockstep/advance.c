/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls to the fabric server: see lib/lockstep/advance.h.
 *
 * One connection for each process that asks: only the thread that has the baton uses it.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "lib/attach/protocol.h"
#include "lib/lockstep/advance.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

enum { CONNECTION_MIN = 800 };	/* a number that programs do not meet */

static struct sockaddr_un server;
static int connection = -1;
static uint64_t connection_cookie;
static int connection_pid;	/* whose it is: a child inherits it, and makes its own */

void advance_setup(const char *table)
{
	const char *slash = strrchr(table, '/');
	size_t length = slash ? (size_t)(slash - table) : 0;

	if (length + sizeof("/socket") > sizeof(server.sun_path))
		return;
	server.sun_family = AF_UNIX;
	memcpy(server.sun_path, table, length);
	strcpy(server.sun_path + length, "/socket");
}

static uint64_t cookie_of(int fd)
{
	uint64_t cookie = 0;
	socklen_t size = sizeof(cookie);

	if (CALL_5(SYS_getsockopt, fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0)
		return 0;
	return cookie;
}

/* 0, or -errno. */
static long dial(void)
{
	long low = CALL_3(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), high, r;

	connection = -1;
	if (low < 0)
		return low;
	high = CALL_3(SYS_fcntl, low, F_DUPFD_CLOEXEC, CONNECTION_MIN);
	if (high >= 0) {
		CALL_1(SYS_close, low);
		low = high;
	}
	r = CALL_3(SYS_connect, low, &server, sizeof(server));
	if (r < 0) {
		CALL_1(SYS_close, low);
		return r == -EACCES ? r : -EIO;
	}
	connection = (int)low;
	connection_cookie = cookie_of(connection);
	connection_pid = session_pid();
	return 0;
}

/*
 * A program may have closed it, and have another file under its number. And it is of one process
 * only: who is killed while it asks leaves its reply to nobody.
 */
static bool is_there(void)
{
	if (connection < 0 || cookie_of(connection) != connection_cookie)
		return false;
	if (connection_pid == session_pid())
		return true;
	CALL_1(SYS_close, connection);
	return false;
}

/* A call, with what follows it. The reply's result, or -errno. */
static int64_t call_server(const void *message, size_t size)
{
	struct attach_reply reply;
	long n = is_there() ? 0 : dial();

	if (n < 0)
		return n == -EMFILE || n == -ENFILE || n == -EACCES ? n : -EIO;
	if (CALL_6(SYS_sendto, connection, message, size, MSG_NOSIGNAL, NULL, 0) < 0)
		return -EIO;
	do
		n = CALL_6(SYS_recvfrom, connection, &reply, sizeof(reply), 0, NULL, NULL);
	while (n == -EINTR);
	return n < (long)sizeof(reply) ? -EIO : reply.result;
}

int64_t advance_clock(int64_t deadline)
{
	struct {
		struct attach_call call;
		int64_t deadline;
	} message = { { .op = ATTACH_ADVANCE }, deadline };

	return call_server(&message, sizeof(message));
}

int64_t advance_signal(int pid, int tid, int sig, const siginfo_t *info)
{
	struct {
		struct attach_call call;
		struct attach_signal signal;
	} message = {
		{ .op = ATTACH_SIGNAL, .argument = (uint32_t)sig }, { .pid = pid, .tid = tid },
	};
	long r = !info ? CALL_2(SYS_kill, pid, sig) :
		 tid   ? CALL_4(SYS_rt_tgsigqueueinfo, pid, tid, sig, info) :
			 CALL_3(SYS_rt_sigqueueinfo, pid, sig, info);

	if (r != -EPERM)
		return r;
	_Static_assert(sizeof(message.signal.info) == sizeof(*info), "siginfo_t fits");
	if (info)
		memcpy(message.signal.info, info, sizeof(*info));
	return call_server(&message, sizeof(message));
}

bool advance_is_server(const void *address, size_t size)
{
	size_t length = offsetof(struct sockaddr_un, sun_path) + strlen(server.sun_path);

	return server.sun_family == AF_UNIX && size >= length &&
	       memcmp(address, &server, length) == 0 &&
	       (size == length || ((const char *)address)[length] == '\0');
}

bool advance_leads_to_server(int fd)
{
	struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof(address);

	return CALL_3(SYS_getpeername, fd, &address, &size) == 0 &&
	       advance_is_server(&address, size);
}

bool advance_is_beside_server(const char *path)
{
	const char *slash = strrchr(server.sun_path, '/');

	return slash && strncmp(path, server.sun_path, (size_t)(slash - server.sun_path) + 1) == 0;
}
