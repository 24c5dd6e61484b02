/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The traps for programs on a fabric. */
#ifndef UMADRIG_HARNESS_FILTER_TRAP_TABLE_H
#define UMADRIG_HARNESS_FILTER_TRAP_TABLE_H

#include "harness/filter/call-trap.h"

extern const struct trap_table trap_table;

#endif
