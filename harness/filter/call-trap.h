/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A trap: a system call, when the filter stops it, and what then handles it.
 *
 * harness/filter/trap-table.c has them all; harness/filter/seccomp-filter.c makes a program for the
 * kernel of them, harness/filter/supervisor.c calls their handlers.
 */
#ifndef UMADRIG_HARNESS_FILTER_CALL_TRAP_H
#define UMADRIG_HARNESS_FILTER_CALL_TRAP_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>

struct supervisor;

/* What a handler returns in the place of a result: no errno has these numbers. */
enum {
	CALL_GOES_ON = -4096,	/* the kernel does the call as if there were no filter */
	CALL_ANSWERED = -4097,	/* the call has its answer, or gets it later */
	CALL_OF_ANOTHER = -4098,	/* of a device's calls: it is about none of that kind */
};

/*
 * Handles one trapped call. Returns what the call does, its result or -errno, or one of those
 * above. What the program's memory says is read once; its thread may die at any time.
 */
typedef long supervisor_call_fn(struct supervisor *supervisor, const struct seccomp_notif *call);

/*
 * A filter can compare numbers, and knows nothing of what a descriptor refers to. So each
 * descriptor of ours has a number from 'first_number' on ("high"): all others go unhindered.
 * AT_FDCWD is a high number as well.
 */
enum trap_when {
	TRAP_ALWAYS,
	TRAP_HIGH,		/* the first argument is a high descriptor */
	TRAP_HIGH_OR_SECOND,	/* that or the second one */
	TRAP_HIGH_OR_THIRD,	/* that or the third one */
	TRAP_HIGH_DUP,		/* fcntl: the same, and the command is one of the F_DUPFD */
	TRAP_NETLINK,		/* socket: only for netlink's RDMA and uevents */
	TRAP_UMAD_COMMAND,	/* ioctl: the same; or the command is one of umad's, on any one */
	/* Those that follow never reach the supervisor: the filter answers -'refusal'. */
	TRAP_REFUSE,
	TRAP_REFUSE_NODE,	/* mknod, mknodat: only for device nodes of InfiniBand */
	TRAP_REFUSE_MOUNTS,	/* setns: only for a mount namespace, or whatever it is */
};

struct trap {
	int number;			/* of the system call; see <sys/syscall.h> */
	enum trap_when when;
	supervisor_call_fn *handle;	/* NULL: refused */
	int refusal;			/* an errno */
};

/* The system call numbers of a table are below this. */
enum { TRAP_NUMBER_MAX = 600 };

struct trap_table {
	const struct trap *traps;	/* the most frequent ones first */
	size_t count;
};

#endif
