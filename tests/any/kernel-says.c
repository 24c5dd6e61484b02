/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that reads what the kernel says by system calls alone: /dev/kmsg, syslog(2) and
 * uevents, what they return, and their errors.
 *
 *	kernel-says messages	the errors of /dev/kmsg and syslog, where there are some messages
 *	kernel-says wait	waits in read(2) for the next message, and prints it
 *	kernel-says uevents	binds, says "ready", waits in recvmsg(2) for one, and prints it
 *	kernel-says slow N	reads no message before N have come: how many, and what it is told
 *	kernel-says many	opens as many as it may
 *	kernel-says waits	waits in turn by read, poll, select and epoll: when a message came
 *	kernel-says shared	a child reads one message, its parent the next
 *	kernel-says machine	what of the machine's messages can be had
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#if __has_include(<linux/netlink.h>)	/* not where musl-gcc looks */
#include <linux/netlink.h>
#endif
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/klog.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/any/say.h"

static char buffer[8192];

/* Of a record its level, and the text up to the line's end. */
static void say_record(const char *what, long size)
{
	const char *text;

	if (size < 0) {
		say(what, size);
		return;
	}
	buffer[size] = '\0';
	text = strchr(buffer, ';');
	printf("%s: %.*s %.*s\n", what, (int)strcspn(buffer, ","), buffer,
	       (int)strcspn(text, "\n"), text);
}

static int open_kmsg(int flags)
{
	int fd = open("/dev/kmsg", flags);

	if (fd < 0) {
		say("open", fd);
		exit(1);
	}
	return fd;
}

static void try_reads(void)
{
	int fd = open_kmsg(O_RDONLY | O_NONBLOCK);
	struct iovec parts[2] = { { buffer, 10 }, { buffer + 10, sizeof(buffer) - 11 } };
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct stat st;

	fstat(fd, &st);
	printf("%o %u:%u\n", st.st_mode, major(st.st_rdev), minor(st.st_rdev));
	say("ready", poll(&ready, 1, 0));
	say_record("first", read(fd, buffer, sizeof(buffer) - 1));
	say("with little room", read(fd, buffer, 20));
	say("read in parts", readv(fd, parts, 2) > 0);
	say("at the end", read(fd, buffer, sizeof(buffer)));
	say("not ready", poll(&ready, 1, 0));
	say("from the begin", lseek(fd, 0, SEEK_SET));
	say_record("again", read(fd, buffer, sizeof(buffer) - 1));
	say("from the end", lseek(fd, 0, SEEK_END));
	say("there", read(fd, buffer, sizeof(buffer)));
	say("not by one", lseek(fd, 1, SEEK_SET));
	say("nor from here", lseek(fd, 0, SEEK_CUR));
	say("write", write(fd, "x", 1));
	say("recv", recv(fd, buffer, sizeof(buffer), 0));
	say("copy", dup(fd) >= 0 ? 0 : -1);
	close(fd);
	say("to write, too", open("/dev/kmsg", O_RDWR));
	say("a directory", open("/dev/kmsg", O_RDONLY | O_DIRECTORY));
}

static void try_syslog(void)
{
	int fd;
	long size = klogctl(3, buffer, sizeof(buffer) - 1);

	buffer[size > 0 ? size : 0] = '\0';
	printf("all: %.3s%s", buffer, strstr(buffer, "] ") + 1);
	size = klogctl(3, buffer, 90);
	buffer[size > 0 ? size : 0] = '\0';
	printf("the last one: %.3s%s", buffer, strstr(buffer, "] ") + 1);
	say("none fits", klogctl(3, buffer, 20));
	say("no buffer", klogctl(3, NULL, 20));
	say("less than none", klogctl(3, buffer, -1));
	say("nowhere", klogctl(3, (char *)16, 4096));
	say("size", klogctl(10, NULL, 0));
	say("no such action", klogctl(11, NULL, 0));
	say("waiting", klogctl(2, buffer, sizeof(buffer)));
	say("the console", klogctl(8, NULL, 7));
	say("clear", klogctl(5, NULL, 0));
	say("then", klogctl(3, buffer, sizeof(buffer)));
	fd = open_kmsg(O_RDONLY | O_NONBLOCK);
	say("data", lseek(fd, 0, SEEK_DATA));
	say("none since", read(fd, buffer, sizeof(buffer)));
	say_record("but all", lseek(fd, 0, SEEK_SET) ? -1 : read(fd, buffer, sizeof(buffer) - 1));
}

static void wait_for_message(void)
{
	int fd = open_kmsg(O_RDONLY);

	lseek(fd, 0, SEEK_END);
	puts("ready");
	fflush(stdout);
	say_record("came", read(fd, buffer, sizeof(buffer) - 1));
}

#ifdef NETLINK_KOBJECT_UEVENT
static int uevents(int flags)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_KOBJECT_UEVENT);
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int on = 1;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0) {
		say("socket", -1);
		exit(1);
	}
	return fd;
}

/* Who has sent it? */
static void say_message(int fd)
{
	char control[CMSG_SPACE(sizeof(struct ucred))] = "";
	struct iovec part = { buffer, sizeof(buffer) - 1 };
	struct sockaddr_nl from = { .nl_pid = 99 };
	struct msghdr message = {
		.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t size = recvmsg(fd, &message, 0);
	const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	struct ucred sender = { .uid = 99 };

	if (size < 0) {
		say("recvmsg", -1);
		return;
	}
	if (header && header->cmsg_type == SCM_CREDENTIALS)
		memcpy(&sender, CMSG_DATA(header), sizeof(sender));
	printf("from %u, groups %u, pid %d, uid %d, flags %d\n", from.nl_pid, from.nl_groups,
	       sender.pid, sender.uid, message.msg_flags);
	for (ssize_t at = 0; at < size; at += (ssize_t)strlen(buffer + at) + 1)
		puts(buffer + at);
}

static void try_uevents(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_pid = 77 };
	socklen_t size = sizeof(address);
	struct sockaddr_nl from;
	int fd = uevents(SOCK_NONBLOCK), other = uevents(0), value = 0;
	socklen_t value_size = sizeof(value);

	say("no stream", socket(AF_NETLINK, SOCK_STREAM, NETLINK_KOBJECT_UEVENT));
	say("nothing", recv(fd, buffer, sizeof(buffer), 0));
	getsockname(fd, (struct sockaddr *)&address, &size);
	printf("name: %d %d %u\n", address.nl_family, address.nl_pid == (unsigned int)getpid(),
	       address.nl_groups);
	getsockname(other, (struct sockaddr *)&address, &size);
	printf("another number, below -4096: %d\n", (int)address.nl_pid < -4096);
	getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &value, &value_size);
	printf("protocol %d\n", value);
	address.nl_pid = 77;
	say("another bind", bind(fd, (struct sockaddr *)&address, sizeof(address)));
	address.nl_pid = 0;
	say("of 0", bind(fd, (struct sockaddr *)&address, sizeof(address)));
	say("a short one", bind(fd, (struct sockaddr *)&address, 4));
	say("send", send(fd, "x", 1, 0));
	say("listen", listen(fd, 1));
	puts("ready");
	fflush(stdout);
	say_message(other);
	size = sizeof(from);
	say("the same", recvfrom(fd, buffer, 40, MSG_PEEK | MSG_TRUNC, (struct sockaddr *)&from,
				 &size) > 40);
	printf("from %u %u\n", from.nl_pid, from.nl_groups);
	say("cut", recv(fd, buffer, 7, 0));
	printf("%.7s\n", buffer);
}
#endif

static void read_late(int count)
{
	int fd = open_kmsg(O_RDONLY | O_NONBLOCK), got = 0;
	const char *told = "nothing";

	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 2000 && access("go", F_OK) < 0; i++)
		usleep(100000);
	for (;;) {
		if (read(fd, buffer, sizeof(buffer)) >= 0)
			got++;
		else if (errno == EPIPE)
			told = "EPIPE";
		else
			break;
	}
	printf("all %d: %s, told %s\n", count, got < count && got > 0 ? "no" : "yes", told);
}

static void open_many(void)
{
	int fd, count = 0, first = -1;

	while ((fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK)) >= 0) {
		first = first < 0 ? fd : first;
		count++;
	}
	printf("some %d, then %s\n", count > 10, name_of(errno));
	close(first);
	for (int i = 0; i < 100 && fd < 0; i++) {
		usleep(20000);
		fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	}
	say("and again", fd >= 0 ? 0 : -1);
}

/* ---- virtual time ---- */

/* What is read, when it was printed, and when that is, by the clock that messages have. */
static void say_when(int fd, const char *how, int ready)
{
	ssize_t size = read(fd, buffer, sizeof(buffer) - 1);
	struct timespec now;
	char *at = buffer;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (size < 0) {
		say(how, size);
		return;
	}
	buffer[size] = '\0';
	for (int i = 0; i < 2; i++)
		at = strchr(at, ',') + 1;
	printf("%s: %d, printed at %.*s us, read at %lld us\n", how, ready,
	       (int)strcspn(at, ","), at,
	       now.tv_sec * 1000000LL + now.tv_nsec / 1000);
}

static void wait_in_turn(void)
{
	int fd = open_kmsg(O_RDONLY), ready, queue = epoll_create1(0);
	struct pollfd one = { .fd = fd, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	fd_set set;

	epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
	puts("ready");
	fflush(stdout);
	say_when(fd, "read", 1);
	say("not yet", poll(&one, 1, 250));
	ready = poll(&one, 1, -1);
	say_when(fd, "poll", ready);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	ready = select(fd + 1, &set, NULL, NULL, NULL);
	say_when(fd, "select", ready);
	say("not yet", epoll_wait(queue, &event, 1, 250));
	ready = epoll_wait(queue, &event, 1, -1);
	say_when(fd, "epoll", ready);
}

static void read_in_turn(void)
{
	int fd = open_kmsg(O_RDONLY | O_NONBLOCK);

	if (fork() == 0) {
		say_record("child", read(fd, buffer, sizeof(buffer) - 1));
		exit(0);
	}
	wait(NULL);
	say_record("parent", read(fd, buffer, sizeof(buffer) - 1));
	say("no more", read(fd, buffer, sizeof(buffer) - 1));
}

/* Each way to the machine's own log: refused, or none of it is the machine's. */
static void try_machine(void)
{
	static const char *const paths[] = { "/dev/../dev/kmsg", "/proc/kmsg" };
	long size = syscall(SYS_syslog, 3, buffer, sizeof(buffer) - 1);
	int fd;

	say("by syscall", size);
	buffer[size > 0 ? size : 0] = '\0';
	printf("simulated: %d\n", strstr(buffer, "mlx5_core 0000:1e:00.0") != NULL);
	for (unsigned int i = 0; i < 2; i++) {
		fd = open(paths[i], O_RDONLY | O_NONBLOCK);
		/* Who may not open it, or has no such file, cannot read it either. */
		printf("%s: %s\n", paths[i], fd >= 0 && read(fd, buffer, sizeof(buffer)) > 0 ?
		       "the machine's" : "none");
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "messages") == 0) {
		try_reads();
		try_syslog();
	} else if (strcmp(what, "wait") == 0) {
		wait_for_message();
#ifdef NETLINK_KOBJECT_UEVENT
	} else if (strcmp(what, "uevents") == 0) {
		try_uevents();
#endif
	} else if (strcmp(what, "slow") == 0 && argc == 3) {
		read_late(atoi(argv[2]));
	} else if (strcmp(what, "many") == 0) {
		open_many();
	} else if (strcmp(what, "waits") == 0) {
		wait_in_turn();
	} else if (strcmp(what, "shared") == 0) {
		read_in_turn();
	} else if (strcmp(what, "machine") == 0) {
		try_machine();
	}
	return 0;
}
