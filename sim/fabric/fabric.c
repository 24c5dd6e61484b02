/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric as data: nodes, ports, links, LIDs. See sim/fabric/fabric.h.
 *
 * Building is linear in the file: each node, port and cable is touched a fixed number of times.
 */
#include "sim/fabric/fabric.h"

#include <errno.h>
#include <string.h>

#include "sim/agents/pma.h"
#include "sim/agents/trap.h"
#include "sim/api/handle.h"
#include "sim/capture/replay.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/link.h"
#include "sim/fabric/report.h"
#include "sim/host/arrival.h"
#include "sim/run/replay-timed.h"
#include "sim/run/spec.h"
#include "sim/time/clock.h"

enum {
	LID_COUNT = 0xc000,		/* unicast LIDs and 0 */
	LINEAR_FDB_CAP = 0xc000,
	MULTICAST_FDB_CAP = 1024,
	LIFE_TIME = 18,			/* 4.096 us * 2^18: about a second, as OpenSM sets it */
	LFT_BLOCK = 64,
	LFT_NO_PORT = 255,
};

/* ---- LIDs ---- */

static void lids_enter(struct umadrig_fabric *fabric, struct end_port *end, struct end_port *who)
{
	uint32_t first = end->attr.lid, count = UINT32_C(1) << end->attr.lmc;

	for (uint32_t lid = first; first && lid < first + count && lid < LID_COUNT; lid++) {
		/*
		 * Of two who claim a LID the table knows one; the other's leaving changes
		 * nothing.
		 */
		if (who || fabric->by_lid[lid] == end)
			fabric->by_lid[lid] = who;
		if (who && lid > fabric->lid_top)
			fabric->lid_top = (uint16_t)lid;
	}
}

void end_port_set_lid(struct end_port *end, uint16_t lid, uint8_t lmc)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;

	lids_enter(fabric, end, NULL);
	end->attr.lid = lid;
	end->attr.lmc = lmc;
	lids_enter(fabric, end, end);
}

/* ---- nodes ---- */

static void switch_init(struct node *node)
{
	node->sw = g_new0(struct switch_part, 1);
	node->sw->lft_cap = LINEAR_FDB_CAP;
	node->sw->mft_cap = MULTICAST_FDB_CAP;
	node->sw->life_time = LIFE_TIME;
	node->sw->state_change = node->fabric->options.cold;
}

static void switch_reset(struct node *node)
{
	struct switch_part *sw = node->sw;

	/* Not none: that would be computed where state=active. */
	sw->lft_size = LFT_BLOCK;
	sw->lft = g_realloc(sw->lft, LFT_BLOCK);
	memset(sw->lft, LFT_NO_PORT, LFT_BLOCK);
	sw->lft_computed = false;
	sw->lft_top = sw->mft_top = 0;
	g_clear_pointer(&sw->mft, g_free);
	sw->default_port = sw->mcast_primary_port = sw->mcast_secondary_port = 0;
	sw->life_time = LIFE_TIME;
	sw->state_change = true;
}

/* Port 0 has no link; only an enhanced one waits for an SM to bring it up. */
static void port0_come_up(struct node *node, bool cold)
{
	node->ports[0].phys_state = PORT_PHYS_LINK_UP;
	node->ports[0].state = cold && node->enhanced_port0 ? PORT_INIT : PORT_ACTIVE;
}

void node_reset(struct node *node)
{
	for (unsigned int num = 0; num <= node->port_count; num++)
		port_clear(&node->ports[num]);
	pma_samples_reset(node);
	if (node->sw) {
		switch_reset(node);
		port0_come_up(node, true);
	}
}

static const struct topology_port *said_peer(const struct topology *topology,
					     const struct topology_port *said)
{
	const struct topology_node *node;

	if (said->peer_node < 0 || (unsigned int)said->peer_node >= topology->nodes->len)
		return NULL;
	node = g_ptr_array_index(topology->nodes, (unsigned int)said->peer_node);
	return said->peer_port <= node->port_count ? &node->ports[said->peer_port] : NULL;
}

static void node_init_ends(struct node *node, const struct topology_node *said)
{
	unsigned int first = node->sw ? 0 : 1, last = node->sw ? 0 : node->port_count;
	uint8_t ext_speeds = 0, widths = 0;

	for (unsigned int num = 1; num <= node->port_count; num++) {
		ext_speeds |= node->ports[num].speed_ext_supported;
		widths |= node->ports[num].width_supported;
	}
	node->ends = g_new0(struct end_port, last - first + 1);
	for (unsigned int num = first; num <= last; num++) {
		struct topology_port port = said->ports[num];

		/* A switch's only GUID is the node's. */
		if (node->sw && !port.guid)
			port.guid = node->node_guid;
		end_port_init(&node->ends[num - first], &node->ports[num], &port);
		end_port_set_speeds(&node->ends[num - first], widths, ext_speeds);
	}
}

static struct node *node_new(struct umadrig_fabric *fabric, const struct topology *topology,
			     const struct topology_node *said)
{
	static const struct topology_port unsaid = { .peer_node = -1 };
	struct node *node = g_new0(struct node, 1);

	node->fabric = fabric;
	node->index = fabric->nodes->len;
	node->kind = said->kind;
	node->id = g_strdup(said->id);
	node->description = g_strdup(said->description ? said->description : said->id);
	node->device_name = g_strdup(said->device_name);
	node->node_guid = said->node_guid;
	node->sys_image_guid = said->sys_image_guid ? said->sys_image_guid : said->node_guid;
	node->vendor_id = said->vendor_id;
	node->device_id = said->device_id;
	node->revision = said->revision;
	node->port_count = said->port_count;
	node->enhanced_port0 = said->enhanced_port0;
	node->ports = g_new0(struct port, said->port_count + 1U);
	if (node->kind == TOPOLOGY_SWITCH)
		switch_init(node);
	port_init(node, 0, &unsaid, NULL);
	for (unsigned int num = 1; num <= node->port_count; num++)
		port_init(node, num, &said->ports[num], said_peer(topology, &said->ports[num]));
	node_init_ends(node, said);
	return node;
}

static void node_free(void *data)
{
	struct node *node = data;

	for (unsigned int num = 0; num <= node->port_count; num++)
		port_free(&node->ports[num]);
	if (node->sw) {
		g_free(node->sw->lft);
		g_free(node->sw->mft);
	}
	g_free(node->sw);
	g_free(node->sampler);
	g_free(node->ends);
	g_free(node->ports);
	g_free(node->id);
	g_free(node->description);
	g_free(node->description_set);
	g_free(node->device_name);
	g_free(node);
}

struct end_port *node_end_port(struct node *node, unsigned int num)
{
	return num <= node->port_count ? node->ports[num].end : NULL;
}

/* Ids first, so that no description hides an id; of two like descriptions the first counts. */
static void enter_names(struct umadrig_fabric *fabric)
{
	fabric->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		g_hash_table_insert(fabric->by_name, node->id, node);
	}
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		if (!g_hash_table_contains(fabric->by_name, node->description))
			g_hash_table_insert(fabric->by_name, node->description, node);
	}
}

struct node *fabric_find(struct umadrig_fabric *fabric, const char *name)
{
	if (!fabric->by_name)
		enter_names(fabric);
	return g_hash_table_lookup(fabric->by_name, name);
}

struct node *fabric_node(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node = fabric_find(fabric, name);

	return node ? node : host_device(fabric->default_host, name);
}

void node_set_description(struct node *node, const char *description)
{
	if (strcmp(node_description(node), description) == 0)
		return;
	g_free(node->description_set);
	node->description_set = g_strdup(description);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			trap_local_change(node->ports[num].end, TRAP_CHANGE_NODE_DESCRIPTION);
	}
}

void node_set_sys_image_guid(struct node *node, uint64_t guid)
{
	if (node->sys_image_guid == guid)
		return;
	node->sys_image_guid = guid;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			trap_system_guid(node->ports[num].end);
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
	/* A cable has two ends: what only one of them claims is none. */
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
			port0_come_up(node, fabric->options.cold);
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

/* Nothing in a file says where the SM runs: the CA port with the lowest LID is taken for it. */
static uint16_t lowest_ca_lid(const struct umadrig_fabric *fabric)
{
	for (uint32_t lid = 1; lid < LID_COUNT; lid++) {
		const struct end_port *end = fabric->by_lid[lid];

		if (end && end->port->node->kind == TOPOLOGY_CA)
			return (uint16_t)lid;
	}
	return 0;
}

static void set_sm_lid(struct umadrig_fabric *fabric, uint16_t sm_lid)
{
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 0; num <= node->port_count; num++) {
			if (node->ports[num].end && node->ports[num].end->attr.lid)
				node->ports[num].end->sm_lid = sm_lid;
		}
	}
}

/* ---- the whole ---- */

static struct umadrig_fabric *fabric_alloc(const char *name, struct umadrig_options *options)
{
	static uint64_t serials;
	struct umadrig_fabric *fabric = g_new0(struct umadrig_fabric, 1);

	pthread_mutex_init(&fabric->lock, NULL);
	fabric->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
	fabric->name = g_strdup(name);
	fabric->options = *options;
	options->host = options->capture = options->report = NULL;
	options->faults = NULL;
	fabric->seed = fabric->options.seed;
	fabric->arrive = arrival_receive;
	event_queue_init(&fabric->queue);
	fabric->nodes = g_ptr_array_new_with_free_func(node_free);
	fabric->hosts = g_ptr_array_new();
	fabric->by_lid = g_new0(struct end_port *, LID_COUNT);
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
		g_snprintf(reterr, reterr_size, "%s: there is no host '%s' (the first one is '%s')",
			   fabric->name, name, fabric->hosts->len > 0 ?
			   ((struct umadrig_host *)g_ptr_array_index(fabric->hosts, 0))->name : "");
	else
		g_snprintf(reterr, reterr_size,
			   "%s: there is no CA, so no host to run on (host=SWITCH runs on a "
			   "switch)", fabric->name);
	return -ENOENT;
}

static void settle_handles(void *ctx)
{
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
	connect_all(fabric, topology);
	if (!fabric->options.cold) {
		set_lids(fabric, topology);
		set_sm_lid(fabric, lowest_ca_lid(fabric));
		fabric->lfts_ready = true;
	}
	fabric_make_hosts(fabric);
	if (choose_host(fabric, reterr, reterr_size) == 0)
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
			.device_name = names[i],
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
		set_sm_lid(fabric, 2);
	g_ptr_array_unref(topology.nodes);
	return fabric;
}

void fabric_free(struct umadrig_fabric *fabric)
{
	if (!fabric)
		return;
	clock_free(fabric->clock);
	fabric->clock = NULL;
	handles_close_all(fabric);
	record_end(fabric);
	report_end(fabric);
	fabric_free_hosts(fabric);
	link_clear(fabric);
	fault_clear(fabric);
	forward_clear(fabric);
	event_queue_clear(&fabric->queue);
	packet_pool_clear(&fabric->pool);
	g_clear_pointer(&fabric->by_name, g_hash_table_unref);
	g_ptr_array_unref(fabric->nodes);
	g_free(fabric->by_lid);
	g_free(fabric->name);
	g_free(fabric->capture_comment);
	g_free(fabric->issm_directory);
	replay_free(fabric->replay);
	replay_timed_free(fabric->replay_timed);
	options_clear(&fabric->options);
	pthread_mutex_destroy(&fabric->lock);
	g_free(fabric);
}
