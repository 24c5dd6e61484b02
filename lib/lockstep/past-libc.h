/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that could load this library, and yet have another one stand for them, because some of
 * their system calls are made past libc: those of OpenMP, whose threads wait for each other by the
 * kernel's futexes, and all of a session that wants so (how=filter).
 */
#ifndef UMADRIG_LIB_LOCKSTEP_PAST_LIBC_H
#define UMADRIG_LIB_LOCKSTEP_PAST_LIBC_H

#include <stdbool.h>

/*
 * Is this process such a program? To be called once its libraries are mapped, and it has joined
 * the session.
 */
bool past_libc_is_this(void);

/* Is one that could load this library to be stood for from its start? */
bool past_libc_are_all(void);

#endif
