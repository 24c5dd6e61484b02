/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How much of a file is missing in its topology.
 *
 * A fabric with one cable less is still useful; if most of it is missing, its answers are wrong,
 * and a program that runs on it fails, or worse, succeeds.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_LOSS_H
#define UMADRIG_SIM_TOPOLOGY_LOSS_H

#include <stdbool.h>

struct topology_share {
	unsigned int said;	/* in the file */
	unsigned int lost;	/* of these, missing in the topology */
};

struct topology_loss {
	struct topology_share nodes;	/* by their headers */
	struct topology_share ends;	/* of links: port lines */
	struct topology_share lines;	/* neither blank nor comments */
};

/* Is a tenth or more lost of the nodes, of the ends of links, or of the lines? */
bool topology_loss_is_great(const struct topology_loss *loss);

/* "400 of 401 nodes, 17446 of 17446 ends of links"; to be freed with g_free(). */
char *topology_loss_format(const struct topology_loss *loss);

#endif
