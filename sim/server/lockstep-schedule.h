/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The schedule of a session, as its threads go by it (lib/lockstep/strategy.h). */
#ifndef UMADRIG_SIM_SERVER_LOCKSTEP_SCHEDULE_H
#define UMADRIG_SIM_SERVER_LOCKSTEP_SCHEDULE_H

#include "lib/lockstep/table.h"

/* Sets up the strategy, its chance and its change points in a table that is new. */
void lockstep_schedule_begin(struct lockstep_table *table, const struct schedule *schedule);

#endif
