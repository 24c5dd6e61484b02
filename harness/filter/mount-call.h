/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Calls that would uncover the real devices of the machine. */
#ifndef UMADRIG_HARNESS_FILTER_MOUNT_CALL_H
#define UMADRIG_HARNESS_FILTER_MOUNT_CALL_H

#include "harness/filter/call-trap.h"

supervisor_call_fn mount_on_umount;

#endif
