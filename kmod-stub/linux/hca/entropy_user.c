/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: entropy of a User-mode Linux guest, of which the host is asked by getrandom(2)
 * alone. This function stands in front of the C library's. With umadrig_seed=N it gives the same
 * numbers each time, without it the host's; the kernel itself is as it was. This file is a part of
 * the program that the kernel is to its host, and is compiled with the host's headers.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <init.h>

ssize_t getrandom(void *to, size_t size, unsigned int flags);

static int is_seeded;
static uint64_t state;

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). */
static uint64_t next(void)
{
	uint64_t mixed = state += 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
	return mixed ^ mixed >> 31;
}

ssize_t getrandom(void *to, size_t size, unsigned int flags)
{
	size_t done, part;

	if (!is_seeded)
		return syscall(SYS_getrandom, to, size, flags);
	for (done = 0; done < size; done += part) {
		uint64_t value = next();

		part = size - done < sizeof(value) ? size - done : sizeof(value);
		memcpy((char *)to + done, &value, part);
	}
	return (ssize_t)size;
}

/* The kernel does not see the parameter: its command line is entropy as well. */
static int set_seed(char *value, int *add)
{
	*add = 0;
	state = strtoull(value, NULL, 0);
	is_seeded = 1;
	return 0;
}

__uml_setup("umadrig_seed=", set_seed,
"umadrig_seed=<number>\n"
"    Numbers of the host's getrandom(2) follow from this one.\n\n"
);
