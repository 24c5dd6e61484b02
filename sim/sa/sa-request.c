/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ports that a request is about: see sim/sa/sa-request.h.
 */
#include "sim/sa/sa-request.h"

#include "sim/fabric/virtual-function.h"

struct end_port *sa_ends_next(const struct subnet *subnet, struct sa_ends *at)
{
	while (at->next < subnet->ends->len) {
		struct end_port *end = g_ptr_array_index(subnet->ends, at->next++);

		/* All planes of an HCA are one end port. */
		if (!end->port->node->removed && end->attr.lid && end == port_speaker(end->port))
			return end;
	}
	return NULL;
}

struct end_port *sa_end_by_lid(const struct subnet *subnet, uint16_t lid)
{
	struct end_port *end = subnet_end_by_lid(subnet, lid);

	if (!end)
		end = functions_end_by_lid(subnet, lid);
	return end && !end->port->node->removed ? end : NULL;
}

struct end_port *sa_end_by_gid(const struct subnet *subnet, const uint8_t *gid)
{
	uint64_t prefix = get_be64(gid), guid = get_be64(gid + 8);
	struct sa_ends at = { 0 };
	struct end_port *end;

	if (!guid)
		return NULL;
	while ((end = sa_ends_next(subnet, &at))) {
		if (prefix != GID_PREFIX_LINK_LOCAL && prefix != end->gid_prefix)
			continue;
		for (size_t i = 0; i < end->attr.gid_count; i++) {
			if (get_be64(end->gids[i] + 8) == guid)
				return end;
		}
		/* That of a vport leads to the physical port, whose LIDs it has. */
		if (end->port->node->functions && end->port->num == 1 &&
		    functions_have_guid(end->port->node->functions, guid))
			return end;
	}
	return NULL;
}

uint16_t sa_common_p_key(const struct end_port *a, const struct end_port *b)
{
	for (size_t i = 0; i < a->attr.pkey_count; i++) {
		uint16_t key = a->pkeys[i];

		for (size_t j = 0; j < b->attr.pkey_count && key & 0x7fff; j++) {
			if (!((key ^ b->pkeys[j]) & 0x7fff) && (key | b->pkeys[j]) & 0x8000)
				return key;
		}
	}
	return 0;
}

bool sa_other_lid(const struct sa_request *request, unsigned int number, unsigned int at,
		  const struct end_port *end)
{
	return sa_has(request, number) && !end_port_has_lid(end, get_be16(request->data + at));
}
