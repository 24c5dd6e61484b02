/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * mailbox.c: see lib/attach/mailbox.h.
 *
 * A thread that sleeps here is not cancelled: system calls through syscall(2) are not cancellation
 * points, and it does not sleep for long.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/attach/mailbox.h"
#include "lib/base/monotonic.h"
#include "lib/base/wire.h"

/* The socket that the calling thread last found empty. Cookie 0: none. */
static __thread struct {
	uint64_t token;
	uint32_t written;
} seen_empty __attribute__((tls_model("initial-exec")));

/* The mailbox that the calling thread waits at, NULL: none. */
static __thread struct attach_page *volatile entered __attribute__((tls_model("initial-exec")));

uint32_t attach_mailbox_written(const struct attach_page *page)
{
	return atomic_load(&page->written);
}

void attach_mailbox_saw_empty(uint64_t token, uint32_t written)
{
	seen_empty.token = token;
	seen_empty.written = written;
}

/* The kernel's structure: futex(2) has no 64-bit time_t on 32-bit machines. */
struct futex_time {
	long tv_sec, tv_nsec;
};

/* Returns 0, -EINTR, -ETIMEDOUT, or -EAGAIN: the mailbox has changed. */
static int sleep_on(struct attach_page *page, int timeout_ms)
{
	struct futex_time limit = { .tv_nsec = timeout_ms * 1000000L };
	long n = syscall(SYS_futex, &page->mailbox, FUTEX_WAIT, ATTACH_MAILBOX_ASLEEP, &limit,
			 NULL, 0);

	return n < 0 ? -errno : 0;
}

/* Looks as long as the mailbox is open, and no longer than 'limit_ns'. */
static void look(const struct attach_page *page, struct attach_spin *spin, int64_t limit_ns)
{
	enum { LOOKS = 16 };
	int64_t from_ns = monotonic_ns();
	bool is_open;

	do {
		is_open = true;
		for (unsigned int i = 0; i < LOOKS && is_open; i++) {
			attach_pause();
			is_open = atomic_load(&page->mailbox) == ATTACH_MAILBOX_OPEN;
		}
	} while (is_open && monotonic_ns() - from_ns < limit_ns);
	attach_spin_done(spin, !is_open);
}

/*
 * Sleeps until something comes, or for one slice. Returns -ETIMEDOUT, -EINTR, -ERESTART, or 0:
 * look. The thread that the server means to wake may be gone by then, so that the next one here is
 * woken for nothing.
 */
static int sleep_for(struct attach_page *page, int *timeout_ms)
{
	int slice_ms = *timeout_ms < 0 || *timeout_ms > ATTACH_MAILBOX_MS ? ATTACH_MAILBOX_MS :
									    *timeout_ms;
	int ret;

	if (!attach_mailbox_turn(page, ATTACH_MAILBOX_OPEN, ATTACH_MAILBOX_ASLEEP))
		return 0;
	do
		ret = sleep_on(page, slice_ms);
	while (ret == 0 && *timeout_ms < 0 && atomic_load(&page->mailbox) == ATTACH_MAILBOX_ASLEEP);
	if (ret == -ETIMEDOUT && *timeout_ms > 0)
		*timeout_ms -= slice_ms;
	if (ret == 0 && atomic_load(&page->mailbox) == ATTACH_MAILBOX_ASLEEP)
		return -ERESTART;
	return ret;
}

/* Gives the mailbox up. 0: there was a letter; else as attach_mailbox_wait(). */
static int leave(struct attach_page *page, struct attach_record *ret_record)
{
	for (;;) {
		uint32_t state = atomic_load(&page->mailbox);

		switch (state) {
		case ATTACH_MAILBOX_FULL:
			entered = NULL;		/* a signal handler finds it taken from here on */
			copy_bytes(ret_record, &page->letter, sizeof(*ret_record));
			/* Unless the ring has ended meanwhile: then the letter is in the socket. */
			return attach_mailbox_turn(page, state, ATTACH_MAILBOX_IDLE) ? 0 : -ESTALE;
		case ATTACH_MAILBOX_TAKEN:
		case ATTACH_MAILBOX_OPEN:
		case ATTACH_MAILBOX_ASLEEP:
			if (attach_mailbox_turn(page, state, ATTACH_MAILBOX_IDLE))
				return -EAGAIN;
			break;
		default:	/* shut, or an impossible value */
			atomic_store(&page->mailbox, ATTACH_MAILBOX_IDLE);
			return -ESTALE;
		}
	}
}

/*
 * Takes the mailbox, if it is free. 0: it is open. -ESTALE: it is taken, but something may be in
 * the socket. -EAGAIN: it is not free.
 */
static int enter(struct attach_page *page, uint64_t token, uint64_t owner)
{
	if (atomic_load(&page->is_closed) ||
	    !attach_mailbox_turn(page, ATTACH_MAILBOX_IDLE, ATTACH_MAILBOX_TAKEN))
		return -EAGAIN;
	entered = page;
	atomic_store_explicit(&page->owner, owner, memory_order_relaxed);
	/* 'written' is read while the mailbox is taken: what is written later shuts it. */
	if (seen_empty.token == token && atomic_load(&page->written) == seen_empty.written &&
	    attach_mailbox_turn(page, ATTACH_MAILBOX_TAKEN, ATTACH_MAILBOX_OPEN))
		return 0;
	return -ESTALE;
}

int attach_mailbox_look(struct attach_page *page, uint64_t token, uint64_t owner,
			struct attach_spin *spin, struct attach_record *ret_record)
{
	enum { LIMIT_NS = 5000 };
	int reason = enter(page, token, owner), ret;

	if (reason == -EAGAIN)
		return reason;
	if (reason == 0)
		look(page, spin, LIMIT_NS);
	/* Unless a signal handler has given it up. */
	ret = entered == page ? leave(page, ret_record) : -EAGAIN;
	entered = NULL;
	/* It may have come after the last look. */
	if (ret == 0)
		attach_spin_done(spin, true);
	return ret == -EAGAIN ? reason == 0 ? -EAGAIN : -ESTALE : ret;
}

int attach_mailbox_wait(struct attach_page *page, uint64_t token, uint64_t owner,
			struct attach_spin *spin, int *timeout_ms,
			struct attach_record *ret_record)
{
	enum { LIMIT_NS = 100000 };
	int reason = enter(page, token, owner), ret;

	if (reason == -EAGAIN)
		return reason;
	if (reason == 0) {
		if (spin && attach_spin_may(spin))
			look(page, spin, LIMIT_NS);
		reason = sleep_for(page, timeout_ms);
	}
	ret = entered == page ? leave(page, ret_record) : -EAGAIN;
	entered = NULL;
	if (ret != -EAGAIN || reason == -ETIMEDOUT)
		return ret;
	if (reason == -EINTR)
		pthread_testcancel();
	return reason == -EINTR || reason == -ERESTART ? reason : -ESTALE;
}

bool attach_mailbox_leave(struct attach_record *ret_record)
{
	struct attach_page *page = entered;

	if (!page)
		return false;
	entered = NULL;
	return leave(page, ret_record) == 0;
}
