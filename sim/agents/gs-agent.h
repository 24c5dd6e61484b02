/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the node's agents on QP1 have in common: pma.c, cc.c and sim/agents/mlnx-agent.c.
 *
 * Which requests are answered, and with which status, follows the agents in Linux's HCA drivers, as
 * in sma.c.
 */
#ifndef UMADRIG_SIM_AGENTS_GS_AGENT_H
#define UMADRIG_SIM_AGENTS_GS_AGENT_H

#include "sim/fabric/fabric.h"

enum { ATTR_CLASS_PORT_INFO = 0x0001 };

/* Turns 'out', a copy of the request, into the response. The data stay as the caller left them. */
unsigned int gs_answer(uint8_t *out, enum mad_status status);

/*
 * Is 'in' a Get or Set of class version 'version'? If so, 'out' is a copy of it. If not,
 * '*ret_result' (kmod_mad_result bits) says what becomes of it.
 */
bool gs_is_request(const uint8_t *in, uint8_t version, uint8_t *out, unsigned int *ret_result);

/* Answers Get(ClassPortInfo): 'capabilities' are CapabilityMask, followed by CapabilityMask2. */
unsigned int gs_answer_class_port_info(uint8_t *out, unsigned int data_at,
				       uint64_t capabilities);

#endif
