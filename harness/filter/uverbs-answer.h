/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A command for a verbs device, and its answer, however a program has passed it: by write(2), or by
 * an ioctl.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_ANSWER_H
#define UMADRIG_HARNESS_FILTER_UVERBS_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "harness/filter/uverbs-file.h"

/* Memory of the program: 'size' bytes at 'at'. */
struct uverbs_part {
	uint64_t at;
	size_t size;
};

struct uverbs_command {
	struct uverbs_file *file;
	const struct seccomp_notif *call;
	struct uverbs_part in, out;			/* the core's */
	struct uverbs_part driver_in, driver_out;	/* mlx5's */
};

/* 0, -errno; or for GET_CONTEXT CALL_GOES_ON: its thread waits no longer. */
typedef long uverbs_command_fn(const struct uverbs_command *command);

/*
 * Copies the request, of which 'size' bytes are known. -EOPNOTSUPP: what is more is not zero.
 */
int uverbs_take(const struct uverbs_command *command, void *to, size_t size);
/* Copies the answer, as much of it as there is room for; zeros follow. 0 or -EFAULT. */
int uverbs_give(const struct uverbs_command *command, const void *from, size_t size);
/* The same to a part of the program's memory. */
int uverbs_give_to(const struct uverbs_command *command, const struct uverbs_part *part,
		   const void *from, size_t size);

/*
 * What stands for /sys, to read values from: -EINVAL, no GET_CONTEXT was done; -EIO, the device has
 * gone.
 */
int uverbs_values_of(const struct uverbs_file *file);

#endif
