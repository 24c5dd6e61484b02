/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether programs missed a subnet manager, so that their user can be told to start one.
 */
#ifndef UMADRIG_SIM_HOST_SM_MISSED_H
#define UMADRIG_SIM_HOST_SM_MISSED_H

#include <stdint.h>

struct umadrig_fabric;
struct umadrig_host;

enum sm_missed {
	SM_NOT_MISSED,		/* one was there, or nothing needed it */
	SM_MISSED_BY_REQUEST,	/* requests to the SA, which nobody answered */
	SM_MISSED_BY_PORT,	/* the host's ports wait for a LID */
};

/* A kernel sends a MAD. Lock held, as below. */
void sm_missed_look(struct umadrig_fabric *fabric, const uint8_t *mad);

/* A program has said that it is a subnet manager. */
void sm_missed_not(struct umadrig_fabric *fabric);

/* What programs of the host have missed so far. A fabric that answers from a capture needs none. */
enum sm_missed sm_missed(const struct umadrig_fabric *fabric, const struct umadrig_host *host);

#endif
