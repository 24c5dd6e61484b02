/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Pseudoterminals. What is written to a master the kernel hands to the terminal by a thread of its
 * own, in real time: the echo of what is typed comes from there, and so do the signals of keys
 * such as ctrl-C. What is written to the terminal it hands to the master so.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TERMINALS_H
#define UMADRIG_LIB_LOCKSTEP_TERMINALS_H

#include <sys/uio.h>

/*
 * To be called after data were written to 'fd', which may be any descriptor: the terminal has them
 * when it returns.
 */
void terminals_settle(int fd);
/*
 * To be called after 'n' > 0 bytes were read from 'fd', which may be any descriptor, into 'parts':
 * reads what else has been written to the terminal, as far as there is room. Returns how many bytes
 * there are then.
 */
long terminals_read_rest(int fd, const struct iovec *parts, int count, long n);

#endif
