/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of a host says by itself: messages (dmesg) and uevents.
 *
 * A fabric server writes each into a file of its own, beside what it shows of /sys
 * (sim/server/sysfs-kernel.h): record N, from 0 on, into KERNEL_MESSAGES/(N % KERNEL_RING_SLOTS),
 * "N", a newline, and the bytes as programs read them; and then into KERNEL_RING_COUNT how many
 * there have been. Whoever shows them to programs reads them there
 * (harness/filter/kernel-reader.h).
 *
 * A uevent is two messages, the kernel's and udev's, behind the size of the first one in 32 bits,
 * big-endian.
 */
#ifndef UMADRIG_LIB_BASE_KERNEL_RING_H
#define UMADRIG_LIB_BASE_KERNEL_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/wire.h"

/* Beside "class" and "devices", in what stands for /sys. */
#define KERNEL_MESSAGES "kernel/messages"
#define KERNEL_EVENTS "kernel/events"
#define KERNEL_RING_COUNT "count"

enum {
	KERNEL_RING_SLOTS = 1024,
	KERNEL_RECORD_MAX = 4096,	/* bytes of a record, with its number */
	KERNEL_EVENT_HEAD = 4,		/* the size of the kernel's message */
};

/* Both messages of a uevent, in its record. */
struct kernel_event {
	const char *kernel, *udev;
	size_t kernel_size, udev_size;
};

/* False: it is none. */
static inline bool kernel_event_split(const void *record, size_t size, struct kernel_event *ret)
{
	const char *bytes = (const char *)record + KERNEL_EVENT_HEAD;
	size_t kernel_size;

	if (size < KERNEL_EVENT_HEAD)
		return false;
	kernel_size = get_be32(record);
	if (kernel_size > size - KERNEL_EVENT_HEAD)
		return false;
	*ret = (struct kernel_event){
		.kernel = bytes, .kernel_size = kernel_size, .udev = bytes + kernel_size,
		.udev_size = size - KERNEL_EVENT_HEAD - kernel_size,
	};
	return true;
}

#endif
