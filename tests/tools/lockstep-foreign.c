/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-foreign PART: waits in every way, and says what it sees of time. It is built with
 * umadrig's library in front of libc, and so that no library can be; both print the same.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
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
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/klog.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Since the session's start, in us: the machine is then up for 1000 s. */
static long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (at.tv_sec - 1000) * 1000000L + at.tv_nsec / 1000;
}

static void say(const char *what, long value)
{
	printf("%ld %s %ld\n", now(), what, value);
	fflush(stdout);
}

static void pause_us(long us)
{
	const struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

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

static void handle(int sig, int flags)
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
	struct sockaddr_in address = { .sin_family = AF_INET };
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
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	if (fd >= 0) {
		char text[8] = "";

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

/* Across processes, by a word in shared memory; and a FIFO. */
static void part_shared(void)
{
	struct {
		pthread_mutex_t mutex;
		pthread_cond_t condition;
		int is_set;
	} *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t mutex_attr;
	pthread_condattr_t condition_attr;
	char name[] = "fifo";
	int fd;
	pid_t pid;

	pthread_mutexattr_init(&mutex_attr);
	pthread_mutexattr_setpshared(&mutex_attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &mutex_attr);
	pthread_condattr_init(&condition_attr);
	pthread_condattr_setpshared(&condition_attr, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->condition, &condition_attr);
	pid = fork();
	if (pid == 0) {
		pause_us(4000000);
		pthread_mutex_lock(&shared->mutex);
		shared->is_set = 1;
		pthread_cond_signal(&shared->condition);
		pthread_mutex_unlock(&shared->mutex);
		_exit(0);
	}
	pthread_mutex_lock(&shared->mutex);
	while (!shared->is_set)
		pthread_cond_wait(&shared->condition, &shared->mutex);
	pthread_mutex_unlock(&shared->mutex);
	say("shared", shared->is_set);
	waitpid(pid, NULL, 0);
	unlink(name);
	if (mkfifo(name, 0600) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		pause_us(6000000);
		fd = open(name, O_WRONLY);
		_exit(write(fd, "x", 1) != 1);
	}
	fd = open(name, O_RDONLY);
	say("fifo", read(fd, name, 1));
	waitpid(pid, NULL, 0);
	unlink("fifo");
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

/* Ns from the session's start to a file's time. */
static void say_time(const char *what, const struct stat *st)
{
	say(what, (st->st_mtim.tv_sec - 1700000000) * 1000000000 + st->st_mtim.tv_nsec);
}

static void say_file(const char *what, const char *path)
{
	struct stat st = { .st_mode = 0 };

	if (lstat(path, &st) < 0)
		say(what, -errno);
	else
		say_time(what, &st);
}

/* Times of files: what is made, written, cut off, and set, after a second each. */
static void part_files(void)
{
	const struct timespec times[2] = { { 1, 0 }, { 1600000000, 5 } };
	struct stat st;
	int fd, end;

	unlink("a-file");
	unlink("a-link");
	rmdir("a-directory");
	fd = open("a-file", O_RDWR | O_CREAT, 0600);
	say_file("made", "a-file");
	pause_us(1000000);
	close(open("a-file", O_RDWR | O_CREAT, 0600));
	say_file("opened", "a-file");
	say("written", write(fd, "abc", 3));
	say_file("then", "a-file");
	pause_us(1000000);
	say("written in place", pwrite(fd, "abc", 3, 7));
	say("looked at", fstat(fd, &st));
	say_time("then", &st);
	pause_us(1000000);
	say("cut off", ftruncate(fd, 1));
	say_file("then", "a-file");
	pause_us(1000000);
	say("cut off by name", truncate("a-file", 2));
	say_file("then", "a-file");
	pause_us(1000000);
	end = open("a-file", O_RDONLY | O_TRUNC);
	say("emptied", fstatat(AT_FDCWD, "a-file", &st, 0));
	say_time("then", &st);
	say("not written", write(end, "x", 1) < 0 ? errno : 0);
	close(end);
	say_file("then", "a-file");
	pause_us(1000000);
	say("set", futimens(fd, times));
	say_file("then", "a-file");
	pause_us(1000000);
	say("a directory", mkdir("a-directory", 0700));
	say_file("then", "a-directory");
	pause_us(1000000);
	say("not again", mkdir("a-directory", 0700) < 0 ? errno : 0);
	say_file("then", "a-directory");
	say("a link", symlink("a-file", "a-link"));
	say_file("then", "a-link");
	say("what it leads to", stat("a-link", &st));
	say_time("then", &st);
	say_file("none", "no-file");
	say("by descriptor", fstatat(fd, "", &st, AT_EMPTY_PATH));
	say_time("then", &st);
	close(fd);
	unlink("a-file");
	unlink("a-link");
	rmdir("a-directory");
}

static struct flock lock_of(short type, off_t start, off_t size)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = start,
			       .l_len = size };
}

/* A child that has locked what 'lock' says, for a time. */
static pid_t lock_in_child(const char *path, int command, struct flock lock, long us)
{
	int ready[2];
	char c = 'x';
	pid_t pid;

	if (pipe(ready) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_RDWR);

		if (fcntl(fd, command, &lock) < 0 || write(ready[1], &c, 1) != 1)
			_exit(1);
		pause_us(us);
		_exit(0);
	}
	if (read(ready[0], &c, 1) != 1)
		exit(1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void part_locks(void)
{
	struct flock all = lock_of(F_WRLCK, 0, 0), head = lock_of(F_WRLCK, 0, 10);
	struct flock shared = lock_of(F_RDLCK, 0, 20), tail = lock_of(F_WRLCK, 10, 10);
	int fd = open("a-lock", O_RDWR | O_CREAT, 0600), status;
	pid_t pid;

	pid = lock_in_child("a-lock", F_SETLK, head, 2000000);
	say("beside it", fcntl(fd, F_SETLKW, &tail));
	say("waited", fcntl(fd, F_SETLKW, &head));
	waitpid(pid, &status, 0);
	say("status", status);
	say("shared", fcntl(fd, F_SETLKW, &shared));
	pid = lock_in_child("a-lock", F_SETLK, shared, 3000000);
	say("both read", fcntl(fd, F_SETLKW, &shared));
	say("and then one writes", fcntl(fd, F_SETLKW, &all));
	waitpid(pid, &status, 0);
	all.l_type = F_UNLCK;
	say("let go", fcntl(fd, F_SETLKW, &all));
	all.l_type = F_WRLCK;
	pid = lock_in_child("a-lock", F_OFD_SETLK, all, 500000);
	say("an open file's", fcntl(fd, F_OFD_SETLKW, &all));
	waitpid(pid, &status, 0);
	handle(SIGALRM, 0);
	all.l_type = F_UNLCK;
	fcntl(fd, F_OFD_SETLK, &all);
	all.l_type = F_WRLCK;
	pid = lock_in_child("a-lock", F_SETLK, all, 9000000);
	alarm(4);
	say("interrupted", fcntl(fd, F_SETLKW, &all) < 0 && errno == EINTR);
	waitpid(pid, &status, 0);
	close(fd);
	unlink("a-lock");
}

struct message {
	long type;
	char text[16];
};

static void part_semaphores(void)
{
	int set = semget(IPC_PRIVATE, 2, 0600);
	struct sembuf take = { 0, -1, 0 }, give = { 0, 2, 0 }, zero = { 0, 0, 0 };
	struct sembuf never = { 0, -1, IPC_NOWAIT };
	struct sembuf both[2] = { { 0, -1, 0 }, { 1, -1, IPC_NOWAIT } };
	struct timespec second = { 1, 0 };
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		pause_us(3000000);
		semop(set, &give, 1);
		pause_us(1000000);
		take.sem_flg = SEM_UNDO;
		semop(set, &take, 1);
		pause_us(1000000);
		_exit(0);
	}
	say("not at once", semop(set, &never, 1) < 0 ? errno : 0);
	say("in a second", semtimedop(set, &take, 1, &second) < 0 ? errno : 0);
	say("nor with another, that may not wait", semop(set, both, 2) < 0 ? errno : 0);
	say("taken", semop(set, &take, 1));
	say("none left", semop(set, &zero, 1));
	say("undone", semop(set, &take, 1));
	waitpid(pid, &status, 0);
	pid = fork();
	if (pid == 0) {
		pause_us(2000000);
		_exit(semctl(set, 0, IPC_RMID) < 0);
	}
	say("removed", semop(set, &take, 1) < 0 ? errno : 0);
	waitpid(pid, &status, 0);
	say("status", status);
}

static void part_queues(void)
{
	int queue = msgget(IPC_PRIVATE, 0600), n = 0, status;
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 16 };
	struct message message = { 3, "hello" };
	struct timespec until = { 1700000100, 0 };
	unsigned int priority = 0;
	char text[16] = "";
	pid_t pid;
	mqd_t mq;

	pid = fork();
	if (pid == 0) {
		pause_us(2000000);
		msgsnd(queue, &message, 6, 0);
		pause_us(2000000);
		for (int i = 0; i < 20000; i++)
			n += (int)msgrcv(queue, &message, sizeof(message.text), 5, 0) == 16;
		say("read", n);
		_exit(0);
	}
	say("none of it",
	    msgrcv(queue, &message, sizeof(message.text), 0, IPC_NOWAIT) < 0 ? errno : 0);
	say("room for a gigabyte", msgrcv(queue, &message, (size_t)1 << 30, 3, 0));
	say("less than none", msgrcv(queue, &message, (size_t)-1, 3, 0) < 0 ? errno : 0);
	say("type", message.type);
	message.type = 5;
	for (int i = 0; i < 20000; i++)
		n += msgsnd(queue, &message, sizeof(message.text), 0) == 0;
	say("sent", n);
	waitpid(pid, &status, 0);
	msgctl(queue, IPC_RMID, NULL);
	snprintf(text, sizeof(text), "/umad%d", getpid());
	mq_unlink(text);
	mq = mq_open(text, O_RDWR | O_CREAT, 0600, &attr);
	mq_unlink(text);
	if (mq == (mqd_t)-1 && (errno == ENOSYS || errno == EACCES)) {
		say("no queues here", 0);
		return;
	}
	pid = fork();
	if (pid == 0) {
		pause_us(1000000);
		mq_send(mq, "one", 3, 1);
		pause_us(1000000);
		mq_send(mq, "four", 4, 4);
		mq_send(mq, "two", 3, 2);
		mq_send(mq, "three", 5, 3);
		say("all sent", 0);
		_exit(0);
	}
	say("mq", mq_receive(mq, text, sizeof(text), &priority));
	say("priority", priority);
	pause_us(3000000);
	for (int i = 0; i < 3; i++) {
		say("mq", mq_receive(mq, text, sizeof(text), &priority));
		say("priority", priority);
	}
	waitpid(pid, &status, 0);
	say("in vain", mq_timedreceive(mq, text, (size_t)1 << 30, NULL, &until) < 0 ? errno : 0);
	mq_close(mq);
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
