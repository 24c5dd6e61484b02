/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that look at many descriptors: made here, on copies. */
#ifndef UMADRIG_LIB_STAND_IN_CALL_LOOKS_H
#define UMADRIG_LIB_STAND_IN_CALL_LOOKS_H

long call_looks_poll(void);
long call_looks_ppoll(void);
long call_looks_select(void);
long call_looks_pselect(void);
long call_looks_epoll_ctl(void);
long call_looks_epoll_wait(void);
long call_looks_epoll_pwait(void);
long call_looks_epoll_pwait2(void);

#endif
