/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Opening files. One that is made, or emptied, has the session's time. A FIFO that a program of the
 * session has made waits for its other end as all else does that waits; the other end of any other
 * FIFO is outside of the session: there the kernel waits, and time stands still.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_OPENS_H
#define UMADRIG_LIB_LOCKSTEP_OPENS_H

#include "lib/lockstep/hooks.h"

extern const struct hook opens_hooks[];

#endif
