/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the libraries of a program and the stacks of its threads lie: at the same addresses
 * whatever size ld.so's cache has, by the limit of the stack with which it is executed. How that
 * works lib/base/mapping-base.h says.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_MAPPINGS_H
#define UMADRIG_LIB_LOCKSTEP_MAPPINGS_H

#include <stdbool.h>

/*
 * Before another program is executed. A process that has chosen its own limit keeps it. In a child
 * of vfork(2), too: a limit is the process's.
 */
void mappings_raise(void);
/* After that has failed. True: the limit was a raised one. */
bool mappings_lower(void);
/* In the new program, before it has threads: the usual limit, for them as well. */
void mappings_settle(void);

#endif
