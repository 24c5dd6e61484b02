/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-foreign PART: waits in every way, and says what it sees of time. It is built with
 * umadrig's library in front of libc, and so that no library can be; both print the same.
 */
#include "tests/tools/lockstep-foreign.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/klog.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the machine's kernel says: 0 where there is no such file, or it cannot be opened. */
static void say_of_kernel(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	char text[8192];

	say("its log", klogctl(10, NULL, 0) < 0 ? errno : 0);
	say("and file", fd < 0 ? 0 : read(fd, text, sizeof(text)) < 0 ? errno : 0);
	close(fd);
}

/* ---- parts ---- */

static void part_time(void)
{
	struct timespec at = { 0, 0 };
	struct timeval day;
	struct timex timex;
	long looks = 0, begin;

	say("real", time(NULL));
	clock_gettime(CLOCK_REALTIME, &at);
	say("no clock is set", clock_settime(CLOCK_REALTIME, &at) < 0 ? errno : 0);
	memset(&timex, 0, sizeof(timex));
	say("nor steered", adjtimex(&timex));
	say("its time", timex.time.tv_sec);
	timex.modes = ADJ_TICK;
	say("whoever asks", adjtimex(&timex) < 0 ? errno : 0);
	gettimeofday(&day, NULL);
	say("day", day.tv_usec);
	say_of_kernel();
	pause_us(3600000000L);
	say("an hour", time(NULL));
	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec += 5;
	say("until", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL));
	begin = now();
	while (now() < begin + 10000)
		looks++;
	say("looks", looks < 3000);
	begin = now();
	while (now() < begin + 1000)
		sched_yield();
	looks = now() - begin < 1100;
	pause_us(1000000 - now() % 1000000);
	say("yields", looks);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int count;

static void *work(void *data)
{
	long number = (long)(intptr_t)data;

	for (int i = 0; i < 3; i++) {
		pause_us(1000 * number + 100);
		pthread_mutex_lock(&mutex);
		count++;
		say("thread", number * 100 + count);
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	return data;
}

static void part_threads(void)
{
	pthread_t threads[3];
	long sum = 0;

	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)(i + 1));
	pthread_mutex_lock(&mutex);
	while (count < 9) {
		struct timespec until;
		int ret;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 700000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		ret = pthread_cond_timedwait(&condition, &mutex, &until);
		say(ret ? "times out" : "woken", count);
	}
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 3; i++) {
		void *ret;

		pthread_join(threads[i], &ret);
		sum += (long)(intptr_t)ret;
	}
	say("joined", sum);
}

static void part_processes(void)
{
	int there[2], back[2], status;
	char c = 'a';
	pid_t pid;

	if (pipe(there) < 0 || pipe(back) < 0)
		exit(1);
	say("pid", getpid());
	pid = fork();
	if (pid == 0) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1) {
			pause_us(500);
			c++;
			if (write(back[1], &c, 1) != 1)
				_exit(1);
		}
		say("child ends", getppid());
		_exit(3);
	}
	say("child", pid);
	for (int i = 0; i < 3; i++) {
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
		say("got", c);
	}
	close(there[1]);
	say("waited", wait(&status));
	say("status", WEXITSTATUS(status));
	say("no child", wait(&status) < 0 && errno == ECHILD);
	say("system", system("sleep 5; exit 4") >> 8);
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(1);
	}
	pause_us(1000);
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	say("killed", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	pid = fork();
	if (pid == 0)
		abort();
	waitpid(pid, &status, 0);
	say("aborted", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	pid = fork();
	if (pid == 0) {
		pause_us(2000000);
		_exit(0);
	}
	pause_us(1000);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	say("shot", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

static volatile sig_atomic_t signals, last_sender;

static void note(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	signals++;
	last_sender = info->si_pid;
}

void handle(int sig, int flags)
{
	struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | flags };

	sigaction(sig, &action, NULL);
}

static void part_signals(void)
{
	const struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct timespec time = { 1, 0 };
	siginfo_t info;
	sigset_t set, old;
	int ends[2];
	char c;
	pid_t pid;

	handle(SIGALRM, 0);
	setitimer(ITIMER_REAL, &every, NULL);
	say("a sleep is interrupted", nanosleep(&time, &time) < 0 && errno == EINTR);
	setitimer(ITIMER_REAL, &never, NULL);
	say("signals", signals);
	if (pipe(ends) < 0)
		exit(1);
	alarm(2);
	say("a read as well", read(ends[0], &c, 1) < 0 && errno == EINTR);
	handle(SIGALRM, SA_RESTART);
	pid = fork();
	if (pid == 0) {
		pause_us(5000000);
		_exit(write(ends[1], "x", 1) != 1);
	}
	alarm(1);
	say("one that goes on", read(ends[0], &c, 1));
	say("after signals", signals);
	waitpid(pid, NULL, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid == 0) {
		pause_us(300);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	time = (struct timespec){ 5, 0 };
	say("waited for", sigtimedwait(&set, &info, &time));
	waitpid(pid, NULL, 0);
	time = (struct timespec){ 0, 250000000 };
	say("in vain", sigtimedwait(&set, &info, &time) < 0 && errno == EAGAIN);
	handle(SIGUSR1, 0);
	kill(getpid(), SIGUSR1);
	say("blocked", signals);
	sigprocmask(SIG_SETMASK, &old, NULL);
	say("let through", signals);
	raise(SIGUSR1);
	say("raised", signals);
	alarm(3);
	sigemptyset(&set);
	sigsuspend(&set);
	say("suspended", signals);
}

static void part_descriptors(void)
{
	struct itimerspec spec = { { 0, 0 }, { 0, 700000 } };
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 7 };
	struct timeval half = { 0, 500000 };
	struct pollfd at = { .events = POLLIN };
	int timer, epoll, ends[2], counter, sfd;
	struct signalfd_siginfo info;
	uint64_t n = 0;
	sigset_t set;
	fd_set fds;

	if (pipe(ends) < 0)
		exit(1);
	at.fd = ends[0];
	say("poll", poll(&at, 1, 20));
	FD_ZERO(&fds);
	FD_SET(ends[0], &fds);
	say("select", select(ends[0] + 1, &fds, NULL, NULL, &half));
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	timerfd_settime(timer, 0, &spec, NULL);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
	memset(&event, 0, sizeof(event));
	say("epoll", epoll_wait(epoll, &event, 1, 1000));
	say("data", event.data.u32);
	say("timer", read(timer, &n, sizeof(n)) == sizeof(n) ? (long)n : -1);
	say("epoll again", epoll_wait(epoll, &event, 1, 30));
	counter = eventfd(0, 0);
	if (fork() == 0) {
		n = 5;
		pause_us(40);
		_exit(write(counter, &n, sizeof(n)) != sizeof(n));
	}
	say("eventfd", read(counter, &n, sizeof(n)) == sizeof(n) ? (long)n : -1);
	wait(NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sfd = signalfd(-1, &set, 0);
	alarm(1);
	say("signalfd", read(sfd, &info, sizeof(info)) == sizeof(info) ? (long)info.ssi_signo : -1);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	say("nothing", read(ends[0], &n, 1) < 0 && errno == EAGAIN);
}

enum { LARGE = 300000 };

/* More than a pipe or a socket holds: the writer waits for the reader. */
static long pass(int from, int to, pid_t *ret_pid)
{
	static char bytes[LARGE];
	long sum = 0;
	ssize_t n;

	*ret_pid = fork();
	if (*ret_pid == 0) {
		size_t done = 0;

		close(from);
		memset(bytes, 1, sizeof(bytes));
		while (done < sizeof(bytes)) {
			n = write(to, bytes + done, sizeof(bytes) - done);
			if (n <= 0)
				_exit(1);
			done += (size_t)n;
		}
		_exit(0);
	}
	close(to);
	pause_us(1000);
	while ((n = read(from, bytes, 5000)) > 0) {
		pause_us(10);
		sum += n;
	}
	return sum;
}

static void part_streams(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET }, from;
	socklen_t size = sizeof(address);
	int ends[2], listener, fd, status;
	pid_t pid;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (pipe(ends) < 0)
		exit(1);
	say("pipe", pass(ends[0], ends[1], &pid));
	waitpid(pid, &status, 0);
	say("status", status);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		exit(1);
	say("socket", pass(ends[0], ends[1], &pid));
	waitpid(pid, &status, 0);
	say("status", status);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 5) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		char text[8] = "";

		pause_us(2000000);
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		    write(fd, "hello", 5) != 5)
			_exit(1);
		say("answer", read(fd, text, sizeof(text)));
		getsockname(fd, (struct sockaddr *)&address, &size);
		say("from port", ntohs(address.sin_port));
		getpeername(fd, (struct sockaddr *)&address, &size);
		say("to port", ntohs(address.sin_port));
		_exit(0);
	}
	size = sizeof(from);
	fd = accept(listener, (struct sockaddr *)&from, &size);
	if (fd >= 0) {
		char text[8] = "";

		say("port", ntohs(address.sin_port));
		say("from", ntohs(from.sin_port));
		getpeername(fd, (struct sockaddr *)&from, &size);
		say("peer", ntohs(from.sin_port));
		getsockname(fd, (struct sockaddr *)&from, &size);
		say("here", ntohs(from.sin_port));
		say("request", read(fd, text, sizeof(text)));
		pause_us(70);
		say("sent", write(fd, text, 3));
	}
	waitpid(pid, &status, 0);
	say("status", status);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	close(listener);
	say("refused", connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 &&
		       errno == ECONNREFUSED);
}

static volatile sig_atomic_t stopped_in;

static void stop(int sig)
{
	(void)sig;
	stopped_in++;
}

static void *spin(void *data)
{
	while (!stopped_in)
		pause_us(1000);
	return data;
}

/* Signals to one thread, and timers that send them. */
static void part_timers(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	const struct itimerspec spec = { { 0, 2000000 }, { 0, 3000000 } };
	struct sigaction action = { .sa_handler = stop };
	siginfo_t info;
	sigset_t set;
	pthread_t thread;
	timer_t timer;

	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&thread, NULL, spin, NULL);
	pause_us(10000);
	pthread_kill(thread, SIGUSR2);
	pthread_join(thread, NULL);
	say("thread was sent", stopped_in);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	event.sigev_value.sival_int = 42;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		exit(1);
	timer_settime(timer, 0, &spec, NULL);
	for (int i = 0; i < 3; i++) {
		sigwaitinfo(&set, &info);
		say("timer", info.si_value.sival_int);
	}
	timer_delete(timer);
}

static pthread_mutex_t lender;

static void *hold(void *data)
{
	long number = (long)(intptr_t)data;

	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lender);
		say("holds", number);
		pause_us(1000 * number);
		pthread_mutex_unlock(&lender);
		pause_us(100);
	}
	return NULL;
}

/* Mutexes that lend their priority: futexes of another kind. */
static void part_priorities(void)
{
	struct timespec until = { 1700000000, 500000 };
	pthread_mutexattr_t attr;
	pthread_t threads[3];

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	say("made", pthread_mutex_init(&lender, &attr));
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, hold, (void *)(intptr_t)(i + 1));
	pause_us(10);
	say("busy", pthread_mutex_trylock(&lender));
	say("times out", pthread_mutex_timedlock(&lender, &until));
	say("had at last", pthread_mutex_lock(&lender));
	pthread_mutex_unlock(&lender);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	say("free", pthread_mutex_trylock(&lender));
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "time", part_time }, { "threads", part_threads }, { "processes", part_processes },
	{ "signals", part_signals }, { "descriptors", part_descriptors },
	{ "streams", part_streams }, { "shared", part_shared }, { "timers", part_timers },
	{ "files", part_files }, { "locks", part_locks }, { "semaphores", part_semaphores },
	{ "queues", part_queues }, { "priorities", part_priorities },
	{ "senders", part_senders }, { "deaths", part_deaths }, { "cancel", part_cancel },
	{ "sessions", part_sessions }, { "interests", part_interests },
	{ "terminals", part_terminals },
	{ "refusals", part_refusals }, { "paths", part_paths },
	{ "rests", part_rests }, { "children", part_children }, { "many", part_many },
	{ "splices", part_splices }, { "notices", part_notices },
	{ "messages", part_messages }, { "connections", part_connections },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
			parts[i].run();
			return 0;
		}
	}
	fprintf(stderr, "lockstep-foreign: expected the name of a part\n");
	return 2;
}
