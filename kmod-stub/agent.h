/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * An agent: a registered client of the MAD layer, in one of the 32 slots of an open file.
 */
#ifndef UMADRIG_KMOD_STUB_AGENT_H
#define UMADRIG_KMOD_STUB_AGENT_H

#include "kmod-stub/kmod.h"
#include "kmod-stub/send-queue.h"
#include "kmod-stub/wait-queue.h"

struct mad_send;
struct rmpp_context;

/* What a registration asks for. */
struct agent_request {
	uint8_t qpn;			/* 0 or 1 */
	uint8_t mgmt_class;		/* 0: no unsolicited MADs */
	uint8_t class_version;
	uint8_t oui[3];
	uint8_t rmpp_version;
	bool user_rmpp;			/* RMPP is done by the user */
	uint64_t methods[2];		/* bit m % 64 of word m / 64: wants method m */
};

struct agent {
	struct kmod_port *port;
	struct kmod_file *file;
	uint8_t id;			/* slot in the file */
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t oui[3];
	uint8_t rmpp_version;
	bool kernel_rmpp;		/* the kernel does RMPP for it */
	bool in_table;			/* it takes unsolicited MADs */
	uint32_t hi_tid;
	uint64_t methods[2];
	struct mad_send *sends;		/* all outstanding ones, newest first */
	struct rmpp_context *contexts;	/* messages received in segments, newest first */
	struct wait_queue waits;		/* sends that wait for an answer */
	uint32_t flow_limit;		/* requests that may be outstanding; 0: any number */
	uint32_t flow_out;		/* requests that are outstanding */
	struct send_queue backlog;	/* requests that wait until they may be sent */
	struct event timer;		/* armed for the first deadline of 'waits' */
	int64_t timer_ns;		/* that deadline; TIME_NEVER: not armed */
};

/*
 * Registers an agent on 'port' for slot 'id' of 'file'. Errors in the order of linux-mad B.1:
 * -EPROTONOSUPPORT, -EINVAL, -ENOMEM, -EBUSY.
 */
int agent_register(struct kmod_port *port, struct kmod_file *file, uint8_t id,
		   const struct agent_request *request, struct agent **ret_agent);

/* Its invariants, and those of its sends and contexts: lib/base/invariant.h. */
const char *agent_check(const struct agent *agent);

/* Ends the agent: its sends are flushed silently, its number and methods are free. */
void agent_unregister(struct agent *agent);

#endif
