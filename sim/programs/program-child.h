/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program as a process of ours: how it begins, and how it has ended.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_CHILD_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How to start it. Nothing of it is kept. */
struct program_start {
	const char *const *argv;	/* NULL-terminated */
	const char *const *environment;	/* the same; NULL: ours */
	const char *directory;		/* NULL: ours */
	int input, output, errors;	/* 0: /dev/null, and what we have */
	sigset_t mask;			/* the signals that it blocks */
	bool same_addresses;		/* each time, where the kernel allows it */
};

struct program_child {
	pid_t pid;
	bool is_over;
	int status;	/* as of waitpid(2); or -ECHILD: another has waited for it */
};

/*
 * Starts it: the leader of a process group, which is killed when the calling thread ends. 0, or
 * -errno with a message.
 */
int program_child_start(struct program_child *child, const struct program_start *start,
			char *reterr, size_t reterr_size);
/* Has it ended? Its status is then known. */
bool program_child_is_over(struct program_child *child);
/* Waits for its end, in real time. */
void program_child_await(struct program_child *child);

#endif
