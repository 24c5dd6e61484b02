/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP by the kernel: messages of any size, which the sender cuts into segments and the receiver
 * reassembles (IBA vol 1, 13.6; linux-mad C). Linux is the reference: it has one window size, fixed
 * times, and never sends STOP.
 *
 *	sender                               receiver
 *	  |--- DATA 1 (first) --------------->|  a transfer begins: 40 s for all of it
 *	  |<-- ACK 1, window to 65 -----------|
 *	  |--- DATA 2 ... 65 ---------------->|  early ones are held
 *	  |<-- ACK 65, window to 129 ---------|
 *	  |--- DATA n (last) ---------------->|
 *	  |<-- ACK n -------------------------|  delivered; its key stays taken for 10 s
 *
 * rmpp-send.c is the left side, with the segments of rmpp-segment.c; rmpp-recv.c is the right one;
 * rmpp-control.c has the MADs of either side about the transfer itself; mad-send.c carries the
 * segments, with their timer and retries.
 */
#ifndef UMADRIG_KMOD_STUB_RMPP_H
#define UMADRIG_KMOD_STUB_RMPP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent;
struct mad_address;
struct mad_recv;
struct mad_send;

/* ---- rmpp-segment.c ---- */

/* What a send in segments has in addition to a plain one. */
struct rmpp_send {
	int32_t segments;	/* of the message, at least 1 */
	int32_t sent;		/* the segment posted last */
	int32_t acked;		/* all up to this one have arrived */
	int32_t window;		/* the last one that may be sent */
	bool timer_used;	/* since the timer's value was set: see rmpp_send_wait_ns() */
	size_t size;		/* bytes of data */
	const uint8_t *data;
	struct kmod_loan *loan;	/* that the data are in; NULL: they are in 'own' */
	uint8_t own[];
};

/*
 * Turns 'send' into one in segments: 'mad' is the user's message of 'size' bytes, class header
 * first. The header goes to send->mad, its RMPP part replaced by the kernel's own. Where the bytes
 * are lent (neither 'loan' nor '*loan' is NULL) the loan is taken over, and '*loan' is NULL then.
 * -ENOMEM.
 */
int rmpp_send_new(struct mad_send *send, const uint8_t *mad, size_t size, struct kmod_loan **loan);
void rmpp_send_free(struct rmpp_send *rmpp);

/* Writes the current segment (256 bytes). */
void rmpp_send_segment(const struct mad_send *send, uint8_t *mad);

/* ---- rmpp-send.c ---- */

/* The send is about to be posted: its first segment is the current one. */
void rmpp_send_start(struct mad_send *send);
/* The current segment has left. True: the next one is current, to be posted now. */
bool rmpp_send_advance(struct mad_send *send);
/* No ACK came in time. True: send again from the first segment that is not acknowledged. */
bool rmpp_send_rewind(struct mad_send *send);
/* How long to wait now, for an ACK or for the answer; TIME_NEVER: for ever. */
int64_t rmpp_send_wait_ns(struct mad_send *send);

/* Handles an ACK, STOP or ABORT for one of the agent's sends; 'recv' is consumed. */
void rmpp_send_ack(struct agent *agent, struct mad_recv *recv);
void rmpp_send_stop(struct agent *agent, struct mad_recv *recv);
void rmpp_send_abort(struct agent *agent, struct mad_recv *recv);

/*
 * 'recv' violates the protocol: ends the send that it refers to, and sends an ABORT with the
 * reason.
 */
void rmpp_send_refuse(struct agent *agent, const struct mad_recv *recv, uint8_t status);

/* ---- rmpp-recv.c ---- */

/*
 * Takes an Active MAD for an agent whose RMPP the kernel does. True: 'recv' is now a complete
 * message of '*ret_size' bytes, its segments linked to its packet. False: 'recv' is consumed.
 */
bool rmpp_receive(struct agent *agent, struct mad_recv *recv, uint32_t *ret_size);

/* ---- rmpp-control.c ---- */

/*
 * Answers 'recv', which stays the caller's, with an ACK to 'to': all segments up to 'segment' have
 * arrived, those up to 'window' may be sent. Without memory nothing is sent, as in Linux. 'to' is
 * an address that is known to be valid, whatever GID 'recv' itself was sent to.
 */
void rmpp_emit_ack(struct agent *agent, const struct mad_recv *recv, const struct mad_address *to,
		   int32_t segment, int32_t window);
/* The same with an ABORT, to where 'recv' came from; nothing if that was sent to an unknown GID. */
void rmpp_emit_abort(struct agent *agent, const struct mad_recv *recv, uint8_t status);

#endif
