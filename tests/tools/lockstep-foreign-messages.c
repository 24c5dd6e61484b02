/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: all bytes of a message, and who the other end of a socket is. */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void say_result(const char *what, long n)
{
	say(what, n < 0 ? -errno : n);
}

/* ---- all bytes ---- */

static char bytes[3000000];

/* A child that writes all but one of so many bytes, and the last one 2 ms later; both late. */
static pid_t writes_late(const int ends[2], size_t size)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	close(ends[0]);
	pause_us(2000);
	if (write(ends[1], bytes, size - 1) != (ssize_t)size - 1)
		_exit(1);
	pause_us(2000);
	_exit(write(ends[1], bytes, 1) != 1);
}

static void tcp_pair(int ret[2])
{
	struct sockaddr_in at;
	socklen_t size = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	memset(&at, 0, sizeof(at));
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(listener, (struct sockaddr *)&at, sizeof(at));
	listen(listener, 1);
	getsockname(listener, (struct sockaddr *)&at, &size);
	ret[0] = socket(AF_INET, SOCK_STREAM, 0);
	connect(ret[0], (struct sockaddr *)&at, sizeof(at));
	ret[1] = accept(listener, NULL, NULL);
	close(listener);
}

static void all_bytes(int ends[2])
{
	struct iovec parts[] = { { bytes, 3 }, { bytes + 3, 2500000 - 3 } };
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	struct msghdr message;
	pid_t pid = writes_late(ends, 6);

	say_result("recv", recv(ends[0], bytes, 6, MSG_WAITALL));
	waitpid(pid, NULL, 0);
	pid = writes_late(ends, 2500000);
	memset(&message, 0, sizeof(message));
	message.msg_iov = parts;
	message.msg_iovlen = 2;
	say_result("recvmsg", recvmsg(ends[0], &message, MSG_WAITALL));
	waitpid(pid, NULL, 0);
	pid = writes_late(ends, 2500000);
	close(ends[1]);
	say_result("recvfrom", recvfrom(ends[0], bytes, sizeof(bytes), MSG_WAITALL,
					(struct sockaddr *)&from, &size));
	say("of a name with", size);
	waitpid(pid, NULL, 0);
	say_result("the end", recv(ends[0], bytes, 6, MSG_WAITALL));
	close(ends[0]);
}

/* ---- who it is ---- */

union control {
	char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(2 * sizeof(int))];
	struct cmsghdr header;
};

static void say_peer(int fd)
{
	struct ucred peer = { 0, 0, 0 };
	socklen_t size = sizeof(peer);

	say_result("option", getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size));
	say("peer", peer.pid);
	say("is of this user", peer.uid == getuid());
}

/* With this process's number, and a descriptor if it is one. */
static void send_own(int fd, int passed, const struct sockaddr_un *to)
{
	struct ucred own = { getpid(), getuid(), getgid() };
	struct iovec part = { bytes, 5 };
	union control control;
	struct msghdr message;
	struct cmsghdr *at;

	memset(&control, 0, sizeof(control));
	memset(&message, 0, sizeof(message));
	message.msg_name = (void *)to;
	message.msg_namelen = to ? sizeof(*to) : 0;
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = &control;
	message.msg_controllen = CMSG_SPACE(sizeof(own)) + (passed < 0 ? 0 : CMSG_SPACE(4));
	at = &control.header;
	at->cmsg_level = SOL_SOCKET;
	at->cmsg_type = SCM_CREDENTIALS;
	at->cmsg_len = CMSG_LEN(sizeof(own));
	memcpy(CMSG_DATA(at), &own, sizeof(own));
	if (passed >= 0) {
		at = (struct cmsghdr *)(control.bytes + CMSG_SPACE(sizeof(own)));
		at->cmsg_level = SOL_SOCKET;
		at->cmsg_type = SCM_RIGHTS;
		at->cmsg_len = CMSG_LEN(sizeof(passed));
		memcpy(CMSG_DATA(at), &passed, sizeof(passed));
	}
	say_result("sent", sendmsg(fd, &message, 0));
}

static void take(int fd, size_t room, int flags)
{
	struct iovec part = { bytes, 5 };
	union control control;
	struct msghdr message;

	memset(&message, 0, sizeof(message));
	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = room ? &control : NULL;
	message.msg_controllen = room;
	say_result("came", recvmsg(fd, &message, flags));
	say("flags", message.msg_flags & ~MSG_EOR);
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		struct ucred peer;
		int passed;

		say("with", at->cmsg_type);
		say("of size", (long)at->cmsg_len);
		if (at->cmsg_type == SCM_CREDENTIALS) {
			memcpy(&peer, CMSG_DATA(at), sizeof(peer));
			say("of", peer.pid);
			continue;
		}
		memcpy(&passed, CMSG_DATA(at), sizeof(passed));
		say("closes with exec", fcntl(passed, F_GETFD));
		say_result("written", write(passed, "z", 1));
		close(passed);
	}
}

static void by_messages(int type)
{
	int ends[2], other[2], yes = 1;

	if (socketpair(AF_UNIX, type, 0, ends) < 0 || pipe(other) < 0)
		exit(1);
	setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	say_peer(ends[0]);
	if (fork() == 0) {
		pause_us(1000);
		send_own(ends[1], -1, NULL);
		pause_us(1000);
		send_own(ends[1], other[1], NULL);
		pause_us(1000);
		send_own(ends[1], other[1], NULL);
		/* The kernel says who it is of itself. */
		pause_us(1000);
		say_result("sent", send(ends[1], bytes, 5, 0));
		_exit(0);
	}
	take(ends[0], sizeof(union control), 0);
	take(ends[0], sizeof(union control), MSG_CMSG_CLOEXEC);
	take(ends[0], CMSG_SPACE(sizeof(struct ucred)), MSG_WAITALL);
	wait(NULL);
	take(ends[0], sizeof(union control), 0);
	say_result("none", recv(ends[0], bytes, 1, MSG_DONTWAIT));
	close(ends[0]);
	close(ends[1]);
	close(other[0]);
	close(other[1]);
}

static void connects(const struct sockaddr_un *to, int flags)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | flags, 0);

	say_result("connected", connect(fd, (const struct sockaddr *)to, sizeof(*to)));
	say_peer(fd);
	pause_us(1000);
	_exit(0);
}

static void by_names(void)
{
	char directory[] = "/tmp/lockstep-foreign.XXXXXX";
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), mail = socket(AF_UNIX, SOCK_DGRAM, 0), yes = 1;
	struct sockaddr_un to;

	memset(&to, 0, sizeof(to));
	to.sun_family = AF_UNIX;
	strcpy(to.sun_path, "stream");
	if (!mkdtemp(directory) || chdir(directory) < 0 ||
	    bind(fd, (struct sockaddr *)&to, sizeof(to)) < 0 || listen(fd, 2) < 0)
		exit(1);
	for (int i = 0; i < 2; i++) {
		int accepted;

		if (fork() == 0)
			connects(&to, i ? SOCK_NONBLOCK : 0);
		accepted = accept(fd, NULL, NULL);
		say_peer(accepted);
		wait(NULL);
		say_peer(accepted);
	}
	unlink(to.sun_path);
	strcpy(to.sun_path, "mail");
	setsockopt(mail, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	if (bind(mail, (struct sockaddr *)&to, sizeof(to)) < 0)
		exit(1);
	if (fork() == 0) {
		send_own(socket(AF_UNIX, SOCK_DGRAM, 0), -1, &to);
		_exit(0);
	}
	wait(NULL);
	take(mail, sizeof(union control), 0);
	unlink(to.sun_path);
	rmdir(directory);
}

void part_messages(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		exit(1);
	all_bytes(ends);
	tcp_pair(ends);
	all_bytes(ends);
	by_messages(SOCK_STREAM);
	by_messages(SOCK_DGRAM);
	by_names();
}
