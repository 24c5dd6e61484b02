/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Flow control of requests (Linux from 6.17 on; linux-mad E): an agent of certain classes has
 * a limited number of requests outstanding, from their posting until their answer or their report;
 * the others wait in its backlog, first in, first out, and no timer runs for them.
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

/* Does the send count, its agent being limited? */
bool flow_control_counts(const struct mad_send *send);

/* A send that counts is to be posted for the first time. True: it is in the backlog instead. */
bool flow_control_holds(struct mad_send *send);
/* The same for one that is outstanding and is to be sent again: those that wait go first. */
bool flow_control_holds_again(struct mad_send *send);

/* A send that counted has ended. */
void flow_control_over(struct mad_send *send);

/* The next one of the backlog that may be sent now, which then counts, or NULL. */
struct mad_send *flow_control_next(struct agent *agent);

#endif
