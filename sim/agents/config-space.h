/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The configuration space of a Mellanox device, as ConfigSpaceAccess shows it to tools: of what a
 * chip has there, its identity and the command interface, by which tools talk with its firmware.
 *
 * The command interface is a mailbox of 1020 bytes, a word that commands and tells what became of
 * them, and a semaphore: a read that finds it free has taken it, a write of 0 gives it back. The
 * firmware here carries out a command at once. Two commands are known: what it can do (of which
 * tools need to know that all registers may be read so), and AccessRegister.
 */
#ifndef UMADRIG_SIM_AGENTS_CONFIG_SPACE_H
#define UMADRIG_SIM_AGENTS_CONFIG_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct node;

/*
 * Carries out a request ConfigSpaceAccess with 'modifier': a read into 'data', or a write of what
 * is there ('size' bytes, without the key that precedes them); records, each with its address and a
 * mask, are read and written where they are. -EINVAL: it asks for more than fits, or in a way that
 * there is none of; -ENXIO: there is nothing at one of its addresses, or nothing that may be
 * written. Records before that one are done.
 */
int config_space_access(struct node *node, uint32_t modifier, bool write, uint8_t *data,
			unsigned int size);

/* The device's power was off: its command interface is as new. */
void config_space_reset(struct node *node);

#endif
