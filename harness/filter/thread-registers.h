/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The registers of a traced thread that is stopped in or at a system call: what they are called
 * differs between processors.
 */
#ifndef UMADRIG_HARNESS_FILTER_THREAD_REGISTERS_H
#define UMADRIG_HARNESS_FILTER_THREAD_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

enum { THREAD_MADE_ARGUMENTS = 3 };

struct thread_made_call {
	long number;		/* as in <sys/syscall.h> */
	long arguments[THREAD_MADE_ARGUMENTS];
};

typedef struct user_regs_struct thread_registers;

/* 0 or -errno: the thread is no longer stopped, because it was killed. */
int thread_registers_get(pid_t tid, thread_registers *ret);
int thread_registers_set(pid_t tid, const thread_registers *from);

/*
 * In what follows 'end' is the address behind the instruction that makes the call, as in struct
 * seccomp_data. Is the thread there, or at the instruction, to make the call again?
 */
bool thread_registers_are_at(const thread_registers *at, uint64_t end);
/* At the instruction that ends at 'end', to make this call. */
void thread_registers_set_call(thread_registers *to, uint64_t end,
			       const struct thread_made_call *call);
/* Behind it, with this result: a value, or -errno. */
void thread_registers_set_result(thread_registers *to, uint64_t end, long result);
long thread_registers_result(const thread_registers *at);

#endif
