/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Owners of files, which the kernel sends signals to: F_SETOWN and its kin of fcntl(2). The owner
 * is the process that stands for a foreign one: it passes the signal on, with its turn.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_OWNERS_H
#define UMADRIG_LIB_STAND_IN_CALL_OWNERS_H

/* fcntl(2). What is not about owners, call-locks.h answers. */
long call_owners_fcntl(void);

#endif
