/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Pseudoterminals. What is written to a master the kernel hands to the terminal by a thread of its
 * own, in real time: the echo of what is typed comes from there, and so do the signals of keys
 * such as ctrl-C.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TERMINALS_H
#define UMADRIG_LIB_LOCKSTEP_TERMINALS_H

/* To be called when 'path' has been opened, as 'fd'. */
void terminals_opened(int fd, const char *path);
/*
 * To be called after data were written to 'fd', which may be any descriptor: the terminal has them
 * when it returns.
 */
void terminals_settle(int fd);

#endif
