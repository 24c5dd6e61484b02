/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Triggers: lines of the console that are carried out when something happens. "when
 * SubnSet(PortInfo) from S1 do link down S1[3]": when such a MAD crosses a cable, by the words of
 * faults. "when log-has osm.log MASTER do ...": when a condition of properties is true. The line
 * comes at the end of that instant, as one of the schedule.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_WHEN_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_WHEN_H

struct umadrig_fabric;

/* Ends and frees all. */
void triggers_clear(struct umadrig_fabric *fabric);

#endif
