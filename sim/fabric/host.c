/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts: which kernel drives which CA, and what that kernel asks of the fabric. See sim/fabric/fabric.h.
 *
 * Kernels and their ports come up when first needed, so that a program which talks to three of five
 * thousand nodes pays for three.
 */
#include <errno.h>
#include <string.h>

#include "sim/agents/cc.h"
#include "sim/agents/mlnx-agent.h"
#include "sim/agents/pma.h"
#include "sim/agents/trap.h"
#include "sim/api/handle.h"
#include "sim/api/issm-path.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/link.h"

enum { DEVICES_FEW = 16 };	/* of a host: without a table */

/* ---- what the kernel asks of the fabric (struct kmod_ops) ---- */

static int64_t op_now_ns(void *ctx)
{
	const struct umadrig_host *host = ctx;

	return host->fabric->queue.now_ns;
}

static void op_arm(void *ctx, struct event *event, int64_t at_ns)
{
	struct umadrig_host *host = ctx;

	event_queue_arm(&host->fabric->queue, event, at_ns);
}

static void op_disarm(void *ctx, struct event *event)
{
	struct umadrig_host *host = ctx;

	event_queue_disarm(&host->fabric->queue, event);
}

static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct end_port *end = wire;

	(void)ctx;
	fabric_transmit(end->port, packet);
}

static unsigned int op_process_mad(void *ctx, void *wire, const struct kmod_source *source,
				   const uint8_t *in, uint8_t *out)
{
	struct end_port *end = wire;

	(void)ctx;
	return port_process_mad(end->arrival ? end->arrival : end->port, source, in, out);
}

void end_port_set_capability(struct end_port *end, uint32_t bits, bool set)
{
	uint32_t cap_mask = set ? end->cap_mask | bits : end->cap_mask & ~bits;

	if (cap_mask == end->cap_mask)
		return;
	end->cap_mask = cap_mask;
	trap_local_change(end, TRAP_CHANGE_CAPABILITY_MASK);
}

void end_port_set_is_sm(struct end_port *end)
{
	end_port_set_capability(end, CAP_IS_SM, end->issm_open || end->issm_path_open);
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	struct end_port *end = wire;

	(void)ctx;
	end->issm_open = is_sm;
	end_port_set_is_sm(end);
	return 0;
}

static void op_wake(void *ctx, void *owner)
{
	(void)ctx;
	if (owner)
		handle_changed(owner);
}

static void op_send_over(void *ctx, void *owner, uint64_t tid, uint8_t mgmt_class)
{
	struct handle *handle = owner;

	(void)ctx;
	if (handle && handle->send_over)
		handle->send_over(handle, tid, mgmt_class);
}

static void op_trace(void *ctx, const char *who, const char *format, va_list args)
{
	struct umadrig_host *host = ctx;

	fabric_trace_va(host->fabric, who, format, args);
}

static void op_drop(void *ctx, void *wire, const struct packet *packet, const char *why)
{
	struct umadrig_host *host = ctx;
	struct end_port *end = wire;
	struct packet copy;

	host->fabric->dropped++;
	if (!record_wanted(host->fabric))
		return;
	/* It arrived and was seen by the tap before: only the capture learns what became of it. */
	copy = *packet;
	record_death(end->port, host->fabric->queue.now_ns, &copy, why);
}

static void set_ops(struct umadrig_fabric *fabric)
{
	fabric->ops = (struct kmod_ops) {
		.now_ns = op_now_ns,
		.arm = op_arm,
		.disarm = op_disarm,
		.transmit = op_transmit,
		.process_mad = op_process_mad,
		.set_is_sm = op_set_is_sm,
		.wake = op_wake,
		.send_over = op_send_over,
		.pool = &fabric->pool,
		.drop = op_drop,
	};
}

void fabric_listen(struct umadrig_fabric *fabric)
{
	fabric->ops.trace = fabric->trace ? op_trace : NULL;
}

unsigned int port_process_mad(struct port *port, const struct kmod_source *source,
			      const uint8_t *in, uint8_t *out)
{
	if (port->end)
		issm_path_look(port->end);
	if (mad_class_is_smp(in[MAD_CLASS]))
		return sma_process(port, source, in, out);
	if (in[MAD_CLASS] == MAD_CLASS_PERF)
		return pma_process(port->node, in, out);
	if (in[MAD_CLASS] == MAD_CLASS_CONG_MGT)
		return cc_process(port, in, out);
	if (in[MAD_CLASS] == MLNX_AGENT_CLASS)
		return mlnx_agent_process(port->node, in, out);
	return KMOD_MAD_SUCCESS;
}

/* ---- who is where ---- */

static struct umadrig_host *host_new(struct umadrig_fabric *fabric, const char *name)
{
	struct umadrig_host *host = g_new0(struct umadrig_host, 1);

	host->fabric = fabric;
	host->name = g_strdup(name);
	g_ptr_array_add(fabric->hosts, host);
	return host;
}

/* Hosts are many and their devices few: those are looked through, unless they are many too. */
static struct node *find_device(const struct umadrig_host *host, const char *name)
{
	if (host->devices)
		return g_hash_table_lookup(host->devices, name);
	for (unsigned int i = 0; i < host->node_count; i++) {
		if (strcmp(host->nodes[i]->device_name, name) == 0)
			return host->nodes[i];
	}
	return NULL;
}

struct node *host_device(const struct umadrig_host *host, const char *name)
{
	struct node *node = host ? find_device(host, name) : NULL;

	return node && !node->removed ? node : NULL;
}

/* "node7 mlx5_0", "node7 hfi1_0": the driver itself put its device's name there. */
static char *device_in_description(const char *device)
{
	if (!g_str_has_prefix(device, "mlx") && !g_str_has_prefix(device, "hfi"))
		return NULL;
	return g_strndup(device, strcspn(device, " "));
}

static void name_device(struct umadrig_host *host, struct node *node, const char *device)
{
	char *name = node->device_name ? node->device_name :
		     device ? device_in_description(device) : NULL;

	node->device_name = NULL;
	if (name && (!*name || host_device(host, name)))
		g_clear_pointer(&name, g_free);
	while (!name) {
		name = g_strdup_printf("sim%u", host->unnamed++);
		if (host_device(host, name))
			g_clear_pointer(&name, g_free);
	}
	node->device_name = name;
}

static void enter_device(struct umadrig_host *host, struct node *node)
{
	/* Room for 1, 2, 4, ... */
	if ((host->node_count & (host->node_count - 1)) == 0)
		host->nodes = g_renew(struct node *, host->nodes, MAX(1, 2 * host->node_count));
	host->nodes[host->node_count++] = node;
	if (host->node_count == DEVICES_FEW + 1) {
		host->devices = g_hash_table_new(g_str_hash, g_str_equal);
		for (unsigned int i = 0; i < DEVICES_FEW; i++)
			g_hash_table_insert(host->devices, host->nodes[i]->device_name,
					    host->nodes[i]);
	}
	if (host->devices)
		g_hash_table_insert(host->devices, node->device_name, node);
}

static void host_add(struct umadrig_host *host, struct node *node, const char *device)
{
	name_device(host, node, device);
	enter_device(host, node);
	node->host = host;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			node->ports[num].end->host = host;
	}
}

/* Length of the host's name in a description: what stands before the device; 0: no rule applies. */
static size_t host_part(const char *description)
{
	static const char *const marks[] = { " HCA-", " mlx", " hfi" };

	for (size_t length = strlen(description); length > 0; length--) {
		const char *at = description + length;

		for (size_t i = 0; *at == ' ' && i < G_N_ELEMENTS(marks); i++) {
			if (g_str_has_prefix(at, marks[i]))
				return length;
		}
	}
	return 0;
}

void fabric_make_hosts(struct umadrig_fabric *fabric)
{
	g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);

	set_ops(fabric);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);
		size_t length = host_part(node->description);
		g_autofree char *name = g_strndup(node->description, length);
		struct umadrig_host *host;

		/* A switch is nobody's device, until somebody asks to run on it (fabric_host). */
		if (node->sw)
			continue;
		host = length ? g_hash_table_lookup(named, name) : NULL;
		if (!host)
			host = host_new(fabric, length ? name : node->id);
		if (length)
			g_hash_table_insert(named, host->name, host);
		host_add(host, node, length ? node->description + length + 1 : NULL);
	}
}

static struct umadrig_host *node_host(struct node *node)
{
	if (!node->host)
		host_add(host_new(node->fabric, node->id), node, NULL);
	return node->host;
}

struct umadrig_host *fabric_host(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node;

	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (strcmp(host->name, name) == 0)
			return host;
	}
	node = fabric_find(fabric, name);
	return node ? node_host(node) : NULL;
}

/* ---- kernels ---- */

struct kmod_port *end_port_kmod(struct end_port *end)
{
	struct umadrig_host *host;
	char name[PORT_NAME_SIZE];

	if (end->kmod || end->port->node->removed)
		return end->kmod;
	host = node_host(end->port->node);
	if (!host->kmod)
		host->kmod = kmod_host_new(&host->fabric->ops, host,
					   (enum kmod_profile)host->fabric->options.profile,
					   host->fabric->options.first_hi_tid);
	end->kmod = kmod_port_new(host->kmod, &end->attr, end, port_format(end->port, name));
	return end->kmod;
}

static void end_port_remove_kmod(struct end_port *end)
{
	/* Who still holds the issm device would hold the port; a device that is gone has neither. */
	if (end->issm_open)
		kmod_issm_close(end->kmod);
	kmod_port_remove(end->kmod);
	end->kmod = NULL;
}

static void end_port_remove(struct end_port *end)
{
	end_port_remove_kmod(end);
	issm_path_close(end);
	end->issm_path_open = false;
	end_port_set_is_sm(end);
}

void node_remove(struct node *node)
{
	if (node->removed)
		return;
	node->removed = true;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		struct port *port = &node->ports[num];

		if (port->end)
			end_port_remove(port->end);
		if (port->num == 0)
			port->state = PORT_DOWN;
		else
			link_lose(port);
	}
}

void node_return(struct node *node)
{
	if (!node->removed)
		return;
	node_reset(node);
	node->removed = false;
	for (unsigned int num = 1; num <= node->port_count; num++)
		link_train(&node->ports[num]);
}

void fabric_free_hosts(struct umadrig_fabric *fabric)
{
	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		for (unsigned int n = 0; n < host->node_count; n++) {
			struct node *node = host->nodes[n];

			for (unsigned int num = 0; num <= node->port_count; num++) {
				if (node->ports[num].end)
					end_port_remove_kmod(node->ports[num].end);
			}
		}
		kmod_host_free(host->kmod);
		g_clear_pointer(&host->devices, g_hash_table_unref);
		g_free(host->nodes);
		g_free(host->name);
		g_free(host);
	}
	g_ptr_array_unref(fabric->hosts);
}
