/*
 * check counter(PORT, NAME) == VALUE: what a port has counted. Parsing and checking the line are
 * declared where the parser's and checker's insides are.
 */
#ifndef UMADRIG_SCRIPT_COUNTER_H
#define UMADRIG_SCRIPT_COUNTER_H

#include "script-run.h"

void run_check(struct run *run, const struct step *step);

#endif
