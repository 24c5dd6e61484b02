/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about loads: see sim/fabric/fabric-load.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/fabric/entry.h"
#include "sim/fabric/fabric-load.h"

int umadrig_load_add(struct umadrig_fabric *fabric, const char *text, char *reterr,
		     size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "the fabric is this process's parent's");
		return ret;
	}
	ret = load_add(fabric, text, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int64_t umadrig_load_rate(struct umadrig_fabric *fabric, int id)
{
	int ret = fabric_enter(fabric);
	const struct flow *flow;
	int64_t rate = -ENOENT;

	if (ret < 0)
		return ret;
	for (size_t i = 0; (flow = load_flow(fabric, i)); i++) {
		if (flow->id == id)
			rate = MAX(rate, 0) + (int64_t)flow->carried;
	}
	fabric_leave(fabric);
	return rate;
}

int umadrig_load_remove(struct umadrig_fabric *fabric, int id)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = load_remove(fabric, id);
	fabric_leave(fabric);
	return ret;
}
