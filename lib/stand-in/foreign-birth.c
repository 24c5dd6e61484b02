/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-birth.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/foreign-birth.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-children.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-signals.h"
#include "lib/stand-in/foreign-trace.h"

struct birth {
	uint64_t flags;
	uint64_t parent_tid_at, child_tid_at;
	pid_t tid;			/* the kernel's, of the new one */
	int number;			/* the session's, of a thread */
	struct foreign_task *task;
};

enum { STACK_SIZE = 256 << 10 };
enum { OPTIONS = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK };

static int vfork_pipe = -1;		/* the end of it lets the parent go on */

/* ---- the one that is born ---- */

static void *run(void *data)
{
	struct foreign_task *task = data;

	if (task->is_void) {
		task->is_used = false;
		return NULL;
	}
	foreign.run(task);
	return NULL;
}

static void put_number(const struct birth *birth, int number)
{
	if (birth->flags & CLONE_PARENT_SETTID)
		foreign_memory_put(birth->parent_tid_at, &number, sizeof(number));
	if (birth->flags & CLONE_CHILD_SETTID && birth->flags & CLONE_VM)
		foreign_memory_put(birth->child_tid_at, &number, sizeof(number));
}

/* In the new process: it stands for the new one of the foreign program. */
static void be_child(const struct birth *birth)
{
	struct foreign_task *task = birth->task;
	const struct foreign_task own = *task;
	int number = getpid();

	memset(foreign.task, 0, foreign.places * sizeof(*foreign.task));
	foreign.task[0] = own;
	foreign.places = 1;
	foreign_told.count = 0;
	close(foreign.pidfd);
	foreign.pid = birth->tid;
	foreign.pidfd = (int)CALL_2(SYS_pidfd_open, birth->tid, 0);
	foreign.is_child = false;
	foreign.tasks = 1;
	foreign.seized = 0;
	foreign_trace_changed();
	foreign_children_forget();
	foreign_futex_begin_process();
	if (birth->flags & CLONE_CHILD_SETTID)
		foreign_memory_put(birth->child_tid_at, &number, sizeof(number));
	foreign.run(&foreign.task[0]);
}

/*
 * A thread of this process for one that is to be born; it has its turn later. The session's number
 * of it, or -errno.
 */
static int prepare_thread(struct birth *birth)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	birth->task = foreign_task_new(0);
	if (!birth->task)
		return -EAGAIN;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	err = pthread_create(&thread, &attr, run, birth->task);
	pthread_attr_destroy(&attr);
	foreign_signals_take_from_libc();
	if (err)
		birth->task->is_used = false;
	return err ? -err : umadrig_session_tid(thread);
}

/* The session's number of the new one, or -errno. Does not return in a new process. */
static int stand_for_process(const struct birth *birth, int *ret_wait)
{
	int ends[2] = { -1, -1 };
	pid_t pid;

	*ret_wait = -1;
	if (birth->flags & CLONE_VFORK && pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		if (vfork_pipe >= 0)
			close(vfork_pipe);
		vfork_pipe = ends[1];
		if (ends[0] >= 0)
			close(ends[0]);
		be_child(birth);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (pid < 0 && ends[0] >= 0)
		close(ends[0]);
	else
		*ret_wait = ends[0];
	/* Of a process the parent's table has no thread. */
	birth->task->is_used = false;
	if (pid < 0)
		return -errno;
	foreign_children_add(pid, birth->tid);
	return pid;
}

/* ---- the one that makes it ---- */

/* Until the child has another program, or has ended. */
static void wait_for_child(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	close(fd);
}

/* The new one waits in its first call. */
static int meet(struct birth *birth)
{
	birth->tid = foreign_trace_message();
	if (!birth->task)
		birth->task = foreign_task_new(birth->tid);
	if (!birth->task || foreign_trace_release_new(birth->tid) < 0)
		return -EAGAIN;
	birth->task->tid = birth->tid;
	birth->task->is_new = true;
	if (birth->flags & CLONE_CHILD_CLEARTID)
		birth->task->cleared_at = birth->child_tid_at;
	return foreign_call_receive_of(birth->task) ? 0 : -ESRCH;
}

/* The session's number of the new one, or -errno: then it is no more. */
static int stand_for(struct birth *birth)
{
	int wait_fd = -1, number = meet(birth);

	if (number == 0)
		number = birth->number ? birth->number : stand_for_process(birth, &wait_fd);
	if (number > 0 && birth->number)
		foreign.tasks++;
	if (number > 0)
		put_number(birth, number);
	else
		CALL_2(SYS_kill, birth->tid, SIGKILL);
	foreign_trace_go_on();
	if (wait_fd >= 0)
		wait_for_child(wait_fd);
	return number;
}

static long clone_with(struct birth *birth)
{
	int event, number;

	if (birth->flags & CLONE_THREAD) {
		birth->number = prepare_thread(birth);
		if (birth->number < 0)
			return -EAGAIN;
	}
	if (foreign_trace_begin(OPTIONS) < 0)
		return -EPERM;
	foreign_call_go_on();
	event = foreign_trace_wait_or_call();
	if (event <= 0) {
		foreign_self->is_traced = event == 0;
		if (birth->task)
			birth->task->is_void = true;
		return CALL_ANSWERED;
	}
	foreign_trace_interrupt();
	number = stand_for(birth);
	if (foreign_trace_wait() > 0)
		foreign_trace_set_result(number);
	foreign_trace_end();
	return CALL_ANSWERED;
}

/* ---- the calls ---- */

long foreign_birth_clone(void)
{
	struct birth birth = {
		.flags = foreign_argument(0), .parent_tid_at = foreign_argument(2),
#if defined(__x86_64__)
		.child_tid_at = foreign_argument(3),
#else
		.child_tid_at = foreign_argument(4),
#endif
	};

	return clone_with(&birth);
}

long foreign_birth_clone3(void)
{
	struct clone_args args = { .flags = 0 };
	uint64_t size = foreign_argument(1);
	struct birth birth;

	if (foreign_memory_get(foreign_argument(0), &args,
			       size < sizeof(args) ? size : sizeof(args)) < 0)
		return -EFAULT;
	birth = (struct birth){ .flags = args.flags, .parent_tid_at = args.parent_tid,
				.child_tid_at = args.child_tid };
	return clone_with(&birth);
}

long foreign_birth_fork(void)
{
	struct birth birth = { .flags = 0 };

	return clone_with(&birth);
}

long foreign_birth_vfork(void)
{
	struct birth birth = { .flags = CLONE_VFORK | CLONE_VM };

	return clone_with(&birth);
}

long foreign_birth_begin(void)
{
	bool is_new = foreign_self->is_new;

	foreign_self->is_new = false;
	return is_new ? 0 : -ENOSYS;
}

void foreign_birth_let_parent_go(void)
{
	if (vfork_pipe >= 0)
		close(vfork_pipe);
	vfork_pipe = -1;
}
