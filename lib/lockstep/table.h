/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table that all threads of a session in virtual time share, and their fabric server.
 *
 * Exactly one thread of the session runs at a time: the one that has the baton. The baton is also
 * the right to write the table, so the table needs no lock. A thread that has to wait notes in its
 * slot what for, chooses the next that can run, and gives the baton on; where none can, it has the
 * server move the clock (ATTACH_ADVANCE). The server writes the table, too, while it answers a
 * call: then the thread that has the baton waits for the reply. And when a process has died with
 * the baton, the server takes it up (sim/server/lockstep.h).
 *
 * The table is a file in the server's directory, which only its user may enter. A hostile program
 * of that user can disturb the session by it, and nothing else: the server checks every number that
 * it reads there.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TABLE_H
#define UMADRIG_LIB_LOCKSTEP_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* LOCKSTEP_VARIABLE names the file of the table to programs; without it they live in real time. */
#include "lib/base/lockstep-variable.h"
#include "lib/words/schedule-switch.h"
#include "lib/words/schedule.h"

#define LOCKSTEP_MAGIC UINT64_C(0x0010706574736b6c)	/* the last two bytes: the version */
#define LOCKSTEP_NEVER INT64_MAX			/* a deadline that never comes */

enum {
	LOCKSTEP_SLOTS = 4096,
	LOCKSTEP_CACHE_PATH_SIZE = 24,
	LOCKSTEP_PORTS = 4096,		/* that the kernel has chosen, the latest */
	LOCKSTEP_PORT_WORDS = 883,	/* of bits, for PORTS_FIRST to PORTS_END */
	LOCKSTEP_COOKIES = 8,		/* handles that one thread waits for */
	LOCKSTEP_FILES = 65536,		/* that the session has changed, and knows of */
	LOCKSTEP_HANDLES = 1024,	/* that the server lists */
	LOCKSTEP_OUTSIDE = 16,		/* files that lead out of the session */
	LOCKSTEP_FINDINGS = 256,	/* of the audit that are told apart */
	LOCKSTEP_CRASHES = 8,		/* that are kept, the first ones */
	LOCKSTEP_FRAMES = 16,		/* of each, from where it was */
	LOCKSTEP_SWITCHES = 16384,	/* that are noted, and that are asked for */
	LOCKSTEP_MODULE_SIZE = 160,
	LOCKSTEP_FUNCTION_SIZE = 104,
	LOCKSTEP_NAME_SIZE = 16,	/* of a program, as in /proc/PID/comm */
	LOCKSTEP_FIRST_PID = 1000,	/* the first program's, as programs see it */
	LOCKSTEP_OUTER = 999,		/* process groups that no program has made */
	LOCKSTEP_FIRST_TID = 1000000,	/* of threads but the first of a process */
	/* The exit status of programs that lock-step ends, because they could not go on. */
	LOCKSTEP_EXIT = 123,
};

enum lockstep_state {
	LOCKSTEP_FREE,
	LOCKSTEP_STARTING,	/* its process is being made */
	LOCKSTEP_RUNNABLE,	/* waits for the baton alone */
	LOCKSTEP_RUNNING,
	LOCKSTEP_WAITING,
	LOCKSTEP_DEAD,
};

/* What a thread waits for; lockstep_kind_text() has the words for messages. */
enum lockstep_kind {
	LOCKSTEP_TIME,		/* its deadline */
	LOCKSTEP_DESCRIPTOR,	/* addr: its number */
	LOCKSTEP_CONDITION,	/* addr: the condition variable's */
	LOCKSTEP_MUTEX,
	LOCKSTEP_RWLOCK,
	LOCKSTEP_SEMAPHORE,
	LOCKSTEP_BARRIER,
	LOCKSTEP_THREAD,	/* the end of one; addr: its slot's number */
	LOCKSTEP_CHILD,
	LOCKSTEP_YIELD,
	LOCKSTEP_SIGNAL,
	LOCKSTEP_FUTEX,
	LOCKSTEP_TIMER,		/* no thread: addr is its process's signal, or see file */
	LOCKSTEP_END,		/* no thread: what is left is killed then */
	LOCKSTEP_KINDS
};

/* Why a thread that waited can run. */
enum lockstep_reason {
	LOCKSTEP_WOKEN,
	LOCKSTEP_TIMED_OUT,
	LOCKSTEP_LOOK,		/* at its descriptors, or for signals, before time moves */
	LOCKSTEP_DELIVERY,	/* its process has a signal */
};

struct lockstep_slot {
	uint32_t baton;		/* a futex; 1: its thread has the turn */
	uint32_t state;		/* enum lockstep_state */
	uint32_t kind;		/* enum lockstep_kind */
	uint32_t reason;	/* enum lockstep_reason */
	int32_t pid, tid;	/* the kernel's; tid 0: not known. Of a timer: who gets a signal */
	int32_t parent;		/* pid of the process that made its process */
	uint32_t virtual_pid, virtual_tid;
	uint32_t ordinal;	/* of the thread in its process */
	uint32_t is_main;	/* it stands for its process */
	uint32_t is_reaped;	/* of a process: its parent has its status, or is gone */
	uint32_t is_generic;	/* it waits for descriptors that the server does not know */
	uint32_t cookies;
	uint32_t clock;		/* of a timerfd: whose time it is set in */
	uint32_t expects_signals;	/* the kernel may send its process one by itself */
	uint32_t stopped;	/* its process is stopped, by this signal; 0: it is not */
	uint32_t is_alarm;	/* of a timer: its process's of alarm(3), which outlives exec */
	uint32_t has_sent;	/* of a timer: its signal, at least once */
	uint32_t overruns;	/* of a timer: since then, while that was on its way */
	uint32_t overruns_before;	/* of a timer: of the signal before that */
	int32_t stands_for;	/* another process's thread, by the kernel's number; 0: for none */
	int32_t stands_for_process;	/* and that process */
	int32_t nice, policy;	/* lib/lockstep/priorities.h */
	uint64_t calls;		/* that it has had from that one */
	uint64_t sleeps;	/* of a thread that is to stop: how often it has slept before */
	uint64_t addr;		/* lockstep_is_shared(): of no process */
	int64_t deadline;	/* of the session's clock, in ns */
	int64_t interval;	/* of a timer; 0: it expires once */
	uint64_t mutex;		/* that it locks when a condition variable has woken it, or 0 */
	uint64_t seq;		/* since when it waits */
	uint64_t ready_seq;	/* since when it can run */
	uint64_t priority;	/* lib/lockstep/strategy.h; 0: it has none so far */
	uint64_t choices;	/* that its thread has made (lib/lockstep/strategy.h) */
	uint64_t looked;	/* the table's activity when it last looked at descriptors */
	uint64_t mask;		/* signals that its thread blocks while it waits: bit SIGNAL - 1 */
	uint64_t awaited;	/* and those of them that it waits for, as sigwait(3) does */
	uint64_t file;		/* of a timer: the inode of its pipe; 0: it sends a signal */
	uint64_t value;		/* of a timer: what its signal brings, see sigevent(7) */
	int64_t silent;		/* of a timer that sends nothing: its deadline */
	int64_t due;		/* when it expired, and nobody has looked since; 0: it has not */
	uint64_t cookie[LOCKSTEP_COOKIES];
	char name[LOCKSTEP_NAME_SIZE];	/* terminated */
};

/* Times of a file that the session has changed, as programs see them: since 1970, in ns. */
struct lockstep_file {
	uint64_t device, inode;
	int64_t modified_ns;
	int64_t changed_ns;	/* 0: free */
	int64_t accessed_ns;	/* set by a program; read since, unless the kernel has it, too */
};

/* The processor's clock, in place of a call's number. */
#define LOCKSTEP_RDTSC (-1)

/* A port that the kernel has chosen, and what programs see: lib/lockstep/ports.h. */
struct lockstep_port {
	uint16_t real, remote, shown;
};

/* System calls past virtual time, of one kind: see lib/lockstep/audit.h. */
struct lockstep_finding {
	int64_t call;		/* the kernel's number, or LOCKSTEP_RDTSC */
	uint64_t count;
	uint32_t ordinal;	/* of the thread in its process */
	uint32_t unused;
	char program[LOCKSTEP_NAME_SIZE];	/* terminated */
};

/* The session's copy of ld.so's cache, and what that was when it was made: library-cache.h. */
struct lockstep_cache {
	uint64_t device, inode, size;
	int64_t modified_ns;
	char path[LOCKSTEP_CACHE_PATH_SIZE];	/* terminated; "": there is none */
};

/* Where another thread ran than would have in order. Names are terminated. */
struct lockstep_switch {
	struct schedule_switch at;
	uint32_t kind;		/* what the one that chose waited for: enum lockstep_kind */
	uint32_t unused;
	char program[LOCKSTEP_NAME_SIZE], next_program[LOCKSTEP_NAME_SIZE];
};

/* Where a thread was; texts are terminated. */
struct lockstep_frame {
	uint64_t offset;	/* in the file of the module, as its linker has it */
	char module[LOCKSTEP_MODULE_SIZE];	/* a path; "": it was in none */
	char function[LOCKSTEP_FUNCTION_SIZE];	/* "": it is no dynamic symbol */
};

/* A process that has ended by an error of its own: see lib/lockstep/crash.h. */
struct lockstep_crash {
	int64_t at_ns;		/* of the session's clock */
	int32_t signal;
	uint32_t virtual_pid;
	uint32_t ordinal;	/* of the thread in its process */
	uint32_t frames;	/* used entries of frame; 0: they could not be found */
	char program[LOCKSTEP_NAME_SIZE];	/* terminated */
	struct lockstep_frame frame[LOCKSTEP_FRAMES];	/* the innermost first */
};

struct lockstep_table {
	uint64_t magic;
	int64_t now;		/* the session's time in ns, from 0 */
	uint64_t seed;		/* of random bytes */
	uint32_t strategy;	/* enum schedule_strategy */
	uint32_t falls;		/* of SCHEDULE_PCT: used entries of fall */
	uint64_t schedule;	/* state of chance */
	uint64_t order;		/* of SCHEDULE_PCT: seed of the threads' priorities */
	uint64_t points;	/* where others might have been let in, so far */
	uint64_t lowest;	/* of SCHEDULE_PCT: below all priorities that there are */
	uint64_t fall[SCHEDULE_DEPTH_MAX];	/* the points where a priority falls */
	uint32_t count;		/* slots ever used, from the first */
	uint32_t processes;	/* ever made */
	uint32_t threads;	/* ever made, but first ones */
	uint32_t births;	/* a futex: counts processes that were made without fork() */
	uint32_t is_claimed;	/* the first program has come */
	uint32_t is_over;	/* nobody may go on */
	uint32_t duty;		/* with the baton comes only the duty to choose */
	int32_t holder;		/* the process that has the baton; 0: none so far */
	int32_t holder_tid;
	int32_t dying;		/* this process is to be gone before the next thread goes on */
	int32_t dying_tid;	/* or this thread of it; 0: the process */
	int32_t stopping;	/* this one is to be stopped before that; -pid: it stops itself */
	int32_t processor;	/* that all run on; -1: any */
	int32_t outer_group;	/* that the first program was born in; 0: another starts them */
	int32_t root;		/* pid of the first program; 0: it has ended */
	uint32_t has_tcp;	/* a program has made a socket of TCP */
	uint32_t tcp_in_vain;	/* ends of connections that were waited for in vain */
	uint32_t refused;	/* bits of what lib/lockstep/refusals.h has named */
	uint32_t is_outside;	/* the holder waits for what comes from outside of the session */
	int64_t grace_ns;	/* from the first program's end to SIGKILL for what is left */
	uint64_t seq;
	uint64_t activity;
	uint64_t switches;
	uint64_t advances;
	uint32_t files_due;	/* timers with a file whose due is set */
	uint64_t audited;	/* system calls that the audit has looked at */
	uint64_t audited_programs;
	uint64_t unlisted;	/* findings for which there was no room */
	uint32_t audit;		/* 1: programs are audited */
	uint32_t findings;	/* used entries of the next */
	struct lockstep_finding finding[LOCKSTEP_FINDINGS];
	uint32_t tells_crashes;	/* 1: those are told */
	uint32_t crashes;	/* used entries of the next */
	struct lockstep_crash crash[LOCKSTEP_CRASHES];
	uint32_t wishes;	/* used entries of the next */
	uint32_t switched;	/* used entries of 'switched_at'; more: there were more */
	struct schedule_switch wish[LOCKSTEP_SWITCHES];	/* by thread and choice */
	struct lockstep_switch switched_at[LOCKSTEP_SWITCHES];	/* in order of time */
	uint64_t outside[LOCKSTEP_OUTSIDE][2];	/* device and inode */
	uint32_t outsides;
	uint32_t handles;		/* used entries of the next, from the first */
	uint64_t handle[LOCKSTEP_HANDLES];	/* cookies of the fabric's handles; 0: free */
	uint64_t kernel_mapped;		/* bytes that the kernel maps into each program */
	uint32_t all_are_foreign;	/* programs are stood for, also where they could load us */
	int64_t file_start_ns;		/* real time at the start */
	int64_t file_ns;		/* what the last change of a file shows */
	uint32_t file_is_seen;		/* a program has looked at a file that shows it */
	int64_t ahead_ns;		/* by which the real-time clock is ahead */
	uint32_t ports;			/* ever noted; a ring */
	uint32_t ports_given;		/* the next one, from PORTS_FIRST */
	uint32_t port_named[LOCKSTEP_PORT_WORDS];	/* bits: a program has chosen it itself */
	uint32_t port_unused;
	struct lockstep_port port[LOCKSTEP_PORTS];
	struct lockstep_cache cache;
	struct lockstep_slot slot[LOCKSTEP_SLOTS];
	struct lockstep_file file[LOCKSTEP_FILES];	/* hashed */
};

/* Is it the name of a lock in memory that processes share? Addresses never have this bit. */
static inline int lockstep_is_shared(uint64_t addr)
{
	return addr >> 63;
}

/* How many slots there are, for those who do not believe the table: programs can write it. */
static inline uint32_t lockstep_count(const struct lockstep_table *table)
{
	return table->count < LOCKSTEP_SLOTS ? table->count : LOCKSTEP_SLOTS;
}

/* It is there, and has not ended. */
static inline int lockstep_is_alive(const struct lockstep_slot *slot)
{
	return slot->state != LOCKSTEP_FREE && slot->state != LOCKSTEP_DEAD;
}

/* Of those that are alive: neither a timer nor the end of the session. */
static inline int lockstep_is_thread(const struct lockstep_slot *slot)
{
	return lockstep_is_alive(slot) && slot->kind != LOCKSTEP_TIMER &&
	       slot->kind != LOCKSTEP_END;
}

/*
 * It waits; also one that can run only to look for signals, and then goes on waiting: what it
 * waits for may come before it has its turn.
 */
static inline int lockstep_waits(const struct lockstep_slot *slot)
{
	return slot->state == LOCKSTEP_WAITING ||
	       (slot->state == LOCKSTEP_RUNNABLE && slot->reason == LOCKSTEP_LOOK &&
		!slot->is_generic);
}

/* A slot that nobody asks for any more, or a new one; NULL: there is none. */
static inline struct lockstep_slot *lockstep_unused(struct lockstep_table *table)
{
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->state == LOCKSTEP_FREE ||
		    (slot->state == LOCKSTEP_DEAD && slot->is_reaped))
			return slot;
	}
	return table->count < LOCKSTEP_SLOTS ? &table->slot[table->count++] : NULL;
}

/* 'slot' can run: it will be chosen some time. */
static inline void lockstep_make_runnable(struct lockstep_table *table, struct lockstep_slot *slot,
					  enum lockstep_reason reason)
{
	slot->state = LOCKSTEP_RUNNABLE;
	slot->reason = reason;
	slot->ready_seq = ++table->seq;
}

/* 'slot' gets the baton, and is still to be woken. 'duty': as lockstep_table has it. */
static inline void lockstep_hand(struct lockstep_table *table, struct lockstep_slot *slot,
				 uint32_t duty)
{
	table->holder = slot->pid;
	table->holder_tid = slot->tid;
	table->duty = duty;
	__atomic_store_n(&slot->baton, 1, __ATOMIC_SEQ_CST);
}

/* Does its thread wait, and take the signal then? */
static inline int lockstep_takes(const struct lockstep_slot *slot, int sig)
{
	return lockstep_waits(slot) && slot->kind != LOCKSTEP_TIMER &&
	       ((~slot->mask | slot->awaited) >> (sig - 1) & 1);
}

/* The thread of process 'pid' that takes it goes on to do so: the first one before others. */
static inline void lockstep_wake_taker(struct lockstep_table *table, int pid, int sig)
{
	struct lockstep_slot *found = NULL;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->pid == pid && lockstep_takes(slot, sig) && (!found || slot->is_main))
			found = slot;
	}
	if (found)
		lockstep_make_runnable(table, found, LOCKSTEP_DELIVERY);
}

/* "descriptor 4", "the condition variable at 0x...": what a kind is called in messages. */
static inline const char *lockstep_kind_text(uint32_t kind)
{
	static const char *const texts[LOCKSTEP_KINDS] = {
		[LOCKSTEP_TIME] = "time", [LOCKSTEP_DESCRIPTOR] = "descriptor",
		[LOCKSTEP_CONDITION] = "condition variable", [LOCKSTEP_MUTEX] = "mutex",
		[LOCKSTEP_RWLOCK] = "read-write lock", [LOCKSTEP_SEMAPHORE] = "semaphore",
		[LOCKSTEP_BARRIER] = "barrier", [LOCKSTEP_THREAD] = "end of thread",
		[LOCKSTEP_CHILD] = "a child's end", [LOCKSTEP_YIELD] = "others",
		[LOCKSTEP_SIGNAL] = "a signal", [LOCKSTEP_FUTEX] = "futex",
		[LOCKSTEP_TIMER] = "timer", [LOCKSTEP_END] = "the end",
	};

	return kind < LOCKSTEP_KINDS ? texts[kind] : "?";
}

#endif
