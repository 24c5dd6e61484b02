/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What becomes of packets to a multicast LID according to the present forwarding tables:
 *
 *	members 3 whole 2
 *	member H1[1]
 *	member H2[1]
 *	member S3[0]
 *	lost H1[1]: S3[0] gets none
 *	lost H1[1]: H2[1] gets 2
 *	lost H1[1]: the link at S2[4] is not Active
 *
 * A member is an end port that a table leads to. A member is whole if each other member gets
 * exactly one copy of its packets, and no other port gets any.
 */
#ifndef UMADRIG_SIM_FABRIC_REPORT_GROUP_H
#define UMADRIG_SIM_FABRIC_REPORT_GROUP_H

#include <stdint.h>

struct umadrig_fabric;

/* The text, to be freed with g_free(). Lock held. */
char *report_group_text(struct umadrig_fabric *fabric, uint16_t mlid);

#endif
