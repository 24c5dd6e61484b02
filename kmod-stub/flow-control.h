/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Flow control of requests (Linux from 6.17 on; linux-mad E): an agent of certain classes may have
 * a limited number of requests outstanding, from their posting until their answer or their report;
 * other requests wait in its backlog, first in, first out, and no timer runs for them.
 */
#ifndef UMADRIG_KMOD_STUB_FLOW_CONTROL_H
#define UMADRIG_KMOD_STUB_FLOW_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

struct agent;
struct mad_send;
struct profile;

/* How many requests an agent registered for 'mgmt_class' may have outstanding; 0: any number. */
uint32_t flow_control_limit(const struct profile *profile, uint8_t mgmt_class);

/* Does the send count against its agent's limit? */
bool flow_control_counts(const struct mad_send *send);

/*
 * To be called before a send that counts is posted for the first time. True: it is in the backlog
 * instead.
 */
bool flow_control_holds(struct mad_send *send);
/* The same before an outstanding one is sent again: requests in the backlog go first. */
bool flow_control_holds_again(struct mad_send *send);

/*
 * To be called when a send that counted has ended, or been answered: one that is answered while it
 * is in the QP ends later.
 */
void flow_control_over(struct mad_send *send);

/* The next request of the backlog that may be sent now, which then counts, or NULL. */
struct mad_send *flow_control_next(struct agent *agent);

#endif
