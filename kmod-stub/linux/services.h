/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the process does for this file.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_SERVICES_H
#define UMADRIG_KMOD_STUB_LINUX_SERVICES_H

struct kernel_services;

/* Since begin(). */
extern const struct kernel_services *linux_services;

#endif
