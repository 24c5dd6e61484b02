/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a running server says of its nodes beside the topology: the answer of the console's command
 * "tables" (sim/console/tables.c), a line for each table.
 *
 *	lft GUID FIRST..LAST=PORT ...	the forwarding table of a switch: LIDs, or a LID, by port
 *	pkeys GUID[PORT] P_KEY ...	the P_Keys of a port
 *	sm GUID[PORT] LID		the master SM, as the port says
 *
 * GUIDs are nodes', and what follows '#' is a remark.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_TABLES_H
#define UMADRIG_SIM_FACTS_FACTS_TABLES_H

#include "sim/facts/facts.h"

/*
 * Takes what 'text' says of nodes that 'facts' has; others are skipped: they came or went between
 * two questions. Returns 0; or the number of the first line that cannot be read, from 1: what
 * follows it is not taken.
 */
unsigned int facts_read_tables(struct fabric_facts *facts, const char *text);

#endif
