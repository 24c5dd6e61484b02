/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Credentials of AF_UNIX's sockets: SO_PEERCRED, and SCM_CREDENTIALS in messages, have the numbers
 * that programs have. A peer that is no process of the session is 0, as the kernel shows one of
 * another namespace.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_CREDENTIALS_H
#define UMADRIG_LIB_LOCKSTEP_CREDENTIALS_H

#include <stddef.h>
#include <sys/socket.h>

#include "lib/lockstep/hooks.h"

enum { CREDENTIALS_CONTROL_MAX = 1024 };	/* bytes of control data; more is not looked at */

/* Of a message that was received: from the kernel's numbers to the session's. */
void credentials_to_virtual(struct msghdr *message);

/*
 * Of one that is to be sent: the other way round, in a copy of its control data. 'room' is for the
 * copy: CREDENTIALS_CONTROL_MAX bytes, aligned as struct cmsghdr. What has none stays as it is.
 */
void credentials_to_kernel(struct msghdr *message, void *room);

extern const struct hook credentials_hooks[];

#endif
