/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sender of captured answers that go by RMPP: see sim/run/replay-sender.h.
 *
 * Each transfer has a port of its own, with the LID, GID and P_Key that the request was sent to,
 * and an open file with one agent. A transfer that is over is freed when the sender is used next:
 * the kernel says so in the midst of its own work.
 */
#include "sim/run/replay-sender.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "lib/base/user-header.h"
#include "lib/base/umad-command.h"
#include "sim/capture/mad-role.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

#define SENDING_MAX ((size_t)64 << 20)	/* bytes of all transfers */

enum {
	RETRIES = 3,
	FAILURES_SAID = 10,		/* lines on stderr */
};

struct replay_sender {
	struct umadrig_fabric *fabric;
	struct kmod_ops ops;
	struct kmod_host *host;
	struct kmod_usage usage;
	unsigned int failures;
	GQueue transfers;		/* of struct transfer *, oldest first */
};

struct transfer {
	struct end_port *to;
	struct packet_addr addr;	/* of its packets */
	struct kmod_port_attr attr;
	uint8_t mgmt_class;
	uint64_t tid;
	struct kmod_port *port;
	struct kmod_file *file;
	bool over;
};

/* ---- what the kernel needs (struct kmod_ops) ---- */

static int64_t op_now_ns(void *ctx)
{
	const struct replay_sender *sender = ctx;

	return sender->fabric->queue.now_ns;
}

static void op_arm(void *ctx, struct event *event, int64_t at_ns)
{
	struct replay_sender *sender = ctx;

	event_queue_arm(&sender->fabric->queue, event, at_ns);
}

static void op_disarm(void *ctx, struct event *event)
{
	struct replay_sender *sender = ctx;

	event_queue_disarm(&sender->fabric->queue, event);
}

/* All that the captured fabric sends arrives one latency each way after what caused it. */
static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct replay_sender *sender = ctx;
	struct transfer *transfer = wire;

	fabric_deliver_later(transfer->to, transfer->to->port->peer, packet,
			     2 * sender->fabric->options.latency_ns);
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	(void)ctx;
	(void)wire;
	(void)is_sm;
	return -ENOSYS;		/* nobody opens an issm device of these ports */
}

static void op_wake(void *ctx, void *owner)
{
	(void)ctx;
	(void)owner;		/* nobody reads its file */
}

static void op_send_over(void *ctx, void *owner, uint64_t tid, uint8_t mgmt_class)
{
	struct transfer *transfer = owner;

	(void)ctx;
	(void)tid;
	(void)mgmt_class;
	transfer->over = true;
}

static void op_trace(void *ctx, const char *who, const char *format, va_list args)
{
	struct replay_sender *sender = ctx;

	fabric_trace_va(sender->fabric, who, format, args);
}

struct replay_sender *replay_sender_new(struct umadrig_fabric *fabric)
{
	struct replay_sender *sender = g_new0(struct replay_sender, 1);

	sender->fabric = fabric;
	sender->ops = (struct kmod_ops){
		.now_ns = op_now_ns,
		.arm = op_arm,
		.disarm = op_disarm,
		.transmit = op_transmit,
		.set_is_sm = op_set_is_sm,
		.wake = op_wake,
		.send_over = op_send_over,
		.pool = &fabric->pool,
		.trace = op_trace,
	};
	sender->usage.sending_max = sender->usage.received_max = SENDING_MAX;
	g_queue_init(&sender->transfers);
	return sender;
}

/* ---- transfers ---- */

static void transfer_free(struct transfer *transfer)
{
	kmod_file_close(transfer->file);
	kmod_port_remove(transfer->port);
	g_free(transfer);
}

void replay_sender_free(struct replay_sender *sender)
{
	if (!sender)
		return;
	g_queue_clear_full(&sender->transfers, (GDestroyNotify)transfer_free);
	kmod_host_free(sender->host);
	g_free(sender);
}

static void free_those_over(struct replay_sender *sender)
{
	for (GList *at = sender->transfers.head, *next; at; at = next) {
		struct transfer *transfer = at->data;

		next = at->next;
		if (!transfer->over)
			continue;
		g_queue_delete_link(&sender->transfers, at);
		transfer_free(transfer);
	}
}

/* The transfer that 'packet', which leaves 'from', is about; or NULL. */
static struct transfer *find(const struct replay_sender *sender, const struct end_port *from,
			     const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);

	for (GList *at = sender->transfers.head; at; at = at->next) {
		struct transfer *transfer = at->data;

		if (!transfer->over && transfer->to == from &&
		    transfer->tid == get_be64(mad + MAD_TID) &&
		    transfer->mgmt_class == mad[MAD_CLASS] &&
		    transfer->addr.slid == packet_dlid(packet) &&
		    (!transfer->addr.has_grh ||
		     (packet_has_grh(packet) &&
		      memcmp(transfer->addr.sgid, packet->bytes + LRH_SIZE + GRH_DGID, 16) == 0)))
			return transfer;
	}
	return NULL;
}

bool replay_sender_is_busy(const struct replay_sender *sender, const struct end_port *from,
			   const struct packet *request)
{
	return !mad_is_response(packet_mad_const(request)) && find(sender, from, request);
}

bool replay_sender_take(struct replay_sender *sender, const struct end_port *from,
			struct packet *packet)
{
	struct transfer *transfer = mad_role(packet_mad_const(packet)) == MAD_ROLE_CONTROLS ?
				    find(sender, from, packet) : NULL;

	if (!transfer)
		return false;
	kmod_port_receive(transfer->port, packet);
	free_those_over(sender);
	return true;
}

/* ---- sending ---- */

/* For the class of 'mad', and whatever method the ACKs have. */
static int register_agent(struct kmod_file *file, const uint8_t *mad)
{
	struct ib_user_mad_reg_req request = {
		.qpn = 1,
		.mgmt_class = mad[MAD_CLASS],
		.mgmt_class_version = mad[MAD_CLASS_VERSION],
		.rmpp_version = 1,
	};

	memset(request.method_mask, 0xff, sizeof(request.method_mask));
	if (mad_class_is_vendor2(mad[MAD_CLASS]))
		memcpy(request.oui, mad + VENDOR2_OUI, sizeof(request.oui));
	return kmod_file_ioctl(file, UMAD_COMMAND_REGISTER_AGENT, &request);
}

static int post(struct transfer *transfer, const uint8_t *message, size_t size)
{
	const struct packet_addr *addr = &transfer->addr;
	g_autofree uint8_t *written = g_malloc0(USER_HEADER_SIZE_OLD + size);
	const struct mad_address to = {
		.qpn = addr->dest_qp,
		.lid = addr->dlid,
		.sl = addr->sl,
		.has_grh = addr->has_grh,
		.traffic_class = addr->traffic_class,
		.flow_label = addr->flow_label,
	};
	uint8_t header[USER_HEADER_SIZE];
	long ret;

	user_header_received(header, 0, &to, USER_HEADER_SIZE_OLD, 0);
	user_header_set(header, USER_RETRIES, RETRIES);
	header[USER_HOP_LIMIT] = addr->hop_limit;
	memcpy(header + USER_GID, addr->dgid, 16);
	memcpy(written, header, USER_HEADER_SIZE_OLD);
	memcpy(written + USER_HEADER_SIZE_OLD, message, size);
	ret = kmod_file_write(transfer->file, written, USER_HEADER_SIZE_OLD + size);
	return ret < 0 ? (int)ret : 0;
}

static struct transfer *transfer_new(struct replay_sender *sender, struct end_port *to,
				     const struct packet *head)
{
	const struct kmod_port_attr *asker = &to->attr;
	struct transfer *transfer = g_new0(struct transfer, 1);
	struct packet copy = *head;
	bool is_mad = packet_parse(&copy, packet_size(head), &transfer->addr);

	g_assert(is_mad);
	if (!sender->host)
		sender->host = kmod_host_new(&kmod_stub, &sender->ops, sender,
					     (enum kmod_profile)sender->fabric->options.profile, 1);
	transfer->to = to;
	transfer->mgmt_class = packet_mad_const(head)[MAD_CLASS];
	transfer->tid = get_be64(packet_mad_const(head) + MAD_TID);
	transfer->attr = (struct kmod_port_attr){
		.link_is_ethernet = asker->link_is_ethernet,
		.port_num = 1,
		.port_count = 1,
		.lid = transfer->addr.slid,
		.pkeys = &transfer->addr.pkey,
		.pkey_count = 1,
		.gids = (const uint8_t (*)[16])&transfer->addr.sgid,
		.gid_count = 1,
	};
	transfer->port = kmod_port_new(sender->host, &transfer->attr, transfer, "captured");
	kmod_file_open(transfer->port, transfer, &transfer->file);
	kmod_file_set_usage(transfer->file, &sender->usage);
	return transfer;
}

static void say_failure(struct replay_sender *sender, const struct end_port *to, size_t size,
			int err)
{
	char name[PORT_NAME_SIZE];

	if (sender->failures++ < FAILURES_SAID)
		fprintf(stderr, "%s: an answer of %zu bytes is not sent to %s: %s\n",
			sender->fabric->name, size, port_format(to->port, name),
			err == -ENOMEM ? "too many that nobody acknowledges are under way" :
					 g_strerror(-err));
}

void replay_sender_send(struct replay_sender *sender, struct end_port *to,
			const struct packet *head, const uint8_t *message, size_t size)
{
	struct transfer *transfer;
	int err;

	free_those_over(sender);
	transfer = transfer_new(sender, to, head);
	err = register_agent(transfer->file, message);
	if (!err)
		err = post(transfer, message, size);
	if (!err) {
		g_queue_push_tail(&sender->transfers, transfer);
		return;
	}
	transfer_free(transfer);
	say_failure(sender, to, size, err);
}
