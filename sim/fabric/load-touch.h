/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What those must call on whom a load depends, and those who read what it moves
 * (sim/fabric/fabric-load.h), which is above them.
 */
#ifndef UMADRIG_SIM_FABRIC_LOAD_TOUCH_H
#define UMADRIG_SIM_FABRIC_LOAD_TOUCH_H

#include "sim/fabric/fabric.h"

/* Both with the lock held. */
struct load_calls {
	void (*change)(struct umadrig_fabric *fabric);
	void (*update)(struct umadrig_fabric *fabric);
};

/*
 * To be called before something changes on which the ways and shares of flows depend: states,
 * widths and speeds of ports, forwarding tables, LIDs; and before counters are reset.
 */
static inline void load_touch(struct umadrig_fabric *fabric)
{
	if (fabric->load_calls)
		fabric->load_calls->change(fabric);
}

/* To be called before counters are read: brings the rates of all ports up to date. */
static inline void load_refresh(struct umadrig_fabric *fabric)
{
	if (fabric->load_calls)
		fabric->load_calls->update(fabric);
}

#endif
