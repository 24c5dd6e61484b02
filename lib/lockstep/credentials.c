/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Who sits at the other end of a socket: see lib/lockstep/credentials.h. */
#include <string.h>

#include "lib/lockstep/credentials.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"

static void change(struct msghdr *message, int (*number)(int pid))
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		struct ucred peer;

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS ||
		    part->cmsg_len < CMSG_LEN(sizeof(peer)))
			continue;
		memcpy(&peer, CMSG_DATA(part), sizeof(peer));
		peer.pid = number(peer.pid);
		memcpy(CMSG_DATA(part), &peer, sizeof(peer));
	}
}

void credentials_to_virtual(struct msghdr *message)
{
	if (session_is_on() && message->msg_control)
		change(message, processes_sender);
}

void credentials_to_kernel(struct msghdr *message, void *room)
{
	if (!session_is_on() || !message->msg_control ||
	    message->msg_controllen > CREDENTIALS_CONTROL_MAX)
		return;
	memcpy(room, message->msg_control, message->msg_controllen);
	message->msg_control = room;
	change(message, processes_to_kernel);
}

static int hooked_getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
	long r = CALL_5(SYS_getsockopt, fd, level, option, value, size);

	if (r == 0 && session_is_on() && level == SOL_SOCKET && option == SO_PEERCRED &&
	    *size >= sizeof(struct ucred)) {
		struct ucred *peer = value;

		peer->pid = processes_sender(peer->pid);
	}
	return (int)call_result(r);
}

const struct hook credentials_hooks[] = {
	{ "getsockopt", hooked_getsockopt },
	{ NULL, NULL },
};
