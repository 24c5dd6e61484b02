/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The answers of Mellanox devices in the vendor class 0x0a: their identity (vendstat -N), and their
 * registers (mstflint's programs).
 */
#ifndef UMADRIG_SIM_AGENTS_MLNX_AGENT_H
#define UMADRIG_SIM_AGENTS_MLNX_AGENT_H

#include <stdint.h>

struct node;

enum { MLNX_AGENT_CLASS = 0x0a };

/*
 * Answers 'in' (256 bytes of class 0x0a) in 'out' if the node's vendor is Mellanox; for others the
 * class is left to programs. Returns kmod_mad_result bits.
 */
unsigned int mlnx_agent_process(struct node *node, const uint8_t *in, uint8_t *out);

#endif
