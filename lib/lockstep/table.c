/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The table as a program sees it: see lib/lockstep/lockstep-session.h. */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/terminal-device.h"

struct lockstep_table *lockstep;
SESSION_THREAD struct lockstep_slot *lockstep_self;

/*
 * To stderr, which may be a pipe that nobody reads, or a file that this program may not write to
 * (RLIMIT_FSIZE): it is not to end by that.
 */
static void write_line(const char *line, size_t size)
{
	const uint64_t ours = UINT64_C(1) << (SIGPIPE - 1) | UINT64_C(1) << (SIGXFSZ - 1);
	const struct timespec at_once = { 0, 0 };
	uint64_t mask = 0, pending = 0, mine;
	long n;

	CALL_4(SYS_rt_sigprocmask, SIG_BLOCK, &ours, &mask, sizeof(mask));
	CALL_2(SYS_rt_sigpending, &pending, sizeof(pending));
	n = CALL_3(SYS_write, 2, line, size);
	mine = ours & ~pending;
	if (n < 0 && mine)
		CALL_4(SYS_rt_sigtimedwait, &mine, NULL, &at_once, sizeof(mine));
	CALL_4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

void session_say(const char *format, ...)
{
	char line[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n > 0)
		write_line(line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

void session_exit(int status)
{
	for (;;)
		CALL_1(SYS_exit_group, status);
}

SESSION_NO_REGISTERS void session_wipe(void)
{
	char below[8192];

	memset(below, 0, sizeof(below));
	__asm__ volatile("" : : "r"(below) : "memory");
}

int session_pid(void)
{
	return (int)CALL_0(SYS_getpid);
}

/*
 * At the same address in each process and each run: addresses are left in what programs send. So
 * low that it is out of the way of sanitizers, whose shadows and heaps have fixed places, too.
 */
int session_open(const char *path)
{
	void *const where = (void *)0x70000000;
	int fd = (int)CALL_4(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	struct lockstep_table *table;
	long at;

	if (fd < 0)
		return fd;
	at = CALL_6(SYS_mmap, where, sizeof(*table), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (at < 0 && at > -4096)
		at = CALL_6(SYS_mmap, NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
	CALL_1(SYS_close, fd);
	if (at < 0 && at > -4096)
		return (int)at;
	table = (struct lockstep_table *)at;
	if (table->magic != LOCKSTEP_MAGIC) {
		CALL_2(SYS_munmap, at, sizeof(*table));
		return -EPROTO;
	}
	lockstep = table;
	return 0;
}

struct lockstep_slot *session_slot_new(void)
{
	struct lockstep_slot *slot = lockstep_unused(lockstep);

	if (!slot) {
		session_say("umadrig: virtual time has room for %d threads and no more: have fewer "
			    "programs run at a time\n", LOCKSTEP_SLOTS);
		return NULL;
	}
	memset(slot, 0, sizeof(*slot));
	slot->deadline = LOCKSTEP_NEVER;
	slot->state = LOCKSTEP_STARTING;
	if (lockstep_self) {
		slot->pid = lockstep_self->pid;
		slot->parent = lockstep_self->parent;
		slot->virtual_pid = lockstep_self->virtual_pid;
		slot->expects_signals = lockstep_self->expects_signals;
		slot->nice = lockstep_self->nice;
		slot->policy = lockstep_self->policy;
		memcpy(slot->name, lockstep_self->name, sizeof(slot->name));
	}
	return slot;
}

struct lockstep_slot *session_slot_of(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid == pid && slot->is_main && lockstep_is_alive(slot))
			return slot;
	}
	return NULL;
}

void session_name_self(void)
{
	char *name = lockstep_self->name;

	_Static_assert(LOCKSTEP_NAME_SIZE >= 16, "PR_GET_NAME writes 16 bytes");
	memset(name, 0, LOCKSTEP_NAME_SIZE);
	CALL_2(SYS_prctl, PR_GET_NAME, name);
}

SESSION_NO_REGISTERS bool session_leads_out(int fd)
{
	/* Programs send what is left on the stack (turn.c), and inodes differ from run to run. */
	static SESSION_THREAD struct stat st;

	if (CALL_2(SYS_fstat, fd, &st) < 0)
		return false;
	/*
	 * Both ends of a pseudoterminal may be the session's. Of other devices, as of the console
	 * that syslog(3) writes to, no program is the end.
	 */
	if (S_ISCHR(st.st_mode) && !terminal_is_pseudo(&st))
		return true;
	for (uint32_t i = 0; i < lockstep->outsides; i++) {
		if (lockstep->outside[i][0] == st.st_dev && lockstep->outside[i][1] == st.st_ino)
			return true;
	}
	return false;
}

void session_note_outside(void)
{
	for (int fd = 0; fd < LOCKSTEP_OUTSIDE; fd++) {
		struct stat st;

		if (CALL_2(SYS_fstat, fd, &st) < 0 ||
		    !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || S_ISCHR(st.st_mode)) ||
		    session_leads_out(fd))
			continue;
		lockstep->outside[lockstep->outsides][0] = st.st_dev;
		lockstep->outside[lockstep->outsides++][1] = st.st_ino;
	}
}
