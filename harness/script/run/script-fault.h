/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * fault ACT [mended] [COUNT|all] [MAD] [from|to PORT] [after N] [by T] [at BYTE]: what goes wrong on a
 * cable. Parsing and checking it are declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_FAULT_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_FAULT_H

#include "harness/script/run/script-run.h"

void run_fault(struct run *run, const struct step *step);

#endif
