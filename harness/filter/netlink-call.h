/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * socket(2) of netlink, of the protocols that tell of simulated devices.
 */
#ifndef UMADRIG_HARNESS_FILTER_NETLINK_CALL_H
#define UMADRIG_HARNESS_FILTER_NETLINK_CALL_H

#include "harness/filter/call-trap.h"

supervisor_call_fn netlink_on_socket;

#endif
