/*
 * fault ACT [mended] [COUNT|all] [MAD] [from|to PORT] [after N] [by T] [at BYTE]: what goes wrong on a
 * cable. Parsing and checking it are declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_SCRIPT_FAULT_H
#define UMADRIG_SCRIPT_FAULT_H

#include "script-run.h"

void run_fault(struct run *run, const struct step *step);

#endif
