/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How registers of Mellanox devices are asked for in band: AccessRegister, an SMP (0xff52) and an
 * attribute of vendor class 0x0a, both with TLVs; and AccessRegisterGMP, of that class (0x51).
 * mstflint's mtcr_ul is the source of both.
 *
 * Registers are read only: a write is answered with the status "method not supported".
 */
#ifndef UMADRIG_SIM_AGENTS_REGISTER_ACCESS_H
#define UMADRIG_SIM_AGENTS_REGISTER_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/dictionary/mad-dictionary.h"

struct node;

/*
 * Answers the request in the TLVs at 'data', 'size' bytes: one of the operation (16 bytes), then
 * one of the register, with what is known of it. Of a register that is larger than what follows
 * its TLV's header its beginning is returned. The status is in the first TLV; what is no operation
 * at all is -EINVAL, and nothing is changed.
 */
int register_access_answer(struct node *node, uint8_t *data, size_t size);

/*
 * Answers AccessRegisterGMP of register 'id' at 'data' (after the key, 224 bytes): a word that has
 * the number of the block, then 220 bytes of the register. Errors are statuses of the MAD.
 */
enum mad_status register_access_gmp(struct node *node, uint32_t id, uint8_t *data);

#endif
