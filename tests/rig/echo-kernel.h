/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel for tests that is not kmod-stub: a second table of operations, with objects of its own.
 *
 * It has no agents. A port has one file, which gets each MAD that arrives; a write sends a MAD to
 * the LID in its header; a read returns the oldest MAD with its sender's LID. All that is written
 * carries a mark, which tells it from what kmod-stub would send. echo_kernel_calls() has the names
 * of the operations that were called, in order.
 */
#ifndef UMADRIG_TESTS_RIG_ECHO_KERNEL_H
#define UMADRIG_TESTS_RIG_ECHO_KERNEL_H

#include "kmod-stub/kmod.h"

enum {
	ECHO_MARK_AT = 255,	/* of a MAD */
	ECHO_MARK = 0xec,
	ECHO_EXPIRED = 7,	/* what kmod_port_expire() returns */
};

extern const struct kmod_kernel echo_kernel;

/* What was called since the last time, as "host_new port_new ". Valid until the next call. */
const char *echo_kernel_calls(void);

#endif
