/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Processes: see lib/lockstep/processes.h. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/lockstep/baton.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/looks.h"
#include "lib/lockstep/machine.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/once.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/refusals.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/turn.h"

enum { BIRTH_WAITS = 50 };	/* of 100 ms: how long a process may be unknown */

/* ---- numbers ---- */

int processes_to_kernel(int pid)
{
	int found = pid;

	for (uint32_t i = 0; pid > 0 && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && slot->state != LOCKSTEP_FREE &&
		    slot->virtual_pid == (uint32_t)pid)
			found = slot->pid;
	}
	return found;
}

/* The slot of a process that is there, or whose status was not taken. */
static struct lockstep_slot *slot_of(int pid)
{
	for (uint32_t i = 0; pid > 0 && i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && (slot->pid == pid || slot->stands_for_process == pid) &&
		    slot->state != LOCKSTEP_FREE &&
		    !(slot->state == LOCKSTEP_DEAD && slot->is_reaped))
			return slot;
	}
	return NULL;
}

int processes_to_virtual(int pid)
{
	const struct lockstep_slot *slot = slot_of(pid);

	return slot ? (int)slot->virtual_pid : pid;
}

/* Of a program that no library can be put into, the number is that of the one it stands for. */
static bool is_of(const struct lockstep_slot *slot, int pid)
{
	return slot->is_main && (slot->pid == pid || slot->stands_for_process == pid);
}

int processes_sender(int pid)
{
	const struct lockstep_slot *found = slot_of(pid);

	for (uint32_t i = 0; pid > 0 && !found && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (is_of(slot, pid) && slot->state != LOCKSTEP_FREE)
			found = slot;
	}
	return found ? (int)found->virtual_pid : 0;
}

/* Processes that are gone count: their group may outlive them. */
int processes_group_to_virtual(int number)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && slot->state != LOCKSTEP_FREE &&
		    (slot->pid == number || slot->stands_for_process == number))
			return (int)slot->virtual_pid;
	}
	return LOCKSTEP_OUTER;
}

int processes_group_to_kernel(int number)
{
	return number == LOCKSTEP_OUTER ? lockstep->outer_group : processes_to_kernel(number);
}

PUBLIC pid_t getpid(void)
{
	return session_is_on() ? (pid_t)lockstep_self->virtual_pid : session_pid();
}

PUBLIC pid_t getppid(void)
{
	const struct lockstep_slot *parent;

	if (!session_is_on())
		return (pid_t)CALL_0(SYS_getppid);
	parent = session_slot_of(lockstep_self->parent);
	return parent ? (pid_t)parent->virtual_pid : 1;
}

PUBLIC pid_t gettid(void)
{
	if (!session_is_on())
		return (pid_t)CALL_0(SYS_gettid);
	return (pid_t)(lockstep_self->virtual_tid ? lockstep_self->virtual_tid :
						    lockstep_self->virtual_pid);
}

/* Calls that take a number, with the kernel's. */
static ssize_t hooked_process_vm_readv(pid_t pid, const void *to, unsigned long to_count,
				       const void *from, unsigned long from_count,
				       unsigned long flags)
{
	return call_result(CALL_6(SYS_process_vm_readv,
				  session_is_on() ? processes_to_kernel(pid) : pid, to, to_count,
				  from, from_count, flags));
}

static ssize_t hooked_process_vm_writev(pid_t pid, const void *from, unsigned long from_count,
					const void *to, unsigned long to_count,
					unsigned long flags)
{
	return call_result(CALL_6(SYS_process_vm_writev,
				  session_is_on() ? processes_to_kernel(pid) : pid, from,
				  from_count, to, to_count, flags));
}

/* ---- making them ---- */

static SESSION_THREAD struct lockstep_slot *coming;	/* of the child that fork() makes */

struct lockstep_slot *processes_new(void)
{
	struct lockstep_slot *slot = session_slot_new();

	if (!slot) {
		errno = EAGAIN;
		return NULL;
	}
	slot->pid = 0;
	slot->parent = lockstep_self->pid;
	slot->virtual_pid = LOCKSTEP_FIRST_PID + lockstep->processes++;
	slot->is_main = 1;
	return slot;
}

/* In the child, before what other libraries do there: it has to be its turn. */
static void in_child(void)
{
	if (!session_is_on())
		return;
	lockstep_self = coming;
	coming = NULL;
	once_in_child();
	if (!lockstep_self)
		return;
	turn_begin(~UINT64_C(0));
	threads_know_first();
}

void processes_begin(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

NEXT_DECLARE(fork);
PUBLIC pid_t fork(void)
{
	struct lockstep_slot *slot;
	uint64_t mask;
	bool was_on;
	pid_t pid;

	if (!session_is_on())
		return NEXT(fork)();
	slot = processes_new();
	if (!slot)
		return -1;
	mask = delivery_block();
	coming = slot;
	was_on = dispatch_pause();
	pid = NEXT(fork)();
	coming = NULL;
	if (pid > 0) {
		slot->pid = pid;
		baton_make_runnable(slot, LOCKSTEP_WOKEN);
	} else if (pid < 0) {
		slot->state = LOCKSTEP_FREE;
	}
	delivery_set(mask);
	if (pid == 0)
		dispatch_begin();
	else
		dispatch_resume(was_on);
	return pid > 0 ? (pid_t)slot->virtual_pid : pid;
}

/* The child may do less than after fork(), so it may be one. */
PUBLIC pid_t vfork(void)
{
	return fork();
}

/* ---- the start of programs ---- */

/* A program that posix_spawn() started: that thread is about to say which slot it has. */
static struct lockstep_slot *await_birth(void)
{
	const struct timespec pause = { .tv_nsec = 100000000 };

	for (int i = 0; i < BIRTH_WAITS; i++) {
		uint32_t births = __atomic_load_n(&lockstep->births, __ATOMIC_SEQ_CST);
		struct lockstep_slot *slot = session_slot_of(session_pid());

		if (slot)
			return slot;
		CALL_4(SYS_futex, &lockstep->births, FUTEX_WAIT, births, &pause);
	}
	return NULL;
}

/* Was it the turn of this process before it became another program? */
static bool is_running(int pid)
{
	for (uint32_t i = 0; i < lockstep->count; i++) {
		if (lockstep->slot[i].pid == pid && lockstep->slot[i].state == LOCKSTEP_RUNNING)
			return true;
	}
	return false;
}

/* The thread that called execve() has the slot; the others are gone, and timers but alarm(3)'s. */
static struct lockstep_slot *take_over(int pid)
{
	struct lockstep_slot *mine = NULL;

	for (uint32_t i = 0; i < lockstep->count; i++) {
		struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->pid != pid || !lockstep_is_alive(slot))
			continue;
		if (slot->kind == LOCKSTEP_TIMER) {
			if (!slot->is_alarm)
				slot->state = LOCKSTEP_FREE;
			continue;
		}
		if (slot->state == LOCKSTEP_RUNNING) {
			mine = slot;
			continue;
		}
		slot->state = LOCKSTEP_DEAD;
		slot->is_main = 0;
		slot->is_reaped = 1;
	}
	return mine;
}

static void join_first(void)
{
	lockstep_self = session_slot_new();
	lockstep_self->virtual_pid = LOCKSTEP_FIRST_PID + lockstep->processes++;
	lockstep_self->pid = lockstep->root = lockstep->holder = session_pid();
	lockstep->outer_group = (int32_t)CALL_1(SYS_getpgid, 0);
	lockstep_self->state = LOCKSTEP_RUNNING;
	session_note_outside();
}

static void be_main(void)
{
	lockstep_self->is_main = 1;
	lockstep_self->ordinal = 0;
	lockstep_self->virtual_tid = 0;
	lockstep_self->tid = lockstep_self->pid;
	session_name_self();
}

bool processes_join(void)
{
	int pid = session_pid();
	uint64_t mask;

	if (__atomic_exchange_n(&lockstep->is_claimed, 1, __ATOMIC_SEQ_CST) == 0) {
		join_first();
		be_main();
		lockstep->holder_tid = pid;
		return true;
	}
	if (is_running(pid)) {
		lockstep_self = take_over(pid);
	} else {
		mask = delivery_block();
		lockstep_self = await_birth();
		if (lockstep_self)
			turn_begin(mask);
		else
			delivery_set(mask);
	}
	if (lockstep_self)
		be_main();
	return lockstep_self;
}

/* ---- their end ---- */

static void hooked_exit(int status)
{
	death_of_self();
	session_exit(status);
}

/* ---- waiting for them ---- */

/* It has ended, and its status was taken. */
static void note_reaped(int pid)
{
	struct lockstep_slot *slot = slot_of(pid);

	if (!slot)
		return;
	if (slot->state != LOCKSTEP_DEAD)
		death_from_outside(slot);
	slot->is_reaped = 1;
}

static bool has_ended(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

/* Waits until a child has ended. False: it is interrupted. */
static bool wait_for_child(void)
{
	enum turn_end end = turn_wait(LOCKSTEP_CHILD, 0, LOCKSTEP_NEVER);

	pthread_testcancel();
	return end != TURN_INTERRUPTED;
}

static SESSION_THREAD bool is_spawning;

void processes_spawning(bool is_on)
{
	is_spawning = is_on;
}

static pid_t hooked_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int kernel_pid = pid, own = 0;

	if (!session_is_on() || is_spawning)
		return (pid_t)call_result(CALL_4(SYS_wait4, pid, status, options, usage));
	if (pid > 0)
		kernel_pid = processes_to_kernel(pid);
	else if (pid < -1)
		kernel_pid = -processes_group_to_kernel(-pid);
	for (;;) {
		long r = CALL_4(SYS_wait4, kernel_pid, &own, options | WNOHANG, usage);

		if (r > 0) {
			pid_t ret = processes_to_virtual((int)r);

			look_row_end();
			if (WIFSTOPPED(own))
				own = W_STOPCODE(stops_signal((int)r, WSTOPSIG(own)));
			if (status)
				*status = own;
			machine_no_usage(usage);
			if (WIFEXITED(own) || WIFSIGNALED(own))
				note_reaped((int)r);
			return ret;
		}
		if (r < 0)
			return (pid_t)call_result(r);
		if (options & WNOHANG) {
			looks_count(LOOK_IN_VAIN);
			return 0;
		}
		if (!wait_for_child())
			return (pid_t)call_result(-EINTR);
	}
}

static int hooked_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = { .si_pid = 0 };

	if (!session_is_on())
		return (int)call_result(CALL_5(SYS_waitid, type, id, info, options, NULL));
	if (type == P_PID)
		id = (id_t)processes_to_kernel((int)id);
	else if (type == P_PGID && id != 0)
		id = (id_t)processes_group_to_kernel((int)id);
	for (;;) {
		long r = CALL_5(SYS_waitid, type, id, &own, options | WNOHANG, NULL);

		if (r < 0)
			return (int)call_result(r);
		if (own.si_pid != 0 || (options & WNOHANG))
			break;
		if (!wait_for_child())
			return (int)call_result(-EINTR);
	}
	if (own.si_pid == 0)
		looks_count(LOOK_IN_VAIN);
	else
		look_row_end();
	if (info) {
		*info = own;
		info->si_pid = processes_to_virtual(own.si_pid);
		if (own.si_code == CLD_STOPPED)
			info->si_status = stops_signal(own.si_pid, own.si_status);
	}
	if (own.si_pid != 0 && has_ended(&own) && !(options & WNOWAIT))
		note_reaped(own.si_pid);
	return 0;
}

const struct hook processes_hooks[] = {
	{ "_exit", hooked_exit },
	{ "wait4", hooked_wait4 },
	{ "waitid", hooked_waitid },
	{ "process_vm_readv", hooked_process_vm_readv },
	{ "process_vm_writev", hooked_process_vm_writev },
	{ "prctl", hooked_prctl },
	{ "ptrace", hooked_ptrace },
	{ NULL, NULL },
};
