/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which Linux a host behaves like, where kernels differ (linux-mad E).
 */
#ifndef UMADRIG_KMOD_STUB_KMOD_PROFILE_H
#define UMADRIG_KMOD_STUB_KMOD_PROFILE_H

#include <stdbool.h>

/* The first is the default. */
enum kmod_profile {
	KMOD_LINUX_6_1,
	KMOD_LINUX_5_10,
	KMOD_LINUX_6_12,
	KMOD_LINUX_6_17,
	KMOD_LINUX_7_2,
	KMOD_PROFILE_COUNT,
};

/* "linux-6.1"; NULL beyond the last. */
const char *kmod_profile_name(enum kmod_profile profile);
/* The profile of that name. False: there is none. */
bool kmod_profile_find(const char *name, enum kmod_profile *ret_profile);
/*
 * The profile of a kernel's release ("6.12.95+deb12-amd64"): 6.1.100 behaves like linux-6.12,
 * 6.12.107 like linux-6.1. False: it does not begin with a version, or is older than all profiles.
 */
bool kmod_profile_of_release(const char *release, enum kmod_profile *ret_profile);

#endif
