/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sending signals, and waiting for them.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SIGNALS_H
#define UMADRIG_LIB_LOCKSTEP_SIGNALS_H

#include <signal.h>

#include "lib/lockstep/hooks.h"

/* As in <sys/pidfd.h>, which older systems do not have. */
int pidfd_send_signal(int fd, int sig, siginfo_t *info, unsigned int flags);

/* rt_sigqueueinfo(2), with the process's number that programs see. */
int signals_queue(int pid, int sig, const siginfo_t *info);

extern const struct hook signals_hooks[];

#endif
