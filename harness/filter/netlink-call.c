/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/netlink-call.h"

#include <linux/netlink.h>

#include "harness/filter/rdma-socket.h"
#include "harness/filter/uevent-socket.h"

long netlink_on_socket(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	if ((int)call->data.args[2] == NETLINK_KOBJECT_UEVENT)
		return uevent_on_socket(supervisor, call);
	return rdma_on_socket(supervisor, call);
}
