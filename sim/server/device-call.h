/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The calls of clients about devices, and what /sys has of them: lib/attach/protocol.h says what
 * each is.
 */
#ifndef UMADRIG_SIM_SERVER_DEVICE_CALL_H
#define UMADRIG_SIM_SERVER_DEVICE_CALL_H

#include "sim/server/call-request.h"

call_fn call_list_cas, call_get_ca, call_get_port, call_issm_path, call_issm_look, call_sysfs,
	call_sysfs_changes, call_sysfs_store;

#endif
