/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-stuck WAY: a program that does not go on in virtual time, each in its way. To be run by
 * umadrig exec with clock=virtual.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

	setrlimit(RLIMIT_CORE, &no_core);
	__builtin_trap();
}

static void call_abort(void)
{
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
	abort();
}

/* libc's syscall() is known to lock-step; what a program does by itself is not. */
static long bare_call(long number, long first, long second, long third)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(first), "S"(second), "d"(third) :
			 "rcx", "r11", "memory");
	return ret;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = first;
	register long x1 __asm__("x1") = second;
	register long x2 __asm__("x2") = third;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#endif
}

/* As from outside: nothing in this process knows that it comes. */
static void killed(void)
{
	bare_call(SYS_kill, bare_call(SYS_getpid, 0, 0, 0), SIGKILL, 0);
}

static void call(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) < 0)
		exit(1);
	bare_call(SYS_read, ends[0], (long)&byte, 1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *way;
		void (*go)(void);
	} ways[] = {
		{ "deadlock", deadlock }, { "pipe", read_pipe }, { "crash", crash },
		{ "abort", call_abort }, { "killed", killed }, { "call", call },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(argv[1], ways[i].way) == 0)
			ways[i].go();
	}
	return 1;
}
