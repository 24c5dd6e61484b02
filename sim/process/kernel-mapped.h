/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the kernel maps into each program by itself: vdso(7), and its data. */
#ifndef UMADRIG_SIM_PROCESS_KERNEL_MAPPED_H
#define UMADRIG_SIM_PROCESS_KERNEL_MAPPED_H

#include <stdint.h>

/*
 * How many bytes these are, beside each other, in this process as in others of this machine. 0:
 * none, or /proc cannot be read. Async-signal-safe, for children before they execute a program.
 */
uint64_t kernel_mapped_size(void);

#endif
