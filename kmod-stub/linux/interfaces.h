/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * All of the kernel's interfaces that this room stands for. The build has the compiler include it
 * before each of the kernel's files, whose own includes find empty files.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_INTERFACES_H
#define UMADRIG_KMOD_STUB_LINUX_INTERFACES_H

#include <limits.h>

#include "kmod-stub/linux/linux-addresses.h"
#include "kmod-stub/linux/linux-devices.h"
#include "kmod-stub/linux/linux-lists.h"
#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-numbers.h"
#include "kmod-stub/linux/linux-text.h"
#include "kmod-stub/linux/linux-tracepoints.h"
#include "kmod-stub/linux/linux-types.h"
#include "kmod-stub/linux/linux-verbs.h"
#include "kmod-stub/linux/linux-work.h"

/* Files of the kernel's that are beside the five, and declare what nobody here calls. */
#define _CORE_PRIV_H

#endif
