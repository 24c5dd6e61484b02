/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The session of "umadrig exec" with clock=virtual: which process has the fabric.
 *
 * Virtual time is one process's own. Each that opened the fabric would have one of its own, and
 * none would see what the others do. So the first takes it, and every other is refused. exec makes
 * a directory that only its user may enter and names it in UMADRIG_SESSION; who opens the fabric
 * leaves a record there. Without UMADRIG_SESSION nothing is asked.
 */
#ifndef UMADRIG_SIM_SYSTEM_SESSION_H
#define UMADRIG_SIM_SYSTEM_SESSION_H

#include <stddef.h>

#define SESSION_VARIABLE "UMADRIG_SESSION"
/* In the directory: who opened the fabric, "PID COMMAND". */
#define SESSION_OWNER "owner"

/*
 * This process wants the fabric. 0: it has it, as it had before or there is no session. -EBUSY:
 * another process took it, which the message in 'reterr' names; other errno: the session's
 * directory cannot be used, the message says why. To be called with the process's fabric lock held,
 * or from one thread.
 */
int session_enter(char *reterr, size_t reterr_size);

/* The fabric could not be loaded after all: nobody has opened it. */
void session_leave(void);

#endif
