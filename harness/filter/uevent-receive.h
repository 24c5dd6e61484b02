/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program receives from a netlink socket for uevents, with the address and the credentials
 * that the kernel's messages have, and udev's.
 */
#ifndef UMADRIG_HARNESS_FILTER_UEVENT_RECEIVE_H
#define UMADRIG_HARNESS_FILTER_UEVENT_RECEIVE_H

#include <linux/seccomp.h>

struct kernel_reader;
struct supervisor;

/* Bits of nl_groups. */
enum {
	UEVENT_GROUP_KERNEL = 1,
	UEVENT_GROUP_UDEV = 2,
};

/*
 * read, readv, recvfrom or recvmsg: how much, -errno, or CALL_GOES_ON: the kernel waits, or
 * reads where nobody asks for an address. -ENOBUFS: the program has missed some.
 */
long uevent_receive(struct supervisor *supervisor, struct kernel_reader *reader,
		    const struct seccomp_notif *call);

#endif
