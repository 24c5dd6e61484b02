/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The sender of captured answers that go by RMPP: a kernel (kmod-stub) that stands for all captured
 * ports. It cuts a message into segments again, in the window that the present requester grants,
 * and sends them again when they are not acknowledged.
 */
#ifndef UMADRIG_SIM_RUN_REPLAY_SENDER_H
#define UMADRIG_SIM_RUN_REPLAY_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct end_port;
struct packet;
struct replay_sender;
struct umadrig_fabric;

/* The fabric has to outlive it. Never NULL. Lock held, for all functions here. */
struct replay_sender *replay_sender_new(struct umadrig_fabric *fabric);
/* Ends all transfers silently. NULL is allowed. */
void replay_sender_free(struct replay_sender *sender);

/*
 * Is an answer to 'request', which leaves 'from', under way already? Linux refuses to send it a
 * second time, too.
 */
bool replay_sender_is_busy(const struct replay_sender *sender, const struct end_port *from,
			   const struct packet *request);

/*
 * Sends 'message' (headers, then data; copied) to 'to'; 'head' has its addresses. If it cannot, as
 * when too much is under way already, it says so on stderr.
 */
void replay_sender_send(struct replay_sender *sender, struct end_port *to,
			const struct packet *head, const uint8_t *message, size_t size);

/*
 * Takes a packet that leaves 'from', if it is the other side's part in a transfer: an ACK, STOP or
 * ABORT. False: it is none, and stays the caller's.
 */
bool replay_sender_take(struct replay_sender *sender, const struct end_port *from,
			struct packet *packet);

#endif
