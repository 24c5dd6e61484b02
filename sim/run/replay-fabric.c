/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A replayed capture behind a fabric's ports: see sim/run/replay-fabric.h.
 *
 * It is either a fabric of its own, made of what the capture says about the requester: one CA, H1,
 * on a cable to a switch "captured" that represents all the rest; or an existing fabric, whose
 * requests are then all answered from the capture.
 */
#include "sim/run/replay-fabric.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/capture.h"
#include "sim/capture/replay.h"
#include "sim/fabric/drop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/run/assembly.h"
#include "sim/run/replay-end.h"
#include "sim/run/replay-expiry.h"
#include "sim/run/replay-sender.h"
#include "sim/run/replay-timed.h"
#include "sim/run/replay-words.h"
#include "sim/topology/topology.h"

enum {
	WIDTH_4X = 2,
	SPEED_10G = 4,
	VENDOR_ID = 0x0002c9,
	DEVICE_ID = 0x1003,
};

/* Made up if the capture does not have it: the GUID of the default fabric's H1. */
static const uint64_t NODE_GUID = UINT64_C(0x0002c90300000000);

/*
 * Is the packet for the port that it leaves from? The HCA loops such packets back, so no capture of
 * the wire can have them. If the captured requester had another LID, this LID is another port's in
 * the capture.
 */
static bool is_for_itself(const struct replay *replay, const struct end_port *end,
			  const struct packet *packet)
{
	uint16_t dlid = packet_dlid(packet);

	return end->attr.lid && dlid == end->attr.lid && dlid == replay_get_asker(replay)->lid;
}

/* The answer arrives as from the other end of the cable, after one latency each way. */
static void send_back(struct port *port, struct packet *answer, const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	char name[PORT_NAME_SIZE];

	fabric_trace(fabric, port_format(port, name), "replay     %s", why);
	fabric_deliver_later(port->end, port->peer, answer, 2 * fabric->options.latency_ns);
}

/* Sends the message that replay_answer() has found; 'head' stays the caller's. */
static void send_segments(struct port *port, const struct packet *head, const struct replay *replay,
			  const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	char name[PORT_NAME_SIZE];
	size_t size;
	const uint8_t *message = replay_message(replay, &size);

	fabric_trace(fabric, port_format(port, name), "replay     %s", why);
	replay_sender_send(fabric->replay_sender, port->end, head, message, size);
}

/* What the capture does not have: 'answer' is for an answer that refuses it. Consumes both. */
static void refuse(struct port *port, struct packet *packet, struct packet *answer, const char *why)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	uint16_t status = fabric->options.replay.unmatched_status;

	replay_report(fabric->replay, packet, why);
	if (status && replay_refuse(packet, status, answer)) {
		send_back(port, answer, why);
		packet_free(&fabric->pool, packet);
		return;
	}
	packet_free(&fabric->pool, answer);
	if (fabric->options.replay.unmatched_expires)
		replay_expiry_add(port->end, packet, 2 * fabric->options.latency_ns);
	drop_packet(port, packet, "%s", why);
}

static bool answer(struct port *port, struct packet *packet)
{
	struct umadrig_fabric *fabric = port->node->fabric;
	struct packet *returned = packet_new(&fabric->pool);
	char why[REPLAY_WHY_SIZE];

	switch (replay_answer(fabric->replay, packet, returned, why)) {
	case REPLAY_ANSWERED:
		send_back(port, returned, why);
		packet_free(&fabric->pool, packet);
		return true;
	case REPLAY_ANSWERED_BY_RMPP:
		send_segments(port, returned, fabric->replay, why);
		packet_free(&fabric->pool, returned);
		packet_free(&fabric->pool, packet);
		return true;
	case REPLAY_NOT_ASKED:
		packet_free(&fabric->pool, returned);
		return false;
	case REPLAY_SILENT:
		packet_free(&fabric->pool, returned);
		drop_packet(port, packet, "%s", why);
		return true;
	case REPLAY_UNMATCHED:
		break;
	}
	if (is_for_itself(fabric->replay, port->end, packet)) {
		packet_free(&fabric->pool, returned);
		return false;
	}
	refuse(port, packet, returned, why);
	return true;
}

/* fabric_divert_fn */
static bool divert(void *ctx, struct port *port, struct packet *packet)
{
	struct replay_sender *sender = ctx;

	/* A handmade one may be no MAD at all. */
	if (!port->end || packet->raw)
		return false;
	if (replay_sender_take(sender, port->end, packet))
		return true;
	if (replay_sender_is_busy(sender, port->end, packet)) {
		drop_packet(port, packet, "the answer is under way");
		return true;
	}
	return answer(port, packet);
}

static void attach(struct umadrig_fabric *fabric, struct replay *replay)
{
	replay_end(fabric);
	fabric->replay = replay;
	fabric->replay_sender = replay_sender_new(fabric);
	fabric->divert = divert;
	fabric->divert_ctx = fabric->replay_sender;
	fabric_watch_changed(fabric);
}

/* ---- a fabric of its own ---- */

/* Sets what the topology cannot hold about the requester's port. */
static void set_asker(struct umadrig_fabric *fabric, const struct replay_asker *asker)
{
	struct node *node = g_ptr_array_index(fabric->nodes, 0);
	struct end_port *end = node_end_port(node, asker->port_num);
	unsigned int used = 1;

	fabric->captured = g_memdup2(asker, sizeof(*asker));
	if (asker->is_roce) {
		end->attr.link_is_ethernet = true;
		end->attr.has_smi = false;
		memcpy(end->gids[0], asker->gid, 16);
	} else if (!fabric->options.cold) {
		end->sm_lid = asker->sm_lid ? asker->sm_lid : asker->lid;
		end->sm_sl = asker->sm_sl;
	}
	if (asker->gid_prefix) {
		end->gid_prefix = asker->gid_prefix;
		put_be64(end->gids[0], asker->gid_prefix);
	}
	for (unsigned int i = 0; i < asker->pkey_count && used < end->attr.pkey_count; i++) {
		if (asker->pkeys[i] != PKEY_DEFAULT)
			end->pkeys[used++] = asker->pkeys[i];
	}
}

/* An end of the cable: as fast as the capture says, or as 4x QDR. */
static struct topology_port cabled(const struct replay_asker *asker, int peer_node,
				   uint8_t peer_port)
{
	return (struct topology_port){
		.peer_node = peer_node,
		.peer_port = peer_port,
		.width_active = asker->width_active ? asker->width_active : WIDTH_4X,
		.speed_active = asker->width_active ? asker->speed_active : SPEED_10G,
		.speed_ext_active = asker->speed_ext_active,
	};
}

static struct umadrig_fabric *make_fabric(const char *path, const struct replay_asker *asker,
					  struct umadrig_options *options, char *reterr,
					  size_t reterr_size)
{
	static const struct topology_port unsaid = { .peer_node = -1 };
	struct topology_port captured_ports[2] = { unsaid, cabled(asker, 0, 0) };
	struct topology_port ports[UINT8_MAX + 1];
	const char *description = *asker->description ? asker->description : "H1";
	struct topology_node nodes[] = { {
		.kind = TOPOLOGY_CA,
		.id = (char *)"H1",
		.description = (char *)(uintptr_t)description,
		.device_name = options->device ? NULL : (char *)"H1",
		.node_guid = asker->node_guid ? asker->node_guid : NODE_GUID,
		.sys_image_guid = asker->system_guid,
		.vendor_id = asker->vendor_id ? asker->vendor_id : VENDOR_ID,
		.device_id = asker->device_id ? asker->device_id : DEVICE_ID,
		.port_count = asker->port_num,
		.ports = ports,
	}, {
		.kind = TOPOLOGY_SWITCH,
		.id = (char *)"captured",
		.description = (char *)"captured fabric",
		.node_guid = NODE_GUID + 0x100,
		.vendor_id = VENDOR_ID,
		.port_count = 1,
		.ports = captured_ports,
	} };
	struct topology topology = { .file = (char *)(uintptr_t)path, .nodes = g_ptr_array_new() };
	struct umadrig_fabric *fabric;

	for (size_t i = 0; i < G_N_ELEMENTS(ports); i++)
		ports[i] = unsaid;
	ports[asker->port_num] = cabled(asker, 1, 1);
	ports[asker->port_num].guid = asker->port_guid;
	ports[asker->port_num].lid = asker->lid;
	captured_ports[1].peer_port = asker->port_num;
	for (size_t i = 0; i < G_N_ELEMENTS(nodes); i++)
		g_ptr_array_add(topology.nodes, &nodes[i]);
	fabric = fabric_new(&topology, options, reterr, reterr_size);
	g_ptr_array_unref(topology.nodes);
	return fabric;
}

static struct replay_options as_wished(const struct umadrig_options *options, const char *host,
				       const struct umadrig_replay *replay)
{
	return (struct replay_options){
		.as_of = options->replay.as_of,
		.at_ns = options->replay.as_of_ns,
		.size_max = options->replay.size_max,
		.any_order = replay ? replay->any_order : options->any_order,
		.host = host,
		.keep = replay ? replay->keep : NULL,
		.ctx = replay ? replay->ctx : NULL,
	};
}

static void print_unknown(const char *path, const struct replay_asker *asker)
{
	char unknown[128];

	replay_asker_format_unknown(asker, unknown, sizeof(unknown));
	if (*unknown)
		fprintf(stderr, "%s: the capture has no %s of the requester; using placeholders\n",
			path, unknown);
}

struct umadrig_fabric *fabric_new_replay(const char *path, struct umadrig_options *options,
					 char *reterr, size_t reterr_size)
{
	const struct replay_options how = as_wished(options, options->host, NULL);
	struct replay *replay = replay_new(path, &how, reterr, reterr_size);
	struct umadrig_fabric *fabric;

	if (!replay)
		return NULL;
	/* It has chosen the requester, the only host that there is. */
	g_clear_pointer(&options->host, g_free);
	fabric = make_fabric(path, replay_get_asker(replay), options, reterr, reterr_size);
	if (!fabric) {
		replay_free(replay);
		return NULL;
	}
	set_asker(fabric, replay_get_asker(replay));
	if (fabric->options.replay.summary)
		print_unknown(path, replay_get_asker(replay));
	attach(fabric, replay);
	return fabric;
}

/* ---- the same, at its own times ---- */

/* All of a capture, in order; its oddities are reported on stderr. NULL with a message. */
static struct capture *read_whole(const char *path, uint64_t size_max, bool any_order,
				  char *reterr, size_t reterr_size)
{
	struct capture *capture = capture_read_within(path, size_max, reterr, reterr_size);

	if (!capture)
		return NULL;
	for (char **warning = capture->warnings; *warning; warning++)
		fprintf(stderr, "%s\n", *warning);
	if (capture_put_in_order(capture, any_order, reterr, reterr_size) == 0)
		return capture;
	capture_free(capture);
	return NULL;
}

static void attach_timed(struct umadrig_fabric *fabric, struct replay_timed *timed)
{
	replay_end(fabric);
	fabric->replay_timed = timed;
	replay_timed_attach(timed);
}

/* fabric_opened_fn */
static void begin_at_open(struct umadrig_fabric *fabric)
{
	replay_timed_begin(fabric->replay_timed);
}

/* H1 with the capture behind it, which waits for a program to open a port. */
static bool await_open(struct umadrig_fabric *fabric, struct capture *capture, char *reterr,
		       size_t reterr_size)
{
	struct node *node = g_ptr_array_index(fabric->nodes, 0);
	const struct umadrig_replay how = {
		.speed_milli = fabric->options.replay.speed_milli,
		.own_tids = fabric->options.replay.own_tids,
	};
	struct replay_timed *timed = replay_timed_new(
		node_end_port(node, fabric->captured->port_num), capture, &how, reterr,
		reterr_size);

	if (!timed)
		return false;
	attach_timed(fabric, timed);
	fabric->opened = begin_at_open;
	return true;
}

struct umadrig_fabric *fabric_new_replay_timed(const char *path, struct umadrig_options *options,
					       char *reterr, size_t reterr_size)
{
	struct capture *capture = read_whole(path, options->replay.size_max,
					     options->any_order, reterr, reterr_size);
	struct umadrig_fabric *fabric = NULL;
	struct replay_asker asker;

	if (capture && replay_asker_find_host(capture, options->host, &asker, reterr,
					      reterr_size)) {
		g_clear_pointer(&options->host, g_free);
		fabric = make_fabric(path, &asker, options, reterr, reterr_size);
	}
	if (!fabric) {
		capture_free(capture);
		return NULL;
	}
	set_asker(fabric, &asker);
	if (await_open(fabric, capture, reterr, reterr_size))
		return fabric;
	fabric_free(fabric);
	return NULL;
}

/* ---- in an existing fabric ---- */

/* Takes over the words of 'replay'. 0, or -EINVAL with a message. */
static int read_words(const struct umadrig_replay *replay, struct replay_wishes *ret, char *reterr,
		      size_t reterr_size)
{
	if (replay->as_of && replay_parse_as_of(replay->as_of, ret) < 0) {
		g_snprintf(reterr, reterr_size, "as of '%s': expected " REPLAY_AS_OF_WANTED,
			   replay->as_of);
		return -EINVAL;
	}
	if (replay->unmatched && replay_parse_unmatched(replay->unmatched, ret) < 0) {
		g_snprintf(reterr, reterr_size, "unmatched '%s': expected " REPLAY_UNMATCHED_WANTED,
			   replay->unmatched);
		return -EINVAL;
	}
	return 0;
}

static int begin_answers(struct umadrig_fabric *fabric, const struct umadrig_replay *options,
			 char *reterr, size_t reterr_size)
{
	struct umadrig_options wishes = fabric->options;
	struct replay_options how;
	struct replay *replay;

	if (read_words(options, &wishes.replay, reterr, reterr_size) < 0)
		return -EINVAL;
	how = as_wished(&wishes, NULL, options);
	replay = replay_new(options->capture, &how, reterr, reterr_size);
	if (!replay)
		return -EINVAL;
	attach(fabric, replay);
	fabric->options.replay = wishes.replay;
	return 0;
}

static int begin_timed(struct umadrig_fabric *fabric, const struct umadrig_replay *options,
		       char *reterr, size_t reterr_size)
{
	struct capture *capture = read_whole(options->capture, options->size_max,
					     options->any_order, reterr, reterr_size);
	struct replay_timed *timed;

	if (!capture)
		return -EINVAL;
	timed = replay_timed_new((struct end_port *)(void *)options->timed_at, capture, options,
				 reterr, reterr_size);
	if (!timed)
		return -EINVAL;
	attach_timed(fabric, timed);
	replay_timed_begin(timed);
	return 0;
}

int replay_begin(struct umadrig_fabric *fabric, const struct umadrig_replay *options, char *reterr,
		 size_t reterr_size)
{
	return options->timed_at ? begin_timed(fabric, options, reterr, reterr_size) :
				   begin_answers(fabric, options, reterr, reterr_size);
}
