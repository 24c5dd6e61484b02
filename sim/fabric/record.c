/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Recording packets, for the tap of a port and the capture. See sim/fabric/record.h.
 *
 * A packet is recorded once, where it leaves its source port, and once more if it is dropped on its
 * way. The packet is not left sealed: it is carried on, and its headers change.
 */
#include "sim/fabric/record.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/monotonic.h"
#include "sim/capture/capture.h"
#include "sim/capture/identity.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/observer.h"
#include "sim/fabric/virtual-function.h"
#include "sim/time/clock.h"

size_t record_size(const struct packet *packet)
{
	return packet->raw ? packet_size(packet) : (size_t)packet->mad_at + packet->mad_size;
}

/* What no packet says of a port that asks. */
static char *format_identity(const struct port *port)
{
	const struct node *node = port->node;
	const struct end_port *end = port_speaker(port);
	const struct capture_identity identity = {
		.node_type = node->kind,
		.port_count = node->port_count,
		.port_num = port->num,
		.system_guid = node->sys_image_guid,
		.node_guid = node->node_guid,
		.port_guid = end->guid,
		.vendor_id = node->vendor_id,
		.device_id = node->device_id,
		.revision = node->revision,
		.lid = end->attr.lid,
		.lmc = end->attr.lmc,
	};

	return capture_identity_format(&identity);
}

static unsigned int interface_of(struct port *port)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	g_autofree char *identity = NULL;
	char name[PORT_NAME_SIZE];

	if (port->interface >= 0)
		return (unsigned int)port->interface;
	port->interface = (int)capture_writer_interface(fabric->capture, port_format(port, name),
							port->node->description);
	identity = format_identity(port);
	capture_writer_interface_comment(fabric->capture, (unsigned int)port->interface, identity);
	return (unsigned int)port->interface;
}

/* Injected packets are recorded one latency back, and nothing further back than that. */
static void advance(struct umadrig_fabric *fabric)
{
	capture_writer_advance(fabric->capture, fabric->queue.now_ns - fabric->options.latency_ns);
}

static void write_packet(struct port *port, int64_t at_ns, bool outbound, struct packet *packet,
			 const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	const char *said = fabric->capture_comment;
	g_autofree char *both = said && why ? g_strdup_printf("%s; %s", said, why) : NULL;
	bool was_sealed = packet->sealed;

	port = port_physical(port);
	capture_writer_packet(fabric->capture, interface_of(port), at_ns, outbound, packet,
			      both ? both : why ? why : said);
	packet->sealed = was_sealed;
	advance(fabric);
	/*
	 * The capture must survive a crash of the program; under virtual time, in tests, it need
	 * not.
	 */
	if (!fabric->options.virtual_clock)
		capture_writer_flush(fabric->capture);
}

/* Shows the packet to the watch, which ends when its function returns false. */
static void show(struct port *port, int64_t at_ns, bool outbound, const struct packet *packet,
		 const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	char name[PORT_NAME_SIZE];
	struct umadrig_mad mad = {
		.at_ns = at_ns,
		.port = port_format(port_physical(port), name),
		.outbound = outbound,
		.slid = packet_slid(packet),
		.dlid = packet_dlid(packet),
		.mad = packet_mad_const(packet),
		.comment = why,
	};

	if (!fabric->watch(fabric->watch_ctx, &mad)) {
		fabric->watch = NULL;
		fabric_watch_changed(fabric);
	}
}

static void observe(struct port *port, const struct packet *packet)
{
	port->node->fabric->observer->packet(port->node->fabric, port, packet);
}

void record_tap(const struct end_port *end, int64_t at_ns, bool outbound,
		const struct packet *packet)
{
	uint8_t whole[LONG_PACKET_SIZE_MAX];

	if (!packet_is_long(packet)) {
		end->tap(end->tap_ctx, at_ns, outbound, packet->bytes, record_size(packet));
		return;
	}
	packet_gather(packet, whole);
	end->tap(end->tap_ctx, at_ns, outbound, whole, record_size(packet));
}

void record_packet(struct port *port, int64_t at_ns, bool outbound, struct packet *packet,
		   const char *why)
{
	struct end_port *end = port->end;

	if (end && end->tap)
		record_tap(end, at_ns, outbound, packet);
	if (port->node->fabric->capture)
		write_packet(port, at_ns, outbound, packet, why);
	if (port->node->fabric->watch)
		show(port, at_ns, outbound, packet, why);
	if (port->node->fabric->observer && outbound && !packet->raw)
		observe(port_physical(port), packet);
}

void record_death(struct port *port, int64_t at_ns, struct packet *packet, const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	char name[PORT_NAME_SIZE];

	if (fabric->trace)
		fabric_trace(fabric, port_format(port, name), "drop       %s", why);
	if (fabric->capture || fabric->watch) {
		g_autofree char *said = g_strdup_printf("dropped: %s", why);

		/* Without the reason it would just be the same packet again. */
		if (fabric->capture && capture_writer_has_comments(fabric->capture))
			write_packet(port, at_ns, false, packet, said);
		if (fabric->watch)
			show(port, at_ns, false, packet, said);
	}
}

int record_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
		 char *reterr, size_t reterr_size)
{
	g_autofree char *kernels = fabric_kernels_text(fabric);
	g_autofree char *about = NULL;

	if (fabric->capture) {
		g_snprintf(reterr, reterr_size, "%s: the fabric is being captured already", path);
		return -EBUSY;
	}
	about = comment ? g_strdup(comment) :
		g_strdup_printf("umadrig: %s, seed %" G_GUINT64_FORMAT, fabric->name,
				fabric->seed);
	if (kernels) {
		char *both = g_strdup_printf("%s, %s", about, kernels);

		g_free(about);
		about = both;
	}
	/* A fabric with a directory for issm paths is a server's, which must not block. */
	fabric->capture = capture_writer_open(path, about,
					      !fabric->issm_directory, reterr, reterr_size);
	/* Virtual time has a date of its own, which is the programs', too. */
	if (fabric->capture && !clock_is_virtual(fabric->clock))
		capture_writer_set_date(fabric->capture,
					wall_clock_ns() - fabric->queue.now_ns);
	fabric_watch_changed(fabric);
	return fabric->capture ? 0 : -EIO;
}

void record_flush(struct umadrig_fabric *fabric)
{
	if (!fabric->capture)
		return;
	advance(fabric);
	capture_writer_flush(fabric->capture);
}

int record_stop(struct umadrig_fabric *fabric)
{
	int ret;

	if (!fabric->capture)
		return 0;
	ret = capture_writer_close(fabric->capture);
	fabric->capture = NULL;
	fabric_watch_changed(fabric);
	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);

		for (unsigned int num = 0; num <= node->port_count; num++)
			node->ports[num].interface = -1;
	}
	return ret;
}

int record_end(struct umadrig_fabric *fabric)
{
	const char *path = fabric->options.capture;
	int err = record_stop(fabric);

	if (err < 0)
		fprintf(stderr, "umadrig: the capture%s%s is not complete: %s\n", path ? " " : "",
			path ? path : "", g_strerror(-err));
	return err;
}
