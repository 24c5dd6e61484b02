/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A new program in the foreign process: before its first step, what would tell it the machine's
 * time or chance without a system call is taken from it. The functions of the vDSO become system
 * calls, the kernel's random bytes (AT_RANDOM) go by the session's seed, and so does the
 * processor's clock, by which Go's runtime begins its chance.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_IMAGE_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_IMAGE_H

/* execve(2) and execveat(2). */
long foreign_image_execute(void);

/* Of the process foreign.pid, which is stopped before its first step. */
void foreign_image_change(void);

#endif
