/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * thread-restart.c: the thread is traced for a moment, and stopped (ptrace(2)). That ends what it
 * sleeps in, as a signal would; since there is no signal, the kernel has it make the call again.
 */
#include "config.h"

#include "harness/filter/thread-restart.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ptrace.h>

#include "harness/filter/thread-hold.h"
#include "harness/filter/thread-status.h"
#include "lib/words/number.h"

enum { TEXT_SIZE = 256 };

void thread_call_set(struct thread_call *to, const struct seccomp_notif *call)
{
	to->tid = (pid_t)call->pid;
	to->number = call->data.nr;
	for (int i = 0; i < THREAD_CALL_ARGUMENTS; i++)
		to->arguments[i] = call->data.args[i];
}

/* Not known for a thread that is on its way: then it may be. */
static bool may_be_in(const struct thread_call *call)
{
	char text[TEXT_SIZE];
	const char *at = text;
	uint64_t number;

	if (!thread_file_read(call->tid, "syscall", text, sizeof(text)))
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
	int sig;

	if (!may_be_in(call))
		return true;
	if (ptrace(PTRACE_SEIZE, call->tid, 0, 0) < 0)
		return errno == ESRCH;
	if (thread_hold_stop(call->tid, &sig) == 0)
		thread_hold_let_go(call->tid, sig);
	return true;
}
