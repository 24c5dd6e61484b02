/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Events that programs have subscribed to, and the reports that tell them.
 */
#ifndef UMADRIG_SIM_SA_SA_INFORM_H
#define UMADRIG_SIM_SA_SA_INFORM_H

#include <stdbool.h>
#include <stdint.h>

struct end_port;
struct sa_subscribers;
struct subnet;

enum sa_trap {
	SA_TRAP_GID_IN_SERVICE = 64,
	SA_TRAP_GID_OUT_OF_SERVICE = 65,
	SA_TRAP_GROUP_CREATED = 66,
	SA_TRAP_GROUP_DELETED = 67,
};

enum { SA_NOTICE_SIZE = 80 };

/*
 * An event that concerns 'gid' (16 bytes), of a port or a group: makes reports for those who have
 * subscribed to it, to be sent at this instant, but after all else. The subnet has an SA.
 */
void sa_notify(struct subnet *subnet, enum sa_trap trap, const uint8_t *gid);

/* Has anybody subscribed to anything? */
bool sa_has_subscribers(const struct subnet *subnet);

/*
 * The same for the trap that the port 'issuer' has sent: the 64 bytes of its Notice. Traps of
 * violations (256 to 259) are for subscribers who have the SM_Key.
 */
void sa_forward(struct subnet *subnet, const struct end_port *issuer, const uint8_t *trap);

/*
 * Takes the next report out of the queue: the user header with its receiver, and the MAD. False:
 * there is none. 'subscribers' may be NULL.
 */
bool sa_next_report(struct sa_subscribers *subscribers, uint8_t *header, uint8_t *mad);

#endif
