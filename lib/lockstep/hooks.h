/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Functions of libc whose entry becomes a jump to ours: so libc's own calls come to us, too, and
 * what other libraries define in front of libc (libumadraw) goes on working. The function cannot be
 * called any more; ours makes the system call itself.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_HOOKS_H
#define UMADRIG_LIB_LOCKSTEP_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

struct hook {
	const char *name;	/* in libc; NULL: the table ends */
	void *to;		/* a function of the same type */
};

/*
 * Changes the entries of all 'count' tables, which are kept; those that this libc does not have are
 * left out. To be called once, while the process has one thread. False: memory of libc cannot be
 * written, and nothing works.
 */
bool hooks_set(const struct hook *const *tables, size_t count);
/* Ours in the place of a function of libc; NULL: there is none. */
void *hooks_function(const char *name);

#endif
