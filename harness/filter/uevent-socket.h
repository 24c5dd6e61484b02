/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Netlink sockets for uevents: what socket(AF_NETLINK, ..., NETLINK_KOBJECT_UEVENT) gives a
 * program.
 *
 * It is a reader (harness/filter/kernel-reader.h) that tells of simulated devices alone. Group 1 is
 * the kernel's, group 2 udev's (sim/server/udev-message.h), as if udevd had seen to each event at
 * once. What is received has the addresses and the credentials of those; what a socket of the
 * kernel's would do otherwise than ours is answered here. One that does not read in time gets
 * ENOBUFS, and then what there still is.
 */
#ifndef UMADRIG_HARNESS_FILTER_UEVENT_SOCKET_H
#define UMADRIG_HARNESS_FILTER_UEVENT_SOCKET_H

#include "harness/filter/call-trap.h"
#include "harness/filter/supervisor.h"

/* socket(2) of that protocol. Where there is no simulated host the kernel goes on with it. */
supervisor_call_fn uevent_on_socket;

/* A call whose first argument is such a socket. CALL_OF_ANOTHER: it is none. */
supervisor_call_fn uevent_on_call;

#endif
