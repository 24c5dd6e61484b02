/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The congestion control agent (IBA vol 1, annex A10): keeps what a congestion control manager
 * sets, protected by its CC_Key, and returns it. It does no more, because nothing is ever
 * congested.
 */
#ifndef UMADRIG_SIM_AGENTS_CC_H
#define UMADRIG_SIM_AGENTS_CC_H

#include <stdint.h>

struct end_port;
struct port;

/*
 * Answers 'in' (256 bytes of class 0x21, arrived through 'port') in 'out'. Returns kmod_mad_result
 * bits.
 */
unsigned int cc_process(struct port *port, const uint8_t *in, uint8_t *out);

/* Resets it to its state after power-up. */
void cc_reset(struct end_port *end);

#endif
