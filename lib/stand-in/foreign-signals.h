/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals for the foreign program. Others send them to the process that stands for it, which the
 * session knows: what the foreign program blocks and ignores, this one does as well, and what it
 * has a handler for, or dies of, is passed on to it by a handler here. So a signal comes with the
 * turn of the thread that is to have it, and ends what that thread waits for.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_SIGNALS_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of the kernel's, of 64 bits, in the program's memory, read into 'buf'. NULL: none. */
const sigset_t *foreign_signals_get_set(uint64_t at, sigset_t *buf);

/* At the start, and with each new program, which has handlers no more. */
void foreign_signals_begin(void);

/* Once more when this process makes a thread: libc, which uses some for threads, sets them then. */
void foreign_signals_take_from_libc(void);

long foreign_signals_action(void);	/* rt_sigaction(2) */
long foreign_signals_mask(void);	/* rt_sigprocmask(2) */
long foreign_signals_pending(void);
long foreign_signals_suspend(void);
long foreign_signals_pause(void);
long foreign_signals_timed_wait(void);
long foreign_signals_kill(void);
long foreign_signals_tgkill(void);
long foreign_signals_tkill(void);
long foreign_signals_queue(void);
long foreign_signals_queue_thread(void);
long foreign_signals_pidfd(void);	/* pidfd_send_signal(2) */

#endif
