/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A path in place of issmN, for the process that has the fabric in itself or for clients of a
 * server: IsSM is set exactly while a program has it open.
 */
#ifndef UMADRIG_SIM_HOST_ISSM_PATH_H
#define UMADRIG_SIM_HOST_ISSM_PATH_H

#include <stddef.h>

#include "sim/fabric/end-port.h"

struct issm_watch;
struct umadrig_fabric;

/*
 * Puts the port's path, which without issm_directory is valid only in this process, into 'path'.
 * -ENAMETOOLONG, or another -errno if there is none.
 */
int issm_path(struct end_port *end, char *path, size_t size);

/* Updates IsSM of a port with such a path. */
void issm_path_look_now(struct end_port *end);

/* Updates IsSM: to be called before CapabilityMask is read. */
static inline void issm_path_look(struct end_port *end)
{
	if (end->issm)
		issm_path_look_now(end);
}

/* Removes the path of a port. */
void issm_path_close(struct end_port *end);
/* Removes all paths of a fabric. */
void issm_paths_close(struct umadrig_fabric *fabric);

/* From now on 'watch' watches all paths, also those that are still to be made. NULL: none does. */
void issm_paths_watch(struct umadrig_fabric *fabric, const struct issm_watch *watch);

/* Sets IsSM in CapabilityMask according to the two ways to open issmN. */
void end_port_set_is_sm(struct end_port *end);

#endif
