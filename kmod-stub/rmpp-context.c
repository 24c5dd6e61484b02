/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Receive contexts and the table that finds them: chains by TID, at least as many as contexts.
 */
#include "kmod-stub/rmpp-context.h"

#include <assert.h>
#include <stdlib.h>

#include "kmod-stub/mad-send.h"
#include "kmod-stub/rmpp.h"
#include "kmod-stub/trace.h"
#include "lib/base/invariant.h"

enum { CHAINS_MIN = 16 };

static struct rmpp_table *table_of(const struct agent *agent)
{
	return &agent->port->host->rmpp_contexts;
}

static struct rmpp_context **chain_of(const struct rmpp_table *table, uint64_t tid)
{
	uint64_t hash = tid * UINT64_C(0x9e3779b97f4a7c15);

	return &table->chains[(uint32_t)(hash >> 32) & (table->chain_count - 1)];
}

static void chain_push(struct rmpp_table *table, struct rmpp_context *context)
{
	struct rmpp_context **chain = chain_of(table, context->tid);

	context->chain_next = *chain;
	context->chain_link = chain;
	if (*chain)
		(*chain)->chain_link = &context->chain_next;
	*chain = context;
}

/* Without memory the chains get longer; false only if there are none at all. */
static bool chains_grow(struct rmpp_table *table)
{
	uint32_t count = table->chain_count ? table->chain_count * 2 : CHAINS_MIN;
	struct rmpp_table old = *table;

	table->chains = calloc(count, sizeof(struct rmpp_context *));
	if (!table->chains) {
		table->chains = old.chains;
		return old.chain_count > 0;
	}
	table->chain_count = count;
	for (uint32_t i = 0; i < old.chain_count; i++) {
		while (old.chains[i]) {
			struct rmpp_context *context = old.chains[i];

			old.chains[i] = context->chain_next;
			chain_push(table, context);
		}
	}
	free(old.chains);
	return true;
}

void rmpp_table_clear(struct rmpp_table *table)
{
	assert(table->count == 0);
	while (table->free) {
		struct rmpp_context *context = table->free;

		table->free = context->chain_next;
		free(context);
	}
	free(table->chains);
	*table = (struct rmpp_table){ 0 };
}

struct rmpp_context *rmpp_context_find(const struct agent *agent, const struct mad_recv *recv)
{
	const struct rmpp_table *table = table_of(agent);
	const uint8_t *mad = mad_recv_bytes(recv);
	uint64_t tid = get_be64(mad + MAD_TID);
	struct rmpp_context *context;

	if (table->count == 0)
		return NULL;
	for (context = *chain_of(table, tid); context; context = context->chain_next)
		if (context->tid == tid && context->agent == agent &&
		    context->recv.from.qpn == recv->from.qpn &&
		    context->recv.from.lid == recv->from.lid &&
		    context->mgmt_class == mad[MAD_CLASS] &&
		    context->class_version == mad[MAD_CLASS_VERSION] &&
		    context->method == mad[MAD_METHOD])
			return context;
	return NULL;
}

struct rmpp_context *rmpp_context_new(struct agent *agent, const struct mad_recv *recv)
{
	struct rmpp_table *table = table_of(agent);
	const uint8_t *mad = mad_recv_bytes(recv);
	struct rmpp_context *context;

	if (table->count >= table->chain_count && !chains_grow(table))
		return NULL;
	context = table->free;
	if (context)
		table->free = context->chain_next;
	else
		context = malloc(sizeof(*context));
	if (!context)
		return NULL;
	*context = (struct rmpp_context){
		.agent = agent,
		.timer = { .kind = EVENT_TIMER },
		.order = table->made++,
		.state = RMPP_COLLECTING,
		.tid = get_be64(mad + MAD_TID),
		.mgmt_class = mad[MAD_CLASS],
		.class_version = mad[MAD_CLASS_VERSION],
		.method = mad[MAD_METHOD],
		.have = 1,
		.window = 1,
		.reply_window = 1,
		.recv = *recv,
		.contiguous = recv->packet,
		.last = recv->packet,
		.agent_next = agent->contexts,
		.agent_link = &agent->contexts,
	};
	if (agent->contexts)
		agent->contexts->agent_link = &context->agent_next;
	agent->contexts = context;
	chain_push(table, context);
	table->count++;
	return context;
}

void rmpp_context_free(struct rmpp_context *context, const char *why)
{
	const struct kmod_host *host = context->agent->port->host;
	struct rmpp_table *table = table_of(context->agent);

	host->ops->disarm(host->ctx, &context->timer);
	trace_drop_all(context->agent->port, context->recv.packet, "%s", why);
	*context->chain_link = context->chain_next;
	if (context->chain_next)
		context->chain_next->chain_link = context->chain_link;
	*context->agent_link = context->agent_next;
	if (context->agent_next)
		context->agent_next->agent_link = context->agent_link;
	table->count--;
	context->chain_next = table->free;
	table->free = context;
}

void rmpp_context_flush_agent(struct agent *agent)
{
	while (agent->contexts)
		rmpp_context_free(agent->contexts,
				  "its agent was unregistered before the message was complete");
}

bool rmpp_context_set_reply_window(const struct agent *agent, const struct mad_recv *recv,
				   int32_t window)
{
	struct rmpp_context *context = rmpp_context_find(agent, recv);

	if (!context || context->state != RMPP_COMPLETE)
		return false;
	context->reply_window = window;
	return true;
}

int32_t rmpp_context_reply_window(const struct mad_send *send)
{
	const struct rmpp_table *table = table_of(send->agent);
	const struct rmpp_context *context, *oldest = NULL;

	if (table->count == 0)
		return 1;
	for (context = *chain_of(table, send->tid); context; context = context->chain_next)
		if (context->tid == send->tid && context->agent == send->agent &&
		    context->mgmt_class == send->mgmt_class &&
		    context->class_version == send->mad[MAD_CLASS_VERSION] &&
		    !(context->method & MAD_METHOD_RESPONSE) &&
		    context->recv.from.lid == send->to.lid &&
		    (!oldest || context->order < oldest->order))
			oldest = context;
	return oldest ? oldest->reply_window : 1;
}

/* ---- invariants ---- */

static int32_t segment_of(const struct packet *packet)
{
	return (int32_t)get_be32(packet_mad_const(packet) + RMPP_SEGMENT);
}

/* What is held of a message that is not complete. */
static const char *segments_check(const struct rmpp_context *context)
{
	const struct packet *packet = context->recv.packet;
	int32_t number = 1;

	MUST(packet && segment_of(packet) == 1, "RMPP context: it has segment 1");
	for (; number < context->have && packet->next; number++) {
		packet = packet->next;
		MUST(segment_of(packet) == number + 1,
		     "RMPP context: all segments up to 'have' are there");
	}
	MUST(number == context->have && packet == context->contiguous,
	     "RMPP context: 'contiguous' is segment 'have'");
	NEVER(packet->next && segment_of(packet->next) <= number + 1,
	      "RMPP context: never is the next segment there, and not counted");
	for (; packet->next; packet = packet->next)
		MUST(segment_of(packet->next) > segment_of(packet),
		     "RMPP context: segments are in order, none twice");
	MUST(packet == context->last, "RMPP context: 'last' is the last segment that is held");
	MUST(segment_of(packet) <= context->window,
	     "RMPP context: no segment is beyond the window");
	NEVER(packet_mad_const(context->contiguous)[RMPP_FLAGS] & RMPP_FLAG_LAST,
	      "RMPP context: never a whole message that is not delivered");
	MUST(context->have < context->window, "RMPP context: the window is open");
	return NULL;
}

const char *rmpp_context_check(const struct rmpp_context *context)
{
	MUST(context->agent->kernel_rmpp, "RMPP context: the kernel does RMPP for its agent");
	MUST(*context->agent_link == context && *context->chain_link == context,
	     "RMPP context: its agent and its chain know it");
	MUST(event_is_armed(&context->timer), "RMPP context: its time is limited");
	MUST(context->acked >= 1 && context->acked <= context->have,
	     "RMPP context: what is acknowledged has arrived");
	if (context->state == RMPP_COLLECTING)
		return segments_check(context);
	MUST(context->state == RMPP_COMPLETE, "RMPP context: its state is one of two");
	MUST(context->acked == context->have, "RMPP context: a complete message is acknowledged");
	NEVER(context->recv.packet || context->contiguous || context->last,
	      "RMPP context: never are packets left of a message that is delivered");
	return NULL;
}

const char *rmpp_table_check(const struct rmpp_table *table)
{
	uint32_t count = 0;

	MUST(!(table->chain_count & (table->chain_count - 1)),
	     "RMPP table: the number of chains is a power of two");
	for (uint32_t i = 0; i < table->chain_count; i++) {
		struct rmpp_context *const *link = &table->chains[i];

		for (const struct rmpp_context *context = *link; context; context = *link) {
			MUST(count++ < table->count, "RMPP table: it counts its contexts");
			MUST(chain_of(table, context->tid) == &table->chains[i],
			     "RMPP table: a context is in the chain of its TID");
			MUST(context->chain_link == link,
			     "RMPP table: a context knows what leads to it");
			MUST(context->order < table->made, "RMPP table: it has made its contexts");
			link = &context->chain_next;
		}
	}
	MUST(count == table->count, "RMPP table: it counts its contexts");
	return NULL;
}
