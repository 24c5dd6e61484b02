/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the files about netlink sockets share (lib/raw/netlink-socket.h). */
#ifndef UMADRIG_LIB_RAW_NETLINK_EXCHANGE_H
#define UMADRIG_LIB_RAW_NETLINK_EXCHANGE_H

#include <linux/netlink.h>
#include <sys/socket.h>

#include "lib/raw/raw.h"

/* As struct umad_backend's function uevent (lib/backend.h); a result is within 'room'. */
static inline long netlink_call(const struct umad_backend_uevent *call, int fd, const void *value,
				void *reply, size_t room)
{
	return raw_calls()->uevent(call, fd, value, reply, room);
}

/* Writes an address as getsockname(2) does. 0 or -errno. */
long netlink_put_address(const struct sockaddr_nl *address, struct sockaddr *to, socklen_t *size);

#endif
