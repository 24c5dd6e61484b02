/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/filter-listener.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/seccomp-abi.h"
#include "harness/filter/thread-hold.h"
#include "harness/filter/supervisor-turn.h"
#include "lib/base/monotonic.h"

/*
 * Linux before 5.19 lets a signal end the wait for an answer, and the call then comes again once
 * the signal's handler has returned. What was done for the first must not be done for the second.
 * So the thread is held before it is done; or, where another process traces it, the second gets the
 * answer that found nobody. (That is not always known: a thread that a signal has woken, and that
 * has not said so yet, takes no answer, but the kernel does.)
 */
struct orphan {
	uint32_t tid;	/* 0: none */
	struct seccomp_data data;
	int64_t value;
	int64_t since_ns;
};

enum { ORPHANS = 64 };
/* A handler that never returned (siglongjmp(3)) must not cost a later call that is the same. */
#define ORPHAN_LIFE_NS INT64_C(1000000000)

struct listener {
	int fd;
	bool waits_killable;
	struct thread_hold hold;
	uint64_t begun;			/* the call that is being done, and must not be twice */
	struct seccomp_notif *call;	/* in the kernel's size */
	size_t call_size;
	struct orphan orphans[ORPHANS];
};

static int seccomp_ioctl(const struct listener *listener, unsigned long request, void *data)
{
	int ret;

	do {
		ret = ioctl(listener->fd, request, data);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

struct listener *listener_new(int fd, bool waits_killable)
{
	struct seccomp_notif_sizes sizes;
	struct listener *listener;

	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0)
		return NULL;
	listener = g_new0(struct listener, 1);
	*listener = (struct listener){
		.fd = fd,
		.waits_killable = waits_killable,
		.call_size = MAX(sizes.seccomp_notif, sizeof(*listener->call)),
	};
	listener->call = g_malloc0(listener->call_size);
	/*
	 * Supervisor and program take turns: that either wakes up on the other's processor makes a
	 * call four times as fast. Linux before 6.6 does not know how.
	 */
	ioctl(fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
	return listener;
}

void listener_free(struct listener *listener)
{
	if (!listener)
		return;
	close(listener->fd);
	g_free(listener->call);
	g_free(listener);
}

int listener_fd(const struct listener *listener)
{
	return listener->fd;
}

static int send_answer(struct listener *listener, uint64_t id, int64_t value)
{
	struct seccomp_notif_resp response = { .id = id };

	if (value < 0)
		response.error = (int32_t)value;
	else
		response.val = value;
	return seccomp_ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* ---- answers that found nobody ---- */

static struct orphan *orphan_of(struct listener *listener, uint32_t tid)
{
	return &listener->orphans[tid % ORPHANS];
}

static void remember(struct listener *listener, const struct seccomp_notif *call, int64_t value)
{
	*orphan_of(listener, call->pid) = (struct orphan){
		.tid = call->pid, .data = call->data, .value = value, .since_ns = monotonic_ns(),
	};
}

/* Answers a call that has been done already. */
static bool repeat(struct listener *listener, const struct seccomp_notif *call)
{
	struct orphan *orphan = orphan_of(listener, call->pid);

	if (orphan->tid != call->pid ||
	    memcmp(&orphan->data, &call->data, sizeof(call->data)) != 0)
		return false;
	if (monotonic_ns() - orphan->since_ns > ORPHAN_LIFE_NS) {
		orphan->tid = 0;
		return false;
	}
	/* It may again find nobody. */
	if (send_answer(listener, call->id, orphan->value) == 0)
		orphan->tid = 0;
	else
		orphan->since_ns = monotonic_ns();
	return true;
}

/* ---- calls ---- */

const struct seccomp_notif *listener_receive(struct listener *listener)
{
	memset(listener->call, 0, listener->call_size);
	if (seccomp_ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, listener->call) < 0)
		return NULL;
	if (!listener->waits_killable && repeat(listener, listener->call))
		return NULL;
	return listener->call;
}

void listener_answer(struct listener *listener, const struct seccomp_notif *call, int64_t value)
{
	if (listener->hold.call == call->id)
		thread_hold_end(&listener->hold, value);
	else if (send_answer(listener, call->id, value) == -ENOENT && listener->begun == call->id)
		remember(listener, call, value);
}

void listener_continue(struct listener *listener, const struct seccomp_notif *call)
{
	struct seccomp_notif_resp response = {
		.id = call->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE,
	};

	g_assert(listener->hold.call != call->id);
	seccomp_ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static int add_descriptor(struct listener *listener, const struct seccomp_notif *call, int fd,
			  int number, bool cloexec, uint32_t flags)
{
	struct seccomp_notif_addfd add = {
		.id = call->id,
		.flags = flags | (number >= 0 ? SECCOMP_ADDFD_FLAG_SETFD : 0),
		.srcfd = (uint32_t)fd,
		.newfd = number >= 0 ? (uint32_t)number : 0,
		.newfd_flags = cloexec ? O_CLOEXEC : 0,
	};

	return seccomp_ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
}

int listener_give(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		  bool cloexec)
{
	int ret;

	/*
	 * A stop of the supervisor (ctrl-Z, a debugger, docker pause) ends its wait for the thread.
	 * With FLAG_SEND Linux has noted an answer by then, and the call returns 0 with no
	 * descriptor. Where a signal may end the call between two steps, one step is the lesser
	 * evil.
	 */
	if (!listener->waits_killable)
		return add_descriptor(listener, call, fd, number, cloexec,
				      SECCOMP_ADDFD_FLAG_SEND);
	ret = add_descriptor(listener, call, fd, number, cloexec, 0);
	/* Where the thread has gone by now its process may have others, and they the descriptor. */
	if (ret >= 0)
		send_answer(listener, call->id, ret);
	return ret;
}

int listener_place(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		   bool cloexec)
{
	return add_descriptor(listener, call, fd, number, cloexec, 0);
}

static bool is_in_kernel(void *user, const struct seccomp_notif *call)
{
	uint64_t id = call->id;

	return seccomp_ioctl(user, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

bool listener_is_waiting(struct listener *listener, const struct seccomp_notif *call)
{
	return listener->hold.call == call->id || is_in_kernel(listener, call);
}

bool listener_begin_once(struct listener *listener, const struct seccomp_notif *call)
{
	if (listener->waits_killable || listener->begun == call->id)
		return listener_is_waiting(listener, call);
	if (thread_hold_begin(&listener->hold, call, is_in_kernel, listener) == -ENOENT)
		return false;
	listener->begun = call->id;
	/* There is one hold. */
	turn_stay(true);
	return true;
}
