/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * End ports of another kernel: see sim/guests/guest-port.h.
 */
#include "sim/guests/guest-port.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/smi.h"
#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/guests/hca-driver.h"

enum {
	VL_MANAGEMENT = 15,
	QP_MASK = 0xffffff,
	REREGISTER_AT = 51,	/* PortInfo.ClientReregister (IBA vol 1, 14.2.5.6): its top bit */
};

static const char not_there[] = "its kernel is not there";

/* ---- what the kernel is told ---- */

static int send(struct guest_port *port, const struct umadrig_hca_header *header,
		const void *payload, size_t size)
{
	return port->host->driver->send(port->host->driver, header, payload, size);
}

static void tell(struct guest_port *port, enum umadrig_hca_type type, uint8_t flags,
		 const void *payload, size_t size)
{
	const struct umadrig_hca_header header = {
		.type = (uint8_t)type, .hca = port->hca, .port = port->num, .flags = flags,
	};

	send(port, &header, payload, size);
}

/* Linux: enum ib_port_speed. */
static uint16_t speed_of(const struct port *port)
{
	if (port->fdr10_active)
		return 8;
	if (port->speed_ext_active)
		return (uint16_t)(port->speed_ext_active << 4);
	return port->speed_active ? port->speed_active : 1;
}

static struct umadrig_hca_port describe(const struct end_port *end)
{
	const struct port *port = end->port;

	return (struct umadrig_hca_port) {
		.prefix = GUINT64_TO_BE(end->gid_prefix),
		.lid = GUINT16_TO_LE(end->attr.lid), .sm_lid = GUINT16_TO_LE(end->sm_lid),
		.lmc = end->attr.lmc, .sm_sl = end->sm_sl,
		.state = port->state, .physical_state = port->phys_state,
		.width = port->width_active ? port->width_active : 1,
		.mtu = port->neighbor_mtu ? port->neighbor_mtu : 1,
		.mtu_max = port->mtu_cap, .vls = port->vl_cap,
		.subnet_timeout = end->subnet_timeout,
		.speed = GUINT16_TO_LE(speed_of(port)),
		.max_message_size = GUINT32_TO_LE(1U << 30),
	};
}

static void tell_gids(struct guest_port *port)
{
	uint64_t gids[GID_COUNT];

	for (size_t i = 0; i < GID_COUNT; i++)
		memcpy(&gids[i], port->end->gids[i] + 8, sizeof(gids[i]));
	if (memcmp(gids, port->said_gids, sizeof(gids)) == 0)
		return;
	memcpy(port->said_gids, gids, sizeof(gids));
	tell(port, UMADRIG_HCA_GIDS, 0, gids, sizeof(gids));
}

static void tell_pkeys(struct guest_port *port)
{
	uint16_t pkeys[PKEY_COUNT];

	for (size_t i = 0; i < PKEY_COUNT; i++)
		pkeys[i] = GUINT16_TO_LE(port->end->pkeys[i]);
	if (memcmp(pkeys, port->said_pkeys, sizeof(pkeys)) == 0)
		return;
	memcpy(port->said_pkeys, pkeys, sizeof(pkeys));
	tell(port, UMADRIG_HCA_PKEYS, 0, pkeys, sizeof(pkeys));
}

void guest_port_tell(struct guest_port *port, bool reregisters)
{
	struct umadrig_hca_port now = describe(port->end);

	tell_gids(port);
	tell_pkeys(port);
	if (!reregisters && memcmp(&now, &port->said, sizeof(now)) == 0)
		return;
	port->said = now;
	tell(port, UMADRIG_HCA_PORT, reregisters ? UMADRIG_HCA_FLAG_REREGISTER : 0, &now,
	     sizeof(now));
}

void guest_port_tell_all(struct guest_port *port)
{
	memset(&port->said, 0, sizeof(port->said));
	memset(port->said_pkeys, 0, sizeof(port->said_pkeys));
	memset(port->said_gids, 0, sizeof(port->said_gids));
	guest_port_tell(port, false);
}

void guest_ports_look(struct hca_driver *driver)
{
	if (driver->seen_changes == driver->fabric->changes)
		return;
	driver->seen_changes = driver->fabric->changes;
	for (unsigned int i = 0; i < driver->hca_count; i++) {
		const struct hca_slot *hca = &driver->hca[i];

		for (size_t num = 0; num < G_N_ELEMENTS(hca->port); num++) {
			if (hca->state == HCA_THERE && hca->port[num])
				guest_port_tell(hca->port[num], false);
		}
	}
}

/* ---- packets to the kernel ---- */

/* Does the SMP, which has been answered well, make software register again? */
static bool has_reregistered(const uint8_t *request, const uint8_t *answer)
{
	return mad_class_is_smp(request[MAD_CLASS]) && request[MAD_METHOD] == MAD_METHOD_SET &&
	       get_be16(request + MAD_ATTR_ID) == ATTR_PORT_INFO &&
	       (get_be16(answer + MAD_STATUS) & ~SMP_DIRECTION) == 0 &&
	       request[SMP_DATA + REREGISTER_AT] & 0x80;
}

static void after_answer(struct guest_port *port, const uint8_t *request, const uint8_t *answer)
{
	guest_ports_look(port->host->driver);
	if (guest_port_is_there(port) && has_reregistered(request, answer))
		guest_port_tell(port, true);
}

/* Turns the packet's headers round, for an answer of the HCA's own. */
static void turn_round(struct guest_port *port, struct packet *packet, struct packet_addr *addr)
{
	uint16_t lid = addr->dlid;
	uint32_t qp = addr->dest_qp;
	uint8_t gid[16];

	addr->dlid = addr->slid;
	addr->slid = addr->dlid == LID_PERMISSIVE ? LID_PERMISSIVE :
		     lid == LID_PERMISSIVE ? port->attr->lid : lid;
	addr->dest_qp = addr->src_qp;
	addr->src_qp = qp;
	addr->qkey = qp == 0 ? 0 : QKEY_GSI;
	addr->psn = port->psn[qp]++ & QP_MASK;
	addr->hop_limit = 0xff;
	if (addr->has_grh) {
		memcpy(gid, addr->dgid, sizeof(gid));
		memcpy(addr->dgid, addr->sgid, sizeof(gid));
		memcpy(addr->sgid, gid, sizeof(gid));
	}
	packet_build(packet, addr);
}

/* Has the HCA itself taken it? The MAD is as the SMI leaves it. Takes the packet then. */
static bool hca_takes(struct guest_port *port, struct packet *packet, const uint8_t *mad,
		      struct packet_addr *addr)
{
	const struct guest_host *host = port->host;
	const struct kmod_source source = {
		.slid = addr->slid, .src_qp = addr->src_qp, .sl = addr->sl,
		.has_grh = addr->has_grh,
	};
	uint8_t answer[MAD_SIZE];
	unsigned int result = host->ops->process_mad(host->ctx, port->end, &source, mad, answer);

	if (!(result & KMOD_MAD_SUCCESS) || !(result & (KMOD_MAD_REPLY | KMOD_MAD_CONSUMED)))
		return false;
	if (result & KMOD_MAD_CONSUMED) {
		packet_free(host->ops->pool, packet);
		return true;
	}
	after_answer(port, mad, answer);
	if (answer[MAD_CLASS] == MAD_CLASS_SUBN_DR && smi_starts_directed(answer) &&
	    !smi_fix_up_send(port->attr, answer)) {
		packet_free(host->ops->pool, packet);
		return true;
	}
	turn_round(port, packet, addr);
	mad_copy(packet_mad(packet), answer);
	host->ops->transmit(host->ctx, port->end, packet);
	return true;
}

static void drop(struct guest_port *port, struct packet *packet, const char *why)
{
	const struct guest_host *host = port->host;

	host->ops->drop(host->ctx, port->end, packet, why);
	packet_free(host->ops->pool, packet);
}

static const char *reason_of(int err)
{
	if (err == -ENOBUFS)
		return "its kernel has no receive buffer for it";
	if (err == -ENOTCONN)
		return "its queue pair does not receive";
	if (err == -EACCES)
		return "its queue pair has another P_Key or Q_Key";
	if (err == -EMSGSIZE)
		return "it is longer than the receive buffer";
	return "its kernel does not take it";
}

static void hand_over(struct guest_port *port, struct packet *packet,
		      const struct packet_addr *addr)
{
	const struct umadrig_hca_header header = {
		.type = UMADRIG_HCA_MAD, .hca = port->hca, .port = port->num,
		.source_qp = GUINT32_TO_LE(addr->src_qp),
		.destination_qp = GUINT32_TO_LE(addr->dest_qp),
		.qkey = GUINT32_TO_LE(addr->qkey),
		.slid = GUINT16_TO_LE(addr->slid), .dlid = GUINT16_TO_LE(addr->dlid),
		.pkey = GUINT16_TO_LE(addr->pkey), .sl = addr->sl,
		.flags = addr->has_grh ? UMADRIG_HCA_FLAG_GRH : 0,
	};
	uint8_t payload[UMADRIG_HCA_GRH_SIZE + MAD_SIZE];
	size_t grh = addr->has_grh ? UMADRIG_HCA_GRH_SIZE : 0;
	int ret;

	memcpy(payload, packet->bytes + LRH_SIZE, grh);
	mad_copy(payload + grh, packet_mad(packet));
	ret = send(port, &header, payload, grh + MAD_SIZE);
	if (ret < 0)
		drop(port, packet, reason_of(ret));
	else
		packet_free(port->host->ops->pool, packet);
}

void guest_port_release(struct guest_port *port)
{
	if (!port->is_removed || port->files > 0)
		return;
	guest_datagrams_clear(&port->datagrams);
	g_free(port);
}

/*
 * Is it a request, at the QP that its class is for, whose route ends here? The SMI moves its hop
 * pointer. The guest's kernel drops by itself what comes to the wrong QP.
 */
static bool is_for_hca(const struct guest_port *port, const struct packet_addr *addr, uint8_t *mad)
{
	return mad[MAD_BASE_VERSION] == 1 && addr->dest_qp <= 1 &&
	       mad_class_is_smp(mad[MAD_CLASS]) == (addr->dest_qp == 0) && !mad_is_response(mad) &&
	       (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR ||
		smi_fix_up_receive(port->attr, true, mad));
}

/* For a QP whose packets the HCA does not look into. */
static void receive_datagram(struct guest_port *port, struct packet *packet)
{
	int ret = guest_datagram_give(&port->datagrams, port->host->driver, port->hca, port->num,
				      packet);

	if (ret < 0)
		drop(port, packet, reason_of(ret));
	else
		packet_free(port->host->ops->pool, packet);
}

void guest_port_receive(struct guest_port *port, struct packet *packet)
{
	const uint8_t *mad = packet_mad(packet);
	uint8_t arrived[MAD_SIZE];
	struct packet_addr addr;

	/* The kernel is told first what was so when the packet came. */
	guest_ports_look(port->host->driver);
	if (packet_dest_qp(packet) > 1) {
		if (guest_port_is_there(port))
			receive_datagram(port, packet);
		else
			drop(port, packet, not_there);
		return;
	}
	if (!packet_parse(packet, packet_size(packet), &addr)) {
		drop(port, packet, "it carries no MAD");
		return;
	}
	mad_copy(arrived, mad);
	if (is_for_hca(port, &addr, arrived) && hca_takes(port, packet, arrived, &addr))
		return;
	if (guest_port_is_there(port))
		hand_over(port, packet, &addr);
	else
		drop(port, packet, not_there);
}

/* ---- packets of the kernel ---- */

static void read_grh(const uint8_t *grh, struct packet_addr *addr)
{
	uint32_t tclass_flow = get_be32(grh + GRH_TCLASS_FLOW);

	addr->has_grh = true;
	addr->traffic_class = tclass_flow >> 20 & 0xff;
	addr->flow_label = tclass_flow & 0xfffff;
	addr->hop_limit = grh[GRH_HOPLIMIT];
	memcpy(addr->sgid, grh + GRH_SGID, sizeof(addr->sgid));
	memcpy(addr->dgid, grh + GRH_DGID, sizeof(addr->dgid));
}

/* The HCA puts its own LID into what leaves it, whatever the guest says. */
static uint16_t source_lid(const struct guest_port *port, uint16_t slid, uint16_t dlid)
{
	uint16_t mask = (uint16_t)((1U << port->attr->lmc) - 1);

	return dlid == LID_PERMISSIVE ? LID_PERMISSIVE : port->attr->lid | (slid & mask);
}

static int take_mad(struct guest_port *port, const struct umadrig_hca_header *header,
		    const uint8_t *payload, size_t size)
{
	size_t grh = header->flags & UMADRIG_HCA_FLAG_GRH ? UMADRIG_HCA_GRH_SIZE : 0;
	uint32_t qp = GUINT32_FROM_LE(header->source_qp) & QP_MASK;
	struct packet_addr addr = {
		.dlid = GUINT16_FROM_LE(header->dlid), .sl = header->sl & 15,
		.vl = qp == 0 ? VL_MANAGEMENT : 0, .pkey = GUINT16_FROM_LE(header->pkey),
		.src_qp = qp, .dest_qp = GUINT32_FROM_LE(header->destination_qp) & QP_MASK,
		.qkey = GUINT32_FROM_LE(header->qkey), .psn = port->psn[qp != 0]++ & QP_MASK,
	};
	struct packet *packet;

	if (size <= grh + MAD_HDR_SIZE || size > grh + MAD_SIZE)
		return -EPROTO;
	addr.slid = source_lid(port, GUINT16_FROM_LE(header->slid), addr.dlid);
	if (grh)
		read_grh(payload, &addr);
	packet = packet_new(port->host->ops->pool);
	packet_build(packet, &addr);
	memset(packet_mad(packet), 0, MAD_SIZE);
	memcpy(packet_mad(packet), payload + grh, size - grh);
	port->host->ops->transmit(port->host->ctx, port->end, packet);
	return 0;
}

static void transmit(struct guest_port *port, const struct guest_datagram_whole *whole)
{
	const struct umadrig_hca_header *header = &whole->header;
	size_t grh = header->flags & UMADRIG_HCA_FLAG_GRH ? UMADRIG_HCA_GRH_SIZE : 0;
	struct packet_addr addr = {
		.dlid = GUINT16_FROM_LE(header->dlid), .sl = header->sl & 15,
		.pkey = GUINT16_FROM_LE(header->pkey),
		.src_qp = GUINT32_FROM_LE(header->source_qp) & QP_MASK,
		.dest_qp = GUINT32_FROM_LE(header->destination_qp) & QP_MASK,
		.qkey = GUINT32_FROM_LE(header->qkey),
		.psn = GUINT32_FROM_LE(header->psn) & QP_MASK,
	};
	struct packet *packet = packet_new(port->host->ops->pool);

	addr.slid = source_lid(port, GUINT16_FROM_LE(header->slid), addr.dlid);
	if (grh)
		read_grh(whole->payload, &addr);
	packet_build_datagram(packet, &addr, whole->payload + grh, whole->size - grh);
	port->host->ops->transmit(port->host->ctx, port->end, packet);
}

static int take_datagram(struct guest_port *port, const struct umadrig_hca_header *header,
			 const uint8_t *payload, size_t size)
{
	struct guest_datagram_whole whole;
	int ret = guest_datagram_take(&port->datagrams, header, payload, size, &whole);

	if (ret > 0)
		transmit(port, &whole);
	return ret < 0 ? ret : 0;
}

/*
 * The kernel asks its HCA: about a directed route without hops, or a counter in sysfs. The answer's
 * hop pointer stays 1, where the kernel has moved it: it does not correct it on this path.
 */
static int take_query(struct guest_port *port, const struct umadrig_hca_header *header,
		      const uint8_t *payload, size_t size)
{
	const struct guest_host *host = port->host;
	const struct kmod_source source = { .slid = port->attr->lid };
	struct umadrig_hca_header reply = {
		.type = UMADRIG_HCA_REPLY, .hca = port->hca, .port = port->num,
		.sequence = header->sequence,
	};
	uint8_t answer[MAD_SIZE];
	unsigned int result;

	if (size != MAD_SIZE)
		return -EPROTO;
	result = host->ops->process_mad(host->ctx, port->end, &source, payload, answer);
	if (result & KMOD_MAD_REPLY)
		after_answer(port, payload, answer);
	reply.value = GUINT32_TO_LE(result);
	send(port, &reply, answer, result & KMOD_MAD_REPLY ? MAD_SIZE : 0);
	return 0;
}

static void take_capabilities(struct guest_port *port, uint32_t mask)
{
	const struct guest_host *host = port->host;
	uint32_t differ = (mask ^ port->end->cap_mask) & CAP_SERVED;

	end_port_set_capability(port->end, differ & mask, true);
	end_port_set_capability(port->end, differ & ~mask, false);
	if (port->end->issm_open != !!(mask & CAP_IS_SM))
		host->ops->set_is_sm(host->ctx, port->end, mask & CAP_IS_SM);
}

/* Of a key that is a QP's of the guest alone: the port's own have been checked before. */
static void take_violation(struct guest_port *port, const struct umadrig_hca_header *header)
{
	if (GUINT32_FROM_LE(header->value) == UMADRIG_HCA_VIOLATION_PKEY)
		partition_count(&port->end->p_key_violations);
	else
		partition_count(&port->end->q_key_violations);
}

int guest_port_up(struct guest_port *port, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size)
{
	if (header->type == UMADRIG_HCA_QUERY)
		return take_query(port, header, payload, size);
	/* Until it has said HELLO, and after it was told to go, nothing else is the fabric's. */
	if (!guest_port_is_there(port))
		return 0;
	if (header->type == UMADRIG_HCA_MAD)
		return take_mad(port, header, payload, size);
	if (header->type == UMADRIG_HCA_DATAGRAM)
		return take_datagram(port, header, payload, size);
	if (header->type == UMADRIG_HCA_VIOLATION)
		take_violation(port, header);
	if (header->type == UMADRIG_HCA_CAPABILITY)
		take_capabilities(port, GUINT32_FROM_LE(header->value));
	return 0;
}
