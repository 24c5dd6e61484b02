/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest as a kernel among others (kmod-stub/kmod-kernel.h): a host's packets go to the guest, and
 * so do the calls of programs out here that have its files open.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_KERNEL_H
#define UMADRIG_SIM_GUESTS_GUEST_KERNEL_H

struct kmod_kernel;

/* The table of operations, of which each guest has a copy: guest_of_kernel(). */
extern const struct kmod_kernel guest_kernel;

#endif
