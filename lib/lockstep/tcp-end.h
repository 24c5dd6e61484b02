/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of a connection of TCP on this machine: its peer knows of it before others go on.
 *
 * The kernel tells the peer while it closes, unless it has so much to do that packets wait. Then
 * close(2), shutdown(2) and the end of a process wait for them, in real time: half a second at
 * most, and in a session no more after ten that were in vain.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_TCP_END_H
#define UMADRIG_LIB_LOCKSTEP_TCP_END_H

#include "lib/lockstep/hooks.h"

extern const struct hook tcp_end_hooks[];

/* To be called when a process of the session is gone, before others go on. */
void tcp_end_settle_death(void);

#endif
