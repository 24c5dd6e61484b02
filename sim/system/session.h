/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The session of "umadrig exec" with clock=virtual: which process has the fabric.
 *
 * Virtual time belongs to one process. Each process that opened the fabric would have its own, and
 * none would see what the others do. So the first one gets the fabric, and all others are refused.
 * exec makes a directory that only its user may enter and names it in UMADRIG_SESSION; the process
 * that opens the fabric leaves a record there. Without UMADRIG_SESSION there is no check.
 */
#ifndef UMADRIG_SIM_SYSTEM_SESSION_H
#define UMADRIG_SIM_SYSTEM_SESSION_H

#include <stddef.h>

#define SESSION_VARIABLE "UMADRIG_SESSION"
/* In the directory: the process that opened the fabric, "PID COMMAND". */
#define SESSION_OWNER "owner"
/* There if its capture or report is not complete. */
#define SESSION_INCOMPLETE "incomplete"

/*
 * Claims the fabric for this process. 0: it has it, now or already, or there is no session. -EBUSY:
 * another process has it, which the message in 'reterr' names; another -errno: the session's
 * directory cannot be used, and the message says why. To be called with the process's fabric lock
 * held, or from one thread.
 */
int session_enter(char *reterr, size_t reterr_size);

/*
 * The fabric has ended, and its capture or its report is not complete: exec will know. Does nothing
 * if there is no session.
 */
void session_incomplete(void);

/* Withdraws the claim: the fabric could not be loaded after all. */
void session_leave(void);

#endif
