/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernels of hosts: see sim/host/kernel.h.
 *
 * Kernels and their ports are made when first needed, so that a program that talks to three of five
 * thousand nodes pays for three.
 */
#include "sim/host/kernel.h"

#include <errno.h>
#include <glib.h>

#include "sim/agents/cc.h"
#include "sim/agents/mlnx-agent.h"
#include "sim/agents/pma.h"
#include "sim/agents/sma.h"
#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/handle.h"
#include "sim/host/issm-path.h"
#include "sim/host/sm-missed.h"

/* ---- the fabric's part of the kernel (struct kmod_ops) ---- */

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
	struct umadrig_host *host = ctx;
	struct end_port *end = wire;

	sm_missed_look(host->fabric, packet_mad(packet));
	fabric_transmit(end->port, packet);
}

static unsigned int op_process_mad(void *ctx, void *wire, const struct kmod_source *source,
				   const uint8_t *in, uint8_t *out)
{
	struct end_port *end = wire;

	(void)ctx;
	return port_process_mad(end->arrival ? end->arrival : end->port, source, in, out);
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	struct umadrig_host *host = ctx;
	struct end_port *end = wire;

	if (is_sm && end->no_issm)
		return -ENOENT;
	if (is_sm)
		sm_missed_not(host->fabric);
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
	(void)ctx;
	drop_note(((const struct end_port *)wire)->port, packet, why);
}

static const char *op_host_name(void *ctx)
{
	return ((const struct umadrig_host *)ctx)->name;
}

static const char *op_device_name(void *ctx, void *wire)
{
	(void)ctx;
	return ((const struct end_port *)wire)->port->node->device_name;
}

void kernels_set_ops(struct umadrig_fabric *fabric)
{
	fabric->ops = (struct kmod_ops) {
		.now_ns = op_now_ns,
		.arm = op_arm,
		.disarm = op_disarm,
		.transmit = op_transmit,
		.process_mad = op_process_mad,
		.set_is_sm = op_set_is_sm,
		.wake = op_wake,
		.host_name = op_host_name,
		.device_name = op_device_name,
		.send_queue_size = fabric->options.send_queue_size,
		.recv_queue_size = fabric->options.recv_queue_size,
		.pool = &fabric->pool,
		.drop = op_drop,
	};
}

void kernels_tell_sends_over(struct umadrig_fabric *fabric)
{
	fabric->ops.send_over = op_send_over;
}

void fabric_listen(struct umadrig_fabric *fabric)
{
	fabric->ops.trace = fabric->trace ? op_trace : NULL;
	fabric_watch_changed(fabric);
}

static inline unsigned int process_mad(struct port *port, const struct kmod_source *source,
				       const uint8_t *in, uint8_t *out)
{
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

/* Not inlined, so that a port without an issm path saves no registers. */
__attribute__((noinline)) static unsigned int look_and_process(struct port *port,
							       const struct kmod_source *source,
							       const uint8_t *in, uint8_t *out)
{
	issm_path_look_now(port->end);
	return process_mad(port, source, in, out);
}

unsigned int port_process_mad(struct port *port, const struct kmod_source *source,
			      const uint8_t *in, uint8_t *out)
{
	if (port->end && port->end->issm)
		return look_and_process(port, source, in, out);
	return process_mad(port, source, in, out);
}

/* ---- kernels ---- */

/* A kernel has one strategy of its own, by a number. */
static uint64_t kernel_schedule(const struct schedule *schedule)
{
	return schedule->seed || schedule->strategy == SCHEDULE_IN_ORDER ? schedule->seed :
									   UINT64_MAX;
}

static struct kmod_host *make_kmod(struct umadrig_host *host)
{
	const struct umadrig_options *options = &host->fabric->options;
	const struct kmod_variant variant = { .schedule = kernel_schedule(&options->schedule) };
	struct kmod_host *kmod = kmod_host_new(host->kernel, &host->fabric->ops, host,
					       host->profile, options->first_hi_tid);

	if (variant.schedule != 0)
		kmod_host_vary(kmod, &variant);
	return kmod;
}

struct kmod_port *end_port_kmod(struct end_port *end)
{
	struct umadrig_host *host;
	char name[PORT_NAME_SIZE];

	if (end->kmod || end->port->node->removed)
		return end->kmod;
	host = node_host(end->port->node);
	if (!host->kmod)
		host->kmod = make_kmod(host);
	end->kmod = kmod_port_new(host->kmod, &end->attr, end, port_format(end->port, name));
	return end->kmod;
}

void end_port_remove_kmod(struct end_port *end)
{
	/* An open issm device would keep the port; a removed device has neither. */
	if (end->issm_open)
		kmod_issm_close(end->kmod);
	kmod_port_remove(end->kmod);
	end->kmod = NULL;
}

void kernels_free(struct umadrig_fabric *fabric)
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
	}
}
