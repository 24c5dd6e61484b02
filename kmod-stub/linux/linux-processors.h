/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What several processors do at once at a host, in an order by a seed: the schedule
 * of struct kmod_variant.
 *
 * A call into the kernel, or an event of its host, is a task; others are made of what is due at the
 * same instant and would otherwise come after it: completions of sends, works, timers. Tasks change
 * at points: before a lock is taken and after it is released, at atomic operations, when a work is
 * queued, something is completed or a program woken. What has to wait, for a lock or for another's
 * end, lets others go on. All have come to their end when the call returns, so nothing of it
 * concerns its caller.
 *
 * As in Linux, works of a queue run one by one, and so do the completions of a completion queue.
 * With one schedule of four (3, 7, ...) the HCA says up to 50 us late that it has sent, so that
 * programs can do something before. Timers are of whole jiffies, which that does not shift. And a
 * call takes as long as that: timers of the next 50 us may go off while it does.
 *
 * All tasks are on one thread, and each has a processor, and a stack, of its own.
 *
 * A kernel that is built with --races has points at its branches, too, also while it has locks:
 * they show what two locks guard, and each of them half.
 *
 * System calls of several threads (linux_processors_call()) are tasks as well. Each enters its host
 * by itself, so that tasks change while it is in one of the kernel's functions, and not in what its
 * caller does around them.
 *
 * Left out: what processors and compilers reorder.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_PROCESSORS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

struct kernel_call;
struct kmod_host;

/* Something that is due at the host. */
struct linux_due {
	const void *lane;		/* one of these at a time; NULL: the only system call */
	void *thing;			/* the work, or the send */
	/* Takes it from what is due, and does it. */
	void (*run)(struct kmod_host *host, void *thing);
};

/* Of what is due, the first of each lane. */
struct linux_dues {
	struct linux_due due[16];
	unsigned int count;
};

/* Adds it, unless its lane has one, or is busy. */
void linux_due_add(struct linux_dues *dues, const void *lane, void *thing,
		   void (*run)(struct kmod_host *host, void *thing));

/* Are there tasks? */
extern bool linux_processors_on;

/* Between linux_enter() and linux_leave(): from here on others may run, too. */
void linux_processors_begin(struct kmod_host *host, const void *lane, const void *thing);
/* From the first task: these begin, too, each at some point. They are over at its end. */
void linux_processors_call(const struct kernel_call *calls, unsigned int count);
/*
 * One of several calls, which has entered its host, is of this lane until it leaves: lets others
 * go on while another task is of it. Nothing, for a task that is no such call.
 */
void linux_processors_take(const void *lane);
/*
 * Until all other tasks are over; for one of several calls: all that are none. Nothing, if there
 * are none.
 */
void linux_processors_drain(void);
/* A callback of the fabric's, which is in the middle of something, enters: nobody else goes on. */
void linux_processors_enter(void);
/* The end of that, or of the first task's call: until all others are over. */
void linux_processors_leave(void);

/*
 * Lets others go on until 'is_over' is true of 'what'. False: nobody can, so that it would never
 * be. Only while there are tasks.
 */
bool linux_processors_wait(bool (*is_over)(const void *what), const void *what);
/* When the completion of what is sent now comes; after all that were asked for before. */
int64_t linux_processors_late_ns(struct kmod_host *host, int64_t now_ns);

/* How much time a call may take: timers that end in it are due, too. */
int64_t linux_processors_slow_ns(const struct kmod_host *host);

/* Does another task run what is of this lane, or this thing (NULL: any)? */
bool linux_processors_run(const void *lane, const void *thing);

void linux_processors_switch(void);

/* A point where another task may go on. */
static inline void linux_point(void)
{
	if (linux_processors_on)
		linux_processors_switch();
}

/* Frees the stacks. */
void linux_processors_trim(void);

#endif
