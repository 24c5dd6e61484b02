/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/thread-registers.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#if defined(__x86_64__)
enum { INSTRUCTION_SIZE = 2 };

static uint64_t counter_of(const thread_registers *at)
{
	return at->rip;
}

void thread_registers_set_call(thread_registers *to, uint64_t end,
			       const struct thread_made_call *call)
{
	to->rip = end - INSTRUCTION_SIZE;
	to->rax = (unsigned long)call->number;
	to->rdi = (unsigned long)call->arguments[0];
	to->rsi = (unsigned long)call->arguments[1];
	to->rdx = (unsigned long)call->arguments[2];
	to->orig_rax = (unsigned long)-1;	/* nothing is to be repeated */
}

void thread_registers_set_result(thread_registers *to, uint64_t end, long result)
{
	to->rip = end;
	to->rax = (unsigned long)result;
	to->orig_rax = (unsigned long)-1;
}

long thread_registers_result(const thread_registers *at)
{
	return (long)at->rax;
}
#elif defined(__aarch64__)
enum { INSTRUCTION_SIZE = 4 };

static uint64_t counter_of(const thread_registers *at)
{
	return at->pc;
}

void thread_registers_set_call(thread_registers *to, uint64_t end,
			       const struct thread_made_call *call)
{
	to->pc = end - INSTRUCTION_SIZE;
	to->regs[8] = (unsigned long)call->number;
	for (int i = 0; i < THREAD_MADE_ARGUMENTS; i++)
		to->regs[i] = (unsigned long)call->arguments[i];
}

void thread_registers_set_result(thread_registers *to, uint64_t end, long result)
{
	to->pc = end;
	to->regs[0] = (unsigned long)result;
}

long thread_registers_result(const thread_registers *at)
{
	return (long)at->regs[0];
}
#else
#error "what follows a system call instruction is not known for this processor"
#endif

bool thread_registers_are_at(const thread_registers *at, uint64_t end)
{
	return counter_of(at) == end || counter_of(at) == end - INSTRUCTION_SIZE;
}

int thread_registers_get(pid_t tid, thread_registers *ret)
{
	struct iovec part = { ret, sizeof(*ret) };

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &part) < 0 ? -errno : 0;
}

int thread_registers_set(pid_t tid, const thread_registers *from)
{
	struct iovec part = { (void *)from, sizeof(*from) };

	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &part) < 0 ? -errno : 0;
}
