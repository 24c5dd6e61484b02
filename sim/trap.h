/*
 * Traps: what an end port tells the subnet manager unasked (IBA vol 1, 13.4.9 and 14.2.5.1).
 *
 * A trap is repeated until the SM says TrapRepress with its TID, and not more often than the port's
 * SubnetTimeout allows: what changes meanwhile is in the next one. Where no SM has been yet nobody
 * is told.
 */
#ifndef UMADRIG_TRAP_H
#define UMADRIG_TRAP_H

#include "fabric.h"

/* Trap 128: the state of a link of the switch behind port 0 'end' has changed. */
void trap_link_state(struct end_port *end);

/* The SM has heard of the trap with TID 'tid'; nothing happens where there is none. */
void trap_repress(struct end_port *end, uint64_t tid);

/* Frees the port's traps; their events are in no queue any more. */
void trap_clear(struct end_port *end);

#endif
