/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Environments of one size. Where a program's stack begins depends on the size of its environment
 * and of the kernel's auxiliary vector (Linux 6.3 and later have two entries more), and programs
 * send what lies on their stacks. So each program in virtual time gets a variable that fills both
 * up: as the last thing before execve(2), by whoever makes that call.
 */
#ifndef UMADRIG_LIB_BASE_ENVIRONMENT_PADDING_H
#define UMADRIG_LIB_BASE_ENVIRONMENT_PADDING_H

#include <stdbool.h>

enum {
	ENVIRONMENT_PADDED = 32768,	/* bytes, with the pointers and the auxiliary vector; a
					 * larger one: a multiple */
	ENVIRONMENT_PADDING_VARIABLES = 2,	/* as many may be added */
};

/* Has the text of a variable. It is to live until execve(2). */
struct environment_padding {
	char text[ENVIRONMENT_PADDED + 32];
};

/* Is it of a program in virtual time? 'env' ends with NULL, and may be NULL itself. */
bool environment_is_in_lockstep(char *const *env);
/* Has it that size? */
bool environment_is_padded(char *const *env);
/*
 * Gives 'env' that size; it has room for ENVIRONMENT_PADDING_VARIABLES more. No call of libc that
 * allocates or locks: it may be used between fork(2) and execve(2).
 */
void environment_pad(char **env, struct environment_padding *padding);

#endif
