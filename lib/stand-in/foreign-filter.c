/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-filter.h. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "lib/lockstep/system-call.h"
#include "lib/stand-in/call-past.h"
#include "lib/stand-in/foreign-filter.h"
#include "lib/stand-in/stopped-calls.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)	/* Linux 5.19 */
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum {
	FILTER_MAX = 1024,
	FIRST_ARGUMENT = 16,		/* the lower half; both processors have that first */
	THIRD_ARGUMENT = 32,
	X32_NUMBERS = 0x40000000,	/* x86-64: numbers of 32-bit programs' calls begin here */
};

/* Calls that are stopped for another argument as well. */
static const struct also {
	int number;
	uint32_t third;
} also = { SYS_getsockopt, SO_PEERCRED };

struct filter {
	struct sock_filter code[FILTER_MAX];
	unsigned short n;
};

static void emit(struct filter *filter, struct sock_filter line)
{
	filter->code[filter->n++] = line;
}

static void emit_load(struct filter *filter, size_t offset)
{
	emit(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void emit_end(struct filter *filter, uint32_t how)
{
	emit(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, how));
}

/* What has none of these arguments is let go; else the line that follows is next. */
static void emit_arguments(struct filter *filter, const struct stopped_call *row, bool has_third)
{
	emit_load(filter, FIRST_ARGUMENT);
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, row->first,
						  has_third ? 3 : 1, 0));
	if (has_third) {
		emit_load(filter, THIRD_ARGUMENT);
		emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, also.third, 1,
							  0));
	}
	emit_end(filter, SECCOMP_RET_ALLOW);
}

static void emit_row(struct filter *filter, const struct stopped_call *row)
{
	bool has_third = row->number == also.number;
	uint8_t lines = !row->first ? 1 : has_third ? 6 : 4;

	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->number,
						  0, lines));
	if (row->first)
		emit_arguments(filter, row, has_third);
	emit_end(filter, SECCOMP_RET_USER_NOTIF);
}

/* Calls of another architecture would pass by: there are none of them. */
static void make_filter(struct filter *filter)
{
	const struct stopped_call *row = stopped_calls;

	emit_load(filter, offsetof(struct seccomp_data, arch));
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
	emit_end(filter, SECCOMP_RET_ERRNO | ENOSYS);
	emit_load(filter, offsetof(struct seccomp_data, nr));
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_NUMBERS, 0, 1));
	emit_end(filter, SECCOMP_RET_ERRNO | ENOSYS);
	for (; row->answer; row++)
		emit_row(filter, row);
	emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, CALL_PAST_UNKNOWN, 0,
						  1));
	emit_end(filter, SECCOMP_RET_USER_NOTIF);
	emit_end(filter, SECCOMP_RET_ALLOW);
}

int foreign_filter_install(void)
{
	struct filter filter = { .n = 0 };
	struct sock_fprog program;
	const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER |
				    SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
	long fd;

	make_filter(&filter);
	program = (struct sock_fprog){ .len = filter.n, .filter = filter.code };
	fd = CALL_3(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	if (fd == -EACCES) {		/* only root may without giving rights up */
		CALL_5(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		fd = CALL_3(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	}
	return (int)fd;
}
