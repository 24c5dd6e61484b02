/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * foreign-costs WHAT COUNT: makes a call so often, to be measured from outside: what a program
 * could measure with is virtual itself.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/throws.h"

static void look_at_clock(long count)
{
	struct timespec at;

	for (long i = 0; i < count; i++)
		clock_gettime(CLOCK_MONOTONIC, &at);
}

static void pass_bytes(long count)
{
	int ends[2];
	char byte = 0;

	if (pipe(ends) < 0)
		return;
	for (long i = 0; i < count / 2; i++) {
		if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
			return;
	}
}

static void make_processes(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static const struct {
	const char *name;
	void (*run)(long count);
} whats[] = {
	{ "switch", throws_between_threads }, { "clock", look_at_clock }, { "byte", pass_bytes },
	{ "process", make_processes },
};

int main(int argc, char **argv)
{
	long count = 0;

	for (const char *at = argc > 2 ? argv[2] : ""; *at >= '0' && *at <= '9'; at++)
		count = 10 * count + *at - '0';
	for (size_t i = 0; argc > 2 && i < sizeof(whats) / sizeof(*whats); i++) {
		if (strcmp(argv[1], whats[i].name) == 0) {
			whats[i].run(count);
			return 0;
		}
	}
	fprintf(stderr, "foreign-costs: expected switch, clock, byte or process, and a count\n");
	return 2;
}
