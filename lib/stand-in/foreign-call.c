/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-call.h. */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-memory.h"

/* ---- receiving ---- */

static struct foreign_task *task_of(pid_t tid)
{
	for (unsigned int i = 0; i < foreign.places; i++) {
		if (foreign.task[i].is_used && !foreign.task[i].has_ended &&
		    foreign.task[i].tid == tid)
			return &foreign.task[i];
	}
	return NULL;
}

/* One more call, of any thread. False: the process has ended, or the kernel has no call for us. */
static bool receive_any(void)
{
	struct pollfd at[] = {
		{ .fd = foreign.listener, .events = POLLIN },
		{ .fd = foreign.pidfd, .events = POLLIN },
	};
	struct seccomp_notif call;
	struct foreign_task *task;
	long ret;

	CALL_5(SYS_ppoll, at, 2, NULL, NULL, 8);
	if (!(at[0].revents & POLLIN))
		return !(at[1].revents || at[0].revents);
	memset(&call, 0, sizeof(call));
	ret = CALL_3(SYS_ioctl, foreign.listener, SECCOMP_IOCTL_NOTIF_RECV, &call);
	if (ret < 0)
		return ret == -ENOENT || ret == -EINTR;
	task = task_of((pid_t)call.pid);
	if (task) {
		task->call = call;
		task->has_call = true;
	}
	return true;
}

bool foreign_call_receive_of(struct foreign_task *task)
{
	if (task->has_ended) {
		task->is_used = false;
		pthread_exit(NULL);
	}
	while (!task->has_call) {
		if (!receive_any())
			return false;
	}
	return true;
}

bool foreign_call_receive(void)
{
	return foreign_call_receive_of(foreign_self);
}

/* ---- answering ---- */

static void send_answer(struct seccomp_notif_resp *answer)
{
	answer->id = foreign_self->call.id;
	foreign_self->has_call = false;
	/* A thread that was killed meanwhile takes no answer: the next wait sees its end. */
	CALL_3(SYS_ioctl, foreign.listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
}

void foreign_call_answer(long result)
{
	struct seccomp_notif_resp answer = { .id = 0 };

	if (result < 0 && result >= -4095)
		answer.error = (int)result;
	else
		answer.val = result;
	send_answer(&answer);
}

long foreign_call_result(long ret)
{
	return ret == -1 ? -errno : ret;
}

long foreign_call_restarting(long ret)
{
	return ret == -1 && errno == EINTR ? CALL_RESTARTS : foreign_call_result(ret);
}

long foreign_call_with(long ret, uint64_t at, const void *bytes, size_t size)
{
	if (ret == -1)
		return -errno;
	return at && foreign_memory_put(at, bytes, size) < 0 ? -EFAULT : ret;
}

void foreign_call_go_on(void)
{
	struct seccomp_notif_resp answer = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };

	send_answer(&answer);
}

int foreign_call_put_descriptor(int fd, bool closes_on_exec)
{
	struct seccomp_notif_addfd put = {
		.id = foreign_self->call.id, .srcfd = (uint32_t)fd,
		.newfd_flags = closes_on_exec ? 02000000 : 0,	/* O_CLOEXEC */
	};

	return (int)CALL_3(SYS_ioctl, foreign.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &put);
}

long foreign_call_descriptor(int fd, bool closes_on_exec)
{
	int ret = fd < 0 ? -errno : foreign_call_put_descriptor(fd, closes_on_exec);

	if (fd >= 0)
		close(fd);
	return ret;
}
