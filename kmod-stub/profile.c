/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Profiles: one row for each kernel.
 */
#include "kmod-stub/profile.h"

#include <string.h>

#include "lib/words/number.h"

static const struct profile profiles[KMOD_PROFILE_COUNT] = {
	/* 6.1.192, with the changes to 6.1.y up to June 2026. */
	[KMOD_LINUX_6_1] = {
		.name = "linux-6.1",
		.response_gate = true,
		.dead_file_fails = true,
		.reports_last = true,
		.queue_limit = 200000,
	},
	/* 5.10 as first released, without the later changes of its stable releases. */
	[KMOD_LINUX_5_10] = {
		.name = "linux-5.10",
		.queue_limit = UINT32_MAX,
	},
	/* 6.12.95: it does not have the gate of 2026 yet. */
	[KMOD_LINUX_6_12] = {
		.name = "linux-6.12",
		.dead_file_fails = true,
		.reports_last = true,
		.queue_limit = 200000,
	},
	/* 6.17.13 has all that is newer than 6.12; the series ended before the gate of 2026. */
	[KMOD_LINUX_6_17] = {
		.name = "linux-6.17",
		.dead_file_fails = true,
		.reports_last = true,
		.flow_control = true,
		.queue_limit = 200000,
	},
	/* 7.2.13 and 7.3.4, which do not differ here. */
	[KMOD_LINUX_7_2] = {
		.name = "linux-7.2",
		.response_gate = true,
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

/*
 * The profile of kernels from a given release on, oldest first. Stable releases adopt later
 * changes: 5.10.20 the errors of dead files, 6.1.183, 6.12.101 and 7.1.8 the gate (7.0.13 was the
 * last of its series, and does not have it; those of 7.1 before 7.1.8 were not looked at).
 */
static const struct {
	unsigned int major, minor, patch;
	enum kmod_profile profile;
} releases[] = {
	{ 5, 10, 0, KMOD_LINUX_5_10 },
	{ 5, 10, 20, KMOD_LINUX_6_12 },
	{ 5, 11, 0, KMOD_LINUX_5_10 },
	{ 5, 12, 0, KMOD_LINUX_6_12 },
	{ 6, 1, 183, KMOD_LINUX_6_1 },
	{ 6, 2, 0, KMOD_LINUX_6_12 },
	{ 6, 12, 101, KMOD_LINUX_6_1 },
	{ 6, 13, 0, KMOD_LINUX_6_12 },
	{ 6, 17, 0, KMOD_LINUX_6_17 },
	{ 7, 1, 8, KMOD_LINUX_7_2 },
};

static uint64_t release_number(uint64_t major, uint64_t minor, uint64_t patch)
{
	return major << 40 | minor << 20 | patch;
}

bool kmod_profile_of_release(const char *release, enum kmod_profile *ret_profile)
{
	uint64_t parts[3] = { 0 };
	unsigned int count = 0;
	bool known = false;

	/* "6.1.0-13-amd64" */
	while (count < 3 && number_take(&release, 10, UINT16_MAX, &parts[count]) == 0) {
		count++;
		if (*release++ != '.')
			break;
	}
	if (count < 2)
		return false;
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		if (release_number(releases[i].major, releases[i].minor, releases[i].patch) >
		    release_number(parts[0], parts[1], parts[2]))
			break;
		*ret_profile = releases[i].profile;
		known = true;
	}
	return known;
}
