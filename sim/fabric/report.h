/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The state of a fabric, as text: the LIDs of ports, the states of links, and whether each end port
 * can be reached from each other one with the present forwarding tables.
 *
 *	ends 3 with-lid 3 active 3
 *	links 2 active 2
 *	ways 9 lead 9
 *	end H1[1] guid 0x0002c90300000021 lid 1 lmc 0 sm 1 Active
 *	...
 *	link S1[3] Init, H4[1] Init
 *	lost H1[1] LID 3: S1 has no route to LID 3
 *
 * It covers what cables connect with the first port of the default host. A way leads from an end
 * port to a LID of another; if there are more than 1,024 end ports, ways begin at about 1,024 of
 * them. All links that are up and not Active are listed, and the first ways that lead nowhere.
 */
#ifndef UMADRIG_SIM_FABRIC_REPORT_H
#define UMADRIG_SIM_FABRIC_REPORT_H

struct umadrig_fabric;

/* The text, to be freed with g_free(). Lock held. */
char *report_text(struct umadrig_fabric *fabric);

/*
 * The first way that leads nowhere, as the report names it ("H1[1] to LID 3: S1 has no route to LID
 * 3"); to be freed. NULL: each leads. Lock held.
 */
char *report_first_lost(struct umadrig_fabric *fabric);

/*
 * Writes the report at the end of a fabric, once, to the file of its options, if there is one.
 * Returns 0, or -errno after a message on stderr. Lock held, or no other thread is left.
 */
int report_end(struct umadrig_fabric *fabric);

#endif
