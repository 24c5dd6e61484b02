/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls with the descriptor of a verbs device, or of a file of its events.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_CALL_H
#define UMADRIG_HARNESS_FILTER_UVERBS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/filter/uverbs-file.h"

/* read, write and their kin, and ioctl. CALL_OF_ANOTHER: on no such descriptor. */
supervisor_call_fn uverbs_on_call;

/*
 * The calls of a device (harness/filter/uverbs-write.c, uverbs-ioctl.c): what they return, -errno,
 * or CALL_GOES_ON (call-trap.h).
 */
long uverbs_write(struct uverbs_file *file, const struct seccomp_notif *call, uint64_t at,
		  size_t size);
long uverbs_ioctl(struct uverbs_file *file, const struct seccomp_notif *call);

#endif
