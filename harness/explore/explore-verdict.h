/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether a run has passed, and if not, why.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_VERDICT_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_VERDICT_H

#include "harness/explore/explore-run.h"

enum explore_kind {
	EXPLORE_PASSED,
	EXPLORE_REFUSED,	/* umadrig exec's own: the program does not run */
	EXPLORE_KERNEL,		/* a check of a built kernel has found something */
	EXPLORE_LATE,		/* it took too long */
	EXPLORE_STUCK,		/* virtual time was at its limit, or could not go on */
	EXPLORE_PROPERTY,	/* property 'number', from 1, has not held */
	EXPLORE_SIGNAL,		/* 'number' ended the program */
	EXPLORE_STATUS,		/* 'number' is the program's */
	EXPLORE_LACKS,		/* the output has what it is to lack: pattern 'number', from 0 */
	EXPLORE_HAS,		/* it has not what it is to have */
	EXPLORE_EXPECT,		/* so the console's answer */
	EXPLORE_DIFFERS,		/* the second time something was different */
};

struct explore_verdict {
	enum explore_kind kind;
	int number;
	char *text;		/* "exit status 7"; NULL: passed */
	char *signature;	/* where: harness/explore/explore-signature.h; or NULL */
};

/* Judges a run that has ended, by what is in its directory. To be freed with the next. */
void explore_verdict_make(struct explore_verdict *verdict, const struct explore_run *run);
void explore_verdict_clear(struct explore_verdict *verdict);

/*
 * Which properties of a run that has ended were true at one time (sometimes): property N is bit
 * N - 1, for N up to 64.
 */
uint64_t explore_verdict_met(const struct explore_run *run);

/* "exit status", "output": its name in reports for other programs. */
const char *explore_kind_name(enum explore_kind kind);

/* Did two runs fail in the same way? */
bool explore_verdict_is_alike(const struct explore_verdict *a, const struct explore_verdict *b);

/* Are the patterns of a test valid? If not, an error of COMMAND_ERROR says why. */
bool explore_verdict_check(const struct explore_test *test, GError **error);

#endif
