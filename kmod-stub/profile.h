/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A profile: how one kernel release behaves, where releases differ (linux-mad E). Code tests for a
 * behaviour, never for a release.
 */
#ifndef UMADRIG_KMOD_STUB_PROFILE_H
#define UMADRIG_KMOD_STUB_PROFILE_H

#include "kmod-stub/kmod.h"

struct profile {
	const char *name;
	bool response_gate;	/* segments of a response without a request are dropped unseen */
	bool dead_file_fails;	/* no device, no agent: EIO, and poll returns just POLLERR */
	bool reports_last;	/* an expiry retransmits everything before it reports anything */
	bool flow_control;	/* of requests: flow-control.h */
	uint32_t queue_limit;	/* a MAD is dropped if its file's queue holds more than that */
};

/* The profile that 'profile' names. */
const struct profile *profile_get(enum kmod_profile profile);

#endif
