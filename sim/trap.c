/*
 * Traps: see trap.h.
 */
#include "trap.h"

#include <string.h>

enum {
	ATTR_NOTICE = 0x0002,
	TRAP_LINK_STATE = 128,
	TYPE_URGENT = 1,
	PRODUCER_SWITCH = 2,
	VL_SMP = 15,
	/*
	 * The book knows no last time. With a limit a fabric whose SM is gone comes to rest, and a
	 * program that waits for ever under the virtual clock is told so.
	 */
	SENT_MAX = 64,

	/* Offsets in a Notice. */
	NOTICE_TYPE = 0,
	NOTICE_PRODUCER = 1,		/* 3 bytes */
	NOTICE_NUMBER = 4,
	NOTICE_ISSUER = 6,
	NOTICE_DETAILS = 10,
};

/* One number of trap of one port, from the first time on. */
struct trap {
	struct event event;		/* armed: it will be sent, or sent again */
	struct trap *next;
	struct end_port *end;
	uint16_t number;
	unsigned int sent;		/* how often, with this TID */
	uint64_t tid;
	int64_t earliest_ns;		/* when it may be sent again */
};

/* IBA vol 1, 13.4.9: 4.096 us * 2^SubnetTimeout lie between one and the next. */
static int64_t interval_ns(const struct end_port *end)
{
	return INT64_C(4096) << end->subnet_timeout;
}

static void send_trap(const struct trap *trap)
{
	struct end_port *end = trap->end;
	struct packet_addr addr = {
		.slid = end->attr.lid,
		.dlid = end->sm_lid,
		.sl = end->sm_sl,
		.vl = VL_SMP,
		.pkey = PKEY_DEFAULT,
	};
	struct packet *packet = packet_new(&end->port->node->fabric->pool);
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
	notice[NOTICE_TYPE] = 0x80 | TYPE_URGENT;	/* generic */
	put_be24(notice + NOTICE_PRODUCER, PRODUCER_SWITCH);
	put_be16(notice + NOTICE_NUMBER, trap->number);
	put_be16(notice + NOTICE_ISSUER, end->attr.lid);
	/* IBA vol 1, table 128: the details of trap 128 are the switch's LID. */
	put_be16(notice + NOTICE_DETAILS, end->attr.lid);
	fabric_transmit(end->port, packet);
}

static void trap_fire(struct event *event)
{
	struct trap *trap = container_of(event, struct trap, event);
	struct umadrig_fabric *fabric = trap->end->port->node->fabric;

	if (!trap->end->sm_lid || !trap->end->attr.lid || trap->end->port->node->removed)
		return;
	trap->earliest_ns = fabric->queue.now_ns + interval_ns(trap->end);
	if (++trap->sent < SENT_MAX)
		event_queue_arm(&fabric->queue, &trap->event, trap->earliest_ns);
	send_trap(trap);
}

static struct trap *find_trap(struct end_port *end, uint16_t number)
{
	struct trap *trap = end->traps;

	while (trap && trap->number != number)
		trap = trap->next;
	if (!trap) {
		trap = g_new0(struct trap, 1);
		trap->end = end;
		trap->number = number;
		trap->event.kind = EVENT_TIMER;
		trap->event.fire = trap_fire;
		trap->next = end->traps;
		end->traps = trap;
	}
	return trap;
}

void trap_link_state(struct end_port *end)
{
	struct umadrig_fabric *fabric = end->port->node->fabric;
	struct trap *trap;

	/* A captured fabric says what it said, and nothing else. */
	if (!end->sm_lid || !end->attr.lid || fabric->divert)
		return;
	trap = find_trap(end, TRAP_LINK_STATE);
	/* A TrapRepress that is on its way is for what was before: it has another TID. */
	trap->tid = ++end->trap_tid;
	trap->sent = 0;
	if (!event_is_armed(&trap->event))
		event_queue_arm(&fabric->queue, &trap->event, trap->earliest_ns);
}

void trap_repress(struct end_port *end, uint64_t tid)
{
	for (struct trap *trap = end->traps; trap; trap = trap->next) {
		if (trap->tid == tid)
			event_queue_disarm(&end->port->node->fabric->queue, &trap->event);
	}
}

void trap_clear(struct end_port *end)
{
	while (end->traps) {
		struct trap *trap = end->traps;

		end->traps = trap->next;
		g_free(trap);
	}
}
