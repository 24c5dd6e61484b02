/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a point needs, and whether it is available.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_CHECK_NEEDS_H
#define UMADRIG_HARNESS_SCRIPT_CHECK_NEEDS_H

#include "harness/script/check/plan.h"
#include "kmod-stub/kmod.h"

/* What points are run on. */
struct rig {
	bool on_sim;
	const char *ports[WORLD_ENDS];	/* hw; NULL: none */
	bool has_wire;			/* hw: the wire between them is simulated */
	bool has_lids;			/* hw: A is an InfiniBand port, not RoCE */
	bool has_issm;			/* hw: A has an issm device */
	const char *kernel;	/* sim: the built kernel of all hosts; NULL: kmod-stub */
	/* The profile that the kernel matches; on kmod-stub a scenario chooses. */
	enum kmod_profile profile;
};

/* Is what the point needs available? Returns NULL, or why not (g_malloc'd). */
char *point_unmet(const struct point *point, const struct rig *rig);

/* The same for one need. */
char *need_unmet(const struct need *need, const struct rig *rig);

/* The same for what only the simulator has; 'why' names it. */
char *sim_only_unmet(const struct rig *rig, const char *why);

#endif
