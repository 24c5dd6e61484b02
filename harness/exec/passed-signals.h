/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Signals that are sent to umadrig alone but meant for the program.
 */
#ifndef UMADRIG_HARNESS_EXEC_PASSED_SIGNALS_H
#define UMADRIG_HARNESS_EXEC_PASSED_SIGNALS_H

#include <signal.h>

/* Calls 'handler' for them from now on, but for those that are ignored (nohup). */
void passed_signals_set(void (*handler)(int sig));

/*
 * They wait from now on, until they are released. For a program whose group gets signals, and which
 * may not be there yet: the keeper gives it those that came before it.
 */
void passed_signals_hold(void);
/* Does nothing where they are not held. */
void passed_signals_release(void);
/* 'mask' is this process's: as it is where they are not held. */
void passed_signals_mask(sigset_t *mask);

#endif
