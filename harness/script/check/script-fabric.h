/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric that a scenario runs on, as far as its topology says: which nodes and ports there are.
 *
 * The simulator makes the fabric itself from the same file, later; here names are looked up in it
 * before anything runs.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_FABRIC_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_SCRIPT_FABRIC_H

#include "harness/script/check/checker.h"

struct script_fabric;

/* Those of a script, by the names of their topologies. To be freed with g_hash_table_unref(). */
GHashTable *script_fabrics_new(void);

/*
 * The fabric of a scenario on the simulator, which 'fabrics' owns. Ports of its 'topology' line
 * that are not there are diagnosed. NULL: nothing is known of it before it runs (a capture's own
 * fabric), or its file is of no use; '*ret_objection' then says why, to be freed, else it is NULL.
 */
const struct script_fabric *script_fabric_of(GHashTable *fabrics, struct diagnostics *diagnostics,
					     const struct settings *settings,
					     char **ret_objection);

/*
 * Why the fabric has no port "NODE[N]", or no node, of this name, with those that it has, to be
 * freed; NULL: it has it. An unknown fabric (NULL) has all.
 */
char *script_fabric_no_port(const struct script_fabric *fabric, const char *port);
char *script_fabric_no_node(const struct script_fabric *fabric, const char *node);

/* The same for a switch: why the node is none. */
char *script_fabric_no_switch(const struct script_fabric *fabric, const char *node);

/* Why ports have no counter of this name (PortRcvErrors), to be freed; NULL: they have. */
char *script_counter_objection(const char *name);

/*
 * What is wrong with a line of the console (sim/console/console-line.h) on this fabric: its
 * command, the number of its words, the ports and nodes that it names. To be freed; NULL: nothing
 * that can be known before it runs. '*ret_word' is the number of the word that is wrong, from 0.
 */
char *script_console_objection(const struct script_fabric *fabric, const char *line,
			       unsigned int *ret_word);

#endif
