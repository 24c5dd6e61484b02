/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an HCA counts of its queue pairs, as files of
 * /sys/class/infiniband/DEVICE/ports/N/hw_counters: their names and values, as Linux's mlx5 has
 * them (drivers/infiniband/hw/mlx5/counters).
 *
 * A load is taken for RDMA Writes of one packet each: rx_write_requests counts those that arrive.
 * The others have nothing to count here and are 0: the fabric has no connected queue pairs, and
 * mlx5 does not count the UD ones that MADs use.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_HW_COUNTERS_H
#define UMADRIG_SIM_SERVER_SYSFS_HW_COUNTERS_H

#include "sim/fabric/fabric.h"

/*
 * The i-th file of a port's hw_counters, or NULL: that was the last. None is there at a switch and
 * at the SMI device of a planarized HCA, whose profile in mlx5 has no counters; a RoCE port has
 * some more, and so has Linux 6.12 and later (the profile of the port's host).
 */
const char *sysfs_hw_counter_file(const struct end_port *end, unsigned int i);

/* The present value of a file; RX_WRITES alone changes. load_refresh() comes before. */
uint32_t sysfs_hw_rx_writes(const struct port *port);

/* The file of that one. */
#define SYSFS_HW_RX_WRITES "rx_write_requests"

/*
 * For so many milliseconds Linux returns what it has read. They are whole jiffies, which Debian's
 * and Ubuntu's kernels have 250 of in a second: a port begins with 10 ms.
 */
#define SYSFS_HW_LIFESPAN "lifespan"
enum { SYSFS_HW_LIFESPAN_MS = 12, SYSFS_HW_LIFESPAN_MAX_MS = 10000, SYSFS_HW_JIFFY_MS = 4 };

#endif
