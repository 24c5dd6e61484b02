/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of a host says by itself: messages (dmesg) and uevents.
 *
 * A fabric server writes each into a file of its own, beside what it shows of /sys
 * (sim/server/sysfs-kernel.h): record N, from 0 on, into KERNEL_MESSAGES/(N % KERNEL_RING_SLOTS),
 * "N", a newline, and the bytes as programs read them; and then into KERNEL_RING_COUNT how many
 * there have been. Whoever shows them to programs reads them there
 * (harness/filter/kernel-reader.h).
 */
#ifndef UMADRIG_LIB_BASE_KERNEL_RING_H
#define UMADRIG_LIB_BASE_KERNEL_RING_H

/* Beside "class" and "devices", in what stands for /sys. */
#define KERNEL_MESSAGES "kernel/messages"
#define KERNEL_EVENTS "kernel/events"
#define KERNEL_RING_COUNT "count"

enum {
	KERNEL_RING_SLOTS = 1024,
	KERNEL_RECORD_MAX = 4096,	/* bytes of a record, with its number */
};

#endif
