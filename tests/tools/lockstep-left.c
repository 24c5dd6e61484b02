/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-left: what calls leave in registers and on the stack in virtual time, a row each (TAP).
 * To be run by umadrig exec with clock=virtual, so that each is called for the first time. The
 * kernel's number of a thread is not to be there: it differs from run to run, and programs that
 * send memory that they have not set would send it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/bare-call.h"

enum {
	DEPTH = 16384,		/* so much of the stack below a call is looked at */
	SMALL = 2003,		/* numbers below this one may be there for other reasons */
	REGISTERS = 18,
};

/* Not as it is: what looks for it would leave it behind. */
static volatile uint32_t inverted;
static uint64_t registers[REGISTERS];

/* What functions need not preserve, before the compiler needs it. */
#if defined(__x86_64__)
#define KEEP_REGISTERS() \
	__asm__ volatile("movq %%rax, 0+%0; movq %%rcx, 8+%0; movq %%rdx, 16+%0;" \
			 "movq %%rsi, 24+%0; movq %%rdi, 32+%0; movq %%r8, 40+%0;" \
			 "movq %%r9, 48+%0; movq %%r10, 56+%0; movq %%r11, 64+%0" \
			 : "=o"(registers) : : "memory")
#elif defined(__aarch64__)
#define KEEP_REGISTERS() \
	do { \
		register uint64_t *to __asm__("x19") = registers; \
		\
		__asm__ volatile("stp x0, x1, [%0]; stp x2, x3, [%0, 16]; stp x4, x5, [%0, 32];" \
				 "stp x6, x7, [%0, 48]; stp x8, x9, [%0, 64];" \
				 "stp x10, x11, [%0, 80]; stp x12, x13, [%0, 96];" \
				 "stp x14, x15, [%0, 112]; stp x16, x17, [%0, 128]" \
				 : : "r"(to) : "memory"); \
	} while (0)
#else
#define KEEP_REGISTERS() ((void)0)
#endif

static bool is_number(uint64_t value)
{
	return (value ^ inverted) == UINT32_MAX;
}

static void __attribute__((noinline)) paint(void)
{
	uint32_t below[DEPTH / 4];

	memset(below, 0xa5, sizeof(below));
	__asm__ volatile("" : : "r"(below) : "memory");
}

/* The depth at which the number is; 0: it is not there. As far as the compiler knows, it is set. */
static size_t __attribute__((noinline)) depth(void)
{
	uint32_t below[DEPTH / 4];

	__asm__ volatile("" : "=m"(below));
	for (size_t i = 0; i < DEPTH / 4; i++) {
		if (is_number(below[i]))
			return DEPTH - 4 * i;
	}
	return 0;
}

static unsigned int rows, failed;

static void row(const char *name, size_t at)
{
	unsigned int found = REGISTERS;

	for (unsigned int i = 0; i < REGISTERS; i++) {
		if (is_number(registers[i]))
			found = i;
	}
	if (at)
		printf("# %s leaves it on the stack, %zu octets below\n", name, at);
	if (found < REGISTERS)
		printf("# %s leaves it in register %u of %d\n", name, found, REGISTERS);
	rows++;
	failed += at || found < REGISTERS;
	printf("%sok %u - %s\n", at || found < REGISTERS ? "not " : "", rows, name);
}

/* Twice: ld.so looks a function up when it is called first, and leaves more then. */
#define LEAVES(name, call) \
	for (int i = 0; i < 2; i++) { \
		size_t at; \
		\
		paint(); \
		call; \
		KEEP_REGISTERS(); \
		at = depth(); \
		row(i == 0 ? name : name ", again", at); \
	}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *nothing(void *data)
{
	return data;
}

static void ends(pid_t pid)
{
	if (pid == 0)
		_exit(0);
}

static void locks(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attr);
	LEAVES("pthread_mutex_lock", pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex));
	LEAVES("pthread_mutex_lock of a recursive one", pthread_mutex_lock(&recursive));
	LEAVES("pthread_mutex_unlock of a recursive one", pthread_mutex_unlock(&recursive));
	LEAVES("pthread_cond_signal", pthread_cond_signal(&cond));
	LEAVES("pthread_rwlock_rdlock", pthread_rwlock_rdlock(&rwlock));
	LEAVES("pthread_rwlock_unlock of a reader", pthread_rwlock_unlock(&rwlock));
	LEAVES("pthread_rwlock_wrlock",
	       pthread_rwlock_wrlock(&rwlock); pthread_rwlock_unlock(&rwlock));
}

static void waits(void)
{
	struct timespec passed = { 1, 0 }, tick = { 0, 1000 };
	pthread_t thread;
	sem_t sem;

	sem_init(&sem, 0, 2);
	pthread_mutex_lock(&mutex);
	LEAVES("pthread_cond_timedwait", pthread_cond_timedwait(&cond, &mutex, &passed));
	pthread_mutex_unlock(&mutex);
	LEAVES("sem_wait", sem_wait(&sem));
	LEAVES("nanosleep", nanosleep(&tick, NULL));
	LEAVES("pthread_create",
	       pthread_create(&thread, NULL, nothing, NULL); pthread_join(thread, NULL));
}

static void signals(void)
{
	const union sigval value = { 0 };

	signal(SIGUSR1, SIG_IGN);
	LEAVES("pthread_kill", pthread_kill(pthread_self(), 0));
	LEAVES("pthread_sigqueue", pthread_sigqueue(pthread_self(), SIGUSR1, value));
	LEAVES("raise", raise(SIGUSR1));
	LEAVES("kill", kill(getpid(), SIGUSR1));
}

static void processes(void)
{
	LEAVES("fork", ends(fork()));
	LEAVES("waitpid", waitpid(-1, NULL, 0));
	LEAVES("system", if (system("true") != 0) _exit(99));
	LEAVES("getppid", getppid());
}

static void numbers(void)
{
	struct timeval tv;
	char text[64];

	LEAVES("getpid", getpid());
	LEAVES("gettid", gettid());
	LEAVES("gettimeofday", gettimeofday(&tv, NULL));
	LEAVES("snprintf", snprintf(text, sizeof(text), "%d.%d", getpid(), rows));
}

static void names(void)
{
	char name[32];
	struct stat st;
	DIR *directory = opendir("/proc");

	snprintf(name, sizeof(name), "/proc/%d", getpid());
	LEAVES("stat", if (stat(name, &st) < 0) _exit(99));
	LEAVES("open", close(open(name, O_RDONLY)));
	LEAVES("readlink", if (readlink("/proc/self", name, sizeof(name)) < 0) _exit(99));
	LEAVES("readdir", while (directory && readdir(directory)) continue);
}

/* The kernel's number of this process; 0: it is one of those that mean nothing. */
static int kernel_number(void)
{
	char link[16] = "";
	ssize_t n = bare_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self", (long)link,
			       sizeof(link) - 1);
	int number = n > 0 ? atoi(link) : 0;

	memset(link, 0, sizeof(link));
	return number >= SMALL && abs(number - getpid()) > 100 ? number : 0;
}

/* Leaves the number nowhere but in 'inverted'. */
static bool __attribute__((noinline)) note_number(void)
{
	int number = kernel_number();

	inverted = ~(uint32_t)number;
	return number != 0;
}

static int child(void)
{
	if (!note_number())
		return 2;
	locks();
	waits();
	signals();
	processes();
	numbers();
	names();
	printf("1..%u\n", rows);
	fflush(stdout);
	return failed ? 1 : 0;
}

/* Bare systems begin to count at 1. */
int main(void)
{
	for (int tries = 0; tries < SMALL + 10; tries++) {
		pid_t pid = fork();
		int status = 0;

		if (pid < 0)
			return 99;
		if (pid == 0)
			_exit(child());
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
			return 99;
		if (WEXITSTATUS(status) != 2)
			return WEXITSTATUS(status);
	}
	return 99;
}
