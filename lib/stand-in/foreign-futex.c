/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-futex.h. */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-memory.h"

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13	/* Linux 5.14 */
#endif

enum {
	WAITERS = 4096,
};

struct waiter {
	uint32_t is_used;
	uint32_t woken;		/* a futex of ours: 1 ends the wait */
	uint32_t bits;
	uint32_t number;	/* of the thread, as the program knows it */
	uint64_t name;		/* the word's: umadrig_session_word() */
	uint64_t order;
};

struct queue {
	uint64_t order;
	uint32_t count;		/* entries ever used, from the first */
	struct waiter waiter[WAITERS];
};

/* Of this process's own words; and, in memory that all processes of the foreign program share. */
static struct queue own, *shared;

int foreign_futex_setup(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	return shared == MAP_FAILED ? -errno : 0;
}

void foreign_futex_begin_process(void)
{
	memset(&own, 0, sizeof(own));
}

/* ---- names ---- */

static uint64_t name_of(uint64_t at, bool is_private)
{
	return is_private ? at : umadrig_session_word(foreign.pid, at);
}

static bool is_shared(uint64_t name)
{
	return name >> 63;
}

static struct queue *queue_of(uint64_t name)
{
	return is_shared(name) ? shared : &own;
}

/* Of a word of ours: those of one process are found without a look at its memory map. */
static int privacy_of(uint64_t name)
{
	return is_shared(name) ? 0 : FUTEX_PRIVATE_FLAG;
}

/* ---- the queue ---- */

static struct waiter *add(uint64_t name, uint32_t bits)
{
	struct queue *queue = queue_of(name);

	for (uint32_t i = 0; i < WAITERS; i++) {
		struct waiter *waiter = &queue->waiter[i];

		if (waiter->is_used)
			continue;
		*waiter = (struct waiter){ .is_used = 1, .bits = bits, .name = name,
					   .number = (uint32_t)gettid(),
					   .order = ++queue->order };
		if (i >= queue->count)
			queue->count = i + 1;
		return waiter;
	}
	return NULL;
}

static struct waiter *first_of(uint64_t name, uint32_t bits)
{
	struct queue *queue = queue_of(name);
	struct waiter *first = NULL;

	for (uint32_t i = 0; i < queue->count; i++) {
		struct waiter *waiter = &queue->waiter[i];

		if (waiter->is_used && !waiter->woken && waiter->bits & bits &&
		    waiter->name == name && (!first || waiter->order < first->order))
			first = waiter;
	}
	return first;
}

static long wake(uint64_t name, uint32_t most, uint32_t bits)
{
	struct waiter *waiter;
	long n = 0;

	while (n < (long)most && (waiter = first_of(name, bits))) {
		waiter->woken = 1;
		syscall(SYS_futex, &waiter->woken, FUTEX_WAKE | privacy_of(name), 1, NULL, NULL,
			0);
		n++;
	}
	return n;
}

static long requeue(uint64_t from, uint64_t to, uint32_t most)
{
	struct waiter *waiter;
	long n = 0;

	while (n < (long)most && (waiter = first_of(from, UINT32_MAX))) {
		waiter->name = to;
		n++;
	}
	return n;
}

void foreign_futex_wake(uint64_t at, uint32_t most)
{
	uint64_t name = name_of(at, false);

	wake(name, most, UINT32_MAX);
}

/* ---- the call ---- */

static long wait_for(uint64_t name, uint32_t bits, int op, const struct timespec *timeout)
{
	struct waiter *waiter;
	long ret;

	if (bits == 0)
		return -EINVAL;
	waiter = add(name, bits);
	if (!waiter)
		return -ENOMEM;
	do {
		ret = syscall(SYS_futex, &waiter->woken,
			      (op & ~FUTEX_PRIVATE_FLAG) | privacy_of(name), 0, timeout, NULL,
			      UINT32_MAX);
	} while (ret == 0 && !waiter->woken);
	ret = ret == 0 || waiter->woken ? 0 : -errno;
	waiter->is_used = 0;
	return ret == -EAGAIN ? 0 : ret;
}

static long word_of(uint64_t at, uint32_t *ret)
{
	return at % 4 ? -EINVAL : foreign_memory_get(at, ret, sizeof(*ret));
}

static long call_wait(int op, uint64_t name, uint32_t bits)
{
	struct timespec timeout;
	uint32_t word;
	long ret = word_of(foreign_argument(0), &word);

	if (ret == 0 && foreign_argument(3))
		ret = foreign_memory_get(foreign_argument(3), &timeout, sizeof(timeout));
	if (ret < 0)
		return ret;
	if (word != (uint32_t)foreign_argument(2)) {
		/* (It may look for ever: a look of the session's, which takes time in the end.) */
		static uint32_t one = 1;

		syscall(SYS_futex, &one, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
		return -EAGAIN;
	}
	ret = wait_for(name, bits, op, foreign_argument(3) ? &timeout : NULL);
	return ret == -EINTR ? CALL_RESTARTS : ret;
}

static uint32_t changed_word(uint32_t op, uint32_t old, uint32_t argument)
{
	switch (op) {
	case FUTEX_OP_SET:
		return argument;
	case FUTEX_OP_ADD:
		return old + argument;
	case FUTEX_OP_OR:
		return old | argument;
	case FUTEX_OP_ANDN:
		return old & ~argument;
	default:
		return old ^ argument;
	}
}

static bool compares(uint32_t how, int32_t old, int32_t with)
{
	switch (how) {
	case FUTEX_OP_CMP_EQ:
		return old == with;
	case FUTEX_OP_CMP_NE:
		return old != with;
	case FUTEX_OP_CMP_LT:
		return old < with;
	case FUTEX_OP_CMP_LE:
		return old <= with;
	case FUTEX_OP_CMP_GT:
		return old > with;
	default:
		return old >= with;
	}
}

/* futex(2), FUTEX_WAKE_OP: arguments have 12 bits, with a sign. */
static long call_wake_op(uint64_t name, uint64_t other)
{
	uint32_t code = (uint32_t)foreign_argument(5), op = code >> 28 & 7, old, word;
	int32_t argument = (int32_t)(code << 8) >> 20, with = (int32_t)(code << 20) >> 20;
	long ret = word_of(foreign_argument(4), &old), more;

	if (ret < 0)
		return ret;
	if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
		argument = (int32_t)(1u << (argument & 31));
	word = changed_word(op, old, (uint32_t)argument);
	if (foreign_memory_put(foreign_argument(4), &word, sizeof(word)) < 0)
		return -EFAULT;
	ret = wake(name, (uint32_t)foreign_argument(2), UINT32_MAX);
	more = compares(code >> 24 & 15, (int32_t)old, with) ?
		       wake(other, (uint32_t)foreign_argument(3), UINT32_MAX) : 0;
	return ret + more;
}

static long call_requeue(int op, uint64_t name, uint64_t other)
{
	uint32_t word;
	long ret, woken;

	if ((op & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE) {
		ret = word_of(foreign_argument(0), &word);
		if (ret < 0)
			return ret;
		if (word != (uint32_t)foreign_argument(5))
			return -EAGAIN;
	}
	woken = wake(name, (uint32_t)foreign_argument(2), UINT32_MAX);
	return woken + requeue(name, other, (uint32_t)foreign_argument(3));
}

/* ---- locks that lend their priority ---- */

/*
 * The word has the number of the thread whose lock it is. An unlock gives it to the one that has
 * waited for longest: in the session all have one priority.
 */
static long call_lock(int op, uint64_t name, bool waits)
{
	const uint32_t self = (uint32_t)gettid();
	struct timespec timeout;
	uint32_t word;
	long ret = word_of(foreign_argument(0), &word);

	if (ret == 0 && waits && foreign_argument(3))
		ret = foreign_memory_get(foreign_argument(3), &timeout, sizeof(timeout));
	if (ret < 0)
		return ret;
	if ((word & FUTEX_TID_MASK) == self)
		return -EDEADLK;
	if ((word & FUTEX_TID_MASK) == 0) {
		word = (word & ~FUTEX_TID_MASK) | self;
		return foreign_memory_put(foreign_argument(0), &word, sizeof(word));
	}
	if (!waits)
		return -EAGAIN;
	word |= FUTEX_WAITERS;
	if (foreign_memory_put(foreign_argument(0), &word, sizeof(word)) < 0)
		return -EFAULT;
	ret = wait_for(name, UINT32_MAX, FUTEX_WAIT_BITSET | op,
		       foreign_argument(3) ? &timeout : NULL);
	return ret == -EINTR ? CALL_RESTARTS : ret;
}

static long call_unlock(uint64_t name)
{
	struct waiter *next = first_of(name, UINT32_MAX);
	uint32_t word;
	long ret = word_of(foreign_argument(0), &word);

	if (ret < 0)
		return ret;
	if ((word & FUTEX_TID_MASK) != (uint32_t)gettid())
		return -EPERM;
	/* (Where no other waits, the next unlock finds that out.) */
	word = next ? next->number | FUTEX_WAITERS : 0;
	if (foreign_memory_put(foreign_argument(0), &word, sizeof(word)) < 0)
		return -EFAULT;
	wake(name, 1, UINT32_MAX);
	return 0;
}

static long answer_of(int op)
{
	const bool is_private = op & FUTEX_PRIVATE_FLAG;
	uint64_t name = name_of(foreign_argument(0), is_private), other;

	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return call_wait(op, name, UINT32_MAX);
	case FUTEX_WAIT_BITSET:
		return call_wait(op, name, (uint32_t)foreign_argument(5));
	case FUTEX_WAKE:
		return wake(name, (uint32_t)foreign_argument(2), UINT32_MAX);
	case FUTEX_WAKE_BITSET:
		return wake(name, (uint32_t)foreign_argument(2), (uint32_t)foreign_argument(5));
	case FUTEX_WAKE_OP:
		other = name_of(foreign_argument(4), is_private);
		return call_wake_op(name, other);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		other = name_of(foreign_argument(4), is_private);
		return call_requeue(op, name, other);
	case FUTEX_LOCK_PI:
		return call_lock(FUTEX_CLOCK_REALTIME, name, true);
	case FUTEX_LOCK_PI2:
		return call_lock(op & FUTEX_CLOCK_REALTIME, name, true);
	case FUTEX_TRYLOCK_PI:
		return call_lock(0, name, false);
	case FUTEX_UNLOCK_PI:
		return call_unlock(name);
	}
	dprintf(2, "umadrig: virtual time has no futex operation %d\n", op & FUTEX_CMD_MASK);
	return -ENOSYS;
}

long foreign_futex_call(void)
{
	return answer_of((int)foreign_argument(1));
}
