/*
 * Profiles: one row for each kernel.
 */
#include "profile.h"

#include <stdio.h>
#include <string.h>

static const struct profile profiles[KMOD_PROFILE_COUNT] = {
	/* 6.1.192, with what came to 6.1.y until June 2026. */
	[KMOD_LINUX_6_1] = {
		.name = "linux-6.1",
		.major = 6,
		.minor = 1,
		.response_gate = true,
		.dead_file_fails = true,
		.reports_last = true,
		.queue_limit = 200000,
	},
	/* 5.10 as it came out, without what its stable releases took over later. */
	[KMOD_LINUX_5_10] = {
		.name = "linux-5.10",
		.major = 5,
		.minor = 10,
		.queue_limit = UINT32_MAX,
	},
	/* 6.12.95: the gate of 2026 has not come to it. */
	[KMOD_LINUX_6_12] = {
		.name = "linux-6.12",
		.major = 6,
		.minor = 12,
		.dead_file_fails = true,
		.reports_last = true,
		.queue_limit = 200000,
	},
	/* 6.17.13 has what is younger than 6.12; the series ended before the gate of 2026. */
	[KMOD_LINUX_6_17] = {
		.name = "linux-6.17",
		.major = 6,
		.minor = 17,
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

/* Versions in their order: 5.10, 6.1, 6.12. */
static unsigned long series(unsigned long major, unsigned long minor)
{
	return major << 16 | minor;
}

bool kmod_profile_of_release(const char *release, enum kmod_profile *ret_profile)
{
	unsigned int major, minor;
	unsigned long best = 0;

	if (sscanf(release, "%5u.%5u", &major, &minor) != 2)
		return false;
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		unsigned long its = series(profiles[i].major, profiles[i].minor);

		if (its <= best || its > series(major, minor))
			continue;
		best = its;
		*ret_profile = (enum kmod_profile)i;
	}
	return best > 0;
}
