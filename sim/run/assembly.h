/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making a fabric of its parts: nodes, ports and cables of a topology, hosts, a clock, and the
 * pointers through which parts call what is above them.
 */
#ifndef UMADRIG_SIM_RUN_ASSEMBLY_H
#define UMADRIG_SIM_RUN_ASSEMBLY_H

#include <stddef.h>


struct topology;
struct umadrig_fabric;
struct umadrig_options;

/*
 * Builds a fabric of a topology (which stays the caller's, and may be freed). LIDs of the topology
 * are used with state=active only; topology_assign_lids() has been called. 'options' are taken over
 * with what they own. The lock is free, the clock is at 0. NULL with a message if the options do
 * not fit the topology.
 */
struct umadrig_fabric *fabric_new(const struct topology *topology, struct umadrig_options *options,
				  char *reterr, size_t reterr_size);

/* H1[1] and H2[1] on one cable, LIDs 1 and 2. */
struct umadrig_fabric *fabric_new_default(struct umadrig_options *options, char *reterr,
					  size_t reterr_size);

/*
 * No thread may wait in it. NULL is allowed. Returns 0, or, after a message on stderr, the -errno
 * with which its capture or its report ended: it is not complete.
 */
int fabric_free(struct umadrig_fabric *fabric);

#endif
