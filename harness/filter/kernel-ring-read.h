/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of a host has said, as the fabric server has it in files
 * (lib/base/kernel-ring.h).
 */
#ifndef UMADRIG_HARNESS_FILTER_KERNEL_RING_READ_H
#define UMADRIG_HARNESS_FILTER_KERNEL_RING_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* 'shown': host_view_values(). 'ring': KERNEL_MESSAGES or KERNEL_EVENTS. */

/* How many records there have been; 0 also if there is no such ring. */
uint64_t kernel_ring_count(int shown, const char *ring);

/* The oldest that is still there. */
uint64_t kernel_ring_first(int shown, const char *ring);

/*
 * Record 'number', into 'record' (KERNEL_RECORD_MAX bytes): its size, or -ENOENT: it is not there,
 * or not any more.
 */
ssize_t kernel_ring_read(int shown, const char *ring, uint64_t number, char *record);

#endif
