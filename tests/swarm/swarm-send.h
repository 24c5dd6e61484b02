/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The oracle's sends and messages: plain lists, searched from the start.
 */
#ifndef UMADRIG_TESTS_SWARM_SWARM_SEND_H
#define UMADRIG_TESTS_SWARM_SWARM_SEND_H

#include "tests/swarm/swarm.h"

/* An accepted write whose end has not been seen. */
struct swarm_send {
	struct swarm_send *next;
	struct swarm_file *file;
	struct swarm_agent *agent;	/* NULL: closed; what overflowed may still go out, once */
	struct swarm_port *port;
	uint8_t header[SWARM_HEADER];	/* as written */
	uint8_t mad[MAD_SIZE];		/* as it goes out */
	uint64_t tid;
	uint8_t mgmt_class;
	bool is_response;
	uint16_t lid;
	uint8_t path_bits;
	bool has_grh;
	uint8_t gid_index;
	uint8_t gid[16];
	uint32_t qpn;
	uint32_t timeout_ms;
	uint32_t retries;
	uint32_t attempts;		/* made */
	int64_t due_ns;			/* the next attempt, or the report */
	uint64_t order;			/* of the last attempt, or since when it is held */
	bool counted;			/* by flow control: */
	bool held;			/* ... is not to go out yet */
	bool going;			/* ... must be transmitted in this instant */
	bool local;			/* an SMP to the node itself: ends in this instant */
	bool local_delivers;
	uint32_t local_hi_tid;		/* destination; 0: none */
	uint8_t local_mad[MAD_SIZE];
	struct swarm_message *message;	/* in segments by the kernel, or NULL */
};

/* A message that the kernel segments, which is remembered after its send has ended. */
struct swarm_message {
	struct swarm_message *next;
	struct swarm_send *send;	/* NULL: ended */
	struct swarm_port *from, *to;	/* 'to' NULL: no port */
	uint64_t tid;
	uint8_t mgmt_class;
	uint8_t method;
	const uint8_t *bytes;		/* with the class header, RMPP header undefined */
	uint32_t size;
	uint32_t segments;
	struct swarm_message *first;	/* the same bytes, sent before, or itself: */
	uint8_t *arrived;		/* ... of the first, per segment, at 'to' */
	int64_t sent_ns;		/* the last segment transmitted */
	uint32_t sent;			/* the highest one ever transmitted */
	int64_t acked_ns;		/* the last segment was acknowledged; TIME_NEVER: not yet */
	int64_t delivered_ns;		/* of the first; TIME_NEVER: not yet */
	uint32_t delivered_to;		/* ... its hi_tid */
	bool may_be_gone;		/* something has arrived that ends it */
};

/* ---- tests/swarm/swarm-send.c ---- */

/*
 * What a write of 'count' bytes must return (0: 'count'); on 0 the send is put in '*ret_send'.
 * '*ret_unsure': -EINVAL is allowed as well, because a message with this TID may have ended.
 */
int swarm_send_expect(struct swarm *swarm, struct swarm_file *file, const uint8_t *buf,
		      size_t count, struct swarm_send **ret_send, bool *ret_unsure);
/* It could have been refused but was not: the conflicting send has ended. */
void swarm_send_accepted(struct swarm *swarm, struct swarm_send *send);
/* The send has ended, or was refused. */
void swarm_send_end(struct swarm *swarm, struct swarm_send *send);
void swarm_send_flush_agent(struct swarm *swarm, struct swarm_agent *agent);
void swarm_send_flush_port(struct swarm *swarm, struct swarm_port *port);
/* Called when a packet leaves 'port'. */
void swarm_send_transmitted(struct swarm *swarm, struct swarm_port *port, struct packet *packet);
/* The send that the response answers; '*ret_unsure': it is segmented, and may not be waiting. */
struct swarm_send *swarm_send_match(struct swarm *swarm, const struct swarm_agent *agent,
				    const uint8_t *mad, const struct packet_addr *addr,
				    bool *ret_unsure);
/* Called when time is about to move: what is in the QPs completes. */
void swarm_send_completions(struct swarm *swarm);
/* Called when timers are about to go off: what flow control then holds, and what it releases. */
void swarm_send_timers(struct swarm *swarm);
/* Checks what was due in this instant. */
void swarm_send_instant(struct swarm *swarm);
/* 'mad' (24 bytes) is reported to 'file' before that is expected: files are read at every event. */
void swarm_send_reported(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
			 const uint8_t *mad);

/* ---- tests/swarm/swarm-rmpp.c ---- */

/* The send is a segmented one of 'size' bytes. */
void swarm_rmpp_begin(struct swarm *swarm, struct swarm_send *send, const uint8_t *mad,
		      uint32_t size);
/* Is the packet's MAD one that the kernel's RMPP may transmit now? */
bool swarm_rmpp_transmitted(struct swarm *swarm, struct swarm_port *port, const uint8_t *mad,
			    const struct packet_addr *addr);
/* Called when an Active MAD is about to arrive at an agent whose RMPP the kernel does. */
void swarm_rmpp_arrives(struct swarm *swarm, struct swarm_agent *agent, const uint8_t *mad,
			const struct packet_addr *addr);
/* Called when a read of 'file' has returned an Active MAD. */
void swarm_rmpp_read(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
		     const uint8_t *mad, uint32_t size);
/* May the send be reported now? */
bool swarm_rmpp_may_report(struct swarm *swarm, const struct swarm_send *send);
/* From now on nothing is promised about messages with this TID and class. */
void swarm_rmpp_taint(struct swarm *swarm, uint64_t tid, uint8_t mgmt_class);
bool swarm_rmpp_is_tainted(struct swarm *swarm, uint64_t tid, uint8_t mgmt_class);
/* Called at the end of time: every send must have ended. */
void swarm_rmpp_finish(struct swarm *swarm);

#endif
