/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The NVLink switches of boards with eight GPUs (HGX B200): a subnet inside of a host, of which the
 * host sees the bridges, HCAs of a kind that lead nowhere else. Linux drives them as any HCA; an
 * NVLink subnet manager runs on one of them. What is known of it, and what is made up, is in
 * doc/fidelity.md.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_NVLINK_H
#define UMADRIG_SIM_TOPOLOGY_NVLINK_H

#include "sim/topology/topology.h"

enum {
	NVLINK_SWITCHES = 2,
	NVLINK_BRIDGES_EACH = 2,
	NVLINK_BRIDGES = NVLINK_SWITCHES * NVLINK_BRIDGES_EACH,
	/* A host of only four is a host that has no board, with four HCAs. */
	NVLINK_HCAS_LEAST = NVLINK_BRIDGES + 1,
};

/*
 * Gives hosts two NVLink switches: all cables of their first NVLINK_BRIDGES HCAs, in the order of
 * the topology, lead there now. To be called before LIDs are assigned: the bridges lose theirs, and
 * GUIDs are made up for the switches, which come last; subnets are numbered again. 'where' is the
 * name of a host, or the id or description of one of its nodes, or a port of that as in "NODE[1]";
 * NULL: every host with NVLINK_HCAS_LEAST HCAs. A host that has fewer, or has its switches already,
 * or is not there, stays as it is.
 */
void topology_add_nvlink(struct topology *topology, const char *where);

#endif
