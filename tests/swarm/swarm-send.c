/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The oracle's sends: what a write must return, what must be transmitted when, and how it ends.
 */
#include "tests/swarm/swarm-send.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static uint32_t header_get(const uint8_t *header, unsigned int offset)
{
	uint32_t value;

	memcpy(&value, header + offset, sizeof(value));
	return value;
}

/* ---- the list ---- */

static void unlink_send(struct swarm *swarm, struct swarm_send *send)
{
	struct swarm_send **link = &swarm->sends;

	while (*link != send)
		link = &(*link)->next;
	*link = send->next;
	if (send->message)
		send->message->send = NULL;
}

/* ---- flow control: a plain count of outstanding requests, and which has waited longest ---- */

static bool is_counted(const struct swarm_send *send)
{
	uint8_t c = send->mgmt_class;

	return send->agent->flow_limit && send->timeout_ms && !send->local &&
	       (c == 0x01 || c == 0x03 || c == 0x07 || c == 0x81) &&
	       !(send->agent->rmpp_version && swarm_is_active(send->mad));
}

static struct swarm_send *find_held(struct swarm *swarm, const struct swarm_agent *agent)
{
	struct swarm_send *first = NULL;

	for (struct swarm_send *send = swarm->sends; send; send = send->next)
		if (send->held && send->agent == agent && (!first || send->order < first->order))
			first = send;
	return first;
}

static void hold(struct swarm *swarm, struct swarm_send *send)
{
	send->held = true;
	send->due_ns = TIME_NEVER;
	send->order = swarm->order++;
}

static void let_out(struct swarm *swarm, struct swarm_agent *agent)
{
	struct swarm_send *send;

	while (agent->flow_out < agent->flow_limit && (send = find_held(swarm, agent))) {
		send->held = false;
		send->going = true;
		send->due_ns = swarm_now_ns(swarm);
		agent->flow_out++;
	}
}

void swarm_send_end(struct swarm *swarm, struct swarm_send *send)
{
	unlink_send(swarm, send);
	if (!send->counted || !send->agent || send->held)
		return;
	send->agent->flow_out--;
	let_out(swarm, send->agent);
}

/* ---- write ---- */

static bool same_destination(const struct swarm_send *a, const struct swarm_send *b)
{
	if (a->has_grh || b->has_grh)
		return a->has_grh && b->has_grh && memcmp(a->gid, b->gid, 16) == 0;
	return a->lid == b->lid;
}

/* May the two not be outstanding at the same time? */
static bool is_double(const struct swarm_send *a, const struct swarm_send *b)
{
	return a != b && b->agent && a->file == b->file && a->tid == b->tid &&
	       a->mgmt_class == b->mgmt_class && a->is_response == b->is_response &&
	       (!a->is_response || same_destination(a, b));
}

static int find_duplicate(struct swarm *swarm, const struct swarm_send *send, bool *ret_unsure)
{
	int err = 0;

	for (struct swarm_send *other = swarm->sends; other; other = other->next) {
		if (!is_double(send, other))
			continue;
		if (!other->message || !other->message->may_be_gone)
			err = -EINVAL;
		else
			*ret_unsure = true;
	}
	return err;
}

/* A directed route without hops: the driver is called at once, its answer comes later. */
static int expect_local(struct swarm *swarm, struct swarm_send *send)
{
	const uint8_t perm[4] = { 0xff, 0xff, 0xff, 0xff };
	uint8_t reply[MAD_SIZE];
	const struct swarm_agent *taker = NULL;
	unsigned int result;

	/* The swarm uses no other routes; what is not one is put on the wire unchanged. */
	if (memcmp(send->mad + SMP_DR_SLID, perm, 4) != 0 || send->mad[SMP_HOP_PTR] ||
	    send->mad[SMP_HOP_CNT])
		return -EINVAL;
	send->mad[SMP_HOP_PTR] = 1;
	result = swarm_world_driver(send->mad, reply);
	if (!(result & KMOD_MAD_SUCCESS))
		return -EINVAL;
	send->local = true;
	send->local_delivers = !(result & KMOD_MAD_CONSUMED);
	if (result & KMOD_MAD_REPLY) {
		memcpy(send->local_mad, reply, MAD_SIZE);
		taker = send->agent;
	} else {
		memcpy(send->local_mad, send->mad, MAD_SIZE);
		taker = swarm_find_agent(swarm, send->port, send->mad);
	}
	send->local_hi_tid = taker ? taker->hi_tid : 0;
	return 0;
}

static void read_address(struct swarm_send *send)
{
	const uint8_t *h = send->header;

	send->timeout_ms = header_get(h, 8);
	send->retries = header_get(h, 12);
	send->qpn = get_be32(h + 20) & 0xffffff;
	send->lid = get_be16(h + 28);
	send->path_bits = h[31];
	send->has_grh = h[32] != 0;
	send->gid_index = h[33];
	memcpy(send->gid, h + 36, 16);
}

/* The checks from the address on, in Linux's order, and the MAD as transmitted. */
static int expect_mad(struct swarm *swarm, struct swarm_send *send, const uint8_t *mad,
		      uint32_t size, bool *ret_unsure)
{
	const struct swarm_agent *agent = send->agent;
	bool by_kernel = agent->kernel_rmpp && swarm_is_active(mad);
	bool has_rmpp = swarm_has_rmpp(mad[MAD_CLASS]);

	if (send->has_grh && send->gid_index >= SWARM_GIDS)
		return -EINVAL;
	if (send->has_grh && send->gid_index > 0)
		return -ENODATA;
	if (size < swarm_header_size(mad[MAD_CLASS]) || (size > MAD_SIZE && !by_kernel))
		return -EINVAL;
	memset(send->mad, 0, MAD_SIZE);
	memcpy(send->mad, mad, size < MAD_SIZE ? size : MAD_SIZE);
	if (agent->kernel_rmpp && has_rmpp && !by_kernel)
		memset(send->mad + 24, 0, 12);
	send->mgmt_class = mad[MAD_CLASS];
	send->is_response = swarm_is_response(mad);
	if (!send->is_response)
		put_be32(send->mad + MAD_TID, agent->hi_tid);
	send->tid = get_be64(send->mad + MAD_TID);
	if ((agent->kernel_rmpp || !swarm_is_active(mad)) &&
	    find_duplicate(swarm, send, ret_unsure) < 0)
		return -EINVAL;
	if (agent->rmpp_version && !has_rmpp)
		return -EINVAL;
	if (send->mgmt_class == MAD_CLASS_SUBN_DR)
		return expect_local(swarm, send);
	if (by_kernel)
		swarm_rmpp_begin(swarm, send, mad, size);
	return 0;
}

int swarm_send_expect(struct swarm *swarm, struct swarm_file *file, const uint8_t *buf,
		      size_t count, struct swarm_send **ret_send, bool *ret_unsure)
{
	uint32_t header_size = swarm_file_header(file);
	struct swarm_send **end = &swarm->sends;
	struct swarm_send *send;
	uint32_t id;
	int err;

	*ret_unsure = false;
	if (count < header_size + 36)
		return -EINVAL;
	id = header_get(buf, 0);
	if (id >= SWARM_AGENTS)
		return -EINVAL;
	if (file->dead || !file->agents[id])
		return file->port->host->profile == KMOD_LINUX_5_10 ? -EINVAL : -EIO;
	send = swarm_alloc(swarm, sizeof(*send));
	send->file = file;
	send->agent = file->agents[id];
	send->port = file->port;
	memcpy(send->header, buf, header_size);
	read_address(send);
	err = expect_mad(swarm, send, buf + header_size, (uint32_t)(count - header_size),
			 ret_unsure);
	if (err)
		return err;
	send->due_ns = swarm_now_ns(swarm);
	send->order = swarm->order++;
	send->counted = is_counted(send);
	if (send->counted && send->agent->flow_out >= send->agent->flow_limit) {
		hold(swarm, send);
	} else if (send->counted) {
		send->going = true;
		send->agent->flow_out++;
	}
	while (*end)
		end = &(*end)->next;
	*end = send;
	*ret_send = send;
	return 0;
}

void swarm_send_accepted(struct swarm *swarm, struct swarm_send *send)
{
	struct swarm_send *next;

	for (struct swarm_send *other = swarm->sends; other; other = next) {
		next = other->next;
		if (is_double(send, other) && other->message)
			swarm_send_end(swarm, other);
	}
}

/* ---- silent ends ---- */

void swarm_send_flush_agent(struct swarm *swarm, struct swarm_agent *agent)
{
	struct swarm_send *next;

	for (struct swarm_send *send = swarm->sends; send; send = next) {
		next = send->next;
		if (send->agent != agent)
			continue;
		/*
		 * What has not left the overflow queue is transmitted nevertheless; an SMP arrives.
		 */
		if (send->message ? !send->message->sent : !send->attempts && !send->held)
			send->agent = NULL;
		else
			unlink_send(swarm, send);
	}
}

void swarm_send_flush_port(struct swarm *swarm, struct swarm_port *port)
{
	struct swarm_send *next;

	for (struct swarm_send *send = swarm->sends; send; send = next) {
		next = send->next;
		if (send->port == port)
			unlink_send(swarm, send);
	}
}

/* ---- transmissions ---- */

/* Is this packet the next attempt of 'send'? */
static bool is_attempt(struct swarm *swarm, const struct swarm_send *send, const uint8_t *mad,
		       const struct packet_addr *addr)
{
	if (send->message || send->local || memcmp(send->mad, mad, MAD_SIZE) != 0)
		return false;
	if (send->due_ns != swarm_now_ns(swarm) || send->attempts > send->retries ||
	    (send->counted && !send->going))
		return false;
	return send->lid == addr->dlid && send->qpn == addr->dest_qp &&
	       send->has_grh == addr->has_grh &&
	       (!send->has_grh || memcmp(send->gid, addr->dgid, 16) == 0);
}

static void attempted(struct swarm *swarm, struct swarm_send *send)
{
	send->attempts++;
	send->going = false;
	send->order = swarm->order++;
	if (!send->agent || (send->timeout_ms == 0 && swarm->running)) {
		swarm_send_end(swarm, send);
		return;
	}
	if (send->timeout_ms == 0 || send->timeout_ms >= UINT32_C(0x80000000))
		send->due_ns = TIME_NEVER;
	else
		send->due_ns = swarm_now_ns(swarm) + send->timeout_ms * NS_PER_MS;
}

/* Is it an answer that the kernel makes by itself? */
static bool is_reply(struct swarm_port *port, const uint8_t *mad, const struct packet_addr *addr)
{
	for (struct swarm_reply **link = &port->replies; *link; link = &(*link)->next) {
		if ((*link)->dlid == addr->dlid && memcmp((*link)->mad, mad, MAD_SIZE) == 0) {
			*link = (*link)->next;
			return true;
		}
	}
	return false;
}

/*
 * Is it one that flow control held? A message that has just arrived ended an outstanding request:
 * that shows when it is read, in this instant.
 */
static bool is_let_out(struct swarm *swarm, const struct swarm_port *port, const uint8_t *mad,
		       const struct packet_addr *addr)
{
	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		if (send->port != port || !send->held || !send->agent->kernel_rmpp ||
		    find_held(swarm, send->agent) != send)
			continue;
		send->due_ns = swarm_now_ns(swarm);
		send->going = true;
		if (is_attempt(swarm, send, mad, addr)) {
			send->held = false;
			send->agent->flow_out++;
			attempted(swarm, send);
			return true;
		}
		send->due_ns = TIME_NEVER;
		send->going = false;
	}
	return false;
}

static void check_headers(struct swarm *swarm, struct swarm_port *port,
			  const struct packet_addr *addr)
{
	unsigned int qpn = addr->src_qp & 1;
	uint16_t path_mask = (uint16_t)((1u << port->attr.lmc) - 1);

	uint16_t lid = addr->dlid == LID_PERMISSIVE ? LID_PERMISSIVE & ~path_mask : port->attr.lid;

	if (addr->src_qp > 1 || (addr->slid & ~path_mask) != lid || addr->psn != port->psn[qpn])
		swarm_fail(swarm, SWARM_DUE, "%s transmits from LID %u QP %u PSN %u, not PSN %u",
			   port->name, addr->slid, addr->src_qp, addr->psn, port->psn[qpn]);
	port->psn[qpn] = (port->psn[qpn] + 1) & 0xffffff;
}

void swarm_send_transmitted(struct swarm *swarm, struct swarm_port *port, struct packet *packet)
{
	const uint8_t *mad = packet_mad(packet);
	struct packet_addr addr;

	if (!packet_parse(packet, packet_size(packet), &addr))
		swarm_fail(swarm, SWARM_DUE, "%s transmits what is no MAD", port->name);
	check_headers(swarm, port, &addr);
	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		if (send->port == port && is_attempt(swarm, send, mad, &addr)) {
			attempted(swarm, send);
			return;
		}
	}
	if (is_reply(port, mad, &addr) || swarm_rmpp_transmitted(swarm, port, mad, &addr) ||
	    is_let_out(swarm, port, mad, &addr))
		return;
	swarm_fail(swarm, SWARM_DUE, "%s transmits class 0x%02x method 0x%02x TID 0x%" PRIx64
		   " to LID %u, which nobody asked for", port->name, mad[MAD_CLASS],
		   mad[MAD_METHOD], get_be64(mad + MAD_TID), addr.dlid);
}

/* ---- answers ---- */

static bool addresses_match(const struct swarm_send *send, const struct packet_addr *addr)
{
	uint8_t path_mask = (uint8_t)((1u << send->port->attr.lmc) - 1);

	if (send->has_grh != addr->has_grh)
		return false;
	if (send->has_grh)
		return memcmp(send->port->gids[send->gid_index], addr->dgid, 16) == 0;
	return ((send->path_bits ^ addr->dlid) & path_mask) == 0;
}

struct swarm_send *swarm_send_match(struct swarm *swarm, const struct swarm_agent *agent,
				    const uint8_t *mad, const struct packet_addr *addr,
				    bool *ret_unsure)
{
	uint64_t tid = get_be64(mad + MAD_TID);
	struct swarm_send *best = NULL;

	*ret_unsure = false;
	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		if (send->agent != agent || send->tid != tid ||
		    send->mgmt_class != mad[MAD_CLASS] || send->is_response || send->local)
			continue;
		if (send->mgmt_class != MAD_CLASS_SUBN_DR && !addresses_match(send, addr))
			continue;
		if (send->message && (send->timeout_ms == 0 || send->message->may_be_gone))
			*ret_unsure = true;
		else if (send->timeout_ms == 0)
			continue;
		/* Sorted by deadline; a new one goes before those with the same deadline. */
		if (!best || send->due_ns < best->due_ns ||
		    (send->due_ns == best->due_ns && send->order > best->order))
			best = send;
	}
	return best;
}

/* ---- time ---- */

static void deliver_local(struct swarm *swarm, const struct swarm_send *send)
{
	struct swarm_agent *taker = swarm_find_number(swarm, send->port->host, send->local_hi_tid);
	uint8_t header[SWARM_HEADER] = { 0 };
	uint32_t id;

	if (!send->local_delivers || send->local_hi_tid == 0 || !taker)
		return;
	id = taker->id;
	memcpy(header, &id, 4);
	id = swarm_file_header(taker->file) + MAD_SIZE;
	memcpy(header + 16, &id, 4);
	put_be16(header + 28, LID_PERMISSIVE);
	memcpy(header + 56, send->header + 56, 2);
	swarm_expect(swarm, taker->file, header, send->local_mad, MAD_SIZE);
}

void swarm_send_completions(struct swarm *swarm)
{
	struct swarm_send *next;

	for (struct swarm_send *send = swarm->sends; send; send = next) {
		next = send->next;
		if (send->local)
			deliver_local(swarm, send);
		if (send->local || (send->timeout_ms == 0 && send->attempts && !send->message))
			swarm_send_end(swarm, send);
	}
}

static void expect_report(struct swarm *swarm, const struct swarm_send *send)
{
	uint8_t header[SWARM_HEADER];
	uint32_t status = ETIMEDOUT;

	memcpy(header, send->header, SWARM_HEADER);
	memcpy(header + 4, &status, 4);
	swarm_expect(swarm, send->file, header, send->mad, MAD_HDR_SIZE);
}

/* The last one sent among those that have timed out, of 'agent' or (NULL) of any agent. */
static struct swarm_send *find_expired(struct swarm *swarm, const struct swarm_agent *agent)
{
	struct swarm_send *last = NULL;

	for (struct swarm_send *send = swarm->sends; send; send = send->next)
		if (send->counted && send->agent && (!agent || send->agent == agent) &&
		    !send->held && !send->going && send->due_ns == swarm_now_ns(swarm) &&
		    (!last || send->order > last->order))
			last = send;
	return last;
}

void swarm_send_timers(struct swarm *swarm)
{
	struct swarm_send *send;

	while ((send = find_expired(swarm, NULL))) {
		struct swarm_agent *agent = send->agent;

		while ((send = find_expired(swarm, agent))) {
			if (send->attempts > send->retries) {
				expect_report(swarm, send);
				unlink_send(swarm, send);
				agent->flow_out--;
			} else if (find_held(swarm, agent)) {
				agent->flow_out--;
				hold(swarm, send);
			} else {
				send->going = true;
			}
		}
		let_out(swarm, agent);
	}
}

void swarm_send_instant(struct swarm *swarm)
{
	int64_t now_ns = swarm_now_ns(swarm);
	struct swarm_send *next;

	for (struct swarm_send *send = swarm->sends; send; send = next) {
		next = send->next;
		if (send->counted && send->agent &&
		    send->agent->flow_out > send->agent->flow_limit)
			swarm_fail(swarm, SWARM_DUE, "%s: %u requests of agent %u are out",
				   send->port->name, send->agent->flow_out, send->agent->id);
		if (send->message || send->due_ns > now_ns)
			continue;
		if (send->due_ns < now_ns || send->attempts <= send->retries || send->counted)
			swarm_fail(swarm, SWARM_ENDS, "%s TID 0x%" PRIx64 ": attempt %u of %u was "
				   "due at %.6f ms", send->port->name, send->tid,
				   send->attempts + 1, send->retries + 1,
				   (double)send->due_ns / NS_PER_MS);
		expect_report(swarm, send);
		swarm_send_end(swarm, send);
	}
}

void swarm_send_reported(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
			 const uint8_t *mad)
{
	uint8_t expected[SWARM_HEADER];
	uint32_t status = ETIMEDOUT;

	for (struct swarm_send *send = swarm->sends; send; send = send->next) {
		memcpy(expected, send->header, SWARM_HEADER);
		memcpy(expected + 4, &status, 4);
		if (send->file != file || !send->agent ||
		    memcmp(send->mad, mad, MAD_HDR_SIZE) != 0 ||
		    memcmp(expected, header, swarm_file_header(file)) != 0)
			continue;
		if (send->message ? swarm_rmpp_may_report(swarm, send) :
		    send->due_ns == swarm_now_ns(swarm) && send->attempts > send->retries) {
			swarm_send_end(swarm, send);
			return;
		}
	}
	swarm_fail(swarm, SWARM_ENDS, "%s: agent %u is told that TID 0x%" PRIx64
		   " had no answer, which is not so", file->port->name, header_get(header, 0),
		   get_be64(mad + MAD_TID));
}
