/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that asks netlink sockets of uevents all that it may, by system calls alone.
 *
 *	uevent-says answers	what the calls return while nothing happens, and their errors
 *	uevent-says waits	waits in turn by each call: which event came when
 *	uevent-says late N	reads nothing before there is a file "go", N events later
 *	uevent-says many N	opens N sockets, and waits for one event by all of them
 *	uevent-says shared	a child reads one message, its parent the next
 *	uevent-says filters	joins both groups behind filters: what passes, and how much of it
 *	uevent-says all SECONDS	prints all that comes in that time, with all that comes along
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/any/say.h"

/* As headers of Linux have it, which are not where musl-gcc looks. */
struct netlink_address {
	unsigned short family, pad;
	unsigned int number, groups;
};

struct filter_line {
	unsigned short code;
	unsigned char yes, no;
	unsigned int value;
};

struct filter_program {
	unsigned short count;
	struct filter_line *lines;
};

enum {
	UEVENTS = 15, OF_NETLINK = 270,
	JOIN = 1, LEAVE = 2, GROUP_PART = 3, BROADCAST_ERROR = 4, NO_LOSSES = 5, ALL_SPACES = 8,
	LIST_GROUPS = 9, SHORT_ERRORS = 10, LONG_ERRORS = 11, STRICT = 12,
	LOCK_FILTER = 44,
	LOAD_BYTE = 0x30, LOAD_WORD = 0x20, IS_EQUAL = 0x15, RETURN = 0x06,
};

static char buffer[16384];

/* ---- sockets ---- */

static int open_socket(int flags)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, UEVENTS);

	if (fd < 0) {
		say("socket", fd);
		exit(1);
	}
	return fd;
}

static int bind_to(int fd, unsigned int number, unsigned int groups)
{
	struct netlink_address to = { .family = AF_NETLINK, .number = number, .groups = groups };

	return bind(fd, (struct sockaddr *)&to, sizeof(to));
}

static int open_bound(int flags, unsigned int groups)
{
	int fd = open_socket(flags);

	if (bind_to(fd, 0, groups) < 0)
		say("bind", -1);
	return fd;
}

static int set(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value));
}

/* ---- answers ---- */

static void say_name(const char *what, int fd, int (*call)(int fd, struct sockaddr *to,
							   socklen_t *size))
{
	struct netlink_address name = { .number = 99, .groups = 99 };
	socklen_t size = sizeof(name);

	if (call(fd, (struct sockaddr *)&name, &size) < 0) {
		say(what, -1);
		return;
	}
	printf("%s: %u bytes, family %d, %s, groups %u\n", what, size, name.family,
	       name.number == 0 ? "no number" : name.number == (unsigned int)getpid() ?
	       "the process's" : name.number == 77 ? "77" : (int)name.number < -4096 ?
	       "one below -4096" : "another number", name.groups);
}

static void say_option(const char *what, int fd, int level, int option, socklen_t size)
{
	unsigned char value[64] = { 0 };
	int number = 0;

	if (getsockopt(fd, level, option, value, &size) < 0) {
		say(what, -1);
		return;
	}
	memcpy(&number, value, sizeof(number));
	printf("%s: %d, %u bytes\n", what, number, size);
}

static void try_sockets(void)
{
	say("a stream", socket(AF_NETLINK, SOCK_STREAM, UEVENTS));
	say("packets", socket(AF_NETLINK, SOCK_SEQPACKET, UEVENTS));
	say("no such flag", socket(AF_NETLINK, SOCK_RAW | 0x40000000, UEVENTS));
	say("datagrams", socket(AF_NETLINK, SOCK_DGRAM, UEVENTS) >= 0);
	say("another one", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
}

static void try_names(void)
{
	int fd = open_socket(SOCK_NONBLOCK), other = open_socket(SOCK_NONBLOCK), one = 1;
	struct netlink_address to = { .family = AF_INET }, room;
	socklen_t size = 5;

	say_name("no name", fd, getsockname);
	say_name("no peer", fd, getpeername);
	say("family", bind(fd, (struct sockaddr *)&to, sizeof(to)));
	to.family = AF_NETLINK;
	say("short", bind(fd, (struct sockaddr *)&to, 8));
	say("none", bind(fd, (struct sockaddr *)&to, 0));
	say("nowhere", bind(fd, (struct sockaddr *)8, sizeof(to)));
	say("large", bind(fd, (struct sockaddr *)&to, 4096));
	say("join", setsockopt(fd, OF_NETLINK, JOIN, &one, sizeof(one)));
	say_name("joined", fd, getsockname);
	say("bind", bind_to(fd, 0, 3));
	say_name("name", fd, getsockname);
	say("other number", bind_to(fd, 78, 3));
	say("0 again", bind_to(fd, 0, 3));
	say("its own", bind_to(fd, (unsigned int)getpid(), 0x12345678));
	say_name("groups", fd, getsockname);
	say("taken", bind_to(other, (unsigned int)getpid(), 1));
	say("second", bind_to(other, 0, 0));
	say_name("second", other, getsockname);
	close(fd);
	fd = open_socket(0);
	say("77", bind_to(fd, 77, 1));
	say_name("77", fd, getsockname);
	memset(&room, 0xff, sizeof(room));
	say("cut", getsockname(fd, (struct sockaddr *)&room, &size));
	printf("cut: %u, %x %x\n", size, room.family, room.number);
	size = (socklen_t)-1;
	say("less than none", getsockname(fd, (struct sockaddr *)&room, &size));
	say("no size", getsockname(fd, (struct sockaddr *)&room, NULL));
	size = sizeof(room);
	say("no place", getsockname(fd, NULL, &size));
	close(fd);
	close(other);
}

static void try_connecting(void)
{
	int fd = open_socket(SOCK_NONBLOCK);
	struct netlink_address to = { .family = AF_NETLINK };

	say("connect, short", connect(fd, (struct sockaddr *)&to, 4));
	say("connect", connect(fd, (struct sockaddr *)&to, sizeof(to)));
	say_name("connected", fd, getsockname);
	say_name("to", fd, getpeername);
	if (geteuid() == 0) {
		to.number = 77;
		to.groups = 6;
		say("connect to 77", connect(fd, (struct sockaddr *)&to, sizeof(to)));
		say_name("to", fd, getpeername);
	}
	to.family = AF_UNSPEC;
	say("disconnect", connect(fd, (struct sockaddr *)&to, 2));
	say_name("to", fd, getpeername);
	say("listen", listen(fd, 1));
	say("accept", accept(fd, NULL, NULL));
	say("shutdown", shutdown(fd, SHUT_RD));
	say("ioctl", ioctl(fd, FIONREAD, buffer));
	say("lseek", lseek(fd, 0, SEEK_SET));
	close(fd);
}

static void try_options_of_sockets(void)
{
	int fd = open_socket(SOCK_NONBLOCK), one = 1;

	say_option("domain", fd, SOL_SOCKET, SO_DOMAIN, 4);
	say_option("protocol", fd, SOL_SOCKET, SO_PROTOCOL, 4);
	say_option("type", fd, SOL_SOCKET, SO_TYPE, 4);
	say_option("type, cut", fd, SOL_SOCKET, SO_TYPE, 1);
	say_option("type, none", fd, SOL_SOCKET, SO_TYPE, 0);
	say_option("type, more", fd, SOL_SOCKET, SO_TYPE, 60);
	say_option("error", fd, SOL_SOCKET, SO_ERROR, 4);
	say_option("accepts", fd, SOL_SOCKET, SO_ACCEPTCONN, 4);
	say_option("peer", fd, SOL_SOCKET, SO_PEERCRED, 12);
	say("buffer", set(fd, SOL_SOCKET, SO_RCVBUF, 10000));
	say_option("buffer", fd, SOL_SOCKET, SO_RCVBUF, 4);
	set(fd, SOL_SOCKET, SO_RCVBUF, 0);
	say_option("no buffer", fd, SOL_SOCKET, SO_RCVBUF, 4);
	say("short", setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &one, 2));
	say("nowhere", setsockopt(fd, SOL_SOCKET, SO_RCVBUF, (void *)8, 4));
	say("less than none", setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &one, (socklen_t)-1));
	say("credentials", set(fd, SOL_SOCKET, SO_PASSCRED, 1));
	say_option("credentials", fd, SOL_SOCKET, SO_PASSCRED, 4);
	say("no such option", set(fd, SOL_SOCKET, 9999, 1));
	say_option("no such option", fd, SOL_SOCKET, 9999, 4);
	say("no such level", set(fd, 9999, 1, 1));
	say_option("no such level", fd, 9999, 1, 4);
	if (geteuid() == 0) {
		say("force", set(fd, SOL_SOCKET, SO_RCVBUFFORCE, 128 << 20));
		say_option("force", fd, SOL_SOCKET, SO_RCVBUF, 4);
	}
	close(fd);
}

static void try_options_of_netlink(void)
{
	int fd = open_socket(SOCK_NONBLOCK), one = 1;

	say_option("no list", fd, OF_NETLINK, LIST_GROUPS, 8);
	say("join 0", set(fd, OF_NETLINK, JOIN, 0));
	say("join 33", set(fd, OF_NETLINK, JOIN, 33));
	say("join -1", set(fd, OF_NETLINK, JOIN, -1));
	say("join, short", setsockopt(fd, OF_NETLINK, JOIN, &one, 3));
	say("join 2", set(fd, OF_NETLINK, JOIN, 2));
	say("join 32", set(fd, OF_NETLINK, JOIN, 32));
	say_option("list", fd, OF_NETLINK, LIST_GROUPS, 8);
	say_option("list, short", fd, OF_NETLINK, LIST_GROUPS, 2);
	say("leave 2", set(fd, OF_NETLINK, LEAVE, 2));
	say("leave 5", set(fd, OF_NETLINK, LEAVE, 5));
	say_option("list", fd, OF_NETLINK, LIST_GROUPS, 4);
	for (int option = GROUP_PART; option <= STRICT; option++) {
		if (option == 6 || option == 7 || option == ALL_SPACES || option == LIST_GROUPS)
			continue;
		printf("option %d\n", option);
		say_option("before", fd, OF_NETLINK, option, 4);
		say("set", set(fd, OF_NETLINK, option, 5));
		say_option("then", fd, OF_NETLINK, option, 4);
		say("short", setsockopt(fd, OF_NETLINK, option, &one, 1));
		say_option("now", fd, OF_NETLINK, option, 60);
		say_option("cut", fd, OF_NETLINK, option, 3);
	}
	say("nowhere", setsockopt(fd, OF_NETLINK, GROUP_PART, (void *)8, 4));
	say("no such option", set(fd, OF_NETLINK, 99, 1));
	say_option("no such option", fd, OF_NETLINK, 99, 4);
	close(fd);
}

static void try_filters(void)
{
	struct filter_line lines[] = { { .code = RETURN, .value = 10 } };
	struct filter_line wrong[] = { { .code = LOAD_BYTE } };
	struct filter_program program = { 1, lines };
	int fd = open_socket(SOCK_NONBLOCK);

	say("detach none", set(fd, SOL_SOCKET, SO_DETACH_FILTER, 0));
	say("attach", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	say("short", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, 8));
	program.lines = wrong;
	say("no end", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	program.count = 0;
	say("empty", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	program.count = 5000;
	say("large", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	program = (struct filter_program){ 1, NULL };
	say("nowhere", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	program.lines = (struct filter_line *)8;
	say("nor there", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	say("detach", set(fd, SOL_SOCKET, SO_DETACH_FILTER, 0));
	say("unlock", set(fd, SOL_SOCKET, LOCK_FILTER, 0));
	say("lock", set(fd, SOL_SOCKET, LOCK_FILTER, 7));
	say_option("locked", fd, SOL_SOCKET, LOCK_FILTER, 4);
	say("unlock", set(fd, SOL_SOCKET, LOCK_FILTER, 0));
	program.lines = lines;
	say("attach", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	say("detach", set(fd, SOL_SOCKET, SO_DETACH_FILTER, 0));
	close(fd);
}

static void try_receiving(void)
{
	struct timeval soon = { .tv_usec = 20000 };
	struct msghdr header = { .msg_iovlen = 0 };
	struct mmsghdr many[2];
	struct iovec part = { buffer, sizeof(buffer) };
	int fd = open_bound(SOCK_NONBLOCK, 3);
	volatile int less = -1;	/* or gcc warns of it */

	say("recv", recv(fd, buffer, sizeof(buffer), 0));
	say("peek", recv(fd, buffer, sizeof(buffer), MSG_PEEK | MSG_TRUNC));
	say("urgent", recv(fd, buffer, sizeof(buffer), MSG_OOB));
	say("read", read(fd, buffer, sizeof(buffer)));
	say("readv", readv(fd, &part, 1));
	say("readv of less", readv(fd, &part, less));
	say("recvmsg", recvmsg(fd, &header, 0));
	header.msg_iovlen = 5000;
	say("many parts", recvmsg(fd, &header, 0));
	memset(many, 0, sizeof(many));
	say("recvmmsg", recvmmsg(fd, many, 2, MSG_DONTWAIT, NULL));
	say("of none", recvmmsg(fd, many, 0, 0, NULL));
	close(fd);
	fd = open_bound(0, 3);
	say("not now", recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT));
	say("limit", setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon)));
	say("until then", recv(fd, buffer, sizeof(buffer), 0));
	say("and so", recvmsg(fd, &(struct msghdr){ .msg_iov = &part, .msg_iovlen = 1 }, 0));
	close(fd);
}

/* ---- waiting ---- */

static void say_when(const char *how, ssize_t size)
{
	struct timespec now;
	const char *text = buffer;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (size < 0) {
		say(how, -1);
		return;
	}
	buffer[size] = '\0';
	if (strcmp(buffer, "libudev") == 0)
		text = "udev's";
	printf("%s: %lld us, %zd bytes, %s\n", how,
	       now.tv_sec * 1000000LL + now.tv_nsec / 1000, size,
	       strrchr(text, '/') ? strrchr(text, '/') + 1 : text);
}

static ssize_t take(int fd)
{
	return recv(fd, buffer, sizeof(buffer) - 1, MSG_DONTWAIT);
}

static void wait_in_turn(void)
{
	int fd = open_bound(0, 1), queue = epoll_create1(0);
	struct pollfd one = { .fd = fd, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	struct iovec part = { buffer, sizeof(buffer) - 1 };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	fd_set fds;

	epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
	puts("ready");
	fflush(stdout);
	say_when("recv", recv(fd, buffer, sizeof(buffer) - 1, 0));
	say_when("recvmsg", recvmsg(fd, &header, 0));
	while (take(fd) >= 0)
		;
	say("not yet", poll(&one, 1, 250));
	say("poll", poll(&one, 1, -1));
	say_when("then", take(fd));
	while (take(fd) >= 0)
		;
	FD_ZERO(&fds);
	FD_SET(fd, &fds);
	say("select", select(fd + 1, &fds, NULL, NULL, NULL));
	say_when("then", take(fd));
	while (take(fd) >= 0)
		;
	say("not yet", epoll_wait(queue, &event, 1, 250));
	say("epoll", epoll_wait(queue, &event, 1, -1));
	say_when("then", take(fd));
}

/* ---- one that does not read ---- */

static void wait_for_go(void)
{
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 20000 && access("go", F_OK) < 0; i++)
		usleep(100000);
}

/* What there is: how many, and the number of the last one. */
static void say_unread(const char *what, int fd)
{
	const char *last = "none";
	ssize_t size;
	int count = 0;

	while ((size = take(fd)) >= 0) {
		buffer[size] = '\0';
		for (ssize_t at = 0; at < size; at += (ssize_t)strlen(buffer + at) + 1)
			if (strncmp(buffer + at, "SEQNUM=", 7) == 0)
				last = buffer + at + 7;
		count++;
	}
	/* (That buffer is as the last message has left it.) */
	printf("%s %d, the last %s\n", what, count, last);
}

static void read_late(void)
{
	int fd = open_bound(0, 1), calm = open_bound(0, 1), large = open_bound(0, 1);
	int small = open_bound(0, 1), member = open_socket(0);

	set(calm, OF_NETLINK, NO_LOSSES, 1);
	set(small, SOL_SOCKET, SO_RCVBUF, 2000);
	set(large, SOL_SOCKET, SO_RCVBUFFORCE, 128 << 20);
	set(member, OF_NETLINK, JOIN, 1);
	set(member, OF_NETLINK, JOIN, 2);
	wait_for_go();
	say("first", take(fd));
	say_unread("then", fd);
	say("told once", take(fd));
	say_unread("with NO_ENOBUFS", calm);
	say_option("a small one", small, SOL_SOCKET, SO_ERROR, 4);
	say_unread("then", small);
	if (geteuid() == 0) {
		take(large);		/* ENOBUFS */
		say_unread("a large one", large);
	}
	say_when("without a number, of udev", take(member));
}

/* ---- many ---- */

static void open_many(int count)
{
	int *fds = calloc((size_t)count, sizeof(*fds)), distinct = 1, came = 0, i = 0, err = 0;
	struct netlink_address name;
	unsigned int *numbers = calloc((size_t)count, sizeof(*numbers));

	for (; i < count && !err; i++) {
		socklen_t size = sizeof(name);

		fds[i] = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, UEVENTS);
		if (fds[i] < 0) {
			err = errno;
			break;
		}
		bind_to(fds[i], 0, 1);
		getsockname(fds[i], (struct sockaddr *)&name, &size);
		numbers[i] = name.number;
		for (int k = 0; k < i; k++)
			distinct &= numbers[k] != numbers[i];
	}
	printf("opened %d%s%s, distinct %d\n", i, err ? ", then " : "", err ? name_of(err) : "",
	       distinct);
	fflush(stdout);
	for (int k = 0; k < i; k++) {
		came += recv(fds[k], buffer, sizeof(buffer), 0) > 0;
		if (k % 2)
			close(fds[k]);
	}
	printf("an event for %d\n", came);
}

static void share(void)
{
	int fd = open_bound(0, 1);

	puts("ready");
	fflush(stdout);
	if (fork() == 0) {
		say_when("child", recv(fd, buffer, sizeof(buffer) - 1, 0));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	say_when("parent", recv(fd, buffer, sizeof(buffer) - 1, 0));
}

/* ---- filters ---- */

static void read_filtered(void)
{
	/* Of the kernel's those that are added; of all others 12 bytes. */
	struct filter_line lines[] = {
		{ .code = LOAD_BYTE, .value = 0 },
		{ .code = IS_EQUAL, .yes = 1, .value = 'a' },
		{ .code = RETURN, .value = 0 },
		{ .code = RETURN, .value = 12 },
	};
	struct filter_line udev[] = {
		{ .code = LOAD_WORD, .value = 8 },
		{ .code = IS_EQUAL, .yes = 1, .value = 0xfeedcafe },
		{ .code = RETURN, .value = 0 },
		{ .code = RETURN, .value = 0xffffffff },
	};
	struct filter_program program = { 4, lines };
	int fd = open_bound(0, 1), other = open_bound(0, 3);

	say("attach", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	program.lines = udev;
	say("attach", setsockopt(other, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)));
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 3; i++)
		say_when("added", recv(fd, buffer, sizeof(buffer) - 1, 0));
	for (int i = 0; i < 2; i++)
		say_when("of udev", recv(other, buffer, sizeof(buffer) - 1, 0));
	set(other, SOL_SOCKET, SO_DETACH_FILTER, 0);
}

/* ---- all ---- */

static void print_message(int fd)
{
	union {
		struct cmsghdr head;
		char bytes[256];
	} control;
	struct netlink_address from = { .number = 99 };
	struct iovec parts[] = { { buffer, 20 }, { buffer + 20, sizeof(buffer) - 21 } };
	struct msghdr header = {
		.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = parts, .msg_iovlen = 2,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t size = recvmsg(fd, &header, 0);
	struct ucred sender = { .uid = 99 };

	if (size < 0) {
		say("recvmsg", -1);
		return;
	}
	printf("from %u, groups %u, %u bytes, flags %d\n", from.number, from.groups,
	       header.msg_namelen, header.msg_flags);
	for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part;
	     part = CMSG_NXTHDR(&header, part)) {
		if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_CREDENTIALS) {
			memcpy(&sender, CMSG_DATA(part), sizeof(sender));
			printf("of process %d, user %d\n", (int)sender.pid, (int)sender.uid);
		} else {
			printf("part %d %d: %u\n", part->cmsg_level, part->cmsg_type,
			       *(unsigned int *)(void *)CMSG_DATA(part));
		}
	}
	for (ssize_t i = 0; i < size; i++)
		putchar(buffer[i] == '\0' ? '\n' :
			buffer[i] >= ' ' && buffer[i] <= '~' ? buffer[i] : '.');
}

static void print_all(int seconds)
{
	int fd = open_bound(0, 3);
	struct pollfd one = { .fd = fd, .events = POLLIN };
	struct timespec end, now;

	set(fd, SOL_SOCKET, SO_PASSCRED, 1);
	set(fd, OF_NETLINK, GROUP_PART, 1);
	puts("ready");
	fflush(stdout);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec ||
		    poll(&one, 1, (int)(end.tv_sec - now.tv_sec) * 1000) <= 0)
			break;
		print_message(fd);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(what, "answers") == 0) {
		try_sockets();
		try_names();
		try_connecting();
		try_options_of_sockets();
		try_options_of_netlink();
		try_filters();
		try_receiving();
	} else if (strcmp(what, "waits") == 0) {
		wait_in_turn();
	} else if (strcmp(what, "late") == 0) {
		read_late();
	} else if (strcmp(what, "many") == 0) {
		open_many(number);
	} else if (strcmp(what, "shared") == 0) {
		share();
	} else if (strcmp(what, "filters") == 0) {
		read_filtered();
	} else if (strcmp(what, "all") == 0) {
		print_all(number);
	}
	return 0;
}
