/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a port is at which was captured. See sim/capture/identity.h. */
#include "sim/capture/identity.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/wire.h"

enum { NODE_TYPE_MAX = 3, PORT_MAX = 254, LMC_MAX = 7 };

#define GUID "0x%016" PRIx64

char *capture_identity_format(const struct capture_identity *identity)
{
	return g_strdup_printf("NodeType %u, NumPorts %u, SystemGuid " GUID ", Guid " GUID
			       ", PortGuid " GUID ", DevId %u, Revision %u, LocalPort %u, "
			       "VendorId %u, Lid %u, LMC %u",
			       identity->node_type, identity->port_count, identity->system_guid,
			       identity->node_guid, identity->port_guid, identity->device_id,
			       identity->revision, identity->port_num, identity->vendor_id,
			       identity->lid, identity->lmc);
}

bool capture_identity_parse(const char *text, struct capture_identity *ret)
{
	int end = 0;

	if (!text ||
	    sscanf(text, "NodeType %3u, NumPorts %3u, SystemGuid 0x%16" SCNx64 ", Guid 0x%16"
		   SCNx64 ", PortGuid 0x%16" SCNx64 ", DevId %5u, Revision %10u, LocalPort %3u, "
		   "VendorId %8u, Lid %5u, LMC %1u%n", &ret->node_type, &ret->port_count,
		   &ret->system_guid, &ret->node_guid, &ret->port_guid, &ret->device_id,
		   &ret->revision, &ret->port_num, &ret->vendor_id, &ret->lid, &ret->lmc,
		   &end) != 11 || text[end])
		return false;
	return ret->node_type >= 1 && ret->node_type <= NODE_TYPE_MAX && ret->port_count >= 1 &&
	       ret->port_count <= PORT_MAX && ret->port_num <= ret->port_count &&
	       ret->node_guid && ret->lid <= LID_UNICAST_MAX && ret->lmc <= LMC_MAX &&
	       ret->device_id <= UINT16_MAX && ret->vendor_id <= 0xffffff;
}
