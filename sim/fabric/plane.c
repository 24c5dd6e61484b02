/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Planarized HCAs: see sim/fabric/plane.h. */
#include "sim/fabric/plane.h"

#include <glib.h>

#include "kmod-stub/packet.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"

/* ---- the GSI device ---- */

/* The kernel has P_Keys and GIDs from the vport itself. */
static void share_tables(struct end_port *end, struct end_port *vport)
{
	end->attr.pkeys = vport->pkeys;
	end->attr.gids = (const uint8_t (*)[16])vport->gids;
}

static struct node *gsi_new(const struct planes *planes)
{
	static const struct topology_port unsaid = { .peer_node = -1 };
	const struct topology_port said = { .peer_node = -1, .guid = planes->vport->guid };
	const struct node *hca = planes->hca;
	struct node *gsi = g_new0(struct node, 1);

	gsi->fabric = hca->fabric;
	gsi->index = hca->index;
	gsi->kind = hca->kind;
	gsi->id = g_strconcat(hca->id, " GSI", NULL);
	gsi->description = g_strdup(hca->description);
	gsi->node_guid = hca->node_guid;
	gsi->sys_image_guid = hca->sys_image_guid;
	gsi->vendor_id = hca->vendor_id;
	gsi->device_id = hca->device_id;
	gsi->revision = hca->revision;
	gsi->port_count = 1;
	gsi->ports = g_new0(struct port, 2);
	gsi->ends = g_new0(struct end_port, 1);
	port_init(gsi, 0, &unsaid, NULL);
	port_init(gsi, 1, &unsaid, NULL);
	end_port_init(gsi->ends, &gsi->ports[1], &said);
	share_tables(gsi->ends, planes->vport);
	gsi->ends->subnet = planes->vport->subnet;
	gsi->ends->attr.has_smi = false;
	/* Linux: since 6.11 only ports with QP0 have an issm device. */
	gsi->ends->no_issm = true;
	return gsi;
}

/* ---- joining ---- */

void planes_join(struct node *hca)
{
	struct planes *planes = g_new0(struct planes, 1);
	struct end_port *vport = hca->ports[1].end;
	uint16_t lid = vport->attr.lid;
	uint8_t lmc = vport->attr.lmc;

	g_assert(hca->kind == TOPOLOGY_CA && hca->port_count >= 2 && !hca->planes);
	for (unsigned int num = 1; num <= hca->port_count; num++) {
		struct end_port *end = hca->ports[num].end;

		if (lid == 0) {
			lid = end->attr.lid;
			lmc = end->attr.lmc;
		}
		/* Only the first plane's may be in use: the others have given theirs up. */
		end_port_set_lid(end, 0, 0);
		end->attr.no_gsi = true;
		if (end == vport)
			continue;
		if (end->sm_lid && !vport->sm_lid)
			vport->sm_lid = end->sm_lid;
		end->sm_lid = 0;
		end->guid = vport->guid;
		share_tables(end, vport);
	}
	*planes = (struct planes){ .hca = hca, .vport = vport };
	planes->gsi = gsi_new(planes);
	hca->planes = planes->gsi->planes = planes;
	end_port_set_lid(vport, lid, lmc);
	host_split_device(hca);
}

/* ---- all planes together ---- */

/* Is plane 'num' one of those that carry data, or would if any were up? */
static bool is_counted(const struct planes *planes, unsigned int num)
{
	return planes->hca->ports[num].state != PORT_DOWN || planes_state(planes) == PORT_DOWN;
}

unsigned int planes_count_up(const struct planes *planes)
{
	unsigned int count = 0;

	for (unsigned int num = 1; num <= planes->hca->port_count; num++)
		count += is_counted(planes, num);
	return count;
}

unsigned int planes_lanes(const struct planes *planes)
{
	unsigned int lanes = 0;

	for (unsigned int num = 1; num <= planes->hca->port_count; num++) {
		if (is_counted(planes, num))
			lanes += link_lanes(planes->hca->ports[num].width_active);
	}
	return lanes;
}

/* Does the other end of the plane's cable know what is to become of the packet? */
static bool leads_to(const struct port *plane, uint16_t dlid)
{
	const struct port *peer = plane->peer;

	if (plane->state != PORT_ACTIVE || !port_is_linked(plane))
		return false;
	if (dlid > LID_UNICAST_MAX)
		return true;
	return peer->node->sw ? switch_egress(peer->node, dlid) <= peer->node->port_count :
				end_port_has_lid(peer->end, dlid);
}

struct port *planes_toward(const struct planes *planes, uint16_t dlid)
{
	struct node *hca = planes->hca;

	for (unsigned int num = 1; num <= hca->port_count; num++) {
		if (leads_to(&hca->ports[num], dlid))
			return &hca->ports[num];
	}
	return &hca->ports[planes_first_up(planes)->num];
}

struct port *planes_way_out(struct port *port, const struct packet *packet)
{
	const struct planes *planes = port->node->planes;

	if (packet->raw || packet_dest_qp(packet) == 0)
		return port->node == planes->hca ? port : planes->vport->port;
	return planes_toward(planes, packet_dlid(packet));
}
