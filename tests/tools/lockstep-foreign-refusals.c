/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Of lockstep-foreign: what the kernel refuses, or answers, at once although nothing is there to be
 * waited for. What waits nevertheless is interrupted.
 */
#include "tests/tools/lockstep-foreign.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { EACH_US = 100000, MANY = 2000 };

static char bytes[8192], *volatile nowhere;

static void on_alarm(int sig)
{
	(void)sig;
}

static void set_timer(long us)
{
	const struct itimerval every = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &every, NULL);
}

static void end(const char *what, ssize_t ret)
{
	long result = ret < 0 ? -errno : ret;

	set_timer(0);
	say(what, result);
}

#define TRY(what, call) do { set_timer(EACH_US); end(what, call); } while (0)

static void say_pipes(void)
{
	struct iovec none[] = { { bytes, 0 }, { bytes + 1, 0 } };
	int ends[2];

	if (pipe(ends) < 0)
		exit(1);
	TRY("read of the end to write", read(ends[1], bytes, 1));
	TRY("readv of it", readv(ends[1], &(struct iovec){ bytes, 1 }, 1));
	TRY("write of the end to read", write(ends[0], bytes, 1));
	TRY("of more than PIPE_BUF", write(ends[0], bytes, sizeof(bytes)));
	TRY("writev of it", writev(ends[0], &(struct iovec){ bytes, 1 }, 1));
	TRY("read of nothing", read(ends[0], bytes, 0));
	TRY("readv of nothing", readv(ends[0], none, 2));
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], bytes, 4096) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	TRY("write of nothing", write(ends[1], bytes, 0));
	TRY("writev of nothing", writev(ends[1], none, 2));
	TRY("write of something", write(ends[1], bytes, 1));
	TRY("read at no address", read(ends[0], nowhere, 1));
}

static void say_anonymous(void)
{
	int count = eventfd(0, 0), notices = inotify_init1(0), interests = epoll_create1(0);
	int signals;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	signals = signalfd(-1, &set, 0);
	TRY("eventfd, 4 bytes", read(count, bytes, 4));
	TRY("eventfd, 16 bytes", read(count, bytes, 16));
	TRY("eventfd, write of 4 bytes", write(count, bytes, 4));
	TRY("eventfd, write of 16 bytes", write(count, bytes, 16));
	TRY("signalfd, 100 bytes", read(signals, bytes, 100));
	TRY("signalfd, write", write(signals, bytes, 16));
	TRY("inotify, 4 bytes", read(notices, bytes, 4));
	TRY("inotify, write", write(notices, bytes, 16));
	TRY("epoll, read", read(interests, bytes, 16));
	TRY("epoll, write", write(interests, bytes, 16));
}

static int listening(int domain, int *ret_peer)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "refusals" };
	struct sockaddr *at = domain == AF_INET ? (void *)&in : (void *)&un;
	socklen_t size = domain == AF_INET ? sizeof(in) : sizeof(un);
	int fd = socket(domain, SOCK_STREAM, 0);

	unlink(un.sun_path);
	*ret_peer = socket(domain, SOCK_STREAM, 0);
	if (bind(fd, at, size) < 0 || listen(fd, 4) < 0 || getsockname(fd, at, &size) < 0 ||
	    connect(*ret_peer, at, size) < 0)
		exit(1);
	return fd;
}

static void say_sockets(int domain)
{
	struct msghdr message;
	int peer, listener = listening(domain, &peer), none = socket(domain, SOCK_STREAM, 0);
	int datagrams = socket(domain, SOCK_DGRAM, 0), own = accept(listener, NULL, NULL);

	memset(&message, 0, sizeof(message));
	say("sockets of domain", domain);
	TRY("accept, none that listens", accept(none, NULL, NULL));
	TRY("accept, of datagrams", accept(datagrams, NULL, NULL));
	TRY("accept, connected", accept(own, NULL, NULL));
	TRY("read, none connected", read(none, bytes, 1));
	TRY("write, none connected", write(none, bytes, 1) < 0 && errno == EPIPE ? 0 : -1);
	TRY("recv, listening", recv(listener, bytes, 1, 0));
	TRY("read, listening", read(listener, bytes, 1));
	TRY("recvmsg, listening", recvmsg(listener, &message, 0));
	TRY("send, listening", send(listener, bytes, 1, MSG_NOSIGNAL));
	TRY("read of nothing", read(own, bytes, 0));
	TRY("out of band", recv(own, bytes, 1, MSG_OOB));
	TRY("errors", recv(own, bytes, 1, MSG_ERRQUEUE));
	TRY("errors of datagrams", recv(datagrams, bytes, 1, MSG_ERRQUEUE));
	TRY("errors by recvmsg", recvmsg(datagrams, &message, MSG_ERRQUEUE));
	TRY("datagram, out of band", recv(datagrams, bytes, 1, MSG_OOB));
	TRY("datagram to nobody", send(datagrams, bytes, 1, 0));
	shutdown(own, SHUT_RD);
	TRY("read, shut down", read(own, bytes, 1));
	shutdown(own, SHUT_WR);
	TRY("send, shut down", send(own, bytes, 1, MSG_NOSIGNAL));
	TRY("recv, no descriptor", recv(900, bytes, 1, 0));
	TRY("recv, no socket", recv(0, bytes, 1, 0));
	TRY("accept, no socket", accept(0, NULL, NULL));
	close(peer);
	close(own);
	close(none);
	close(datagrams);
	close(listener);
}

static void say_queues(void)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 16 };
	struct timespec wrong = { .tv_sec = 0, .tv_nsec = 2000000000 }, past = { .tv_sec = 1 };
	char name[32];
	mqd_t queue, reader;
	int id = msgget(IPC_PRIVATE, 0600), semaphores = semget(IPC_PRIVATE, 1, 0600);

	snprintf(name, sizeof(name), "/refusals-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
	reader = mq_open(name, O_RDONLY);
	mq_unlink(name);
	TRY("mq_receive, too small", mq_receive(queue, bytes, 8, NULL));
	TRY("mq_send, too long", mq_send(queue, bytes, 17, 0));
	TRY("mq_send, to read", mq_send(reader, bytes, 1, 0));
	TRY("mq_receive, no time", mq_timedreceive(queue, bytes, 16, NULL, &wrong));
	TRY("mq_receive, past", mq_timedreceive(queue, bytes, 16, NULL, &past));
	mq_send(queue, bytes, 1, 0);
	mq_send(queue, bytes, 1, 0);
	TRY("mq_send, too long, full", mq_send(queue, bytes, 17, 0));
	TRY("mq_send, priority", mq_send(queue, bytes, 1, 40000));
	TRY("mq_send, full, past", mq_timedsend(queue, bytes, 1, 0, &past));
	TRY("msgrcv, no queue", msgrcv(id + 1, bytes, 1, 0, 0));
	TRY("msgsnd, no type", msgsnd(id, bytes, 1, 0));
	TRY("semop, no number", semop(semaphores, &(struct sembuf){ 9, -1, 0 }, 1));
	TRY("semop, none", semop(semaphores, NULL, 0));
	TRY("semtimedop, no time",
	    semtimedop(semaphores, &(struct sembuf){ 0, -1, 0 }, 1, &wrong));
	msgctl(id, IPC_RMID, NULL);
	semctl(semaphores, 0, IPC_RMID);
	TRY("msgrcv, gone", msgrcv(id, bytes, 1, 0, 0));
	TRY("semop, gone", semop(semaphores, &(struct sembuf){ 0, -1, 0 }, 1));
	mq_close(queue);
	mq_close(reader);
}

static void say_waits(void)
{
	struct timespec wrong = { .tv_sec = 0, .tv_nsec = 2000000000 };
	struct epoll_event event;
	sigset_t set;

	sigemptyset(&set);
	TRY("nanosleep, no time", nanosleep(&wrong, NULL));
	TRY("clock_nanosleep, no clock", -clock_nanosleep(99, 0, &wrong, NULL) ? -1 : 0);
	TRY("sigtimedwait, no time", sigtimedwait(&set, NULL, &wrong));
	TRY("epoll_wait, none", epoll_wait(0, &event, 1, -1));
	TRY("epoll_wait, no room", epoll_wait(epoll_create1(0), &event, 0, -1));
}

/* More descriptors than select(2) has. */
static void say_many(void)
{
	static struct pollfd at[MANY];
	static struct epoll_event events[MANY];
	int interests = epoll_create1(0), found = 0;
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max < MANY + 100) {
		say("descriptors that one may have", (long)limit.rlim_max);
		return;
	}
	for (int i = 0; i < MANY; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.fd = i };

		at[i].fd = eventfd(1, 0);
		at[i].events = POLLIN;
		epoll_ctl(interests, EPOLL_CTL_ADD, at[i].fd, &event);
	}
	TRY("poll, many", poll(at, MANY, 0));
	for (int i = 0; i < MANY; i++)
		found += at[i].revents == POLLIN;
	say("are ready", found);
	TRY("epoll_wait, many", epoll_wait(interests, events, MANY, 0));
	limit.rlim_cur = MANY - 1;
	setrlimit(RLIMIT_NOFILE, &limit);
	TRY("poll, more than one may have", poll(at, MANY, 0));
	for (int i = 0; i < MANY; i++)
		close(at[i].fd);
	close(interests);
}

void part_refusals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	say_pipes();
	say_anonymous();
	say_sockets(AF_INET);
	say_sockets(AF_UNIX);
	say_queues();
	say_waits();
	say_many();
}
