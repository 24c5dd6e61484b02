/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Deaths by an error of the program: see lib/lockstep/crash.h. */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "lib/lockstep/crash.h"
#include "lib/lockstep/death.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/system-call.h"

enum {
	DEPTH = 64,	/* frames that are looked at */
	LOOK_S = 4,	/* of real time; the server says after 5 s that nothing goes on */
};

static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };

static bool is_fault(int sig)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		if (faults[i] == sig)
			return true;
	}
	return false;
}

/* ---- in the copy ---- */

static void copy_text(char *to, size_t size, const char *from)
{
	size_t length = strnlen(from, size - 1);

	memcpy(to, from, length);
	to[length] = '\0';
}

/* ld.so knows the program by what it was called. */
static void copy_module(char to[LOCKSTEP_MODULE_SIZE], const char *name)
{
	char path[LOCKSTEP_MODULE_SIZE] = "";

	if (*name == '/' ||
	    CALL_4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1) <= 0)
		copy_text(to, LOCKSTEP_MODULE_SIZE, name);
	else
		memcpy(to, path, sizeof(path));
}

/* The library of an address; NULL: there is none. */
static const void *base_of(const void *at)
{
	Dl_info info;

	return dladdr(at, &info) ? info.dli_fbase : NULL;
}

static void add_frame(struct lockstep_crash *crash, const char *at)
{
	struct lockstep_frame *frame = &crash->frame[crash->frames];
	struct link_map *map = NULL;
	Dl_info info;

	if (crash->frames == LOCKSTEP_FRAMES)
		return;
	*frame = (struct lockstep_frame){ .offset = (uintptr_t)at };
	if (dladdr1(at, &info, (void **)&map, RTLD_DL_LINKMAP) && map) {
		frame->offset -= map->l_addr;
		copy_module(frame->module, info.dli_fname);
		if (info.dli_sname)
			copy_text(frame->function, sizeof(frame->function), info.dli_sname);
	}
	crash->frames++;
}

/* Who has called what is no code: a null pointer. */
static const char *caller_of_nothing(const ucontext_t *context)
{
#if defined(__x86_64__)
	return *(const char *const *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (const char *)context->uc_mcontext.regs[30];
#else
	(void)context;
	return NULL;
#endif
}

static const char *place_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (const char *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (const char *)context->uc_mcontext.pc;
#else
	(void)context;
	return NULL;
#endif
}

/* 'context': where the signal came; NULL: this library was called to end the process. */
static void look(struct lockstep_crash *crash, const ucontext_t *context)
{
	void *at[DEPTH];
	const char *place = context ? place_of(context) : NULL;
	const void *own = base_of((const void *)crash_begin);
	int count = backtrace(at, DEPTH), i = 0;

	while (i < count && (context ? at[i] != (const void *)place : base_of(at[i]) == own))
		i++;
	if (context && (i == count || !base_of(place))) {
		add_frame(crash, place);
		if (!base_of(place))
			add_frame(crash, caller_of_nothing(context) - 1);
		return;
	}
	/* What the others have is where they go on: behind the call. */
	for (int first = i; i < count; i++)
		add_frame(crash, (const char *)at[i] - (context && i == first ? 0 : 1));
}

static void be_copy(struct lockstep_crash *crash, const ucontext_t *context)
	__attribute__((noreturn));

static void be_copy(struct lockstep_crash *crash, const ucontext_t *context)
{
	lockstep_self = NULL;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		delivery_set_usual(faults[i]);
	look(crash, context);
	session_exit(0);
}

/* ---- in the process ---- */

/* Waits until the copy has ended, and ends it if that takes too long. */
static void await_copy(int pid)
{
	struct timespec rest = { .tv_sec = LOOK_S };
	int fd = (int)CALL_2(SYS_pidfd_open, pid, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };

	if (fd < 0 || CALL_5(SYS_ppoll, &end, 1, &rest, NULL, 0) <= 0)
		CALL_2(SYS_kill, pid, SIGKILL);
	while (CALL_4(SYS_wait4, pid, NULL, __WALL, NULL) == -EINTR)
		continue;
	if (fd >= 0)
		CALL_1(SYS_close, fd);
}

static void note(int sig, const ucontext_t *context)
{
	struct lockstep_crash *crash;
	long pid;

	if (!session_is_on() || !lockstep->tells_crashes || lockstep->crashes >= LOCKSTEP_CRASHES)
		return;
	crash = &lockstep->crash[lockstep->crashes++];
	*crash = (struct lockstep_crash){
		.at_ns = lockstep->now, .signal = sig,
		.virtual_pid = lockstep_self->virtual_pid, .ordinal = lockstep_self->ordinal,
	};
	copy_text(crash->program, sizeof(crash->program), lockstep_self->name);
	/* No signal when it ends. */
	pid = CALL_5(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		be_copy(crash, context);
	if (pid > 0)
		await_copy((int)pid);
}

void crash_note(int sig)
{
	if (is_fault(sig) || sig == SIGABRT)
		note(sig, NULL);
}

/* It comes again, at the same instruction, when the action is the usual one. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	bool is_sent = info->si_code <= 0;

	delivery_block();
	if (!is_sent)
		note(sig, context);
	delivery_set_usual(sig);
	death_of_self();
	if (is_sent)
		CALL_3(SYS_tgkill, session_pid(), CALL_0(SYS_gettid), sig);
}

/* ---- the handlers ---- */

bool crash_action(int sig, struct sigaction *ret)
{
	if (!lockstep || !lockstep->tells_crashes || !is_fault(sig))
		return false;
	*ret = (struct sigaction){ .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	return true;
}

bool crash_is_action(const void *handler)
{
	return handler == (const void *)on_fault;
}

NEXT_DECLARE(sigaction);

void crash_begin(void)
{
	struct sigaction action, before;

	if (crash_action(SIGSEGV, &action))
		delivery_set_usual_handler(action.sa_handler);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		if (crash_action(faults[i], &action) &&
		    NEXT(sigaction)(faults[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			NEXT(sigaction)(faults[i], &action, NULL);
	}
}
