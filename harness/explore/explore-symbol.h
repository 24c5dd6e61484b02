/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Functions that are no dynamic symbols: gdb knows them by a program's own symbols, or by debug
 * information that is installed beside it.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_SYMBOL_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The function at 'offset' in the file 'module', as its linker has it; NULL: it is not known. Asks
 * gdb once for each place, which takes a while. What is returned stays. For one thread.
 */
const char *explore_symbol_find(const char *module, uint64_t offset);
/* Has any been looked for in vain, because there is no gdb? */
bool explore_symbol_needs_gdb(void);

#endif
