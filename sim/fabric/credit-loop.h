/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Credit loops: packets that wait for each other's buffers in a circle, for ever, once all of them
 * are full (Dally and Seitz, 1987; IBA vol 1, 7.9 has the credits).
 *
 * A channel is a lane (VL) of a cable, in one direction. A packet that holds a buffer at the end of
 * one channel waits for the next one of its way. If the waiting, of all ways by the forwarding
 * tables, has a circle, there is a credit loop. Only ways between ports of HCAs and routers count:
 * engines promise no more, and SMPs need no credits.
 */
#ifndef UMADRIG_SIM_FABRIC_CREDIT_LOOP_H
#define UMADRIG_SIM_FABRIC_CREDIT_LOOP_H

#include <stdint.h>

struct end_port;
struct umadrig_fabric;

enum { CREDIT_NO_WAY = 16 };		/* nobody sends from there to that LID */

/* The service level of packets from 'from' to 'dlid', or CREDIT_NO_WAY. */
typedef unsigned int credit_sl_fn(const void *ctx, const struct end_port *from, uint16_t dlid);

/*
 * A credit loop, as "S1[3], S2[3], S3[3] wait for each other (VL 0)"; to be freed. NULL: there is
 * none. Lock held.
 */
char *credit_loop_find(struct umadrig_fabric *fabric, credit_sl_fn *sl_of, const void *ctx);

#endif
