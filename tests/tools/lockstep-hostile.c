/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-hostile WHAT: makes system calls that no library would, and more than there is room for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALL(...) printf("errno %d\n", syscall(__VA_ARGS__) < 0 ? errno : 0)

static void *become_date(void *data)
{
	sleep(1);
	execl("/bin/date", "date", "+%s", NULL);
	return data;
}

static void *sleep_a_while(void *data)
{
	sleep(3);
	return data;
}

/* A thread that is not the first one, beside others that wait for a time. */
static void other_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_a_while, NULL);
	pthread_create(&thread, NULL, become_date, NULL);
	sleep(2);
	sleep(60);
}

static void *wait_for_ever(void *data)
{
	for (;;)
		pause();
	return data;
}

/* Memory that is not there; and the numbers that a stand-in has its own calls under. */
static void addresses(void)
{
	CALL(SYS_clock_gettime, 1, 8);
	CALL(SYS_ppoll, 8, 3, 0, 0, 8);
	CALL(SYS_nanosleep, 8, 0);
	CALL(SYS_read, 999, 8, 8);
	CALL(SYS_futex, 3, 0, 0, 0);
	CALL(SYS_clone3, 8, 88);
	CALL(SYS_pselect6, 8, 8, 0, 0, 0, 0);
	CALL(1000);
}

static void splices(void)
{
	const long all = -1;
	int ends[2], zero = open("/dev/zero", O_RDONLY);

	if (pipe(ends) < 0)
		return;
	CALL(SYS_sendfile, ends[1], zero, 8, all);
	CALL(SYS_splice, zero, 8, ends[1], 0, all, 0);
	CALL(SYS_splice, 999, 0, 998, 0, all, 0);
	CALL(SYS_tee, ends[0], 999, all, 0);
	CALL(SYS_vmsplice, 999, 8, all, 0);
	CALL(SYS_vmsplice, ends[1], 8, 1, 0);
	CALL(SYS_vmsplice, ends[1], 8, all, 0);
	CALL(SYS_readv, open("/proc/self/stat", O_RDONLY), 8, 1);
	CALL(SYS_readv, open("/proc/self/stat", O_RDONLY), 8, 1024);
}

/* To the kernel what is to be called is a number. */
static void notices(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 1, 0 } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_signo = SIGUSR1 };
	struct mq_attr small = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	char name[32];
	int timer = 0, n = 0;

	signal(SIGUSR1, SIG_IGN);
	event.sigev_notify_function = (void *)8;
	CALL(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
	CALL(SYS_timer_settime, timer, 0, &soon, 0);
	sleep(2);
	CALL(SYS_timer_delete, timer);
	CALL(SYS_mq_notify, 999, 0);
	CALL(SYS_mq_notify, 999, 8);
	event.sigev_notify = SIGEV_SIGNAL;
	for (int i = 0; i < 66; i++) {
		int queue;

		snprintf(name, sizeof(name), "/hostile-%d", i);
		queue = mq_open(name, O_CREAT | O_RDWR, 0600, &small);
		mq_unlink(name);
		if (queue < 0) {	/* there are none here */
			n = 64;
			break;
		}
		n += syscall(SYS_mq_notify, queue, &event) == 0;
	}
	printf("66 queues ask for a signal, %d of them get one\n", n);
}

/* With credentials, whose control data claim what they are not. */
static void messages(void)
{
	union {
		char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} control = { .header = { CMSG_LEN(sizeof(struct ucred)), SOL_SOCKET, SCM_CREDENTIALS } };
	struct ucred own = { getpid(), getuid(), getgid() };
	struct iovec part = { "x", 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *second;
	int ends[2], yes = 1;

	memcpy(CMSG_DATA(&control.header), &own, sizeof(own));
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	second = (struct cmsghdr *)(control.bytes + CMSG_SPACE(sizeof(struct ucred)));
	*second = (struct cmsghdr){ (size_t)-1, SOL_SOCKET, SCM_RIGHTS };
	CALL(SYS_sendmsg, ends[0], &message, 0);
	control.header.cmsg_len = (size_t)-1;
	CALL(SYS_sendmsg, ends[0], &message, 0);
	control.header.cmsg_type = SCM_RIGHTS;
	CALL(SYS_sendmsg, ends[0], &message, 0);
	control.header.cmsg_type = SCM_CREDENTIALS;
	control.header.cmsg_len = CMSG_LEN(sizeof(struct ucred));
	second->cmsg_len = CMSG_LEN(sizeof(int));
	*(int *)CMSG_DATA(second) = 999;
	CALL(SYS_sendmsg, ends[0], &message, 0);
	message.msg_controllen = CMSG_SPACE(sizeof(own));
	part.iov_base = (void *)8;
	part.iov_len = (size_t)-1 >> 1;
	CALL(SYS_sendmsg, ends[0], &message, 0);
	CALL(SYS_recvmsg, ends[1], 8, MSG_WAITALL);
	if (write(ends[0], "x", 1) == 1)
		CALL(SYS_recvmsg, ends[1], &message, MSG_WAITALL);
	if (write(ends[0], "x", 1) == 1)
		CALL(SYS_recvfrom, ends[1], 8, 1, MSG_WAITALL, 0, 0);
	yes = -1;
	CALL(SYS_getsockopt, ends[1], SOL_SOCKET, SO_PEERCRED, &own, &yes);
}

static void refused_clone(void)
{
	pid_t pid;

	CALL(SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
	CALL(SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
	sleep(1);
	pid = fork();
	if (pid == 0)
		_exit(0);
	printf("a child %d\n", waitpid(pid, NULL, 0) == pid);
}

static void execute(void)
{
	char *none[] = { NULL };

	CALL(SYS_execve, "/nonexistent", none, none);
	CALL(SYS_execve, "/nonexistent", none, none);
	sleep(1);
	execl("/bin/date", "date", "+%s", NULL);
}

static void other_program(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_ever, NULL);
	sleep(1);
	execl("/bin/date", "date", "+%s", NULL);
}

static void threads(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int n = 0, err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 16);
	while (n < 3000 && !err) {
		err = pthread_create(&thread, &attr, wait_for_ever, NULL);
		n++;
	}
	printf("refused with %d, more than 1000: %d\n", err, n > 1000);
}

/* What no kernel has so far, and what the stand-in does not know. */
static void past(void)
{
	static const char name[] = "past";

	CALL(1020);
	CALL(1020);
	CALL(SYS_ioprio_get, 99, 0);
	CALL(SYS_fcntl, 0, F_GETFD);
	printf("a file is locked %d\n", flock(open(name, O_CREAT | O_RDWR, 0600), LOCK_EX));
}

/* Computes until somebody beyond the session writes into the file "flag". */
static void compute(void)
{
	const volatile char *flag = mmap(NULL, 1, PROT_READ, MAP_SHARED, open("flag", O_RDONLY), 0);

	while (*flag == '0')
		;
	printf("computed until %ld\n", (long)time(NULL));
}

static void children(void)
{
	int n = 0;

	while (n < 600) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			break;
		n++;
	}
	printf("%d children\n", n);
}

static void on_child(int sig)
{
	(void)sig;
}

/* It ends by a signal, and would like to know of children. */
static void die(void)
{
	const struct sigaction action = { .sa_handler = on_child };

	sigaction(SIGCHLD, &action, NULL);
	raise(SIGTERM);
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "addresses", addresses }, { "splices", splices }, { "notices", notices },
	{ "messages", messages },
	{ "clone", refused_clone }, { "execute", execute },
	{ "thread", other_program }, { "other thread", other_thread },
	{ "threads", threads }, { "children", children }, { "past", past },
	{ "compute", compute }, { "die", die },
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(*parts); i++) {
		if (strcmp(argv[1], parts[i].name) == 0) {
			parts[i].run();
			return 0;
		}
	}
	return *(volatile int *)8;
}
