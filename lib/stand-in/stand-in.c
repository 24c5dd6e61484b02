/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The start of a stand-in, and its threads: see lib/stand-in/foreign-process.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/environment-padding.h"
#include "lib/base/lockstep-variable.h"
#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/foreign-answer.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-end.h"
#include "lib/stand-in/foreign-filter.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-process.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-trace.h"
#include "lib/stand-in/stopped-calls.h"
#include "lib/words/number.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)	/* Linux 6.6 */
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1
#endif

#define PRELOAD "LD_PRELOAD="

enum { STATUS_NOT_STARTED = 127 };

extern char **environ;

/* ---- threads ---- */

/* It makes its call once more. */
static void end_trace(void)
{
	foreign_trace_interrupt();
	foreign_answer(CALL_AGAIN);
	foreign_trace_wait();
	foreign_trace_end();
	foreign_self->is_traced = false;
}

static void __attribute__((noreturn)) run(struct foreign_task *task)
{
	foreign_self = task;
	task->number = (uint32_t)gettid();
	while (foreign_call_receive()) {
		umadrig_session_has_call_of(foreign.pid, foreign_self->tid);
		call_changes_note();
		if (foreign_self->is_traced)
			end_trace();
		else
			stopped_calls_answer();
	}
	foreign_end_process();
}

/* ---- the start ---- */

static bool is_ours(const char *library)
{
	return strstr(library, "libumad") || strstr(library, "libibumad");
}

/* LD_PRELOAD without our libraries, which would be of no use to it; NULL: there are no others. */
static char *other_libraries(const char *variable)
{
	char *list = strdup(variable + strlen(PRELOAD)), *rest = NULL, *ret = NULL;

	for (char *word = list ? strtok_r(list, ": ", &rest) : NULL; word;
	     word = strtok_r(NULL, ": ", &rest)) {
		char *longer;

		if (is_ours(word) ||
		    asprintf(&longer, "%s%s%s", ret ? ret : PRELOAD, ret ? ":" : "", word) < 0)
			continue;
		free(ret);
		ret = longer;
	}
	free(list);
	return ret;
}

/* What the program gets, in the size of all: this one's own libraries look at ours, and later. */
static char **make_environment(struct environment_padding *padding)
{
	size_t count = 0, n = 0;
	char **ret;

	while (environ[count])
		count++;
	ret = calloc(count + ENVIRONMENT_PADDING_VARIABLES + 1, sizeof(*ret));
	for (size_t i = 0; ret && i < count; i++) {
		char *variable = environ[i];

		if (strncmp(variable, LOCKSTEP_VARIABLE "=", sizeof(LOCKSTEP_VARIABLE)) == 0)
			continue;
		if (strncmp(variable, PRELOAD, strlen(PRELOAD)) == 0)
			variable = other_libraries(variable);
		if (variable)
			ret[n++] = variable;
	}
	if (ret)
		environment_pad(ret, padding);
	return ret;
}

/* Where the child says what number its listener has: a stopped call could not. */
struct report {
	int fd;		/* 0: not so far; else the number + 1, or -errno */
};

/* In the child, by system calls alone: its first one that is stopped is execve(2). */
static void be_foreign(volatile struct report *report, char **argv, char **env)
{
	int fd;

	CALL_5(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	fd = foreign_filter_install();
	report->fd = fd < 0 ? fd : fd + 1;
	if (fd >= 0)
		CALL_3(SYS_execve, argv[1], argv + 2, env);
	CALL_1(SYS_exit_group, STATUS_NOT_STARTED);
}

static void refuse(const char *program, const char *why, int err)
{
	dprintf(2, "umadrig: %s cannot be put into virtual time: %s (%s)\n", program, why,
		strerror(-err));
	_exit(STATUS_NOT_STARTED);
}

static int await_listener(volatile struct report *report, const char *program)
{
	int fd;

	while (report->fd == 0)
		CALL_0(SYS_sched_yield);
	if (report->fd < 0)
		refuse(program, "it makes its system calls past libc, and the kernel stops none of "
		       "them, which takes Linux 5.19 or later", report->fd);
	fd = (int)CALL_3(SYS_pidfd_getfd, foreign.pidfd, report->fd - 1, 0);
	if (fd < 0)
		refuse(program, "it makes its system calls past libc, and pidfd_getfd(2) is "
		       "refused, as containers do: start this one with --cap-add=SYS_PTRACE", fd);
	return fd;
}

static void start(char **argv)
{
	static struct environment_padding padding;
	volatile struct report *report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long wakes = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;
	char **env = make_environment(&padding);

	if (report == MAP_FAILED || !env)
		refuse(argv[1], "there is no memory", -errno);
	foreign.pid = (pid_t)CALL_5(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (foreign.pid == 0)
		be_foreign(report, argv, env);
	if (foreign.pid < 0)
		refuse(argv[1], "there is no room for its process", foreign.pid);
	foreign.is_child = true;
	foreign.pidfd = (int)CALL_2(SYS_pidfd_open, foreign.pid, 0);
	foreign.listener = await_listener(report, argv[1]);
	/* Linux 6.6: the answer has the other one run on this processor. */
	CALL_3(SYS_ioctl, foreign.listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, wakes);
	munmap((void *)(uintptr_t)report, sizeof(*report));
	free(env);
}

/*
 * What was inherited is the foreign program's alone: others wait for the end of its pipes. What is
 * ours closes with exec. Lines for people go on where they leave the session.
 */
static void close_inherited(void)
{
	struct stat st;
	bool says = umadrig_session_leads_out(2) ||
		    (fstat(2, &st) == 0 && S_ISREG(st.st_mode));
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	uint64_t fd;

	while (directory && (entry = readdir(directory))) {
		if (number_parse_decimal(entry->d_name, 0, INT_MAX, &fd) < 0 ||
		    fcntl((int)fd, F_GETFD) != 0)
			continue;
		if (fd > 2)
			CALL_1(SYS_close, fd);
		else if (fd < 2 || !says)
			CALL_3(SYS_dup3, null, fd, 0);
	}
	if (directory)
		closedir(directory);
	close(null);
}

/* A copy of each descriptor that the program polls is open here, whatever its own limit is then. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* umadrig-stand-in PROGRAM ARGUMENT...: the arguments begin with the program's own name. */
int main(int argc, char **argv)
{
	struct foreign_task *task;

	if (argc < 3 || !umadrig_session_name) {
		dprintf(2, "umadrig-stand-in: umadrig exec starts this program, with "
			"clock=virtual, in the place of others\n");
		return 2;
	}
	umadrig_session_name(argv[1]);
	if (foreign_futex_setup() < 0)
		refuse(argv[1], "there is no memory", -errno);
	start(argv);
	close_inherited();
	raise_limit();
	foreign_signals_begin();
	task = foreign_task_new(foreign.pid);
	foreign.tasks = 1;
	foreign.run = run;
	run(task);
}
