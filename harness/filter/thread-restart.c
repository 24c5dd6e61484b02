/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * thread-restart.c: the thread is traced for a moment, and stopped (ptrace(2)). That ends what it
 * sleeps in, as a signal would; since there is no signal, the kernel has it make the call again.
 */
#include "config.h"

#include "harness/filter/thread-restart.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/filter/thread-reap.h"
#include "lib/words/number.h"

enum { TEXT_SIZE = 256 };

void thread_call_set(struct thread_call *to, const struct seccomp_notif *call)
{
	to->tid = (pid_t)call->pid;
	to->number = call->data.nr;
	for (int i = 0; i < THREAD_CALL_ARGUMENTS; i++)
		to->arguments[i] = call->data.args[i];
}

static bool read_file(pid_t tid, const char *name, char text[TEXT_SIZE])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, TEXT_SIZE - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Not known for a thread that is on its way: then it may be. */
static bool may_be_in(const struct thread_call *call)
{
	char text[TEXT_SIZE];
	const char *at = text;
	uint64_t number;

	if (!read_file(call->tid, "syscall", text))
		return false;
	/* "NUMBER 0xARGUMENT ...", "running", or "-1 ..." outside of calls. */
	if (number_take(&at, 10, INT_MAX, &number) < 0)
		return strncmp(text, "running", strlen("running")) == 0;
	if ((int)number != call->number)
		return false;
	for (unsigned int i = 0; i < THREAD_CALL_ARGUMENTS; i++) {
		if (*at++ != ' ' || number_take(&at, 0, UINT64_MAX, &number) < 0 ||
		    number != call->arguments[i])
			return false;
	}
	return true;
}

bool thread_restart(const struct thread_call *call)
{
	siginfo_t info = { .si_status = 0 };
	int sig = 0;

	if (!may_be_in(call))
		return true;
	if (ptrace(PTRACE_SEIZE, call->tid, 0, 0) < 0)
		return errno == ESRCH;
	if (ptrace(PTRACE_INTERRUPT, call->tid, 0, 0) < 0) {
		thread_reap(call->tid);
		return true;
	}
	while (waitid(P_PID, (id_t)call->tid, &info, WSTOPPED | __WALL) < 0) {
		if (errno == EINTR)
			continue;
		thread_reap(call->tid);
		return true;
	}
	/* It may have stopped for a signal that came by chance, and is to get it. */
	if (info.si_status >> 8 == 0)
		sig = info.si_status;
	if (ptrace(PTRACE_DETACH, call->tid, 0, sig) < 0)
		thread_reap(call->tid);
	return true;
}
