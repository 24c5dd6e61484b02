/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The real ports that umadrig run was given.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_PORTS_H
#define UMADRIG_HARNESS_CMD_RUN_PORTS_H

#include "harness/cmd/run-options.h"

/*
 * Are the ports there? Returns -1, also on the simulator; or COMMAND_BAIL_OUT after an error that
 * lists the ports of this machine. libibumad has to use real devices already.
 */
int run_ports_refuse(const struct run_options *options, const char *name);

#endif
