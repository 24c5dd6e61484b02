/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * libumadlockstep.so: programs in virtual time.
 *
 * umadrig exec with clock=virtual preloads it into every program, in front of all other libraries.
 * It replaces the functions of libc that wait or tell the time, so that exactly one thread of the
 * session runs at a time, and time moves only when none can. doc/virtual-time.md describes it to
 * users. It needs libc only.
 *
 * From the bottom up: table.h is what all share; table.c and this header what of it a program
 * uses; baton.c hands the right to run on; death.c is the end of threads and processes; delivery.c
 * has signals come with the turn; crash.c notes where a program was that ends by an error of its
 * own; advance.c asks the server to move the clock; strategy.c says which thread is next; turn.c
 * chooses it; looks.c has looks that do not wait take time (look-row.c counts them). Above them
 * each file is a noun with the calls that it replaces:
 * clocks.c, clock-settings.c, sleeps.c, locks.c, spin-locks.c, conditions.c, semaphores.c,
 * barriers.c, futexes.c (and shared.c, which names those that processes share), threads.c, c11.c,
 * once.c, descriptors.c,
 * file-locks.c, file-times.c, opens.c, sockets.c, tcp.c, splices.c, message-queues.c, mq-notices.c,
 * processes.c, images.c, commands.c, tasks.c, signals.c, signal-senders.c, signal-waits.c,
 * thread-signals.c, timers.c, timer-files.c, thread-timers.c, chance.c, temporary-names.c,
 * machine.c, machine-files.c, processors.c, stand-ins.c. audit.c looks at the calls that none of
 * them makes. begin.c starts.
 *
 * A call is replaced in one of two ways. PUBLIC functions take the place of libc's for all that
 * call it by name. But libc's own functions call each other directly (stdio does not call read() by
 * name): those whose work is one system call are also hooked at their entry (hooks.h). What a
 * PUBLIC function passes on to is NEXT(name): the next definition, of a sanitizer or of libc.
 *
 * Rules inside: no function that is replaced is called, only system_call() and NEXT() (but in
 * commands.c, once.c and temporary-names.c, which are made of such functions); no memory is
 * allocated while a thread waits; the table is written only with the baton.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LOCKSTEP_SESSION_H
#define UMADRIG_LIB_LOCKSTEP_LOCKSTEP_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/lockstep/table.h"

#define PUBLIC __attribute__((visibility("default")))
/*
 * Small ones: they lie between libc's and those of the program, and fork(2) copies each page of
 * that. A large one is no thread's own: who has the turn has it.
 */
#define SESSION_THREAD __thread __attribute__((tls_model("initial-exec")))

/*
 * For functions that have an inode in hand: it differs from run to run, and ld.so saves registers
 * on the stack when it finds a function, where programs find what they send without having set it.
 */
#if __has_attribute(zero_call_used_regs)
#define SESSION_NO_REGISTERS __attribute__((noinline, zero_call_used_regs("all-gpr")))
#else
#define SESSION_NO_REGISTERS __attribute__((noinline))
#endif

#define NS_PER_SECOND INT64_C(1000000000)

/* NULL: this process lives in real time. */
extern struct lockstep_table *lockstep;
/* The calling thread's; NULL: it does not take part. */
extern SESSION_THREAD struct lockstep_slot *lockstep_self;

static inline bool session_is_on(void)
{
	return lockstep && lockstep_self;
}

/* Maps the table. 0, or -errno: -ENOENT if it is gone, -EPROTO if it is of another version. */
int session_open(const char *path);
/* A slot for a thread of this process, STARTING; NULL: none is free, which has been said. */
struct lockstep_slot *session_slot_new(void);
/* The slot that stands for a process of the kernel's number 'pid'; NULL: it is none, or dead. */
struct lockstep_slot *session_slot_of(int pid);
/* Notes the name of this program in its slot. */
void session_name_self(void);

/*
 * Pipes, sockets and terminals that the first program inherits lead out of the session: what comes
 * through them comes at a real moment.
 */
void session_note_outside(void);
bool session_leads_out(int fd);

/* The kernel's number of this process. */
int session_pid(void);
/*
 * Zeroes the 8 KiB of the stack below the caller, and registers. What a program leaves there goes
 * into what it sends later, where it sends memory that it has not set; what we or ld.so leave there
 * for it differs with what was quicker, and with the kernel's numbers of threads.
 */
void session_wipe(void);
/* A line on stderr. */
void session_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends this process, without a word to others. */
void session_exit(int status) __attribute__((noreturn));

#endif
