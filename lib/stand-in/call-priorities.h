/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls about who is preferred: made here, where the session has the answers. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_PRIORITIES_H
#define UMADRIG_LIB_STAND_IN_CALL_PRIORITIES_H

long call_priorities_getpriority(void);
long call_priorities_setpriority(void);
long call_priorities_getscheduler(void);
long call_priorities_setscheduler(void);
long call_priorities_getparam(void);
long call_priorities_setparam(void);

#endif
