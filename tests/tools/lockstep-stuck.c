/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-stuck WAY: a program that does not go on in virtual time, each in its way. To be run by
 * umadrig exec with clock=virtual.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/bare-call.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *other_first(void *data)
{
	(void)data;
	pthread_mutex_lock(&other);
	sleep(2);
	pthread_mutex_lock(&one);
	return NULL;
}

static void deadlock(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, other_first, NULL);
	pthread_mutex_lock(&one);
	sleep(1);
	pthread_mutex_lock(&other);
}

static void read_pipe(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) < 0 || read(ends[0], &byte, 1) < 0)
		exit(1);
}

static void crash(void)
{
	struct rlimit no_core = { 0, 0 };
	volatile char *volatile nowhere = NULL;

	setrlimit(RLIMIT_CORE, &no_core);
	*nowhere = 0;
}

static void call_abort(void)
{
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
	abort();
}

/* As from outside: nothing in this process knows that it comes. */
static void killed(void)
{
	bare_call(SYS_kill, bare_call(SYS_getpid, 0, 0, 0), SIGKILL, 0);
}

/* The kernel's number of the child; programs see another. */
static long kernel_number(void)
{
	char text[64] = "";
	FILE *file = fopen("/proc/thread-self/children", "re");

	if (!file || !fgets(text, sizeof(text), file))
		exit(1);
	fclose(file);
	return strtol(text, NULL, 10);
}

/* As from outside, too: a child that waits, for no moment, and the parent that waits for it. */
static void killed_child(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(1);
	}
	sleep(1);
	bare_call(SYS_kill, kernel_number(), SIGKILL, 0);
	waitpid(child, &status, 0);
	_exit(WIFSIGNALED(status) ? WTERMSIG(status) : 1);
}

/* Without a wait, until a file is there. */
static void compute(void)
{
	while (access("told", F_OK) < 0)
		for (volatile int i = 0; i < 100000; i++)
			continue;
	_exit(0);
}

/* Is a reply of the server in a connection of this process that nobody has asked for? */
static bool has_stale_reply(void)
{
	for (int fd = 3; fd < 4096; fd++) {
		int type = 0;
		socklen_t size = sizeof(type);
		char byte;

		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
		    type == SOCK_SEQPACKET && recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
			return true;
	}
	return false;
}

/* A child that is killed after it has asked the server to move time, before it has the reply. */
static void killed_asking(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_recvfrom, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };
	int status = 0;
	pid_t child;

	sleep(1);	/* so that there is a connection to inherit */
	child = fork();
	if (child == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		/* By libc's functions it would be left out. */
		bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter);
		sleep(1);
		_exit(1);
	}
	waitpid(child, &status, 0);
	_exit(!WIFSIGNALED(status) ? 2 : has_stale_reply() ? 3 : 0);
}

static void no_descriptors(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
	sleep(1);
	_exit(0);
}

static void call(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) < 0)
		exit(1);
	bare_call(SYS_read, ends[0], (long)&byte, 1);
}

#ifdef SYS_poll
/* Three calls that wait, a moment each, in a second thread. */
static void *look_thrice(void *data)
{
	for (int i = 0; i < 3; i++)
		bare_call(SYS_poll, 0, 0, 1);
	return data;
}
#endif

static void look(void)
{
#ifdef SYS_poll
	pthread_t thread;

	pthread_create(&thread, NULL, look_thrice, NULL);
	pthread_join(thread, NULL);
#endif
	exit(0);
}

/* A process that nobody has heard of. */
static void clone_self(void)
{
	long child = bare_call(SYS_clone, SIGCHLD, 0, 0);

	if (child == 0)
		bare_call(SYS_exit_group, 0, 0, 0);
	while (bare_call(SYS_wait4, child, 0, WNOHANG) == 0)
		continue;
	_exit(child > 0 ? 0 : 1);
}

/* What could rid it of the audit, and then a call that waits a moment. */
static void evade(void)
{
#ifdef SYS_poll
	sigset_t all;

	sigfillset(&all);
	signal(SIGSYS, SIG_IGN);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	bare_call(SYS_prctl, 59, 0, 0);	/* PR_SET_SYSCALL_USER_DISPATCH, off */
	bare_call(SYS_poll, 0, 0, 1);
#endif
	_exit(0);
}

#if defined(__x86_64__)
static sigjmp_buf after_fault;

static void leave_fault(int sig)
{
	(void)sig;
	siglongjmp(after_fault, 1);
}

/* Does a fault come to the program's own handler? */
static bool has_own_faults(void)
{
	struct sigaction action = { .sa_handler = leave_fault }, before;

	sigaction(SIGSEGV, &action, NULL);
	if (sigsetjmp(after_fault, 1) == 0)
		*(volatile int *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				      0) = 1;
	sigaction(SIGSEGV, NULL, &before);
	return before.sa_handler == leave_fault;
}

static void *read_cycles(void *data)
{
	unsigned int processor;

	*(uint64_t *)data = __builtin_ia32_rdtscp(&processor);
	return data;
}

/* The processor's clock, in two threads that block all signals; and faults that are their own. */
static void rdtsc(void)
{
	uint64_t first = 0, second = 0, third;
	pthread_t thread;
	sigset_t all;
	bool is_well;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	first = __builtin_ia32_rdtsc();
	pthread_create(&thread, NULL, read_cycles, &second);
	pthread_join(thread, NULL);
	third = __builtin_ia32_rdtsc();
	sigemptyset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	is_well = has_own_faults() && first && first <= second && second <= third;
	exit(!is_well);
}
#else
static void rdtsc(void)
{
	exit(1);
}
#endif

/* The next program is on a kernel that has no syscall user dispatch. */
static void hide_dispatch(char **command)
{
	enum { DISPATCH = 59 };	/* PR_SET_SYSCALL_USER_DISPATCH */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DISPATCH, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0)
		execv(command[0], command);
	_exit(2);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *way;
		void (*go)(void);
	} ways[] = {
		{ "deadlock", deadlock }, { "pipe", read_pipe }, { "crash", crash },
		{ "abort", call_abort }, { "killed", killed }, { "call", call },
		{ "look", look }, { "clone", clone_self }, { "evade", evade },
		{ "rdtsc", rdtsc },
		{ "killed-child", killed_child }, { "compute", compute },
		{ "killed-asking", killed_asking },
		{ "no-descriptors", no_descriptors },
	};

	if (argc > 2 && strcmp(argv[1], "no-dispatch") == 0)
		hide_dispatch(argv + 2);
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(argv[1], ways[i].way) == 0)
			ways[i].go();
	}
	return 1;
}
