/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How much memory the programs of a session in virtual time have.
 */
#ifndef UMADRIG_SIM_SERVER_PROGRAM_MEMORY_H
#define UMADRIG_SIM_SERVER_PROGRAM_MEMORY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct server_lockstep;

/*
 * Has each process no more than so many bytes that are its own to write: what the kernel counts as
 * VmData, of its variables, malloc(3), anonymous mappings and threads' stacks, whether it has
 * touched them or not? That depends on what it has asked for alone, and is the same each time. If
 * not, the first one is appended to 'why' (may be NULL). While all wait.
 */
bool program_memory_is_small(const struct server_lockstep *lockstep, uint64_t bytes, GString *why);

#endif
