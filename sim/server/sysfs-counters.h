/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters of a port as files of /sys/class/infiniband/DEVICE/ports/N/counters: their names and
 * values.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_COUNTERS_H
#define UMADRIG_SIM_SERVER_SYSFS_COUNTERS_H

#include "sim/fabric/fabric.h"

enum { SYSFS_COUNTERS = 21 };

/* The file's name; 'i' is below SYSFS_COUNTERS. */
const char *sysfs_counter_file(unsigned int i);

/* Do any of them move by themselves now, with a load or at a rate? */
bool sysfs_counters_move(const struct port *port);

/* The present value of each: 'ret_values' has room for SYSFS_COUNTERS. */
void sysfs_counters_read(const struct port *port, uint64_t *ret_values);

#endif
