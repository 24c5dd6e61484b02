/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host: its life, and the numbering of its agents.
 *
 * Linux keeps one cyclic counter over all devices, ports and kernel clients. Numbers are
 * consecutive, so the number itself serves as its hash.
 */
#include "kmod-stub/kmod-host.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "kmod-stub/agent.h"
#include "kmod-stub/mad-send.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/stub.h"
#include "kmod-stub/umad-file.h"

enum { AGENT_SLOTS_MIN = 8 };

struct kmod_host *stub_host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	struct kmod_host *host = calloc(1, sizeof(*host));

	assert(first_hi_tid >= 1 && first_hi_tid < HI_TID_LIMIT);
	if (!host)
		return NULL;
	if (send_table_init(&host->sends) < 0) {
		free(host);
		return NULL;
	}
	host->kernel = kernel;
	host->ops = ops;
	host->ctx = ctx;
	host->profile = profile_get(profile);
	host->next_hi_tid = first_hi_tid;
	return host;
}

void stub_host_vary(struct kmod_host *host, const struct kmod_variant *variant)
{
	(void)host, (void)variant;
}

void stub_host_trim(struct kmod_host *host)
{
	while (host->free_sends) {
		struct mad_send *send = host->free_sends;

		host->free_sends = send->next;
		free(send);
	}
	while (host->free_messages) {
		struct umad_message *message = host->free_messages;

		host->free_messages = message->next;
		free(message);
	}
}

void stub_host_free(struct kmod_host *host)
{
	assert(host->port_count == 0);
	assert(host->agent_count == 0);
	stub_host_trim(host);
	rmpp_table_clear(&host->rmpp_contexts);
	send_table_clear(&host->sends);
	free(host->agents);
	free(host);
}

/* The slot that holds 'hi_tid', or the empty one where it would go. There always is one. */
static uint32_t agent_slot(const struct kmod_host *host, uint32_t hi_tid)
{
	uint32_t mask = host->agent_slots - 1;
	uint32_t slot = hi_tid & mask;

	while (host->agents[slot] && host->agents[slot]->hi_tid != hi_tid)
		slot = (slot + 1) & mask;
	return slot;
}

/* Makes room for one more agent: at most half of the slots are in use. */
static int agent_slots_grow(struct kmod_host *host)
{
	struct agent **old = host->agents;
	uint32_t old_slots = host->agent_slots;
	uint32_t slots = old_slots ? old_slots * 2 : AGENT_SLOTS_MIN;
	struct agent **agents;

	if (host->agent_count < old_slots / 2)
		return 0;
	agents = calloc(slots, sizeof(struct agent *));
	if (!agents)
		return -ENOMEM;
	host->agents = agents;
	host->agent_slots = slots;
	for (uint32_t i = 0; i < old_slots; i++)
		if (old[i])
			agents[agent_slot(host, old[i]->hi_tid)] = old[i];
	free(old);
	return 0;
}

int host_agent_add(struct kmod_host *host, struct agent *agent)
{
	uint32_t hi_tid = host->next_hi_tid;
	int err;

	if (host->agent_count >= HI_TID_LIMIT - 1)
		return -EBUSY;
	err = agent_slots_grow(host);
	if (err)
		return err;
	while (host_agent_find(host, hi_tid))
		hi_tid = hi_tid + 1 < HI_TID_LIMIT ? hi_tid + 1 : 1;
	agent->hi_tid = hi_tid;
	host->agents[agent_slot(host, hi_tid)] = agent;
	host->agent_count++;
	host->next_hi_tid = hi_tid + 1 < HI_TID_LIMIT ? hi_tid + 1 : 1;
	return 0;
}

void host_agent_remove(struct kmod_host *host, struct agent *agent)
{
	uint32_t mask = host->agent_slots - 1;
	uint32_t hole = agent_slot(host, agent->hi_tid);

	assert(host->agents[hole] == agent);
	/* Entries after the hole move up into it, unless that would put them before their place. */
	for (uint32_t slot = (hole + 1) & mask; host->agents[slot]; slot = (slot + 1) & mask) {
		uint32_t home = host->agents[slot]->hi_tid & mask;

		if (((slot - home) & mask) >= ((slot - hole) & mask)) {
			host->agents[hole] = host->agents[slot];
			hole = slot;
		}
	}
	host->agents[hole] = NULL;
	host->agent_count--;
}

struct agent *host_agent_find(const struct kmod_host *host, uint32_t hi_tid)
{
	if (host->agent_count == 0)
		return NULL;
	return host->agents[agent_slot(host, hi_tid)];
}
