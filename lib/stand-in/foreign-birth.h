/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * New threads and processes of the foreign program: clone(2) and its kin. The new one waits in
 * CALL_BIRTH, before its first step, until it has its turn; the one that made it gets the session's
 * number of it.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_BIRTH_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_BIRTH_H

long foreign_birth_clone(void);
long foreign_birth_clone3(void);
long foreign_birth_fork(void);
long foreign_birth_vfork(void);

/* CALL_BIRTH. */
long foreign_birth_begin(void);

/* This process's program was another's, which waits since vfork(2): that goes on. */
void foreign_birth_let_parent_go(void);

#endif
