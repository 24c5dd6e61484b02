/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest as a kernel among others (kmod-stub/kmod-kernel.h): a host's packets go to the guest, and
 * so do the calls of programs out here that have its files open.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_KERNEL_H
#define UMADRIG_SIM_GUESTS_GUEST_KERNEL_H

struct hca_driver;
struct kmod_host;
struct kmod_kernel;
struct kmod_ops;

/* The table of operations, of which each guest has a copy: guest_of_kernel(). */
extern const struct kmod_kernel guest_kernel;

/* As its host_new(), for a kernel with another driver, which has none of its functions of files. */
struct kmod_host *guest_host_new(const struct kmod_kernel *kernel, struct hca_driver *driver,
				 const struct kmod_ops *ops, void *ctx);

#endif
