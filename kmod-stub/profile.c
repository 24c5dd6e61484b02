/*
 * Profiles: one row for each kernel.
 */
#include "profile.h"

#include <string.h>

static const struct profile profiles[KMOD_PROFILE_COUNT] = {
	/* 6.1.192, with what came to 6.1.y until June 2026. */
	[KMOD_LINUX_6_1] = {
		.name = "linux-6.1",
		.response_gate = true,
		.dead_file_fails = true,
		.reports_last = true,
		.queue_limit = 200000,
	},
	/* 5.10 as it came out, without what its stable releases took over later. */
	[KMOD_LINUX_5_10] = {
		.name = "linux-5.10",
		.queue_limit = UINT32_MAX,
	},
	/* 6.17 has what is younger than 6.1 but ended before the gate of 2026. */
	[KMOD_LINUX_6_17] = {
		.name = "linux-6.17",
		.dead_file_fails = true,
		.reports_last = true,
		.flow_control = true,
		.queue_limit = 200000,
	},
};

const struct profile *profile_get(enum kmod_profile profile)
{
	return &profiles[profile];
}

const char *kmod_profile_name(enum kmod_profile profile)
{
	return profile < KMOD_PROFILE_COUNT ? profiles[profile].name : NULL;
}

bool kmod_profile_find(const char *name, enum kmod_profile *ret_profile)
{
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		if (strcmp(profiles[i].name, name) == 0) {
			*ret_profile = (enum kmod_profile)i;
			return true;
		}
	}
	return false;
}
