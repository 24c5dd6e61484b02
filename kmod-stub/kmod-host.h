/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host: one running kernel. All its devices share one numbering of agents (hi_tid), so that a
 * response finds its agent whichever port it arrives at.
 */
#ifndef UMADRIG_KMOD_STUB_KMOD_HOST_H
#define UMADRIG_KMOD_STUB_KMOD_HOST_H

#include "kmod-stub/kmod.h"
#include "kmod-stub/rmpp-table.h"
#include "kmod-stub/send-table.h"

struct agent;
struct mad_send;
struct profile;
struct umad_message;

/* Linux: agent numbers stay below 2^24, so the top byte of a request's TID is always 0. */
#define HI_TID_LIMIT (UINT32_C(1) << 24)

struct kmod_host {
	const struct kmod_kernel *kernel;
	const struct kmod_ops *ops;
	void *ctx;
	const struct profile *profile;
	unsigned int port_count;

	/* Agents by hi_tid: open addressing with linear probing, a power of two of slots. */
	struct agent **agents;
	uint32_t agent_slots;
	uint32_t agent_count;
	uint32_t next_hi_tid;

	struct send_table sends;	/* outstanding sends of all files, by TID and class */
	struct rmpp_table rmpp_contexts;	/* messages that come in segments */
	uint64_t send_order;		/* counts entries into send and wait lists */

	/* Memory of the per-MAD objects, kept for the next MAD. */
	struct mad_send *free_sends;
	struct umad_message *free_messages;
};

/*
 * Gives 'agent' the next number that is not in use and files it. -EBUSY: all 2^24 are in use;
 * -ENOMEM.
 */
int host_agent_add(struct kmod_host *host, struct agent *agent);
/* Removes the agent; its number may be used again after the counter has wrapped. */
void host_agent_remove(struct kmod_host *host, struct agent *agent);
/* The agent with number 'hi_tid' on any port of the host, or NULL. */
struct agent *host_agent_find(const struct kmod_host *host, uint32_t hi_tid);

static inline int64_t host_now_ns(const struct kmod_host *host)
{
	return host->ops->now_ns(host->ctx);
}

#endif
