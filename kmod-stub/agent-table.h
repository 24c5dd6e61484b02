/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The agent table of a port: which agent takes unsolicited MADs of a class version, class, method
 * and, in vendor range 2, OUI. It is shared by both QPs, as in Linux.
 */
#ifndef UMADRIG_KMOD_STUB_AGENT_TABLE_H
#define UMADRIG_KMOD_STUB_AGENT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct agent;
struct agent_table;

/* Linux: the sizes of the tables. */
enum {
	CLASS_VERSION_LIMIT = 0x83,	/* class versions 0 to 0x82 */
	CLASS_LIMIT = 80,		/* classes 0 to 0x4f; 0x81 lives in place 0 */
	METHOD_LIMIT = 128,
	VENDOR_OUI_LIMIT = 8,		/* OUIs per version and class of vendor range 2 */
};

/*
 * Enters 'agent' for the methods of its mask. '*table' is allocated if there is none. Errors:
 * -EINVAL one of the methods is taken; -ENOMEM no memory, or a ninth OUI.
 */
int agent_table_add(struct agent_table **table, struct agent *agent);

/* Removes 'agent', and frees what is then empty, '*table' included. */
void agent_table_remove(struct agent_table **table, struct agent *agent);

/* The agent that takes the request 'mad' (256 bytes), or NULL. 'table' may be NULL. */
struct agent *agent_table_find(const struct agent_table *table, const uint8_t *mad);

#endif
