/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * raw: what calls on other files cost where libumadraw is preloaded, as a multiple of libc's.
 *
 * Both are called in turn, in rounds; the medians are compared. Arguments: --smoke makes few rounds
 * and times nothing.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/monotonic.h"

enum { ROUNDS = 201, SMOKE_ROUNDS = 3, CALLS = 2000 };

typedef ssize_t read_fn(int fd, void *bytes, size_t size);
typedef ssize_t write_fn(int fd, const void *bytes, size_t size);
typedef int dup_fn(int fd);

static int zero, null;

static double time_reads(void *function)
{
	read_fn *volatile call = (read_fn *)function;
	int64_t from_ns = monotonic_ns();
	char byte;

	for (int i = 0; i < CALLS; i++) {
		if (call(zero, &byte, 1) != 1)
			exit(1);
	}
	return (double)(monotonic_ns() - from_ns) / CALLS;
}

static double time_writes(void *function)
{
	write_fn *volatile call = (write_fn *)function;
	int64_t from_ns = monotonic_ns();

	for (int i = 0; i < CALLS; i++) {
		if (call(null, "", 1) != 1)
			exit(1);
	}
	return (double)(monotonic_ns() - from_ns) / CALLS;
}

static double time_copies(void *function)
{
	dup_fn *volatile call = (dup_fn *)function;
	int64_t from_ns = monotonic_ns();

	for (int i = 0; i < CALLS; i++) {
		if (close(call(null)) != 0)
			exit(1);
	}
	return (double)(monotonic_ns() - from_ns) / CALLS;
}

static int by_size(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

static void compare(const char *name, double (*time_them)(void *), void *libc, int rounds)
{
	static double ours[ROUNDS], theirs[ROUNDS];
	void *first = dlsym(RTLD_DEFAULT, name), *usual = dlsym(libc, name);

	if (!first || first == usual) {
		fprintf(stderr, "raw: %s is libc's: preload libumadraw.so\n", name);
		exit(2);
	}
	for (int i = 0; i < rounds; i++) {
		theirs[i] = time_them(usual);
		ours[i] = time_them(first);
	}
	qsort(ours, (size_t)rounds, sizeof(ours[0]), by_size);
	qsort(theirs, (size_t)rounds, sizeof(theirs[0]), by_size);
	if (rounds == ROUNDS)
		printf("%-10s %6.3f times libc's (aim: 1.1)\n", name,
		       ours[rounds / 2] / theirs[rounds / 2]);
	else
		printf("%-10s works\n", name);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 && strcmp(argv[1], "--smoke") == 0 ? SMOKE_ROUNDS : ROUNDS;
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	if (!libc || zero < 0 || null < 0)
		return 1;
	compare("read", time_reads, libc, rounds);
	compare("write", time_writes, libc, rounds);
	compare("dup", time_copies, libc, rounds);
	return 0;
}
