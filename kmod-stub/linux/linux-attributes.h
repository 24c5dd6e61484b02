/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What /sys/class/infiniband_mad has.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_ATTRIBUTES_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_ATTRIBUTES_H

#include <stddef.h>

struct kmod_port;

/* struct kernel_file's attribute(). */
long linux_attribute(const struct kmod_port *port, const char *name, char *buf, size_t size);

#endif
