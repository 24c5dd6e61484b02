/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program writes into a file of a host's view: of virtual functions (sriov_numvfs of PCI,
 * sriov/N/{node,port,policy} of NVIDIA's driver) and of counters (hw_counters/lifespan).
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_STORE_H
#define UMADRIG_SIM_SERVER_SYSFS_STORE_H

struct sysfs_view;

/*
 * 'text' is what one write(2) has, terminated; 'path' is relative to /sys, without links. 0, or
 * what the kernel's file returns: -EINVAL, -ERANGE, -EBUSY; -EACCES: the file is no such, or cannot
 * be written. The view follows with its next refresh. Lock held.
 */
int sysfs_store(struct sysfs_view *view, const char *path, const char *text);

#endif
