/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The swarm's world: hosts, ports, time, and an arbitrarily faulty wire.
 */
#include "tests/swarm/swarm-send.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/invariant.h"
#include "sim/kernels/built-kernel.h"
#include "tests/swarm/swarm-memory.h"

enum {
	CHUNK_SIZE = 64 * 1024,
	LIDS_PER_PORT = 4,	/* so that an LMC of 2 has room */
};

struct swarm_chunk {
	struct swarm_chunk *next;
	size_t used, size;
	_Alignas(16) uint8_t bytes[];
};

/* A packet on the wire. */
struct swarm_flight {
	struct swarm_flight *next;
	struct event event;
	struct swarm *swarm;
	struct swarm_port *to;
	struct packet *packet;
};

/* ---- memory ---- */

void *swarm_alloc(struct swarm *swarm, size_t size)
{
	struct swarm_chunk *chunk = swarm->chunks;
	void *memory;

	size = (size + 15) & ~(size_t)15;
	if (!chunk || chunk->size - chunk->used < size) {
		size_t chunk_size = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		chunk = malloc(sizeof(*chunk) + chunk_size);
		if (!chunk)
			abort();
		chunk->next = swarm->chunks;
		chunk->used = 0;
		chunk->size = chunk_size;
		swarm->chunks = chunk;
	}
	memory = chunk->bytes + chunk->used;
	chunk->used += size;
	return memset(memory, 0, size);
}

static void free_chunks(struct swarm *swarm)
{
	while (swarm->chunks) {
		struct swarm_chunk *chunk = swarm->chunks;

		swarm->chunks = chunk->next;
		free(chunk);
	}
}

/* A block is freed in which an event is armed: it would fire in freed memory. */
static void block_freed(void *ctx, const void *block, size_t size)
{
	struct swarm *swarm = ctx;

	for (size_t i = 0; i < swarm->queue.count; i++) {
		const uint8_t *event = (const uint8_t *)swarm->queue.heap[i];

		if (event >= (const uint8_t *)block && event < (const uint8_t *)block + size &&
		    (const void *)swarm->queue.heap != block)
			swarm_fail(swarm, SWARM_CLOSED, "memory is freed in which an event is "
				   "armed for %.6f ms",
				   (double)swarm->queue.heap[i]->at_ns / NS_PER_MS);
	}
}

/* ---- the wire ---- */

bool swarm_bug_strikes(struct swarm *swarm, enum swarm_bug bug)
{
	if (swarm->bug != bug || swarm->bug_done)
		return false;
	swarm->bug_done = true;
	return true;
}

/* The same request with another method may find another agent. */
static void mislead(struct swarm *swarm, struct swarm_port *port, uint8_t *mad,
		    const struct swarm_agent *agent)
{
	uint8_t was = mad[MAD_METHOD];

	for (uint8_t method = 1; method < 0x20; method++) {
		const struct swarm_agent *other;

		if (swarm_is_response(mad) || swarm_is_active(mad) ||
		    mad[MAD_CLASS] == MAD_CLASS_CM)
			return;
		mad[MAD_METHOD] = method;
		other = swarm_find_agent(swarm, port, mad);
		if (method != 0x07 && other && other != agent) {
			swarm->bug_done = true;
			return;
		}
		mad[MAD_METHOD] = was;
	}
}

static struct packet *copy_packet(struct swarm *swarm, const struct packet *packet)
{
	struct packet *twin = packet_new(&swarm->pool);

	memcpy(twin, packet, sizeof(*twin));
	twin->next = NULL;
	return twin;
}

/* Does no agent take or answer it? */
static bool is_nobodys(struct swarm *swarm, struct swarm_port *port, const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);

	return mad[MAD_METHOD] > MAD_METHOD_SET && !swarm_find_agent(swarm, port, mad);
}

/* Makes the requested bug, between what the oracle sees and kmod-stub. */
static void break_arrival(struct swarm *swarm, struct swarm_port *port, struct packet *packet)
{
	uint8_t *mad = packet_mad(packet);
	struct swarm_agent *agent = swarm_find_agent(swarm, port, mad);
	bool by_kernel = agent && agent->kernel_rmpp && swarm_is_active(mad);

	if (agent && !by_kernel && swarm_bug_strikes(swarm, SWARM_BUG_DAMAGE))
		mad[MAD_SIZE - 1] ^= 1;
	if (by_kernel && mad[RMPP_TYPE] == 1 && swarm_bug_strikes(swarm, SWARM_BUG_SEGMENT))
		mad[swarm_header_size(mad[MAD_CLASS])] ^= 1;
	if (by_kernel && mad[RMPP_TYPE] == 1 && !(mad[RMPP_FLAGS] & RMPP_FLAG_LAST) &&
	    swarm_bug_strikes(swarm, SWARM_BUG_CUT))
		mad[RMPP_FLAGS] |= RMPP_FLAG_LAST;
	if (by_kernel && mad[RMPP_TYPE] == 2 && swarm_bug_strikes(swarm, SWARM_BUG_EARLY_ACK))
		put_be32(mad + RMPP_SEGMENT, get_be32(mad + RMPP_SEGMENT) + 1);
	if (agent && swarm->bug == SWARM_BUG_OTHER_AGENT && !swarm->bug_done)
		mislead(swarm, port, mad, agent);
	if (agent && !by_kernel && swarm_bug_strikes(swarm, SWARM_BUG_DOUBLE))
		kmod_port_receive(port->port, copy_packet(swarm, packet));
}

static void arrive(struct swarm *swarm, struct swarm_port *port, struct packet *packet)
{
	swarm_oracle_arrives(swarm, port, packet);
	if (swarm->bug) {
		break_arrival(swarm, port, packet);
		if (swarm_find_agent(swarm, port, packet_mad(packet)) &&
		    swarm_bug_strikes(swarm, SWARM_BUG_LOSE)) {
			packet_free(&swarm->pool, packet);
			return;
		}
	}
	kmod_port_receive(port->port, packet);
}

static void fly(struct swarm *swarm, struct swarm_port *to, struct packet *packet,
		int64_t latency_ns);

static void flight_lands(struct event *event)
{
	struct swarm_flight *flight = container_of(event, struct swarm_flight, event);
	struct swarm *swarm = flight->swarm;
	struct packet *packet = flight->packet;
	struct swarm_port *to = flight->to;

	flight->next = swarm->free_flights;
	swarm->free_flights = flight;
	swarm->flights--;
	if (swarm->bug == SWARM_BUG_TALK && is_nobodys(swarm, to, packet))
		fly(swarm, to, packet, 0);
	else if (!to->port)
		packet_free(&swarm->pool, packet);
	else
		arrive(swarm, to, packet);
}

static void fly(struct swarm *swarm, struct swarm_port *to, struct packet *packet,
		int64_t latency_ns)
{
	struct swarm_flight *flight = swarm->free_flights;

	if (flight)
		swarm->free_flights = flight->next;
	else
		flight = swarm_alloc(swarm, sizeof(*flight));
	flight->swarm = swarm;
	flight->to = to;
	flight->packet = packet;
	flight->event.kind = EVENT_DELIVERY;
	flight->event.fire = flight_lands;
	swarm->flights++;
	if (++swarm->packets > SWARM_PACKETS_MAX)
		swarm_fail(swarm, SWARM_CALM, "%u packets so far; the last is class 0x%02x method "
			   "0x%02x TID 0x%" PRIx64, swarm->packets, packet_mad(packet)[MAD_CLASS],
			   packet_mad(packet)[MAD_METHOD], get_be64(packet_mad(packet) + MAD_TID));
	/*
	 * The oracle is done with an instant when its timers go off: nothing may come after that.
	 */
	if (swarm->timers_ns == swarm_now_ns(swarm))
		latency_ns += swarm->tick_ns;
	event_queue_arm(&swarm->queue, &flight->event, swarm_now_ns(swarm) + latency_ns);
}

/*
 * Flips a few bits and corrects the CRCs, so that the damage is not detected. An SMP keeps its
 * class and version (the swarm uses no routes), a segmented message everything before the RMPP
 * header. Nothing becomes a segment whose ACKs would go back and forth for ever: see answer_size()
 * in tests/swarm/swarm-write.c.
 */
static void damage(struct swarm *swarm, struct packet *packet)
{
	uint8_t *mad = packet_mad(packet);
	unsigned int from = 0, flips = 1 + (unsigned int)chance_below(&swarm->wire, 3);
	bool was_active = swarm_is_active(mad);
	uint8_t method;

	if (packet_dest_qp(packet) == 0)
		from = MAD_METHOD;
	else if (swarm_is_active(mad))
		from = chance_hits(&swarm->wire, 1, 4) ? RMPP_VERSION : RMPP_END;
	if (swarm_is_active(mad))
		swarm_rmpp_taint(swarm, get_be64(mad + MAD_TID), mad[MAD_CLASS]);
	while (flips--) {
		uint64_t bit = chance_below(&swarm->wire, (MAD_SIZE - from) * 8);

		mad[from + bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	method = mad[MAD_METHOD] & 0x7f;
	if (!was_active && (method <= MAD_METHOD_SET || method == MAD_METHOD_TRAP_REPRESS))
		mad[RMPP_FLAGS] &= (uint8_t)~RMPP_FLAG_ACTIVE;
	if (swarm_is_active(mad))
		swarm_rmpp_taint(swarm, get_be64(mad + MAD_TID), mad[MAD_CLASS]);
}

struct swarm_port *swarm_world_find_port(struct swarm *swarm, uint16_t lid)
{
	for (unsigned int i = 0; i < swarm->port_count; i++) {
		const struct swarm_port *port = &swarm->ports[i];

		if ((lid & ~((1u << port->attr.lmc) - 1)) == port->attr.lid)
			return &swarm->ports[i];
	}
	return NULL;
}

static int64_t draw_latency(struct swarm *swarm)
{
	int64_t latency_ns = swarm->latency_ns;

	if (swarm->delay && chance_hits(&swarm->wire, swarm->delay, 1000))
		latency_ns += (int64_t)chance_below(&swarm->wire, 20 * NS_PER_MS);
	return swarm_ticks_ns(swarm, latency_ns);
}

static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct swarm *swarm = ((struct swarm_host *)ctx)->swarm;
	struct swarm_port *to = swarm_world_find_port(swarm, packet_dlid(packet));
	uint64_t fate = chance_below(&swarm->wire, 1000);

	if (swarm->probing) {
		packet_free(&swarm->pool, packet);
		return;
	}
	if (!swarm_is_active(packet_mad(packet)) && swarm_bug_strikes(swarm, SWARM_BUG_UNASKED))
		packet_mad(packet)[MAD_SIZE - 1] ^= 1;
	swarm_send_transmitted(swarm, wire, packet);
	/* A damaged packet with wrong CRCs ends at the port, as a lost one does. */
	if (!to || fate < swarm->lose + swarm->damage) {
		if (!swarm_bug_strikes(swarm, SWARM_BUG_LEAK_PACKET))
			packet_free(&swarm->pool, packet);
		return;
	}
	fate -= swarm->lose + swarm->damage;
	if (fate < swarm->duplicate)
		fly(swarm, to, copy_packet(swarm, packet), draw_latency(swarm));
	else if (fate < swarm->duplicate + swarm->mend)
		damage(swarm, packet);
	fly(swarm, to, packet, draw_latency(swarm));
}

/* ---- what else kmod-stub needs ---- */

static int64_t op_now_ns(void *ctx)
{
	return swarm_now_ns(((struct swarm_host *)ctx)->swarm);
}

static void op_arm(void *ctx, struct event *event, int64_t at_ns)
{
	struct swarm *swarm = ((struct swarm_host *)ctx)->swarm;

	if (event->kind == EVENT_TIMER && swarm->bug == SWARM_BUG_LATE)
		at_ns += NS_PER_MS;
	if (event->kind == EVENT_TIMER && swarm->bug == SWARM_BUG_NO_TIMER)
		return;
	event_queue_arm(&swarm->queue, event, at_ns);
}

static void op_disarm(void *ctx, struct event *event)
{
	struct swarm *swarm = ((struct swarm_host *)ctx)->swarm;

	if (swarm->bug != SWARM_BUG_STAY_ARMED)
		event_queue_disarm(&swarm->queue, event);
}

unsigned int swarm_world_driver(const uint8_t *in, uint8_t *out)
{
	if (in[MAD_CLASS] == MAD_CLASS_PERF && in[MAD_METHOD] == MAD_METHOD_GET) {
		memcpy(out, in, MAD_SIZE);
		out[MAD_METHOD] = MAD_METHOD_GET_RESP;
		out[MAD_SIZE - 1] ^= 0xff;
		return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
	}
	if (in[MAD_CLASS] != MAD_CLASS_SUBN_DR || in[MAD_METHOD] != MAD_METHOD_GET)
		return KMOD_MAD_SUCCESS;
	switch (in[MAD_ATTR_ID + 1] & 3) {
	case 0:
		return KMOD_MAD_SUCCESS;
	case 1:
		memcpy(out, in, MAD_SIZE);
		out[MAD_METHOD] = MAD_METHOD_GET_RESP;
		out[MAD_STATUS] |= SMP_DIRECTION >> 8;
		return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
	case 2:
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	default:
		return KMOD_MAD_FAILURE;
	}
}

static unsigned int op_process_mad(void *ctx, void *wire, const struct kmod_source *source,
				   const uint8_t *in, uint8_t *out)
{
	(void)ctx;
	(void)wire;
	(void)source;
	return swarm_world_driver(in, out);
}

static int op_set_is_sm(void *ctx, void *wire, bool is_sm)
{
	struct swarm_port *port = wire;

	(void)ctx;
	if (is_sm && port->refuses_sm)
		return -EIO;
	port->is_sm = is_sm;
	return 0;
}

static void op_wake(void *ctx, void *owner)
{
	struct swarm_file *file = owner;

	if (!file->file)
		swarm_fail(((struct swarm_host *)ctx)->swarm, SWARM_CLOSED,
			   "a closed file on %s is woken", file->port->name);
	file->wakes++;
}

static void op_send_over(void *ctx, void *owner, uint64_t tid, uint8_t mgmt_class)
{
	struct swarm_file *file = owner;

	(void)ctx;
	(void)tid;
	(void)mgmt_class;
	file->overs++;
}

static void op_trace(void *ctx, const char *who, const char *format, va_list args)
{
	char line[256];

	vsnprintf(line, sizeof(line), format, args);
	swarm_trace(((struct swarm_host *)ctx)->swarm, "  %s %s", who, line);
}

static void op_drop(void *ctx, void *wire, const struct packet *packet, const char *why)
{
	struct swarm_port *port = wire;

	(void)packet;
	swarm_trace(((struct swarm_host *)ctx)->swarm, "  %s drops: %s", port->name, why);
}

/* ---- begin and end ---- */

void swarm_world_plug(struct swarm *swarm, struct swarm_port *port)
{
	(void)swarm;
	memset(port->psn, 0, sizeof(port->psn));
	port->is_sm = false;
	port->port = kmod_port_new(port->host->host, &port->attr, port, port->name);
}

static void begin_port(struct swarm *swarm, unsigned int i)
{
	struct swarm_port *port = &swarm->ports[i];

	/* At least two hosts have ports. */
	port->host = &swarm->hosts[i < swarm->host_count ? i :
				   chance_below(&swarm->play, swarm->host_count)];
	snprintf(port->name, sizeof(port->name), "H%u[%u]",
		 (unsigned int)(port->host - swarm->hosts) + 1, i + 1);
	port->pkeys[0] = PKEY_DEFAULT;
	port->pkeys[1] = 0x8001;
	memset(port->gids, 0, sizeof(port->gids));
	port->gids[0][0] = 0xfe;
	port->gids[0][1] = 0x80;
	port->gids[0][15] = (uint8_t)(i + 1);
	port->attr = (struct kmod_port_attr){
		.has_smi = !chance_hits(&swarm->play, 1, 8),
		.port_num = 1,
		.port_count = 1,
		.lid = (uint16_t)((i + 1) * LIDS_PER_PORT),
		.lmc = (uint8_t)chance_below(&swarm->play, 3),
		.pkeys = port->pkeys,
		.pkey_count = SWARM_PKEYS,
		.gids = (const uint8_t (*)[16])port->gids,
		.gid_count = SWARM_GIDS,
	};
	port->issm = NULL;
	port->refuses_sm = chance_hits(&swarm->play, 1, 8);
	port->replies = NULL;
	swarm_world_plug(swarm, port);
}

/* Calm, lossy, or stormy. */
static void begin_wire(struct swarm *swarm)
{
	static const unsigned int weather[][5] = {
		/* lose, duplicate, delay, damage, mend */
		{ 0, 0, 0, 0, 0 }, { 20, 20, 100, 5, 0 }, { 100, 100, 300, 20, 0 },
		{ 30, 30, 200, 10, 30 }, { 0, 0, 1000, 0, 0 }, { 300, 50, 100, 50, 0 },
	};
	const unsigned int *w = weather[chance_below(&swarm->wire, 6)];

	swarm->lose = w[0];
	swarm->duplicate = w[1];
	swarm->delay = w[2];
	swarm->damage = w[3];
	swarm->mend = w[4];
	/* None at all, microseconds, milliseconds. */
	swarm->latency_ns = (int64_t)chance_below(&swarm->wire, 3) * (int64_t)
			    chance_below(&swarm->wire, chance_hits(&swarm->wire, 1, 2) ?
					 3 * NS_PER_US : 3 * NS_PER_MS);
}

/* With --enable-checks: after each event. A bug made on purpose is for the oracle to notice. */
static size_t check_invariants(struct event_queue *queue)
{
	const struct swarm *swarm = container_of(queue, struct swarm, queue);
	size_t work = 0;

	invariant_hold(event_queue_check(queue), "swarm");
	for (unsigned int i = 0; i < swarm->host_count; i++)
		invariant_hold(kmod_host_check(swarm->hosts[i].host, &work), "swarm");
	for (unsigned int i = 0; i < swarm->port_count; i++) {
		if (swarm->ports[i].port)
			invariant_hold(kmod_port_check(swarm->ports[i].port, &work), "swarm");
	}
	return work;
}

void swarm_world_begin(struct swarm *swarm)
{
	const struct kmod_kernel *kernel = swarm->kernel ? swarm->kernel->kernel : &kmod_stub;

	event_queue_init(&swarm->queue);
	swarm->queue.check = swarm->bug ? NULL : check_invariants;
	chance_init(&swarm->play, swarm->seed, "play");
	chance_init(&swarm->wire, swarm->seed, "wire");
	swarm->ops = (struct kmod_ops){
		.now_ns = op_now_ns,
		.arm = op_arm,
		.disarm = op_disarm,
		.transmit = op_transmit,
		.process_mad = op_process_mad,
		.set_is_sm = op_set_is_sm,
		.wake = op_wake,
		.send_over = op_send_over,
		.pool = &swarm->pool,
		.trace = swarm->trace ? op_trace : NULL,
		.drop = swarm->trace ? op_drop : NULL,
	};
	swarm_memory_watch(block_freed, swarm);
	swarm->timers_ns = -1;
	begin_wire(swarm);
	swarm->host_count = 2 + (unsigned int)chance_below(&swarm->play, SWARM_HOSTS_MAX - 1);
	swarm->port_count = 3 + (unsigned int)chance_below(&swarm->play, SWARM_PORTS_MAX - 2);
	for (unsigned int i = 0; i < swarm->host_count; i++) {
		struct swarm_host *host = &swarm->hosts[i];

		host->swarm = swarm;
		/* Sometimes the numbers are about to wrap. */
		host->next_hi_tid = chance_hits(&swarm->play, 1, 8) ? (1u << 24) - 3 :
				    1 + (uint32_t)chance_below(&swarm->play, 20);
		host->profile = (enum kmod_profile)chance_below(&swarm->play, KMOD_PROFILE_COUNT);
		if (swarm->kernel)
			host->profile = swarm->kernel->profile;
		swarm_trace(swarm, "H%u is %s", i + 1, kmod_profile_name(host->profile));
		host->host = kmod_host_new(kernel, &swarm->ops, host, host->profile,
					   host->next_hi_tid);
	}
	for (unsigned int i = 0; i < swarm->port_count; i++)
		begin_port(swarm, i);
	for (unsigned int i = 0; i < SWARM_FILES_MAX; i++)
		swarm->files[i].expected_end = &swarm->files[i].expected;
}

/* Without agents no timer may be armed. */
static void check_timers(struct swarm *swarm)
{
	if (swarm->agent_count)
		return;
	for (size_t i = 0; i < swarm->queue.count; i++)
		if (swarm->queue.heap[i]->kind == EVENT_TIMER)
			swarm_fail(swarm, SWARM_CLOSED, "no agent is left, and a timer is armed "
				   "for %.6f ms", (double)swarm->queue.heap[i]->at_ns / NS_PER_MS);
}

void swarm_world_run(struct swarm *swarm, int64_t until_ns)
{
	int64_t next_ns;

	check_timers(swarm);
	swarm->running = true;
	swarm_send_completions(swarm);
	while ((next_ns = event_queue_next(&swarm->queue)) <= until_ns) {
		swarm->queue.now_ns = next_ns;
		if (swarm->queue.heap[0]->kind == EVENT_TIMER) {
			swarm->timers_ns = next_ns;
			swarm_send_timers(swarm);
		}
		event_queue_fire(&swarm->queue, until_ns);
		swarm_oracle_read_eager(swarm);
		if (event_queue_next(&swarm->queue) > next_ns) {
			swarm_oracle_instant(swarm);
			swarm_oracle_poll(swarm);
		}
	}
	swarm->running = false;
	swarm->queue.now_ns = until_ns;
	swarm_oracle_instant(swarm);
	swarm_oracle_poll(swarm);
}

static void end_ports(struct swarm *swarm)
{
	for (unsigned int i = 0; i < swarm->port_count; i++) {
		struct swarm_port *port = &swarm->ports[i];

		if (port->issm)
			kmod_issm_close(port->issm);
		if (port->is_sm && port->port)
			swarm_fail(swarm, SWARM_RETURNS, "%s still says that it is an SM",
				   port->name);
		kmod_port_remove(port->port);
	}
	for (unsigned int i = 0; i < swarm->host_count; i++)
		kmod_host_free(swarm->hosts[i].host);
}

void swarm_world_end(struct swarm *swarm)
{
	check_timers(swarm);
	swarm_world_run(swarm, swarm_now_ns(swarm) + 60 * NS_PER_S);
	if (event_queue_next(&swarm->queue) != TIME_NEVER)
		swarm_fail(swarm, SWARM_CLOSED, "all is closed, and %zu events are armed",
			   swarm->queue.count);
	end_ports(swarm);
	if (swarm->pool.used != 0)
		swarm_fail(swarm, SWARM_RETURNS, "%zu packets are not back in the pool",
			   swarm->pool.used);
	packet_pool_clear(&swarm->pool);
	event_queue_clear(&swarm->queue);
	swarm_memory_watch(NULL, NULL);
	if (swarm_bug_strikes(swarm, SWARM_BUG_LEAK_MEMORY)) {
		/* volatile, or the compiler removes it. */
		void *volatile lost = malloc(1);

		(void)lost;
	}
	free_chunks(swarm);
}
