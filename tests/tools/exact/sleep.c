/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sleep SECONDS: as coreutils' of Debian 12. That of Debian 13 sleeps a nanosecond longer, which
 * virtual time shows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	double seconds = argc == 2 ? strtod(argv[1], NULL) : -1;
	double whole = floor(seconds);
	struct timespec left = {
		.tv_sec = (time_t)whole, .tv_nsec = lround((seconds - whole) * 1e9),
	};

	if (!(seconds >= 0)) {
		fprintf(stderr, "usage: sleep SECONDS\n");
		return 2;
	}
	while (nanosleep(&left, &left) < 0)
		continue;
	return 0;
}
