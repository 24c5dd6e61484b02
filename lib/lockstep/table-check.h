/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The invariants of the table and its slots, while a thread has its turn: lib/base/invariant.h. A
 * program checks them, not the server, in whose table any program can write.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TABLE_CHECK_H
#define UMADRIG_LIB_LOCKSTEP_TABLE_CHECK_H

#include "lib/lockstep/table.h"

/* 'self' has the turn. */
const char *lockstep_table_check(const struct lockstep_table *table,
				 const struct lockstep_slot *self);

#endif
