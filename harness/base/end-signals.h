/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The signals that ask a command to end, for one that has to end others first: it waits in poll(2),
 * and a signal makes a descriptor readable.
 */
#ifndef UMADRIG_HARNESS_BASE_END_SIGNALS_H
#define UMADRIG_HARNESS_BASE_END_SIGNALS_H

#include <signal.h>

/*
 * Catches SIGHUP, SIGINT and SIGTERM from now on, but for those that are ignored; calls that wait
 * are interrupted. One at a time in a process. 0 or -errno.
 */
int end_signals_catch(void);
/* They are as before. To be called once for each success. */
void end_signals_restore(void);

/* The last one that came since they are caught, also after that; 0: none. */
int end_signals_caught(void);
/* Readable when one has come. It stays theirs. */
int end_signals_fd(void);

/* Those three, and 0: a child that is forked meanwhile has them usual (struct spawn) ... */
extern const int end_signals[];
/* ... and then nothing of this open. */
void end_signals_forget(void);

#endif
