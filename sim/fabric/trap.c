/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Traps: see sim/fabric/trap.h.
 */
#include "sim/fabric/trap.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/time/event-queue.h"

enum {
	ATTR_NOTICE = 0x0002,

	TRAP_LINK_STATE = 128,
	TRAP_LOCAL_CHANGE = 144,
	TRAP_SYSTEM_GUID = 145,
	TRAP_BAD_M_KEY = 256,
	TRAP_BAD_P_KEY = 257,
	TRAP_BAD_Q_KEY = 258,
	TRAP_SWITCH_BAD_P_KEY = 259,

	TYPE_URGENT = 1,
	TYPE_SECURITY = 2,
	TYPE_INFORMATIONAL = 4,

	VL_SMP = 15,
	/*
	 * IBA sets no limit on repeats. With a limit, a fabric whose SM is gone becomes idle, and a
	 * program that waits for ever under the virtual clock gets an error.
	 */
	SENT_MAX = 64,

	/* Offsets in a Notice. */
	NOTICE_TYPE = 0,
	NOTICE_PRODUCER = 1,		/* 3 bytes */
	NOTICE_NUMBER = 4,
	NOTICE_ISSUER = 6,
	NOTICE_DETAILS = 10,
	DETAILS_SIZE = SMP_DATA_SIZE - NOTICE_DETAILS,

	/* Offsets in the details of trap 144. */
	LOCAL_CHANGE_LID = 2,
	LOCAL_CHANGE_OTHER = 5,
	LOCAL_CHANGE_CAP_MASK = 6,
	LOCAL_CHANGE_FLAGS = 10,
	LOCAL_CHANGE_CAP_MASK2 = 12,
};

/* A trap that the SM has not yet repressed. */
struct trap {
	struct trap *next;		/* the one that is sent after it */
	uint16_t number;
	uint8_t port_num;		/* the port that it is about, if that distinguishes traps */
	unsigned int sent;		/* how often, with this TID */
	uint64_t tid;
	uint8_t details[DETAILS_SIZE];
};

/* The traps of an end port that are not repressed yet, in the order they are sent. */
struct trap_line {
	struct end_port *end;
	struct trap *first;
	struct event event;		/* armed: when the first of them will be sent */
	int64_t earliest_ns;		/* not before then */
	uint64_t tid;			/* the last one used */
};

static unsigned int trap_type(unsigned int number)
{
	return number >= TRAP_BAD_M_KEY ? TYPE_SECURITY :
	       number >= TRAP_LOCAL_CHANGE ? TYPE_INFORMATIONAL : TYPE_URGENT;
}

/* IBA vol 1, 14.2.5.6: 4.096 us * 2^SubnetTimeout lie between one trap of a port and the next. */
static int64_t interval_ns(const struct end_port *end)
{
	return INT64_C(4096) << end->subnet_timeout;
}

static void send_trap(struct end_port *end, const struct trap *trap)
{
	const struct node *node = end->port->node;
	struct packet_addr addr = {
		.slid = end->attr.lid,
		.dlid = end->sm_lid,
		.sl = end->sm_sl,
		.vl = VL_SMP,
		.pkey = PKEY_DEFAULT,
	};
	struct packet *packet = packet_new(&node->fabric->pool);
	uint8_t *mad, *notice;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_LID;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_TRAP;
	put_be64(mad + MAD_TID, trap->tid);
	put_be16(mad + MAD_ATTR_ID, ATTR_NOTICE);
	notice = mad + SMP_DATA;
	notice[NOTICE_TYPE] = (uint8_t)(0x80 | trap_type(trap->number));	/* generic */
	/* Producers of notices are numbered like node types. */
	put_be24(notice + NOTICE_PRODUCER, (uint32_t)node->kind);
	put_be16(notice + NOTICE_NUMBER, trap->number);
	put_be16(notice + NOTICE_ISSUER, end->attr.lid);
	memcpy(notice + NOTICE_DETAILS, trap->details, DETAILS_SIZE);
	node->fabric->transmit(end->port, packet);
}

static bool has_sm(const struct end_port *end)
{
	return end->sm_lid && end->attr.lid && !end->port->node->removed;
}

/* ---- the next one to send ---- */

static void arm(struct trap_line *line, int64_t at_ns)
{
	event_queue_arm(&line->end->port->node->fabric->queue, &line->event, at_ns);
}

static void append(struct trap_line *line, struct trap *trap)
{
	struct trap **at = &line->first;

	while (*at)
		at = &(*at)->next;
	trap->next = NULL;
	*at = trap;
}

static void free_traps(struct trap_line *line)
{
	while (line->first) {
		struct trap *trap = line->first;

		line->first = trap->next;
		g_free(trap);
	}
}

static void trap_fire(struct event *event)
{
	struct trap_line *line = container_of(event, struct trap_line, event);
	struct end_port *end = line->end;
	struct trap *trap = line->first;

	if (!has_sm(end)) {
		free_traps(line);
		return;
	}
	line->earliest_ns = end->port->node->fabric->queue.now_ns + interval_ns(end);
	line->first = trap->next;
	trap->sent++;
	send_trap(end, trap);
	if (trap->sent < SENT_MAX)
		append(line, trap);
	else
		g_free(trap);
	if (line->first)
		arm(line, line->earliest_ns);
}

static struct trap_line *line_of(struct end_port *end)
{
	if (!end->traps) {
		end->traps = g_new0(struct trap_line, 1);
		end->traps->end = end;
		end->traps->event.kind = EVENT_TIMER;
		end->traps->event.fire = trap_fire;
	}
	return end->traps;
}

/* Takes the trap of that number and port out of the line; makes a new one if there is none. */
static struct trap *take(struct end_port *end, unsigned int number, unsigned int port_num)
{
	struct trap **at = &line_of(end)->first;
	struct trap *trap;

	while (*at && ((*at)->number != number || (*at)->port_num != port_num))
		at = &(*at)->next;
	trap = *at;
	if (trap) {
		*at = trap->next;
		return trap;
	}
	trap = g_new0(struct trap, 1);
	trap->number = (uint16_t)number;
	trap->port_num = (uint8_t)port_num;
	return trap;
}

/* Inserts it after those that have never been sent, before those that have. Takes the trap. */
static void tell(struct end_port *end, struct trap *trap)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;
	struct trap_line *line = line_of(end);
	struct trap **at = &line->first;

	/* A TrapRepress that is on its way is for the earlier event: it has another TID. */
	trap->tid = ++line->tid;
	trap->sent = 0;
	while (*at && (*at)->sent == 0)
		at = &(*at)->next;
	trap->next = *at;
	*at = trap;
	if (!event_is_armed(&line->event))
		arm(line, MAX(fabric->queue.now_ns, line->earliest_ns));
}

/* Is there an SM that hears the port's traps? A captured fabric only repeats what it said. */
static bool is_heard(const struct end_port *end)
{
	return has_sm(end) && !end->port->node->fabric->divert && !end->port->node->vport;
}

void trap_repress(struct end_port *end, uint64_t tid)
{
	struct trap_line *line = end->traps;
	struct trap **at, *trap;

	if (!line)
		return;
	at = &line->first;
	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	trap = *at;
	if (!trap)
		return;
	*at = trap->next;
	g_free(trap);
	if (!line->first)
		event_queue_disarm(&end->port->node->fabric->queue, &line->event);
}

void trap_clear(struct end_port *end)
{
	if (!end->traps)
		return;
	if (event_is_armed(&end->traps->event))
		event_queue_disarm(&end->port->node->fabric->queue, &end->traps->event);
	free_traps(end->traps);
}

void trap_free(struct end_port *end)
{
	if (end->traps)
		free_traps(end->traps);
	g_clear_pointer(&end->traps, g_free);
}

/* ---- the details of traps: IBA vol 1, 14.2.5.1 ---- */

void trap_link_state(struct end_port *end)
{
	struct trap *trap;

	if (!is_heard(end))
		return;
	trap = take(end, TRAP_LINK_STATE, 0);
	put_be16(trap->details, end->attr.lid);
	tell(end, trap);
}

void trap_link_error(struct port *port, enum umadrig_link_error error)
{
	struct end_port *end = port_speaker(port);
	struct trap *trap;

	if (!is_heard(end))
		return;
	trap = take(end, (unsigned int)error, port->num);
	put_be16(trap->details + 2, end->attr.lid);
	trap->details[4] = port->num;
	tell(end, trap);
}

void trap_local_change(struct end_port *end, unsigned int change)
{
	struct trap *trap;
	uint8_t *details;

	if (!is_heard(end))
		return;
	trap = take(end, TRAP_LOCAL_CHANGE, 0);
	details = trap->details;
	put_be16(details + LOCAL_CHANGE_LID, end->attr.lid);
	if (change)
		details[LOCAL_CHANGE_OTHER] = 1;
	put_be32(details + LOCAL_CHANGE_CAP_MASK, end->cap_mask);
	put_be16(details + LOCAL_CHANGE_FLAGS,
		 (uint16_t)(get_be16(details + LOCAL_CHANGE_FLAGS) | change));
	put_be16(details + LOCAL_CHANGE_CAP_MASK2, end->cap_mask2);
	tell(end, trap);
}

void trap_system_guid(struct end_port *end)
{
	struct trap *trap;

	if (!is_heard(end))
		return;
	trap = take(end, TRAP_SYSTEM_GUID, 0);
	put_be16(trap->details + 2, end->attr.lid);
	put_be64(trap->details + 6, end->port->node->sys_image_guid);
	tell(end, trap);
}

void trap_m_key(struct end_port *end, uint16_t slid, const uint8_t *mad)
{
	enum { RETURN_PATH_MAX = 30 };
	struct trap *trap;
	uint8_t *details;

	if (!is_heard(end))
		return;
	trap = take(end, TRAP_BAD_M_KEY, 0);
	details = trap->details;
	memset(details, 0, DETAILS_SIZE);
	put_be16(details + 2, slid);
	details[6] = mad[MAD_METHOD];
	put_be16(details + 8, get_be16(mad + MAD_ATTR_ID));
	put_be32(details + 10, get_be32(mad + MAD_ATTR_MOD));
	put_be64(details + 14, get_be64(mad + SMP_MKEY));
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		unsigned int hops = MIN(mad[SMP_HOP_CNT], SMP_PATH_SIZE - 1);
		unsigned int kept = MIN(hops, RETURN_PATH_MAX);

		put_be16(details + 4, get_be16(mad + SMP_DR_SLID));
		details[23] = (uint8_t)(0x80 | (kept < hops ? 0x40 : 0) | hops);
		memcpy(details + 24, mad + SMP_RETURN_PATH + 1, kept);
	}
	tell(end, trap);
}

/* SL and source QP; QP; and both GIDs if the packet has them. */
static void put_ends(uint8_t *details, const struct packet *packet)
{
	put_be32(details, (uint32_t)packet->bytes[LRH_SL] >> 4 << 28 | packet_src_qp(packet));
	put_be32(details + 4, packet_dest_qp(packet));
	if (packet_has_grh(packet))
		memcpy(details + 8, packet->bytes + LRH_SIZE + GRH_SGID, 32);
}

static uint16_t packet_p_key(const struct packet *packet)
{
	return get_be16(packet->bytes + packet_bth_at(packet) + BTH_PKEY);
}

static void bad_key(struct end_port *end, unsigned int number, const struct packet *packet,
		    uint32_t key)
{
	struct trap *trap;

	if (!is_heard(end))
		return;
	trap = take(end, number, 0);
	memset(trap->details, 0, DETAILS_SIZE);
	put_be16(trap->details + 2, packet_slid(packet));
	put_be16(trap->details + 4, packet_dlid(packet));
	put_be32(trap->details + 6, key);
	put_ends(trap->details + 10, packet);
	tell(end, trap);
}

/*
 * IBA vol 1, table 146, MulticastPKeyTrapSuppressionEnabled: packets to groups reach ports that
 * have left them.
 */
static bool is_suppressed(const struct end_port *end, const struct packet *packet)
{
	return end->multicast_trap_suppression && packet_dlid(packet) > LID_UNICAST_MAX;
}

void trap_p_key(struct end_port *end, const struct packet *packet)
{
	if (is_suppressed(end, packet))
		return;
	bad_key(end, TRAP_BAD_P_KEY, packet, packet_p_key(packet));
}

void trap_q_key(struct end_port *end, const struct packet *packet)
{
	const uint8_t *deth = packet->bytes + packet_bth_at(packet) + BTH_SIZE;

	bad_key(end, TRAP_BAD_Q_KEY, packet, get_be32(deth + DETH_QKEY));
}

void trap_switch_p_key(struct port *port, const struct packet *packet)
{
	enum { ALL_BUT_GIDS = 0x3f, ALL = 0xff };
	struct end_port *end = port_speaker(port);
	struct trap *trap;

	if (!is_heard(end) || is_suppressed(end, packet))
		return;
	trap = take(end, TRAP_SWITCH_BAD_P_KEY, port->num);
	memset(trap->details, 0, DETAILS_SIZE);
	put_be16(trap->details, packet_has_grh(packet) ? ALL : ALL_BUT_GIDS);
	put_be16(trap->details + 2, packet_slid(packet));
	put_be16(trap->details + 4, packet_dlid(packet));
	put_be16(trap->details + 6, packet_p_key(packet));
	put_ends(trap->details + 8, packet);
	put_be16(trap->details + 48, end->attr.lid);
	trap->details[50] = port->num;
	tell(end, trap);
}
