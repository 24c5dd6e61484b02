/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checks of kmod-stub's invariants find each rule broken: sends, their queues, agents, messages
 * in segments, ports and hosts.
 */
#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp-context.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/umad-file.h"
#include "tests/rig/invariant-rig.h"
#include "tests/rig/kmod-rmpp-rig.h"
#include "tests/rig/leak.h"

static const struct rig_registration client = { .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM,
						.class_version = 2 };

static struct agent *agent_of(const struct rig_file *file)
{
	return file->file->agents[file->agent_id];
}

static void write_get(struct rig_file *file, uint32_t tid, uint32_t timeout_ms)
{
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_ADM,
							   .class_version = 2, .tid = tid },
				  &(struct rig_route){ .timeout_ms = timeout_ms }), >, 0);
}

/* 24 requests that wait, in four lanes and the heap. */
static struct rig *make_waiting(enum kmod_profile profile, struct rig_file **ret_file)
{
	struct rig *rig = rig_new_profile(9, profile);

	rig->b.deaf = true;
	*ret_file = rig_open(rig, &rig->a, 'a');
	g_assert_cmpint(rig_register(*ret_file, &client), ==, 0);
	for (uint32_t i = 0; i < 24; i++)
		write_get(*ret_file, i + 1, 100 * (i % 8 + 1));
	rig_run(rig, 10);
	return rig;
}

static const char *host_says(struct rig *rig)
{
	size_t work = 0;

	return kmod_host_check(rig->a.host, &work);
}

static const char *port_says(struct rig *rig)
{
	size_t work = 0;

	return kmod_port_check(rig->a.port, &work);
}

static void test_wait_queue(void)
{
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_1, &file);
	struct wait_queue *queue = &agent_of(file)->waits;
	struct wait_lane *lane = &queue->lanes[0];
	struct wait_heap *heap = &queue->heap;

	g_assert_cmpuint(heap->count, ==, 12);
	BREAKS(wait_queue_check(queue), queue->waiting, 23, "wait queue: it counts its sends");
	BREAKS(wait_queue_check(queue), queue->waiting, 25, "wait queue: it counts its sends");
	BREAKS(wait_queue_check(queue), lane->wait_ns, queue->lanes[1].wait_ns,
	       "wait queue: never two lanes for one timeout");
	BREAKS(wait_queue_check(queue), lane->last, lane->first,
	       "wait lane: neighbours know each other");
	BREAKS(wait_queue_check(queue), lane->first->wait_next->wait_previous, NULL,
	       "wait lane: neighbours know each other");
	BREAKS(wait_queue_check(queue), lane->first->wait_lane, &queue->lanes[1],
	       "wait lane: a send knows its lane");
	BREAKS(wait_queue_check(queue), lane->first->state, SEND_POSTED,
	       "wait lane: its sends wait");
	BREAKS(wait_queue_check(queue), lane->first->order, 0,
	       "wait lane: never a send that comes before its predecessor");
	BREAKS(wait_queue_check(queue), lane->last_group, lane->last,
	       "wait lane: the last group begins where the last deadline does");
	BREAKS(wait_heap_check(heap), heap->reserved, heap->count - 1,
	       "wait heap: room was reserved for each of its sends");
	BREAKS(wait_heap_check(heap), heap->size, heap->reserved - 1,
	       "wait heap: there is as much room as was reserved");
	BREAKS(wait_heap_check(heap), heap->entries[3].send->wait_slot, 4,
	       "wait heap: a send knows its place");
	BREAKS(wait_heap_check(heap), heap->entries[3].send->wait_lane, lane,
	       "wait heap: never a send that is in a lane");
	BREAKS(wait_heap_check(heap), heap->entries[3].deadline_ns, 0,
	       "wait heap: an entry has its send's deadline and order");
	heap->entries[3].send->deadline_ns = 0;
	BREAKS((heap->entries[3].deadline_ns ? NULL : wait_heap_check(heap)),
	       heap->entries[3].deadline_ns, 0,
	       "wait heap: never an entry that comes before its parent");
	heap->entries[3].send->deadline_ns = heap->entries[3].deadline_ns;
	rig_free(rig);
}

static void test_send_table(void)
{
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_1, &file);
	struct send_table *table = &rig->a.host->sends;
	uint32_t used = 0;

	while (!table->slots[used].sends)
		used++;
	BREAKS(send_table_check(table), table->slot_count, table->slot_count - 1,
	       "send table: the number of slots is a power of two");
	BREAKS(send_table_check(table), table->count, table->count - 1,
	       "send table: it counts its sends");
	BREAKS(send_table_check(table), table->count, table->count + 1,
	       "send table: it counts its sends");
	BREAKS(send_table_check(table), table->used, table->used + 1,
	       "send table: it counts the slots in use");
	BREAKS(send_table_check(table), table->slots[used].sends->in_table, false,
	       "send table: a send is below its TID, and knows that it is there");
	BREAKS(send_table_check(table), table->slots[used].sends->same_tid_previous,
	       table->slots[used].sends, "send table: sends of one TID know each other");
	BREAKS(send_table_check(table), table->slots[used].tid, ~table->slots[used].tid,
	       "send table: no empty slot is between a TID and its home");
	rig_free(rig);
}

/* Of the only slot, and the only agent, there should be another that is empty. */
static void test_half_empty(void)
{
	struct mad_send send = { .in_table = true };
	struct send_slot slot = { .sends = &send };
	struct send_table table = { .slots = &slot, .slot_count = 1, .used = 1, .count = 1 };
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_1, &file);
	struct kmod_host *host = rig->a.host;
	struct agent *agent = agent_of(file), **agents = host->agents;
	uint32_t slots = host->agent_slots;

	g_assert_cmpstr(send_table_check(&table), ==, "send table: half of the slots are empty");
	host->agents = &agent;
	host->agent_slots = 1;
	g_assert_cmpstr(host_says(rig), ==, "host: half of the slots are empty");
	host->agents = agents;
	host->agent_slots = slots;
	g_assert_cmpstr(host_says(rig), ==, NULL);
	rig_free(rig);
}

static void test_send(void)
{
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_1, &file);
	struct mad_send *send = agent_of(file)->sends;
	struct rmpp_send rmpp = { .segments = 3, .sent = 2, .acked = 1, .window = 2 };
	struct mad_send of_nobody = { .state = SEND_POSTED };
	struct packet packet = { 0 };

	BREAKS(mad_send_check(&of_nobody), of_nobody.state, SEND_WAITING,
	       "send: an agent waits for its answer");
	BREAKS(mad_send_check(send), send->qpn, 2, "send: it leaves from QP0 or QP1");
	BREAKS(mad_send_check(send), send->in_table, false,
	       "send: with an agent, and only then, it is outstanding");
	BREAKS(mad_send_check(send), send->agent_link, &send->agent_next,
	       "send: what leads to it is never another");
	BREAKS(mad_send_check(send), send->retries_left, send->retries + 1,
	       "send: no retries come from nowhere");
	BREAKS(mad_send_check(send), send->state, SEND_NEW,
	       "send: never new while it is under way");
	BREAKS(mad_send_check(send), send->deadline_ns, send->waits_since_ns - 1,
	       "send: it waits until later than since when");
	BREAKS(mad_send_check(send), send->state, SEND_BACKLOG,
	       "send: flow control holds what it counts");
	BREAKS(mad_send_check(send), send->answered, true,
	       "send: never answered, except before its completion");
	BREAKS(mad_send_check(send), send->local_packet, &packet,
	       "send: never something to deliver here, except of a local one");
	send->rmpp = &rmpp;
	BREAKS(mad_send_check(send), rmpp.segments, 0, "RMPP send: it has a segment");
	BREAKS(mad_send_check(send), rmpp.sent, 4,
	       "RMPP send: the segment sent last is one of the message");
	BREAKS(mad_send_check(send), rmpp.acked, 4,
	       "RMPP send: what is acknowledged is a part of the message");
	BREAKS(mad_send_check(send), rmpp.window, 0,
	       "RMPP send: nothing beyond the window is acknowledged");
	send->rmpp = NULL;
	rig_free(rig);
}

/* Linux 6.17: of 24 requests to the SA 16 are out, and 8 in the backlog. */
static void test_agent(void)
{
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_17, &file);
	struct agent *agent = agent_of(file);
	struct mad_send *send = agent->sends;

	g_assert_cmpuint(agent->flow_out, ==, 16);
	BREAKS(agent_check(agent), agent->id, 5, "agent: its file has it in its slot");
	BREAKS(agent_check(agent), agent->file->port, rig->b.port,
	       "agent: it is on the port of its file");
	BREAKS(agent_check(agent), agent->port->removed, true,
	       "agent: never on a port that was removed");
	BREAKS(agent_check(agent), agent->in_table, false,
	       "agent: with a class, and only then, it takes unsolicited MADs");
	BREAKS(agent_check(agent), agent->kernel_rmpp, true,
	       "agent: never RMPP by the kernel without a version of RMPP");
	BREAKS(agent_check(agent), agent->sends, send->agent_next,
	       "agent: a send knows what leads to it");
	BREAKS(agent_check(agent), agent->waits.heap.reserved, 23,
	       "agent: each send has room reserved for waiting");
	BREAKS(agent_check(agent), agent->waits.heap.reserved, 25,
	       "agent: no room is reserved for nothing");
	BREAKS(agent_check(agent), send->agent_next->agent, NULL, "agent: its sends are its own");
	BREAKS(agent_check(agent), agent->flow_out, 15,
	       "agent: flow control counts what is outstanding");
	BREAKS(agent_check(agent), agent->flow_limit, 15,
	       "agent: never more requests than its limit");
	BREAKS(agent_check(agent), agent->flow_limit, 17,
	       "agent: never a request held, and room for it");
	BREAKS(agent_check(agent), agent->backlog.first, agent->backlog.first->next,
	       "agent: what is held is in the backlog");
	BREAKS(agent_check(agent), agent->backlog.first->state, SEND_OVERFLOW,
	       "agent: its backlog has sends of its own that are held");
	BREAKS(agent_check(agent), agent->timer_ns, agent->timer_ns + 1,
	       "agent: its timer is for the first deadline");
	BREAKS(agent_check(agent), agent->timer.slot, 0,
	       "agent: its timer is armed while there is a deadline");
	BREAKS(agent_check(agent), agent->timer.at_ns, agent->timer_ns - 1,
	       "agent: its timer is never early");
	rig_free(rig);
}

static void test_host(void)
{
	struct rig_file *file;
	struct rig *rig = make_waiting(KMOD_LINUX_6_1, &file);
	struct agent *agent = agent_of(file);
	struct kmod_host *host = rig->a.host;

	BREAKS(host_says(rig), agent->hi_tid, 0, "host: agents have numbers of 24 bits");
	BREAKS(host_says(rig), agent->hi_tid, agent->hi_tid + 1,
	       "host: no empty slot is between an agent and its place");
	BREAKS(host_says(rig), agent->port->host, rig->b.host, "host: its agents are on its ports");
	BREAKS(host_says(rig), host->agent_count, 2, "host: it counts its agents");
	BREAKS(host_says(rig), host->next_hi_tid, HI_TID_LIMIT,
	       "host: the next number has 24 bits");
	send_table_remove(&host->sends, agent->sends);
	agent->sends->in_table = true;
	g_assert_cmpstr(host_says(rig), ==,
			"host: the outstanding sends are those of its agents");
	agent->sends->in_table = false;
	g_assert_cmpint(send_table_add(&host->sends, agent->sends), ==, 0);
	g_assert_cmpstr(host_says(rig), ==, NULL);
	rig_free(rig);
}

/* Before their completion 128 sends are posted, and 12 wait for room. */
static void test_port(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct kmod_port *port = rig->a.port;
	struct mad_qp *qp = &port->qps[1];
	struct send_queue *queue = &qp->overflow;

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &client), ==, 0);
	for (uint32_t i = 0; i < 140; i++)
		write_get(file, i + 1, 100);
	BREAKS(send_queue_check(queue), queue->last->next, queue->first,
	       "send queue: never a circle");
	BREAKS(send_queue_check(queue), queue->last, queue->first,
	       "send queue: 'first' leads to 'last', and ends there");
	BREAKS(send_queue_check(queue), queue->first, NULL,
	       "send queue: 'first' leads to 'last', and ends there");
	BREAKS(port_says(rig), queue->first->state, SEND_POSTED,
	       "port's queue: its sends are in the state for it");
	BREAKS(port_says(rig), agent_of(file)->port, rig->b.port,
	       "port's queue: its sends are of its agents, or of nobody");
	BREAKS(port_says(rig), queue->first->qpn, 0,
	       "QP: what waits for room in it leaves from it");
	BREAKS(port_says(rig), qp->posted, 127, "QP: it counts the sends that are posted");
	BREAKS(port_says(rig), port->send_room, 127,
	       "QP: no more are posted than it has room for");
	BREAKS(port_says(rig), port->send_room, 129,
	       "QP: never does a send wait while there is room");
	queue->first->deadline_ns = queue->first->waits_since_ns;
	BREAKS(agent_check(agent_of(file)), queue->first->state, SEND_WAITING,
	       "agent: those that wait are in its queue");
	BREAKS(port_says(rig), qp->psn, UINT32_C(1) << 24, "QP: a PSN has 24 bits");
	BREAKS(port_says(rig), port->completing, true,
	       "port: its completions never last longer than their event");
	BREAKS(port_says(rig), port->completion.slot, 0,
	       "port: completions are due while sends are posted");
	BREAKS(port_says(rig), port->local.slot, 1,
	       "port: local deliveries are due while there are some");
	BREAKS(port_says(rig), port->removed, true,
	       "port: a removed one never has sends or agents");
	BREAKS(port_says(rig), file->file->link, NULL,
	       "port: a file knows its port, and what leads to it");
	BREAKS(port_says(rig), file->file->dead, true, "port: its files die with it");
	BREAKS(port_says(rig), file->file->queued, 1, "file: it counts its messages");
	/* The reports that nobody has answered. */
	file->reads = false;
	rig_run(rig, 1000);
	g_assert_cmpuint(file->file->queued, ==, 140);
	BREAKS(port_says(rig), file->file->last->next, file->file->first,
	       "file: never does anything follow the last message");
	rig_free(rig);
}

/* Of segments 1, 2, 4 and 5 of a message the first 'held' are held. */
static struct rig *make_context(size_t held, struct rmpp_context **ret_context)
{
	static const uint32_t segments[] = { 1, 2, 4, 5 };
	struct rig_file *a, *b;
	struct rig *rig = rmpp_rig_new(0, KMOD_LINUX_6_1, &a, &b);

	for (size_t i = 0; i < held; i++)
		rig_inject(b->at, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_ADM,
						     .class_version = 2, .tid = 1, FROM_A,
						     .rmpp_first = segments[i] == 1,
						     .segment = segments[i], .length = 0 },
			   &(struct rig_route){ 0 });
	rig_run(rig, 10);
	*ret_context = agent_of(b)->contexts;
	g_assert_nonnull(*ret_context);
	return rig;
}

static void test_rmpp_context(void)
{
	struct rmpp_context *context;
	struct rig *rig = make_context(3, &context);
	uint8_t *flags = &packet_mad(context->contiguous)[RMPP_FLAGS];
	uint8_t *number = &packet_mad(context->last)[RMPP_SEGMENT + 3];
	uint8_t *second = &packet_mad(context->contiguous)[RMPP_SEGMENT + 3];
	uint8_t *first = &packet_mad(context->recv.packet)[RMPP_SEGMENT + 3];

	BREAKS(rmpp_context_check(context), context->agent->kernel_rmpp, false,
	       "RMPP context: the kernel does RMPP for its agent");
	BREAKS(rmpp_context_check(context), context->chain_link, &context->chain_next,
	       "RMPP context: its agent and its chain know it");
	BREAKS(rmpp_context_check(context), context->timer.slot, 0,
	       "RMPP context: its time is limited");
	BREAKS(rmpp_context_check(context), context->acked, 3,
	       "RMPP context: what is acknowledged has arrived");
	BREAKS(rmpp_context_check(context), *first, 9, "RMPP context: it has segment 1");
	BREAKS(rmpp_context_check(context), *second, 3,
	       "RMPP context: all segments up to 'have' are there");
	BREAKS(rmpp_context_check(context), context->contiguous, context->recv.packet,
	       "RMPP context: 'contiguous' is segment 'have'");
	BREAKS(rmpp_context_check(context), *number, 3,
	       "RMPP context: never is the next segment there, and not counted");
	BREAKS(rmpp_context_check(context), context->last, context->contiguous,
	       "RMPP context: 'last' is the last segment that is held");
	BREAKS(rmpp_context_check(context), *number, 200,
	       "RMPP context: no segment is beyond the window");
	BREAKS(rmpp_context_check(context), *flags, *flags | RMPP_FLAG_LAST,
	       "RMPP context: never a whole message that is not delivered");
	BREAKS(rmpp_context_check(context), context->state, 7,
	       "RMPP context: its state is one of two");
	context->acked = 2;
	BREAKS(rmpp_context_check(context), context->state, RMPP_COMPLETE,
	       "RMPP context: never are packets left of a message that is delivered");
	context->acked = 1;
	BREAKS(rmpp_context_check(context), context->state, RMPP_COMPLETE,
	       "RMPP context: a complete message is acknowledged");
	rig_free(rig);
}

/* With a segment less the window can be shut, with one more two can be equal. */
static void test_rmpp_segments(void)
{
	struct rmpp_context *context;
	struct rig *rig = make_context(2, &context);
	uint8_t *number;

	BREAKS(rmpp_context_check(context), context->window, 2,
	       "RMPP context: the window is open");
	rig_free(rig);
	rig = make_context(4, &context);
	number = &packet_mad(context->last)[RMPP_SEGMENT + 3];
	BREAKS(rmpp_context_check(context), *number, 4,
	       "RMPP context: segments are in order, none twice");
	rig_free(rig);
}

/* What a host has of a context that its agent does not, and the other way round. */
static void test_rmpp_owner(void)
{
	struct rmpp_context *context;
	struct rig *rig = make_context(3, &context);
	struct agent *agent = context->agent;
	struct kmod_host *host = agent->port->host;
	size_t work = 0;

	BREAKS(agent_check(agent), context->agent, NULL, "agent: its contexts are its own");
	BREAKS(kmod_host_check(host, &work), agent->contexts, NULL,
	       "host: the messages in segments are those of its agents");
	rig_free(rig);
}

static void test_rmpp_table(void)
{
	struct rmpp_context *context;
	struct rig *rig = make_context(3, &context);
	struct rmpp_table *table = &rig->b.host->rmpp_contexts;

	BREAKS(rmpp_table_check(table), table->chain_count, table->chain_count - 1,
	       "RMPP table: the number of chains is a power of two");
	BREAKS(rmpp_table_check(table), table->count, 0, "RMPP table: it counts its contexts");
	BREAKS(rmpp_table_check(table), table->count, 2, "RMPP table: it counts its contexts");
	BREAKS(rmpp_table_check(table), context->tid, context->tid ^ 0xffff,
	       "RMPP table: a context is in the chain of its TID");
	BREAKS(rmpp_table_check(table), context->chain_link, NULL,
	       "RMPP table: a context knows what leads to it");
	BREAKS(rmpp_table_check(table), table->made, 0, "RMPP table: it has made its contexts");
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/invariants/wait-queue", test_wait_queue);
	g_test_add_func("/kmod/invariants/send-table", test_send_table);
	g_test_add_func("/kmod/invariants/half-empty", test_half_empty);
	g_test_add_func("/kmod/invariants/send", test_send);
	g_test_add_func("/kmod/invariants/agent", test_agent);
	g_test_add_func("/kmod/invariants/host", test_host);
	g_test_add_func("/kmod/invariants/port", test_port);
	g_test_add_func("/kmod/invariants/rmpp-context", test_rmpp_context);
	g_test_add_func("/kmod/invariants/rmpp-segments", test_rmpp_segments);
	g_test_add_func("/kmod/invariants/rmpp-owner", test_rmpp_owner);
	g_test_add_func("/kmod/invariants/rmpp-table", test_rmpp_table);
	return leak_end(g_test_run());
}
