/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a kernel says of a simulated host in sysfs, written into the tree of tests/rig/umad-tree.h,
 * below 'top'.
 */
#ifndef UMADRIG_TESTS_LIB_KERNEL_SYSFS_H
#define UMADRIG_TESTS_LIB_KERNEL_SYSFS_H

#include "lib/backend.h"

void kernel_sysfs_put_ca(const char *top, const struct umad_backend_ca *ca);
/* The port is umad device 'number'. */
void kernel_sysfs_put_port(const struct umad_backend *sim, const char *top, const char *ca_name,
			   unsigned int portnum, unsigned int number);

#endif
