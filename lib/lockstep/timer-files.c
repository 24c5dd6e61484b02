/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Timers that are files: see lib/lockstep/timer-files.h. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/timer-files.h"
#include "lib/lockstep/turn.h"
#include "lib/words/number.h"

enum {
	SWEEP_EACH = 64,	/* so many slots in use: those that nobody has are looked for */
	ENTRIES_SIZE = 2048,
	NOT_THERE = -1,
	NOT_SHOWN = -2,		/* of a process of another user */
};

/* ---- which file it is ---- */

/* Its inode, which does not come back; 0: it is no pipe, or not open. pid 0: this process. */
static uint64_t id_of(int pid, int fd)
{
	char path[64];
	struct stat st;
	long r;

	if (pid) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
		r = CALL_4(SYS_newfstatat, AT_FDCWD, path, &st, 0);
	} else {
		r = CALL_2(SYS_fstat, fd, &st);
	}
	return r == 0 && S_ISFIFO(st.st_mode) ? st.st_ino : 0;
}

struct kernel_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

/* The lowest number under which a process has it, or one of the former. pid 0: this process. */
static int find(int pid, uint64_t id)
{
	_Alignas(8) char entries[ENTRIES_SIZE];
	char path[64] = "/proc/self/fd";
	int found = NOT_THERE, directory;
	long n;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	directory = (int)CALL_4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (directory < 0)
		return directory == -EACCES ? NOT_SHOWN : NOT_THERE;
	while (found < 0 &&
	       (n = CALL_3(SYS_getdents64, directory, entries, sizeof(entries))) > 0) {
		for (long at = 0; at < n && found < 0;) {
			const struct kernel_entry *entry = (const void *)(entries + at);
			uint64_t number;

			if (number_parse_decimal(entry->name, 0, INT_MAX, &number) == 0 &&
			    id_of(pid, (int)number) == id)
				found = (int)number;
			at += entry->size;
		}
	}
	CALL_1(SYS_close, directory);
	return found;
}

static struct lockstep_slot *timer_of(int fd)
{
	uint64_t id = id_of(0, fd);

	for (uint32_t i = 0; id && i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state == LOCKSTEP_WAITING && slot->kind == LOCKSTEP_TIMER &&
		    slot->file == id)
			return slot;
	}
	return NULL;
}

/* ---- when they expire ---- */

static void forget_due(struct lockstep_slot *timer)
{
	if (timer->due) {
		timer->due = 0;
		lockstep->files_due--;
	}
}

/* How often it has expired by now; the next time is its deadline. */
static uint64_t take_due(struct lockstep_slot *timer)
{
	int64_t times = 1;

	if (timer->interval > 0) {
		times += (lockstep->now - timer->due) / timer->interval;
		timer->deadline = timer->due + times * timer->interval;
		timer->seq = ++lockstep->seq;
	}
	forget_due(timer);
	return (uint64_t)times;
}

/* Takes the count out of the file: it counts from 0 again. */
static uint64_t drain(int fd)
{
	uint64_t times = 0;
	int size = 0;

	if (CALL_3(SYS_ioctl, fd, FIONREAD, &size) == 0 && size >= (int)sizeof(times))
		CALL_3(SYS_read, fd, &times, sizeof(times));
	return times;
}

void timer_files_fill_due(void)
{
	for (uint32_t i = 0; i < lockstep->count && lockstep->files_due; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];
		uint64_t times;
		int fd;

		if (slot->state != LOCKSTEP_WAITING || slot->kind != LOCKSTEP_TIMER || !slot->due)
			continue;
		fd = id_of(0, (int)slot->addr) == slot->file ? (int)slot->addr :
							       find(0, slot->file);
		if (fd < 0)
			continue;
		times = drain(fd) + take_due(slot);
		CALL_3(SYS_write, fd, &times, sizeof(times));
	}
}

/* ---- their slots ---- */

static bool anyone_has(uint64_t id)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && slot->pid > 0 && lockstep_is_alive(slot) &&
		    find(slot->pid, id) != NOT_THERE)
			return true;
	}
	return false;
}

/* Nobody says when the last descriptor of one is closed. */
static void sweep(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < lockstep->count; i++)
		n += lockstep->slot[i].state == LOCKSTEP_WAITING && lockstep->slot[i].file;
	if (n == 0 || n % SWEEP_EACH)
		return;
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->state != LOCKSTEP_WAITING || !slot->file || anyone_has(slot->file))
			continue;
		forget_due(slot);
		slot->state = LOCKSTEP_FREE;
	}
}

static struct lockstep_slot *new_timer(int fd, clockid_t clock)
{
	struct lockstep_slot *slot;

	sweep();
	slot = session_slot_new();
	if (!slot)
		return NULL;
	slot->kind = LOCKSTEP_TIMER;
	slot->pid = slot->parent = 0;	/* it outlives the process that made it */
	slot->addr = (uint64_t)fd;
	slot->file = id_of(0, fd);
	slot->clock = (uint32_t)clock;
	slot->state = LOCKSTEP_WAITING;
	return slot;
}

/* ---- the calls ---- */

/* A pipe with both ends in one descriptor. */
static long new_file(int flags)
{
	char path[64];
	int ends[2];
	long fd = CALL_2(SYS_pipe2, ends, O_CLOEXEC);

	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	fd = CALL_4(SYS_openat, AT_FDCWD, path, O_RDWR | (flags & TFD_NONBLOCK ? O_NONBLOCK : 0) |
		    (flags & TFD_CLOEXEC ? O_CLOEXEC : 0), 0);
	CALL_1(SYS_close, ends[1]);
	if (fd < 0) {
		CALL_1(SYS_close, ends[0]);
		return fd;
	}
	/* The lowest number, as the kernel's. */
	if (CALL_3(SYS_dup3, fd, ends[0], flags & TFD_CLOEXEC ? O_CLOEXEC : 0) == ends[0]) {
		CALL_1(SYS_close, fd);
		fd = ends[0];
	}
	return fd;
}

static int hooked_timerfd_create(int clock, int flags)
{
	long fd;

	if (!session_is_on())
		return (int)call_result(CALL_2(SYS_timerfd_create, clock, flags));
	/* What the kernel refuses is refused. */
	fd = CALL_2(SYS_timerfd_create, clock, flags);
	if (fd < 0)
		return (int)call_result(fd);
	CALL_1(SYS_close, fd);
	fd = new_file(flags);
	if (fd >= 0 && !new_timer((int)fd, clock)) {
		CALL_1(SYS_close, fd);
		fd = -ENFILE;
	}
	return (int)call_result(fd);
}

static void get(const struct lockstep_slot *timer, struct itimerspec *ret)
{
	int64_t left = timer->deadline == LOCKSTEP_NEVER ? 0 : timer->deadline - lockstep->now;

	*ret = (struct itimerspec){ clocks_timespec(timer->interval), clocks_timespec(left) };
}

static bool is_valid(const struct timespec *ts)
{
	return ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < NS_PER_SECOND;
}

static int hooked_timerfd_settime(int fd, int flags, const struct itimerspec *new,
				  struct itimerspec *old)
{
	struct lockstep_slot *timer;
	int64_t value;

	timer = session_is_on() ? timer_of(fd) : NULL;
	if (!timer)
		return (int)call_result(CALL_4(SYS_timerfd_settime, fd, flags, new, old));
	if (!is_valid(&new->it_value) || !is_valid(&new->it_interval))
		return (int)call_result(-EINVAL);
	timer_files_fill();
	if (old)
		get(timer, old);
	drain(fd);
	value = clocks_ns(&new->it_value);
	timer->interval = clocks_ns(&new->it_interval);
	timer->seq = ++lockstep->seq;
	if (value == 0)
		timer->deadline = LOCKSTEP_NEVER;
	else if (flags & TFD_TIMER_ABSTIME)
		timer->deadline = clocks_deadline((clockid_t)timer->clock, &new->it_value);
	else
		timer->deadline = turn_after(value);
	forget_due(timer);
	if (timer->deadline <= lockstep->now)
		turn_expire_file(timer);
	return 0;
}

static int hooked_timerfd_gettime(int fd, struct itimerspec *ret)
{
	struct lockstep_slot *timer = session_is_on() ? timer_of(fd) : NULL;

	if (!timer)
		return (int)call_result(CALL_2(SYS_timerfd_gettime, fd, ret));
	timer_files_fill();
	get(timer, ret);
	return 0;
}

const struct hook timer_files_hooks[] = {
	{ "timerfd_create", hooked_timerfd_create },
	{ "timerfd_settime", hooked_timerfd_settime },
	{ "timerfd_gettime", hooked_timerfd_gettime },
	{ NULL, NULL },
};
