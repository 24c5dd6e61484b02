/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * check counter(PORT, NAME) == VALUE: what a port has counted. Parsing and checking the line are
 * declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_COUNTER_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_COUNTER_H

#include "harness/script/run/script-run.h"

void run_check(struct run *run, const struct step *step);

#endif
