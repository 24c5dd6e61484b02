/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The call of clients about netlink sockets of uevents: lib/attach/protocol.h says what it is. */
#ifndef UMADRIG_SIM_SERVER_EVENT_CALL_H
#define UMADRIG_SIM_SERVER_EVENT_CALL_H

#include "sim/server/call-request.h"

call_fn call_uevent;

#endif
