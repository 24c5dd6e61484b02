/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about ports, and packets that are injected there.
 */
#include <errno.h>
#include <string.h>

#include "sim/api/attach.h"
#include "sim/api/inside.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/raw-packet.h"
#include "sim/fabric/route.h"
#include "sim/host/power.h"

struct umadrig_port *umadrig_port(struct umadrig_fabric *fabric, const char *node_name,
				  unsigned int num)
{
	struct end_port *end;
	struct node *node;

	if (fabric_enter(fabric) < 0)
		return NULL;
	node = fabric_node(fabric, node_name);
	if (!node)
		node = host_device(attached_host(fabric), node_name);
	end = node ? node_end_port(node, num) : NULL;
	fabric_leave(fabric);
	return outside(end);
}

uint16_t umadrig_port_lid(const struct umadrig_port *port)
{
	uint16_t lid;

	if (fabric_enter(fabric_of(port)) < 0)
		return 0;
	lid = inside(port)->attr.lid;
	fabric_leave(fabric_of(port));
	return lid;
}

uint8_t umadrig_port_lmc(const struct umadrig_port *port)
{
	uint8_t lmc;

	if (fabric_enter(fabric_of(port)) < 0)
		return 0;
	lmc = inside(port)->attr.lmc;
	fabric_leave(fabric_of(port));
	return lmc;
}

int umadrig_port_gid(const struct umadrig_port *port, unsigned int index, uint8_t ret_gid[16])
{
	const struct end_port *end = inside(port);
	int ret = fabric_enter(fabric_of(port));

	if (ret < 0)
		return ret;
	if (index < end->attr.gid_count)
		memcpy(ret_gid, end->attr.gids[index], 16);
	else
		ret = -EINVAL;
	fabric_leave(fabric_of(port));
	return ret;
}

int umadrig_port_set_lid(struct umadrig_port *port, uint16_t lid, uint8_t lmc)
{
	int ret;

	if (lmc > 7 || lid > LID_UNICAST_MAX || (lid & ((1U << lmc) - 1)))
		return -EINVAL;
	ret = fabric_enter(fabric_of(port));
	if (ret < 0)
		return ret;
	end_port_set_lid(inside(port), lid, lmc);
	route_forget(fabric_of(port));
	fabric_leave(fabric_of(port));
	return 0;
}

const char *umadrig_port_device(const struct umadrig_port *port)
{
	return inside(port)->port->node->device_name;
}

int umadrig_port_remove(struct umadrig_port *port)
{
	int ret = fabric_enter(fabric_of(port));

	if (ret < 0)
		return ret;
	node_remove(inside(port)->port->node);
	fabric_leave(fabric_of(port));
	return 0;
}

/* ---- packets ---- */

void umadrig_tap(struct umadrig_port *port, umadrig_tap_fn *fn, void *ctx)
{
	if (fabric_enter(fabric_of(port)) < 0)
		return;
	fabric_of(port)->tap_count += (fn != NULL) - (inside(port)->tap != NULL);
	fabric_watch_changed(fabric_of(port));
	inside(port)->tap = fn;
	inside(port)->tap_ctx = ctx;
	fabric_leave(fabric_of(port));
}

/* Takes the fabric's lock and makes one of its packets from the bytes; NULL with an error. */
static struct packet *enter_packet(struct umadrig_fabric *fabric, const uint8_t *bytes, size_t size,
				   int *reterr)
{
	struct packet *packet;

	*reterr = fabric_enter(fabric);
	if (*reterr < 0)
		return NULL;
	packet = packet_new(&fabric->pool);
	*reterr = raw_packet_take(packet, bytes, size);
	if (*reterr == 0)
		return packet;
	packet_free(&fabric->pool, packet);
	fabric_leave(fabric);
	return NULL;
}

int umadrig_inject(struct umadrig_port *port, const uint8_t *bytes, size_t size)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	int ret;
	struct packet *packet = enter_packet(fabric, bytes, size, &ret);

	if (!packet)
		return ret;
	fabric_transmit(inside(port)->port, packet);
	fabric_leave(fabric);
	return 0;
}

int umadrig_deliver(struct umadrig_port *to, struct umadrig_port *from, const uint8_t *bytes,
		    size_t size)
{
	struct umadrig_fabric *fabric = fabric_of(to);
	int ret;
	struct packet *packet = enter_packet(fabric, bytes, size, &ret);

	if (!packet)
		return ret;
	fabric_deliver(inside(to), from ? inside(from)->port : NULL, packet);
	fabric_leave(fabric);
	return 0;
}
