/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lists the selected points on stdout: umadrig run --list.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_LIST_H
#define UMADRIG_HARNESS_CMD_RUN_LIST_H

#include "harness/cmd/run-selection.h"

/*
 * Prints the points of 'selection' (of struct selected), a line each. If one tag was asked for and
 * has numbers, prints the points that cover each number. Scripts with errors are left out.
 */
void run_list(const GArray *selection, char **tags);

#endif
