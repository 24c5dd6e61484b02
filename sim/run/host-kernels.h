/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The option kernel= of fabrics: which hosts run on which kernel.
 */
#ifndef UMADRIG_SIM_RUN_HOST_KERNELS_H
#define UMADRIG_SIM_RUN_HOST_KERNELS_H

#include <stddef.h>

struct umadrig_fabric;
struct umadrig_options;

/*
 * Before the fabric is made: loads every kernel that the options name. That of all hosts becomes
 * the options' 'kernel', and its profile theirs. 0, or -EINVAL or -ENOENT with a message.
 */
int host_kernels_load(struct umadrig_options *options, char *reterr, size_t reterr_size);

/*
 * Before anything runs on a host: gives those that are named theirs. 0, or -ENOENT with a message:
 * there is no such host. Lock held.
 */
int host_kernels_give(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size);

#endif
