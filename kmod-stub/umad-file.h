/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A umad file: one open of /dev/infiniband/umadN.
 */
#ifndef UMADRIG_KMOD_STUB_UMAD_FILE_H
#define UMADRIG_KMOD_STUB_UMAD_FILE_H

#include "kmod-stub/agent.h"
#include "kmod-stub/kmod.h"
#include "kmod-stub/mad-recv.h"
#include "kmod-stub/mad-send.h"
#include "lib/base/user-header.h"

enum {
	FILE_AGENT_COUNT = 32,
};

/* One entry of the receive queue: a MAD, or the report of a send that got no answer. */
struct umad_message {
	struct umad_message *next;
	struct packet *packets;		/* the MAD, segment by segment; NULL: a report */
	uint32_t size;			/* bytes of the whole MAD; of a report: 24 */
	uint8_t header[USER_HEADER_SIZE];
	uint8_t report[MAD_HDR_SIZE];	/* of the MAD that got no answer */
};

struct kmod_file {
	const struct kmod_kernel *kernel;
	struct kmod_file *next;		/* the port's */
	struct kmod_file **link;
	struct kmod_port *port;
	void *owner;
	struct agent *agents[FILE_AGENT_COUNT];
	struct umad_message *first;	/* receive queue */
	struct umad_message *last;
	uint32_t queued;
	struct kmod_usage *usage;	/* NULL: not counted */
	uint32_t header_size;		/* USER_HEADER_SIZE, or _OLD: without a P_Key index */
	bool already_used;		/* an agent was registered: the header size is fixed */
	bool dead;			/* the device was removed */
};

/*
 * Queues a received MAD of 'size' bytes for agent 'id'; takes ownership of the packet (and of those
 * linked to it), which is dropped if the queue is too long.
 */
void umad_file_receive(struct kmod_file *file, uint8_t id, struct mad_recv *recv, uint32_t size);

/* Queues the report that 'send', which stays the caller's, got no answer. */
void umad_file_report(struct kmod_file *file, const struct mad_send *send);

/* Is every use of the file an error? Linux before 5.12: its queue goes on as before. */
bool umad_file_fails(const struct kmod_file *file);
/* Takes the first message, which must exist, out of the queue. */
struct umad_message *umad_file_unlink(struct kmod_file *file);
/* Frees one that has no packets any more. */
void umad_message_free(struct kmod_host *host, struct umad_message *message);

/* The device was removed: unregisters its agents and wakes waiting threads. */
void umad_file_kill(struct kmod_file *file);

#endif
