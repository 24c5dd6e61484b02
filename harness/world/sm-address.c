/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "harness/world/sm-address.h"

#include <infiniband/umad.h>

int world_sm_address(const struct world *world, struct world_address *ret)
{
	umad_port_t port;
	int status = umad_get_port(world->ca[WORLD_SELF], world->port[WORLD_SELF], &port);

	if (status < 0)
		return status;
	*ret = (struct world_address){ .lid = (uint16_t)port.sm_lid };
	umad_release_port(&port);
	return 0;
}
