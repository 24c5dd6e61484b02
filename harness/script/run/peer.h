/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The peer: an agent at B that listens to what A sends, or answers it.
 *
 * It is the same in both worlds: a libibumad handle at B, with agents registered as the script
 * says. On hardware, '>' is seen and '<' is sent through it too.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_PEER_H
#define UMADRIG_HARNESS_SCRIPT_RUN_PEER_H

#include "harness/script/run/run.h"

/* 'run' must outlive it; names in its MADs have the values that they have there. */
struct peer *peer_new(struct run *run);
/* Closes its handle. NULL is allowed. */
void peer_free(struct peer *peer);

/*
 * Registers at B for these methods, unless this peer already has. Returns 0, or -errno of the open
 * or the registration. 'class_version' 0: the class's usual one.
 */
int peer_listen(struct peer *peer, unsigned int mgmt_class, unsigned int class_version,
		uint32_t oui, const uint64_t mask[2]);

/*
 * From now on a MAD that matches 'asked' is answered 'after_ns' later by the same MAD as a
 * response, once for each pattern of 'answers' with its fields set; 'answers' stays the caller's.
 * If it is empty the response has no other fields. An answer with rmpp= is a part of a message in
 * segments: its RMPP header and data are what it says, otherwise 0; an ACK is of the segment that
 * was received, and opens the window by 64. Registers as peer_listen() does, without the kernel's
 * RMPP, so that segments come as they are.
 */
int peer_answer(struct peer *peer, const struct mad_pattern *asked, unsigned int mgmt_class,
		unsigned int class_version, uint32_t oui, int64_t after_ns,
		const GPtrArray *answers);

/*
 * From now on answers that match 'which' (NULL: any) are not sent, as the line 'step' says: the
 * first 'skip' are, the next 'count' are not (UINT64_MAX: no later one is).
 */
void peer_withhold(struct peer *peer, const struct plan_step *step,
		   const struct mad_pattern *which, uint64_t skip, uint64_t count);

/* The method of the answer to a request: IBA vol 1, 13.4.5. */
uint8_t peer_response_method(uint8_t method);

/* Reads what has arrived at B; on hw that is what has left A. */
void peer_collect(struct peer *peer);

/* When the next answer is due, or TIME_NEVER; and sends those that are due. */
int64_t peer_due_ns(const struct peer *peer);
int peer_send_due(struct peer *peer, int64_t now_ns);

/* Fills in the 64 bytes of a umad header for a MAD from B to A. Returns 0 or -errno. */
int peer_address(struct peer *peer, bool is_smp, uint8_t umad[64]);

/*
 * Sends a MAD from B, with its umad header: 'peer sends', and '<' on hw. The kernel chooses the
 * upper half of a request's TID. Returns 0 or -errno.
 */
int peer_send(struct peer *peer, const uint8_t umad[64 + MAD_SIZE]);

/*
 * Where the wire is not seen: is this MAD, read at A, one that it has sent? Each is asked for once.
 */
bool peer_has_sent(struct peer *peer, const uint8_t mad[MAD_SIZE]);

/* What it has done, in words ("the peer only listens ..."); to be freed. */
char *peer_state(const struct peer *peer);

/* Its descriptor, or -1 while there is none. */
int peer_fd(const struct peer *peer);

#endif
