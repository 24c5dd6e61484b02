/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What became of a fabric, in words: who has which LID, which links are Active, and whether each
 * end port is reached from each other by the forwarding tables as they are.
 *
 *	ends 3 with-lid 3 active 3
 *	links 2 active 2
 *	ways 9 lead 9
 *	end H1[1] guid 0x0002c90300000021 lid 1 lmc 0 sm 1 Active
 *	...
 *	link S1[3] Init, H4[1] Init
 *	lost H1[1] LID 3: S1 has no route to LID 3
 *
 * It tells of what cables connect with the first port of the usual host. A way is one from an end
 * port to a LID of another; where there are more than 1,024 end ports, ways begin at about 1,024 of
 * them. All links that are up and not Active are told, and the first ways that lead nowhere.
 */
#ifndef UMADRIG_SIM_FABRIC_REPORT_H
#define UMADRIG_SIM_FABRIC_REPORT_H

struct umadrig_fabric;

/* The text, to be freed with g_free(). Lock held. */
char *report_text(struct umadrig_fabric *fabric);

/*
 * The fabric ends: writes the report to where its options say, once; nothing where they do not.
 * What goes wrong is told on stderr. Lock held, or nobody else is there.
 */
void report_end(struct umadrig_fabric *fabric);

#endif
