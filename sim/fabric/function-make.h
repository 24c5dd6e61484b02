/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making virtual functions of HCAs (sim/fabric/virtual-function.h), by the option vfs=N[:WHERE].
 */
#ifndef UMADRIG_SIM_FABRIC_FUNCTION_MAKE_H
#define UMADRIG_SIM_FABRIC_FUNCTION_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/topology/topology.h"

struct functions;
struct node;
struct umadrig_fabric;

enum { FUNCTIONS_MAX = TOPOLOGY_VFS_MAX };	/* of an HCA */

/* All but functions_parse(): lock held. */

/*
 * Makes 'count' virtual functions of a CA, which has none. Their GUIDs are 0 and their policy is
 * FUNCTION_DOWN. 'needs_lids': they ask for LIDs, and in a warm fabric get those above all that
 * there are. To be called once, after the fabric's hosts are made and before anything uses it. 0,
 * or -EINVAL with a message: the node cannot have them, or LIDs are used up.
 */
int functions_make(struct node *pf, unsigned int count, bool needs_lids, char *reterr,
		   size_t reterr_size);

/*
 * Does so for "N", of each CA, or "N:WHERE", of the CAs that WHERE names: a node (its id or
 * description) or a host. 0, or -EINVAL with a message.
 */
int functions_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		       size_t reterr_size);

/* Only looks at the number: 0 and '*ret_where', which is in 'text' or NULL; or -EINVAL. */
int functions_parse(const char *text, unsigned int *ret_count, const char **ret_where,
		    char *reterr, size_t reterr_size);

/* As after power-up: no GUIDs, policy FUNCTION_DOWN, the P_Keys and GIDs of a new port. */
void functions_reset(struct functions *functions);

#endif
