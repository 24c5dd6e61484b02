/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a port is at which was captured. See sim/capture/identity.h. */
#include "sim/capture/identity.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"

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
	/* In the order of capture_identity_format(). */
	static const struct { const char *name; unsigned int base; uint64_t max; } fields[] = {
		{ "NodeType ", 10, NODE_TYPE_MAX }, { ", NumPorts ", 10, PORT_MAX },
		{ ", SystemGuid 0x", 16, UINT64_MAX }, { ", Guid 0x", 16, UINT64_MAX },
		{ ", PortGuid 0x", 16, UINT64_MAX }, { ", DevId ", 10, UINT16_MAX },
		{ ", Revision ", 10, UINT32_MAX }, { ", LocalPort ", 10, PORT_MAX },
		{ ", VendorId ", 10, 0xffffff }, { ", Lid ", 10, LID_UNICAST_MAX },
		{ ", LMC ", 10, LMC_MAX },
	};
	uint64_t numbers[G_N_ELEMENTS(fields)];

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		if (!text || !g_str_has_prefix(text, fields[i].name))
			return false;
		text += strlen(fields[i].name);
		if (number_take(&text, fields[i].base, fields[i].max, &numbers[i]) < 0)
			return false;
	}
	if (*text)
		return false;
	*ret = (struct capture_identity){
		.node_type = (unsigned int)numbers[0], .port_count = (unsigned int)numbers[1],
		.system_guid = numbers[2], .node_guid = numbers[3], .port_guid = numbers[4],
		.device_id = (unsigned int)numbers[5], .revision = (unsigned int)numbers[6],
		.port_num = (unsigned int)numbers[7], .vendor_id = (unsigned int)numbers[8],
		.lid = (unsigned int)numbers[9], .lmc = (unsigned int)numbers[10],
	};
	return ret->node_type >= 1 && ret->port_count >= 1 && ret->port_num <= ret->port_count &&
	       ret->node_guid;
}
