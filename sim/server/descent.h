/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether a connection comes from a process that this one has started, or one of those, whoever it
 * has become: a program that drops its privileges stays on its fabric.
 */
#ifndef UMADRIG_SIM_SERVER_DESCENT_H
#define UMADRIG_SIM_SERVER_DESCENT_H

#include <stdbool.h>
#include <sys/types.h>

/* Does this process, of the kernel's number 'pid', descend from ours? Also true of ours. */
bool descent_of(pid_t pid);
/* 'fd': a connected socket; 'pid': its peer's, of SO_PEERCRED. False also if that is not known. */
bool descent_is_ours(int fd, pid_t pid);

#endif
