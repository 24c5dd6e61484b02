/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Making a fabric of its parts: see sim/run/assembly.h.
 *
 * Building is linear in the file: each node, port and cable is touched a fixed number of times.
 */
#include "sim/run/assembly.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/console/console-schedule.h"
#include "sim/console/console-when.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-delivery.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/function-make.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/options.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route-map.h"
#include "sim/fabric/record.h"
#include "sim/fabric/report.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/switch.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/hca-machine.h"
#include "sim/host/arrival.h"
#include "sim/host/fabric-check.h"
#include "sim/host/handle.h"
#include "sim/host/issm-path.h"
#include "sim/host/kernel.h"
#include "sim/property/property.h"
#include "sim/run/replay-end.h"
#include "sim/sa/sa.h"
#include "sim/time/clock.h"
#include "sim/topology/topology.h"

/* ---- subnets ---- */

/* Puts every end port into the subnet that the topology has for it. */
static void deal_ends(struct umadrig_fabric *fabric, const struct topology *topology)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct topology_node *said = g_ptr_array_index(topology->nodes, i);
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			unsigned int subnet = (unsigned int)said->ports[num].subnet;

			if (!node->ports[num].end)
				continue;
			while (fabric->subnets->len <= subnet)
				subnet_new(fabric);
			subnet_add(fabric_subnet(fabric, subnet), node->ports[num].end);
		}
	}
}

/* ---- links ---- */

static void connect(struct umadrig_fabric *fabric, struct port *port,
		    const struct topology_port *said)
{
	struct node *peer;

	if (said->peer_node < 0 || (unsigned int)said->peer_node >= fabric->nodes->len)
		return;
	peer = g_ptr_array_index(fabric->nodes, (unsigned int)said->peer_node);
	if (said->peer_port < 1 || said->peer_port > peer->port_count)
		return;
	/* A cable has two ends: a claim of only one of them is no cable. */
	if (peer->ports[said->peer_port].peer && peer->ports[said->peer_port].peer != port)
		return;
	port->peer = &peer->ports[said->peer_port];
	port->peer->peer = port;
	port->phys_state = port->peer->phys_state = PORT_PHYS_LINK_UP;
	port->state = port->peer->state = fabric->options.cold ? PORT_INIT : PORT_ACTIVE;
	port->operational_vls = port->peer->operational_vls =
		MIN(port->vl_cap, port->peer->vl_cap);
	link_agree(port);
}

static void connect_all(struct umadrig_fabric *fabric, const struct topology *topology)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct topology_node *said = g_ptr_array_index(topology->nodes, i);
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			if (!node->ports[num].peer)
				connect(fabric, &node->ports[num], &said->ports[num]);
		}
		if (node->sw)
			switch_port0_come_up(node, fabric->options.cold);
	}
}

/* ---- state=active ---- */

static void set_lids(struct umadrig_fabric *fabric, const struct topology *topology)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		const struct topology_node *said = g_ptr_array_index(topology->nodes, i);
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			if (node->ports[num].end)
				end_port_set_lid(node->ports[num].end, said->ports[num].lid,
						 said->ports[num].lmc);
		}
	}
}

/* A file does not say where the SM runs: the CA port with the lowest LID is assumed. */
static uint16_t lowest_ca_lid(const struct subnet *subnet)
{
	uint16_t lowest = 0;

	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		const struct end_port *end = g_ptr_array_index(subnet->ends, i);
		uint16_t lid = end->attr.lid;

		if (end->port->node->kind == TOPOLOGY_CA && lid && (!lowest || lid < lowest))
			lowest = lid;
	}
	return lowest;
}

static void set_sm_lid(const struct subnet *subnet, uint16_t sm_lid)
{
	for (unsigned int i = 0; i < subnet->ends->len; i++) {
		struct end_port *end = g_ptr_array_index(subnet->ends, i);

		if (end->attr.lid)
			end->sm_lid = sm_lid;
	}
}

/* Does a router lead from it to another subnet? */
static bool is_routed(const struct subnet *subnet)
{
	for (unsigned int i = 0; i < subnet->routers->len; i++) {
		const struct end_port *entry = g_ptr_array_index(subnet->routers, i);
		const struct node *router = entry->port->node;

		for (unsigned int num = 1; num <= router->port_count; num++) {
			const struct port *port = &router->ports[num];

			if (entry->port->peer && port->peer && port->end->subnet != subnet)
				return true;
		}
	}
	return false;
}

/*
 * Subnets that routers join need prefixes of their own: fec0:0:0:1 for the first of a file, and so
 * on (IBA vol 1, 4.1.1: site-local). Those of more than 65,535 are numbered from 1 again.
 */
static void set_gid_prefix(const struct subnet *subnet)
{
	static const uint64_t SITE_LOCAL = UINT64_C(0xfec0000000000000);

	if (!is_routed(subnet))
		return;
	for (unsigned int i = 0; i < subnet->ends->len; i++)
		end_port_set_gid_prefix(g_ptr_array_index(subnet->ends, i),
					SITE_LOCAL | (subnet->number % UINT16_MAX + 1));
}

/* ---- the whole fabric ---- */

static void join_planes(struct umadrig_fabric *fabric, const struct topology *topology)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		if (topology_node(topology, (int)i)->planarized)
			planes_join(g_ptr_array_index(fabric->nodes, i));
	}
}

/* 0, or -EINVAL with a message. */
static int make_functions(struct umadrig_fabric *fabric, const struct topology *topology,
			  char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < fabric->nodes->len; i++) {
		unsigned int count = topology_node(topology, (int)i)->vfs;

		if (count)
			ret = functions_make(g_ptr_array_index(fabric->nodes, i), count,
					     fabric->options.vf_lids, reterr, reterr_size);
	}
	return ret;
}

static void free_node(void *node)
{
	node_free(node);
}

static struct umadrig_fabric *fabric_alloc(const char *name, struct umadrig_options *options)
{
	static uint64_t serials;
	struct umadrig_fabric *fabric = g_new0(struct umadrig_fabric, 1);

	pthread_mutex_init(&fabric->lock, NULL);
	fabric->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
	fabric->name = g_strdup(name);
	fabric->options = *options;
	options->switches = options->device = options->host = NULL;
	options->capture = options->report = options->guest_directory = NULL;
	options->faults = options->loads = options->quirks = options->kernels = NULL;
	options->vfs = NULL;
	fabric->seed = fabric->options.seed;
	fabric->transmit = fabric_transmit;
	fabric->arrive = arrival_receive;
	event_queue_init(&fabric->queue);
	fabric->queue.check = fabric_check_event;
	fabric->nodes = g_ptr_array_new_with_free_func(free_node);
	fabric->hosts = g_ptr_array_new();
	fabric->subnets = g_ptr_array_new();
	return fabric;
}

/* The host whose devices this process sees. */
static int choose_host(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	const char *name = fabric->options.host;

	if (name)
		fabric->default_host = fabric_host(fabric, name);
	else if (fabric->hosts->len > 0)
		fabric->default_host = g_ptr_array_index(fabric->hosts, 0);
	if (fabric->default_host)
		return 0;
	if (name)
		fabric_no_host(fabric, name, reterr, reterr_size);
	else
		g_snprintf(reterr, reterr_size,
			   "%s: there is no CA, so no host to run on (host=SWITCH runs on a "
			   "switch)", fabric->name);
	return -ENOENT;
}

static void settle_handles(void *ctx)
{
	const struct umadrig_fabric *fabric = ctx;

	if (fabric->settle_shared)
		fabric->settle_shared(fabric->settle_shared_ctx);
	handles_settle(ctx);
}

static void wake_handles(void *ctx)
{
	handles_wake(ctx);
}

static struct clock *make_clock(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	static const struct clock_sleepers sleepers = {
		.settle = settle_handles,
		.wake = wake_handles,
	};
	const struct clock_setup setup = {
		.lock = &fabric->lock,
		.queue = &fabric->queue,
		.sleepers = &sleepers,
		.ctx = fabric,
		.name = fabric->name,
		.serial = fabric->serial,
		.is_virtual = fabric->options.virtual_clock,
		.is_served = fabric->options.is_served,
	};

	return clock_new(&setup, reterr, reterr_size);
}

struct umadrig_fabric *fabric_new(const struct topology *topology, struct umadrig_options *options,
				  char *reterr, size_t reterr_size)
{
	struct umadrig_fabric *fabric = fabric_alloc(topology->file, options);

	for (unsigned int i = 0; i < topology->nodes->len; i++)
		g_ptr_array_add(fabric->nodes,
				node_new(fabric, topology, g_ptr_array_index(topology->nodes, i)));
	deal_ends(fabric, topology);
	connect_all(fabric, topology);
	if (!fabric->options.cold) {
		set_lids(fabric, topology);
		for (unsigned int i = 0; i < fabric->subnets->len; i++) {
			set_sm_lid(fabric_subnet(fabric, i),
				   lowest_ca_lid(fabric_subnet(fabric, i)));
			set_gid_prefix(fabric_subnet(fabric, i));
		}
		fabric->lfts_ready = true;
	}
	kernels_set_ops(fabric);
	fabric_make_hosts(fabric);
	join_planes(fabric, topology);
	if (make_functions(fabric, topology, reterr, reterr_size) == 0 &&
	    choose_host(fabric, reterr, reterr_size) == 0)
		fabric->clock = make_clock(fabric, reterr, reterr_size);
	if (!fabric->clock) {
		fabric_free(fabric);
		return NULL;
	}
	return fabric;
}

struct umadrig_fabric *fabric_new_default(struct umadrig_options *options, char *reterr,
					  size_t reterr_size)
{
	static char *names[2] = { (char *)"H1", (char *)"H2" };
	struct topology_port ports[2][2] = { 0 };
	struct topology_node nodes[2];
	struct topology topology = {
		.file = (char *)"the default fabric",
		.nodes = g_ptr_array_new(),
	};
	struct umadrig_fabric *fabric;

	for (int i = 0; i < 2; i++) {
		ports[i][0].peer_node = -1;
		ports[i][1] = (struct topology_port) {
			.guid = UINT64_C(0x0002c90300000001) + (uint64_t)i * 16,
			.peer_node = 1 - i,
			.peer_port = 1,
			.lid = (uint16_t)(i + 1),
			.width_active = 2,
			.speed_active = 4,
		};
		nodes[i] = (struct topology_node) {
			.kind = TOPOLOGY_CA,
			.id = names[i],
			.description = names[i],
			.device_name = options->device ? NULL : names[i],
			.node_guid = UINT64_C(0x0002c90300000000) + (uint64_t)i * 16,
			.vendor_id = 0x0002c9,
			.device_id = 0x1003,
			.port_count = 1,
			.ports = ports[i],
		};
		g_ptr_array_add(topology.nodes, &nodes[i]);
	}
	fabric = fabric_new(&topology, options, reterr, reterr_size);
	if (fabric && !fabric->options.cold)
		set_sm_lid(fabric_subnet(fabric, 0), 2);
	g_ptr_array_unref(topology.nodes);
	return fabric;
}

int fabric_free(struct umadrig_fabric *fabric)
{
	int recorded, reported;

	if (!fabric)
		return 0;
	guest_set_stop(fabric);
	hca_machine_stop(fabric);
	clock_free(fabric->clock);
	fabric->clock = NULL;
	handles_close_all(fabric);
	recorded = record_end(fabric);
	reported = report_end(fabric);
	replay_end(fabric);
	sa_end_all(fabric);
	kernels_free(fabric);
	guest_set_free(fabric);
	hca_machine_free(fabric);
	issm_paths_close(fabric);
	fabric_free_hosts(fabric);
	link_clear(fabric);
	fault_clear(fabric);
	load_clear(fabric);
	schedule_clear(fabric);
	triggers_clear(fabric);
	property_clear(fabric);
	deliveries_clear(fabric);
	event_queue_clear(&fabric->queue);
	packet_pool_clear(&fabric->pool);
	g_clear_pointer(&fabric->by_name, g_hash_table_unref);
	route_map_forget(fabric);
	g_ptr_array_unref(fabric->nodes);
	g_clear_pointer(&fabric->pfs, g_ptr_array_unref);
	subnets_free(fabric);
	g_free(fabric->name);
	g_free(fabric->captured);
	g_free(fabric->capture_comment);
	g_free(fabric->issm_directory);
	options_clear(&fabric->options);
	pthread_mutex_destroy(&fabric->lock);
	g_free(fabric);
	return recorded < 0 ? recorded : reported;
}
