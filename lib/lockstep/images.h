/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * New programs in processes: execve, by whatever name, and posix_spawn. A program that cannot be
 * put into virtual time (static, setuid, of another architecture) is refused, one whose environment
 * was cleared gets this library back, and all have environments of one size.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_IMAGES_H
#define UMADRIG_LIB_LOCKSTEP_IMAGES_H

#include "lib/lockstep/hooks.h"

/* Keeps what the programs that this one starts need; 'env' is the environment of this one. */
void images_begin(char **env);

/*
 * Starts this process's program once more, with another one that stands for it: to be called
 * before it has run. Returns -errno.
 */
long images_restart(char *const *argv, char *const *env);

extern const struct hook images_hooks[];

#endif
