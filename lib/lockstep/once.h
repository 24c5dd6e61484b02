/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pthread_once(3) and call_once(3): threads wait while another one initialises.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_ONCE_H
#define UMADRIG_LIB_LOCKSTEP_ONCE_H

/* In the child of a fork: what other threads of the parent were initialising is nobody's. */
void once_in_child(void);

#endif
