/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* May a test become other users, and give them files? Root of a user namespace may not always. */
#ifndef UMADRIG_TESTS_RIG_REAL_ROOT_H
#define UMADRIG_TESTS_RIG_REAL_ROOT_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Is it root, and are there more users than that one? proc(5), /proc/self/uid_map. */
static inline bool is_real_root(void)
{
	FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned long inside, outside, count = 0;

	if (map && fscanf(map, "%lu %lu %lu", &inside, &outside, &count) != 3)
		count = 0;
	if (map)
		fclose(map);
	return geteuid() == 0 && count > 1;
}

#endif
