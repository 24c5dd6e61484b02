/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The commands of a verbs device, which write(2) and one ioctl (INVOKE_WRITE) take. Numbers and
 * layouts are those of <rdma/ib_user_verbs.h>; results are those of Linux's ib_uverbs.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_COMMAND_H
#define UMADRIG_HARNESS_FILTER_UVERBS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/filter/uverbs-answer.h"

/* A command that Linux has. */
struct uverbs_command_kind {
	const char *name;
	size_t in_size, out_size;	/* that it must have at least */
	bool has_driver_part;		/* what is more is the driver's, not the core's */
	uverbs_command_fn *handle;	/* NULL: it is refused */
};

/*
 * What 'number' is, with IB_USER_VERBS_CMD_FLAG_EXTENDED or without. NULL, and '*ret_err': -EINVAL
 * or -EOPNOTSUPP as Linux.
 */
const struct uverbs_command_kind *uverbs_command_find(uint32_t number, int *ret_err);

/* Does it: as uverbs_command_fn. */
long uverbs_command_do(const struct uverbs_command *command,
		       const struct uverbs_command_kind *kind);

#endif
