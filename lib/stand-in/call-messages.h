/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages of sockets that the kernel cannot receive or send in the foreign program: those with
 * MSG_WAITALL, which would wait in the middle, and those with credentials, where its numbers of
 * processes are not the session's. Descriptors that come with them go through this process.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_MESSAGES_H
#define UMADRIG_LIB_STAND_IN_CALL_MESSAGES_H

#include <stdbool.h>
#include <sys/socket.h>

#include "lib/stand-in/foreign-descriptor.h"

/* May a call that receives, with these flags, wait for more after the first bytes? */
bool call_messages_wait_for_all(const struct foreign_descriptor *descriptor, int flags);
/* The calling thread's recvfrom(2), in such a case. */
long call_messages_receive_all(const struct foreign_descriptor *descriptor);

/* Is its recvmsg(2) to be made here? */
bool call_messages_come_here(const struct foreign_descriptor *descriptor, int flags);
long call_messages_receive(const struct foreign_descriptor *descriptor);

/*
 * Sends a message of the foreign program's with credentials. Result as of sendmsg(2), with errno;
 * CALL_GOES_ON: it has none, or something is wrong with it, which the kernel knows.
 */
long call_messages_send(const struct foreign_descriptor *descriptor, const struct msghdr *message,
			int flags);

#endif
