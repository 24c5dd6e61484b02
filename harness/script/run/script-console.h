/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * do COMMAND WORD...: what the console of the fabric can do (sim/console/console.h), in a script:
 *
 *	+0       do fault add drop:90%@S1[3]
 *	+0~+30s  do report = 0, prints="ways 121 lead 121"
 *
 * Parsing and checking the line are declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_CONSOLE_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_CONSOLE_H

#include "harness/script/run/script-run.h"

void run_do(struct run *run, const struct step *step);

#endif
