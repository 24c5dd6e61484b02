/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * When a message came, as sockets with SO_TIMESTAMP and its kin say it: by the session's clock, and
 * at the instant at which it is received, for the kernel notes real time.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_MESSAGE_TIMES_H
#define UMADRIG_LIB_LOCKSTEP_MESSAGE_TIMES_H

#include <sys/socket.h>

/* Of a message that was received. */
void message_times_to_virtual(struct msghdr *message);

#endif
