/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * System V's semaphores and message queues. Nothing tells when a call on one would not wait, so
 * each is tried, and a thread that waits tries again before time moves.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/turn.h"
#include "lib/user-memory.h"

enum { OPERATIONS_MAX = 500 };	/* of one call: Linux' SEMOPM */

/* ---- waiting ---- */

/* A call that says at once, by 'vain', that it would have to wait. */
struct system_v_call {
	long number, vain;
	long a[4];
	long flags_of_receive;		/* msgrcv(2) has five arguments */
	const struct sembuf *ops;	/* as the caller means them: some may not wait */
};

static long try(const struct system_v_call *call)
{
	return CALL_5(call->number, call->a[0], call->a[1], call->a[2], call->a[3],
		      call->flags_of_receive);
}

static long try_once(const struct system_v_call *call)
{
	long r = try(call);

	looks_tried(r != call->vain);
	return r;
}

/*
 * Of semaphores: the first operation that would have to wait says whether it may. Of several on one
 * semaphore each sees what those before it have done.
 */
static bool may_wait(const struct system_v_call *call)
{
	const struct sembuf *ops = call->ops;

	for (size_t i = 0; ops && i < (size_t)call->a[2]; i++) {
		long value = CALL_3(SYS_semctl, call->a[0], ops[i].sem_num, GETVAL);

		for (size_t k = 0; k < i; k++) {
			if (ops[k].sem_num == ops[i].sem_num)
				value += ops[k].sem_op;
		}
		if (ops[i].sem_op == 0 ? value != 0 : value + ops[i].sem_op < 0)
			return !(ops[i].sem_flg & IPC_NOWAIT);
	}
	return true;
}

/* signal(7): these are never taken up again after a handler. What is removed meanwhile has gone. */
static long try_until(const struct system_v_call *call, int64_t deadline)
{
	bool has_waited = false;

	descriptors_begin_tries();
	for (;;) {
		long r;

		pthread_testcancel();
		r = try(call);
		if (r == -EINVAL && has_waited)
			return -EIDRM;
		if (r != call->vain || !may_wait(call))
			return r;
		has_waited = true;
		r = descriptors_await_others(deadline);
		if (r < 0)
			return r;
	}
}

/* ---- semaphores ---- */

static bool waits(const struct sembuf *ops, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(ops[i].sem_flg & IPC_NOWAIT))
			return true;
	}
	return false;
}

static long change_semaphores(int set, const struct sembuf *ops, size_t count,
			      const struct timespec *timeout)
{
	struct sembuf meant[OPERATIONS_MAX], tried[OPERATIONS_MAX];
	const struct system_v_call call = {
		SYS_semop, -EAGAIN, { set, (long)tried, (long)count, 0 }, 0, meant,
	};
	struct timespec most = { .tv_sec = 0 };

	if (!session_is_on() || count == 0 || count > OPERATIONS_MAX)
		return CALL_4(SYS_semtimedop, set, ops, count, timeout);
	if ((timeout && user_memory_get(&most, timeout, sizeof(most)) < 0) ||
	    user_memory_get(meant, ops, count * sizeof(*ops)) < 0)
		return -EFAULT;
	if (most.tv_sec < 0 || most.tv_nsec < 0 || most.tv_nsec >= NS_PER_SECOND)
		return -EINVAL;
	memcpy(tried, meant, count * sizeof(*meant));
	for (size_t i = 0; i < count; i++)
		tried[i].sem_flg |= IPC_NOWAIT;
	if (!waits(meant, count))
		return try_once(&call);
	return try_until(&call, timeout ? turn_after(clocks_ns(&most)) : LOCKSTEP_NEVER);
}

PUBLIC int semop(int set, struct sembuf *ops, size_t count)
{
	return (int)call_result(change_semaphores(set, ops, count, NULL));
}

PUBLIC int semtimedop(int set, struct sembuf *ops, size_t count, const struct timespec *timeout)
{
	return (int)call_result(change_semaphores(set, ops, count, timeout));
}

/* ---- message queues ---- */

static long transfer(struct system_v_call *call, long *flags)
{
	if (!session_is_on())
		return try(call);
	if (*flags & IPC_NOWAIT)
		return try_once(call);
	*flags |= IPC_NOWAIT;
	return try_until(call, LOCKSTEP_NEVER);
}

PUBLIC int msgsnd(int queue, const void *message, size_t size, int flags)
{
	struct system_v_call call = {
		SYS_msgsnd, -EAGAIN, { queue, (long)message, (long)size, flags }, 0, NULL,
	};

	return (int)call_result(transfer(&call, &call.a[3]));
}

PUBLIC ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
	struct system_v_call call = {
		SYS_msgrcv, -ENOMSG, { queue, (long)message, (long)size, type }, flags, NULL,
	};

	return call_result(transfer(&call, &call.flags_of_receive));
}
