/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual functions of an HCA (SR-IOV): devices of its host that share its first port, the
 * *physical* one. Each has a *vport* with a GUID, a state, P_Keys, GIDs and counters of its own.
 * Vports have the indexes 1, 2, ...; vport 0 is the physical function, the HCA itself.
 *
 * The SM reads and writes vports through the physical port's SMA (sim/agents/sma-virtual.c): no
 * vport has QP0. A vport has a LID if it asks for one and the SM gives it one; otherwise it has
 * that of another vport, usually the physical port's, and packets for it say so in their GRH.
 *
 * A virtual function is a node of its own that is in no fabric's list: hosts have it as a device. A
 * packet that it sends leaves by the physical port, and one that comes in there is for the function
 * whose GID or LID it has. An HCA without any costs nothing of this.
 */
#ifndef UMADRIG_SIM_FABRIC_VIRTUAL_FUNCTION_H
#define UMADRIG_SIM_FABRIC_VIRTUAL_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fabric/node.h"

struct packet;
struct subnet;

/* When a vport comes up. The numbers are those of Linux's mlx5 (enum port_state_policy). */
enum function_policy {
	FUNCTION_DOWN = 0,		/* never */
	FUNCTION_UP = 1,		/* always */
	FUNCTION_FOLLOW = 2,		/* while the physical port is Active */
};

struct virtual_function {
	struct node *node;		/* its device, whose port 1 is the vport */
	enum function_policy policy;
	uint8_t state;			/* enum port_state, if the policy has it up */
	uint16_t lid;			/* its own; 0: it has that of another vport: */
	uint16_t lid_of;		/* LIDbyVPortIndex */
	bool is_unbound;		/* its device has been taken out of the host alone */
};

/* What the functions of an HCA share; each of their nodes has it. */
struct functions {
	struct node *pf;
	unsigned int count;		/* vports 1 to 'count' can be there */
	unsigned int enabled;		/* and 1 to 'enabled' are: sriov_numvfs */
	struct virtual_function *at;	/* vport k is at[k - 1] */
	bool needs_lids;		/* the vports ask for LIDs */
	bool is_enabled;		/* VirtualizationEnable, as an SM has set it */
	bool state_changed;		/* VPortStateChange: since an SM has cleared it */
};

/* The virtual function that the node is; NULL: it is none. */
static inline struct virtual_function *node_function(const struct node *node)
{
	return node->vport ? &node->functions->at[node->vport - 1U] : NULL;
}

/* The port with the cable: of a virtual function the physical one, else 'port' itself. */
static inline struct port *port_physical(struct port *port)
{
	return port->node->vport ? &port->node->functions->pf->ports[1] : port;
}

/* All of these: lock held. */

/* Is it there, as the host has it by sriov_numvfs? Its GUIDs and policy stay when it is not. */
static inline bool function_is_enabled(const struct virtual_function *function)
{
	return function->node->vport <= function->node->functions->enabled;
}

/* The state of a vport: enum port_state. */
uint8_t function_state(const struct virtual_function *function);

/* What an SM or the host says. VPortStateChange is set if the state is another then. */
void function_set_policy(struct virtual_function *function, enum function_policy policy);
void function_set_state(struct virtual_function *function, enum port_state state);
void function_set_port_guid(struct virtual_function *function, uint64_t guid);
void function_set_node_guid(struct virtual_function *function, uint64_t guid);
/* 'lid' 0: that of vport 'lid_of', which is there. */
void function_set_lid(struct virtual_function *function, uint16_t lid, uint16_t lid_of);

/* 'enabled' of them are there from now on. The host sees to their devices (sim/host/power.h). */
void functions_enable(struct functions *functions, unsigned int enabled);

/* LIDs, prefix, subnet or power of the physical port have changed: vports have them too. */
void functions_share(struct node *pf);

/* Has one of the vports this LID of its own? */
bool functions_have_lid(const struct functions *functions, uint16_t lid);

/*
 * Where a packet on QP1 is received that has come in by 'in', or has been sent to its own HCA:
 * the port whose GID or LID it has, 'in' if there is none.
 */
struct port *functions_receiver(struct port *in, const struct packet *packet);

/* The physical port of the vport of that subnet that has this LID of its own; NULL: none. */
struct end_port *functions_end_by_lid(const struct subnet *subnet, uint16_t lid);
/* Has one of the vports this GUID, or alias? */
bool functions_have_guid(const struct functions *functions, uint64_t guid);

#endif
