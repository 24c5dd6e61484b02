/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program below a real filter: a child of the test that makes the system calls itself, while the
 * test's process is its supervisor. Where no filter is needed, filter-rig.h has the calls without.
 */
#ifndef UMADRIG_TESTS_RIG_FILTER_BELOW_H
#define UMADRIG_TESTS_RIG_FILTER_BELOW_H

#include <errno.h>
#include <stdbool.h>

#include "harness/filter/supervisor.h"
#include "harness/filter/trap-table.h"

enum { FILTER_BELOW_FIRST = 960, FILTER_BELOW_END = 1024 };

/* The program: returns 0, or the number of the line that failed, by CHECK. */
typedef int filter_below_fn(void);
#define CHECK(condition) do { if (!(condition)) return __LINE__; } while (0)

static inline bool fails_with(long ret, int err)
{
	return ret == -1 && errno == err;
}

struct filter_below {
	const struct trap_table *table;
	filter_below_fn *run;
	/* Signals end the wait for an answer, as they do before Linux 5.19. */
	bool waits_interruptibly;
	/* What the supervisor does, or NULL: before and after everything, and again and again. */
	void (*begin)(struct supervisor *supervisor);
	void (*end)(struct supervisor *supervisor);
	void (*step)(struct supervisor *supervisor);
};

/*
 * What both processes see, from the first filter_below_run() on. 'number' is the test's, and 0 when
 * a program begins.
 */
struct filter_below_shared {
	int failed_line, number;
};
extern struct filter_below_shared *filter_below_shared;

/* Runs a program until it and its children have ended; the test fails unless it returned 0. */
void filter_below_run(const struct filter_below *below);

#endif
