/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * GET_CONTEXT, with which a program begins to use a verbs device, the file of events that comes
 * with it, and protection domains, which a program makes next.
 *
 * The driver's part is mlx5's (<rdma/mlx5-abi.h>). As since Linux 5.8 for a library that can ask
 * for doorbells when it needs them, there are none from the start, so that nothing has to be
 * mapped. DevX, by which a library speaks to firmware, is refused as where firmware has none.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_CONTEXT_H
#define UMADRIG_HARNESS_FILTER_UVERBS_CONTEXT_H

#include "harness/filter/uverbs-answer.h"

uverbs_command_fn uverbs_get_context;
/* A protection domain is a number: all that could be made in it is refused. */
uverbs_command_fn uverbs_alloc_pd, uverbs_dealloc_pd;

/*
 * GET_CONTEXT, before and after its own answer: may there be one, and does mlx5 grant what its part
 * asks for? Then there is one, with mlx5's answer. 0 or -errno.
 */
int uverbs_begin_context(const struct uverbs_command *command);
int uverbs_end_context(const struct uverbs_command *command);
/* mlx5's answer, of which there may be room for a part. 0 or -errno. */
int uverbs_give_driver_context(const struct uverbs_command *command);
/*
 * Makes a file of events and puts it into the program, whose descriptor is written as an int to
 * 'at'. 0, -errno or CALL_GOES_ON.
 */
long uverbs_place_events(const struct uverbs_command *command, uint64_t at);

#endif
