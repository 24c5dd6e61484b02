/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program on a fabric of this process, in its virtual time: our libraries are found, its file is
 * looked at, and its environment says where the fabric is.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_ON_FABRIC_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_ON_FABRIC_H

#include <stdint.h>

#include "sim/programs/program-child.h"

/* Where it runs. Nothing of it is kept. */
struct program_place {
	const char *host;
	const char *socket, *table;	/* of the server */
	uint64_t seed;			/* of the fabric */
	const char *cache;		/* what OpenSM keeps goes there, if nothing else is said */
};

/* As program_child_start(), always with the same addresses. */
int program_on_fabric_start(struct program_child *child, const struct program_start *start,
			    const struct program_place *place, char *reterr, size_t reterr_size);

#endif
