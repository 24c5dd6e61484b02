/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A path that stands for issmN, in a process that has the fabric in itself or for those that a
 * server gives it to: IsSM is set exactly while something that was opened by it is open.
 */
#ifndef UMADRIG_SIM_HOST_ISSM_PATH_H
#define UMADRIG_SIM_HOST_ISSM_PATH_H

#include <stddef.h>

#include "sim/fabric/end-port.h"

struct umadrig_fabric;

/*
 * The port's path, good in this process alone where there is no issm_directory, into 'path'.
 * -ENAMETOOLONG, or why there is none.
 */
int issm_path(struct end_port *end, char *path, size_t size);

/* Brings IsSM up to date, of a port with such a path. */
void issm_path_look_now(struct end_port *end);

/* Brings IsSM up to date: called before anybody reads CapabilityMask. */
static inline void issm_path_look(struct end_port *end)
{
	if (end->issm)
		issm_path_look_now(end);
}

/* The port goes away. */
void issm_path_close(struct end_port *end);
/* The fabric ends: so do all of its paths. */
void issm_paths_close(struct umadrig_fabric *fabric);

/* IsSM in CapabilityMask is what the two ways to open issmN say. */
void end_port_set_is_sm(struct end_port *end);

#endif
