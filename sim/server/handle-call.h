/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls of clients about handles, and the memory that they share with the server:
 * lib/attach/protocol.h says what each is.
 */
#ifndef UMADRIG_SIM_SERVER_HANDLE_CALL_H
#define UMADRIG_SIM_SERVER_HANDLE_CALL_H

#include "sim/server/call-request.h"

call_fn call_open, call_register, call_unregister, call_send, call_put_back, call_ring, call_page;

#endif
