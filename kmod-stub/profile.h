/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A profile: the ways of one kernel release, where releases differ (linux-mad E). Code asks for
 * a way, never for a release.
 */
#ifndef UMADRIG_KMOD_STUB_PROFILE_H
#define UMADRIG_KMOD_STUB_PROFILE_H

#include "kmod-stub/kmod.h"

struct profile {
	const char *name;
	bool response_gate;	/* segments of a response that nobody waits for end unheard */
	bool dead_file_fails;	/* no device, no agent: EIO, and poll says POLLERR alone */
	bool reports_last;	/* at one expiry all is sent again before anything is reported */
	bool flow_control;	/* of requests: flow-control.h */
	uint32_t queue_limit;	/* a MAD that finds more than that in its file's queue is dropped */
};

/* The profile that 'profile' names. */
const struct profile *profile_get(enum kmod_profile profile);

#endif
