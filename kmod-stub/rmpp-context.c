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
