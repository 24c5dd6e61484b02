/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about faults: see sim/fabric/fault.h.
 */
#include <glib.h>

#include "sim/fabric/fault.h"

#include "sim/fabric/entry.h"

int umadrig_fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
		      char *reterr, size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "the fabric is this process's parent's");
		return ret;
	}
	ret = fault_add(fabric, fault, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int umadrig_fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
			   size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "the fabric is this process's parent's");
		return ret;
	}
	ret = fault_add_text(fabric, text, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int64_t umadrig_fault_hits(struct umadrig_fabric *fabric, int id)
{
	int64_t hits = fabric_enter(fabric);

	if (hits < 0)
		return hits;
	hits = fault_hits(fabric, id);
	fabric_leave(fabric);
	return hits;
}

int umadrig_fault_remove(struct umadrig_fabric *fabric, int id)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = fault_remove(fabric, id);
	fabric_leave(fabric);
	return ret;
}
